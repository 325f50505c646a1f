#include "runtime/log/slot_log.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "runtime/log/frame.h"
#include "runtime/log/reader.h"

namespace weir::log {
namespace {

using files::Failpoint;
using protocol::Slot;
using protocol::SlotKind;

/// Where a slot of each kind is crash-tested on its way.
struct Points {
  std::optional<Failpoint> before, temporary_a, linked_a, synced_a, temporary_b, linked_b, after;
};

Points points_of(SlotKind kind) {
  Points points;
  switch (kind) {
    case SlotKind::fence:
      points.before = Failpoint::start_before_fence;
      points.linked_a = Failpoint::start_fence_linked_a;
      points.synced_a = Failpoint::start_fence_synced_a;
      points.after = Failpoint::start_fenced;
      break;
    case SlotKind::decide:
      points.temporary_a = Failpoint::decide_temporary_a;
      points.linked_a = Failpoint::decide_linked_a;
      points.synced_a = Failpoint::decide_synced_a;
      points.temporary_b = Failpoint::decide_temporary_b;
      points.linked_b = Failpoint::decide_linked_b;
      points.after = Failpoint::decide_after;
      break;
    case SlotKind::ack:
    case SlotKind::amend:
      points.before = Failpoint::record_before;
      points.linked_a = Failpoint::record_linked_a;
      points.after = Failpoint::record_after;
      break;
    case SlotKind::ended:
      points.before = Failpoint::ended_before;
      points.linked_a = Failpoint::ended_linked_a;
      points.after = Failpoint::ended_after;
      break;
    case SlotKind::plan:
      break;
  }
  return points;
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

constexpr std::string_view temporary_prefix = "tmp-";

}  // namespace

SlotLog::SlotLog(files::Host& host, Options options) : host_(host), options_(std::move(options)) {}

Result<std::unique_ptr<SlotLog>> SlotLog::open(files::Host& host, Options options) {
  std::unique_ptr<SlotLog> log(new SlotLog(host, std::move(options)));
  WEIR_CHECK(log->start());
  return log;
}

Result<void> SlotLog::start() {
  WEIR_CHECK(take_lock());
  WEIR_CHECK(read());
  for (char copy : {'a', 'b'}) WEIR_CHECK(files::make_folders(host_.files, copy_folder(copy)));
  return win_fence(lock_ ? "start" : "take-over", Attempt::until_won);
}

Result<void> SlotLog::take_lock() {
  WEIR_CHECK(files::make_folders(host_.files, options_.state_folder));
  std::string path = options_.state_folder + "/LOCK";
  auto lock = host_.files.lock(path, fmt::format("pid {} on {}", ::getpid(), host_name()));
  if (lock) {
    lock_ = *std::move(lock);
    return {};
  }
  if (!lock.error().is(RunError::already_running)) return std::unexpected(std::move(lock).error());
  std::string holder = lock.error().message();
  if (!options_.take_over)
    return fail(RunError::already_running,
                fmt::format("{} is in use by {}; stop that process, or start with --take-over",
                            options_.state_folder, holder));
  host_.logger.warning(fmt::format("taking {} over from {}", options_.state_folder, holder));
  return {};
}

Result<void> SlotLog::read() {
  WEIR_TRY(Contents contents, read_log(host_.files, options_.state_folder + "/log"));
  WEIR_TRY(recovery_, protocol::decide_recovery(contents.slots));
  if (!recovery_.pipeline.empty() && recovery_.pipeline != options_.pipeline)
    return fail(RunError::foreign_state,
                fmt::format("{} holds the state of pipeline {}, this is {}", options_.state_folder,
                            recovery_.pipeline, options_.pipeline));
  slots_ = std::move(contents.slots);
  lowest_ = std::max<std::uint64_t>(contents.lowest, 1);
  return {};
}

Result<void> SlotLog::win_fence(const std::string& reason, Attempt attempt) {
  constexpr int most_tries = 1000;
  for (int tries = 1;; ++tries) {
    // Those of whoever comes after this fence are none of its business.
    WEIR_TRY(auto stale, temporaries());
    protocol::Fence fence;
    fence.pipeline = options_.pipeline;
    fence.lineage = recovery_.lineage.empty() ? base::make_uuid(host_.random) : recovery_.lineage;
    fence.fingerprint = options_.fingerprint;
    fence.weir = options_.weir_version;
    fence.reason = reason;
    fence.pid = static_cast<std::uint64_t>(::getpid());
    fence.host = host_name();
    fence.started_us = host_.clock.wall_us();
    std::uint64_t number = recovery_.last_slot + 1;
    Slot slot{number, number, protocol::oldest_needed(slots_, options_.keep, false), fence};
    std::uint64_t epoch = recovery_.manifest ? recovery_.manifest->epoch : 0;
    host_.failpoints.hit(Failpoint::start_before_fence, epoch);
    auto placed = place(slot, epoch);
    // Whatever was written before this number is final now.
    if (auto known = read(); !known) return placed ? known : std::unexpected(std::move(placed).error());
    bool won = std::ranges::find(slots_, slot) != slots_.end();
    bool taken = won ? slots_.back() != slot : recovery_.last_slot >= number;
    bool again = attempt == Attempt::until_won && tries < most_tries;
    // Another start removes the temporary files that it finds: that is why the link failed.
    bool removed = !placed && placed.error().is(RunError::file_not_found);
    if (!won && (taken || removed) && again) continue;
    if (!placed && !taken) return std::unexpected(std::move(placed).error());
    if (!won || taken) return fenced(won ? number + 1 : number);
    if (!placed) return std::unexpected(std::move(placed).error());
    generation_ = number;
    if (auto repaired = repair(stale); !repaired) {
      WEIR_CHECK(check_owner());
      return repaired;
    }
    WEIR_TRY(recovery_, protocol::decide_recovery(std::span(slots_).first(slots_.size() - 1)));
    recovery_.pipeline = fence.pipeline;
    recovery_.lineage = fence.lineage;
    return {};
  }
}

std::unexpected<Status> SlotLog::fenced(std::uint64_t number) {
  fenced_ =
      fmt::format("slot {} of {} was taken by another run of this pipeline", number, options_.state_folder);
  return fail(RunError::fenced, fenced_);
}

Result<void> SlotLog::recover() {
  if (!fenced_.empty()) return fail(RunError::fenced, fenced_);
  std::uint64_t known = slots_.back().number;
  std::uint64_t own = generation_;
  WEIR_CHECK(read());
  // A slot of this generation may have been linked although its append failed.
  if (slots_.empty() || slots_.back().number < known || slots_.back().generation != own)
    return fenced(recovery_.last_slot);
  return win_fence("recovery", Attempt::once);
}

Result<void> SlotLog::check_owner() {
  if (!fenced_.empty()) return fail(RunError::fenced, fenced_);
  auto another = replaced();
  if (another && *another) return fenced(slots_.back().number);
  std::uint64_t next = slots_.back().number + 1;
  auto newer = superseded(next - 1);
  if (newer && !*newer) return {};
  auto contents = read_log(host_.files, options_.state_folder + "/log");
  if (contents) {
    if (contents->slots.empty() || contents->slots.back().generation == generation_) return {};
    return fenced(contents->slots.back().number);
  }
  // Of its own slots only the next one may be there without being known: an append that failed half-way.
  newer = superseded(next);
  if (newer && *newer) return fenced(next);
  return {};
}

Result<void> SlotLog::repair(const std::vector<std::string>& stale) {
  WEIR_TRY(Contents contents, read_log(host_.files, options_.state_folder + "/log"));
  std::uint64_t newest = slots_.back().number;
  for (const Repair& repair : contents.repairs) {
    // A crash between the two copies leaves the last slot before the fence in copy A only.
    bool ordinary =
        !repair.damaged && repair.number + 1 == newest && repair.path.starts_with(copy_folder('b'));
    std::string message = fmt::format("{} was {} and is made again from its other copy", repair.path,
                                      repair.damaged ? "damaged" : "missing");
    host_.logger.write(ordinary ? base::Level::info : base::Level::warning, message);
    std::string folder = files::parent_folder(repair.path);
    WEIR_TRY(std::string temporary, write_temporary(folder, repair.contents));
    WEIR_CHECK(host_.files.rename(temporary, repair.path));
    WEIR_CHECK(host_.files.sync_folder(folder));
  }
  for (const std::string& path : stale)
    if (auto removed = host_.files.unlink(path); !removed && !removed.error().is(RunError::file_not_found))
      return removed;
  return {};
}

Result<std::vector<std::string>> SlotLog::temporaries() {
  std::vector<std::string> paths;
  for (char copy : {'a', 'b'}) {
    WEIR_TRY(auto entries, host_.files.list(copy_folder(copy)));
    for (const files::Entry& entry : entries)
      if (entry.name.starts_with(temporary_prefix))
        paths.push_back(files::join(copy_folder(copy), entry.name));
  }
  return paths;
}

Result<void> SlotLog::decide(protocol::Manifest manifest) {
  manifest.generation = generation_;
  manifest.pipeline = options_.pipeline;
  manifest.lineage = recovery_.lineage;
  std::uint64_t epoch = manifest.epoch;
  return append(std::move(manifest), epoch);
}

Result<void> SlotLog::acknowledge(protocol::Ack ack) {
  std::uint64_t epoch = ack.epoch;
  return append(std::move(ack), epoch);
}

Result<void> SlotLog::end(protocol::Ended ended) {
  return append(ended, ended.epoch);
}

Result<void> SlotLog::amend(protocol::Amend amend) {
  std::uint64_t epoch = amend.epoch;
  return append(std::move(amend), epoch);
}

Result<void> SlotLog::append(protocol::Body body, std::uint64_t epoch) {
  SlotKind kind = protocol::kind_of(body);
  std::uint64_t number = slots_.back().number + 1;
  if (!fenced_.empty()) return fail(RunError::fenced, fenced_);
  bool deciding = kind == SlotKind::decide;
  Slot slot{number, generation_, protocol::oldest_needed(slots_, options_.keep, deciding), std::move(body)};
  if (auto before = points_of(kind).before) host_.failpoints.hit(*before, epoch);
  WEIR_TRY(bool another, replaced());
  if (another) return fenced(number);
  auto placed = place(slot, epoch);
  if (!placed) {
    // What went wrong may be the work of a newer owner, who removes what is not his.
    auto newer = superseded(number);
    if (newer && *newer) placed = Placed::taken;
  }
  WEIR_TRY(Placed result, std::move(placed));
  if (result == Placed::taken) return fenced(number);
  std::erase_if(slots_, [&](const Slot& old) { return old.number < slot.oldest; });
  slots_.push_back(std::move(slot));
  return {};
}

Result<SlotLog::Placed> SlotLog::place(const Slot& slot, std::uint64_t epoch) {
  SlotKind kind = protocol::kind_of(slot.body);
  Points points = points_of(kind);
  std::string text = encode_frame(slot.number, kind, protocol::payload_text(slot));
  std::string name = slot_name(slot.number);
  WEIR_TRY(Placed first,
           place_copy(copy_folder('a'), name, text, points.temporary_a, points.linked_a, epoch));
  if (first == Placed::taken) return first;
  if (points.synced_a) host_.failpoints.hit(*points.synced_a, epoch);
  // Copy B may be there already: a newer owner completed it.
  WEIR_TRY(Placed second,
           place_copy(copy_folder('b'), name, text, points.temporary_b, points.linked_b, epoch));
  // The number may be one that the newer owner used and collected.
  WEIR_TRY(bool newer, superseded(slot.number));
  if (newer || second == Placed::taken) return Placed::taken;
  if (points.after) host_.failpoints.hit(*points.after, epoch);
  return Placed::done;
}

Result<SlotLog::Placed> SlotLog::place_copy(const std::string& folder, const std::string& name,
                                            const std::string& text, std::optional<Failpoint> written,
                                            std::optional<Failpoint> linked, std::uint64_t epoch) {
  WEIR_TRY(std::string temporary, write_temporary(folder, text));
  if (written) host_.failpoints.hit(*written, epoch);
  auto link = host_.files.link(temporary, files::join(folder, name));
  if (!link && !link.error().is(RunError::file_exists)) return std::unexpected(std::move(link).error());
  if (link && linked) host_.failpoints.hit(*linked, epoch);
  WEIR_CHECK(host_.files.unlink(temporary));
  if (!link) return Placed::taken;
  WEIR_CHECK(host_.files.sync_folder(folder));
  return Placed::done;
}

Result<std::string> SlotLog::write_temporary(const std::string& folder, const std::string& text) {
  std::string path = files::join(folder, fmt::format("{}{}-{:016x}-{}", temporary_prefix, ::getpid(),
                                                     host_.random.next(), ++temporaries_));
  WEIR_TRY(auto file, host_.files.open(path, files::OpenMode::create_new));
  WEIR_CHECK(file->append(text));
  WEIR_CHECK(file->sync());
  return path;
}

Result<bool> SlotLog::replaced() {
  const Slot& newest = slots_.back();
  auto text = files::read_whole(host_.files, files::join(copy_folder('a'), slot_name(newest.number)));
  if (!text && text.error().is(RunError::file_not_found)) return true;
  if (!text) return std::unexpected(std::move(text).error());
  // A damaged copy is for the next start to mend.
  Frame frame = decode_frame(newest.number, *text);
  if (frame.state != FrameState::whole) return false;
  auto slot = protocol::parse_payload(newest.number, frame.kind, frame.payload);
  return slot && *slot != newest;
}

Result<bool> SlotLog::superseded(std::uint64_t number) {
  WEIR_TRY(auto entries, host_.files.list(copy_folder('a')));
  return std::ranges::any_of(entries,
                             [&](const files::Entry& entry) { return slot_number(entry.name) > number; });
}

Result<void> SlotLog::collect() {
  std::uint64_t epoch = retained_epochs().empty() ? 0 : retained_epochs().back();
  if (!fenced_.empty()) return fail(RunError::fenced, fenced_);
  std::uint64_t needed = slots_.back().oldest;
  host_.failpoints.hit(Failpoint::collect_before, epoch);
  for (; lowest_ < needed; ++lowest_) {
    for (char copy : {'a', 'b'}) {
      auto removed = host_.files.unlink(files::join(copy_folder(copy), slot_name(lowest_)));
      if (!removed && !removed.error().is(RunError::file_not_found)) return removed;
      if (copy == 'a') host_.failpoints.hit(Failpoint::collect_inside, epoch);
    }
  }
  host_.failpoints.hit(Failpoint::collect_after, epoch);
  return {};
}

std::vector<std::uint64_t> SlotLog::retained_epochs() const {
  std::vector<std::uint64_t> epochs;
  for (const Slot& slot : slots_)
    if (const auto* manifest = std::get_if<protocol::Manifest>(&slot.body)) epochs.push_back(manifest->epoch);
  return epochs;
}

}  // namespace weir::log
