#include "runtime/log/reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "runtime/log/frame.h"

namespace weir::log {
namespace {

/// One copy of one slot, as it is on disk.
struct Copy {
  std::string path;
  std::optional<std::string> text;
  Frame frame;  // of `text`, once it stays where it is
  bool whole() const { return text && frame.state == FrameState::whole; }
};

class Reader {
 public:
  Reader(files::Files& files, const std::string& folder)
      : files_(files), folders_{folder + "/a", folder + "/b"} {}

  /// Of slots that have a file in a copy, and in which.
  using Numbers = std::set<std::pair<std::uint64_t, std::string>>;
  Result<Numbers> numbers() {
    Numbers numbers;
    for (const std::string& folder : folders_) {
      WEIR_TRY(bool there, files::exists(files_, folder));
      if (!there) continue;
      WEIR_TRY(auto entries, files_.list(folder));
      for (const files::Entry& entry : entries)
        if (std::uint64_t number = slot_number(entry.name); number != 0) numbers.insert({number, folder});
    }
    return numbers;
  }

  Result<Contents> read() {
    Contents contents;
    WEIR_TRY(Numbers there, numbers());
    if (there.empty()) return contents;
    contents.lowest = there.begin()->first;
    std::uint64_t newest = there.rbegin()->first;
    // The newest slot says how far back the others are needed.
    WEIR_TRY(protocol::Slot last, read_slot(newest, contents));
    contents.repairs.clear();
    for (std::uint64_t number = std::max<std::uint64_t>(last.oldest, 1); number <= newest; ++number) {
      WEIR_TRY(contents.slots.emplace_back(), read_slot(number, contents));
    }
    return contents;
  }

 private:
  Result<Copy> read_copy(const std::string& folder, std::uint64_t number) {
    Copy copy;
    copy.path = files::join(folder, slot_name(number));
    auto text = files::read_whole(files_, copy.path);
    if (!text) {
      if (text.error().is(RunError::file_not_found)) return copy;
      // A medium error is damage: the other copy decides.
      copy.text = "";
      return copy;
    }
    copy.text = *std::move(text);
    return copy;
  }

  Result<protocol::Slot> read_slot(std::uint64_t number, Contents& contents) {
    Copy copies[2];
    for (int index : {0, 1}) {
      WEIR_TRY(copies[index], read_copy(folders_[index], number));
      Copy& copy = copies[index];
      if (copy.text) copy.frame = decode_frame(number, *copy.text);
      if (copy.text && copy.frame.state == FrameState::other_version)
        return fail(RunError::slot_version,
                    fmt::format("{}: format version {}, this program knows {}", copy.path, copy.frame.version,
                                protocol::format_version));
    }
    auto& [a, b] = copies;
    if (a.whole() && b.whole() && *a.text != *b.text)
      return fail(RunError::copies_disagree, fmt::format("{} and {}", a.path, b.path));
    if (!a.whole() && !b.whole()) return lost(a, b);
    const Copy& good = a.whole() ? a : b;
    const Copy& other = a.whole() ? b : a;
    if (!other.whole()) contents.repairs.push_back({number, other.path, other.text.has_value(), *good.text});
    return protocol::parse_payload(number, good.frame.kind, good.frame.payload);
  }

  static std::unexpected<Status> lost(const Copy& a, const Copy& b) {
    if (!a.text && !b.text)
      return fail(RunError::slot_missing,
                  fmt::format("{} (and its copy {}) should be there", a.path, b.path));
    auto say = [](const Copy& copy) {
      return fmt::format("{} is {}", copy.path,
                         copy.text ? fmt::format("damaged ({} bytes)", copy.text->size()) : "missing");
    };
    return fail(RunError::slot_damaged, fmt::format("{}, {}", say(a), say(b)));
  }

  files::Files& files_;
  std::string folders_[2];
};

}  // namespace

Result<Contents> read_log(files::Files& files, const std::string& folder) {
  Reader reader(files, folder);
  constexpr int most_tries = 100;
  for (int tries = 1;; ++tries) {
    auto before = reader.numbers();
    auto contents = reader.read();
    if (contents || !before || tries == most_tries) return contents;
    // Another process that writes and collects slots may be the reason.
    auto after = reader.numbers();
    if (!after || *after == *before) return contents;
  }
}

}  // namespace weir::log
