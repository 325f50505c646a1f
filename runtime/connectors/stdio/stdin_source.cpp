#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/connectors/stdio/stdio.h"
#include "runtime/exec/input_buffer.h"
#include "runtime/exec/record_end.h"
#include "runtime/value/helpers.h"

namespace weir::connectors::stdio {
namespace {

using exec::Piece;
using exec::Readiness;

constexpr std::size_t read_size = 1 << 20;
constexpr std::string_view path = "<stdin>";

class StdinSplit final : public exec::Split {
 public:
  explicit StdinSplit(StdinOptions options) : options_(std::move(options)), buffer_(read_size) {}

  Result<Readiness> read(Piece& piece, bool more) override {
    if (ended_) return Readiness::ended;
    for (;;) {
      if (skipping_) {
        WEIR_TRY(bool found, skip());
        if (!found) return Readiness::waiting;
      }
      if (stand_in_.active()) {
        piece = {stand_in_.data(), stand_in_.end(), offset_, false, path, decoder_.get()};
        return Readiness::ready;
      }
      std::string_view unread = buffer_.unread();
      if (!header_read_ && (!unread.empty() || at_end_)) {
        WEIR_TRY(bool whole, read_header());
        if (whole) continue;
      } else if (!unread.empty() && (!more || at_end_)) {
        piece = {unread.data(), unread.data() + unread.size(), offset_, at_end_, path, decoder_.get()};
        return Readiness::ready;
      } else if (at_end_) {
        ended_ = true;
        buffer_.release();
        return Readiness::ended;
      } else if (unread.size() > exec::longest_record) {
        stand_in_head_ = std::string(unread.substr(0, exec::head_size));
        record_end_ = exec::RecordEnd(options_.header);
        skipping_ = true;
        continue;
      }
      WEIR_TRY(bool any, fill());
      if (!any && !at_end_) return Readiness::waiting;
      if (any) more = false;
    }
  }
  bool too_long() const override { return stand_in_.active(); }
  std::string_view head_of_too_long() const override { return stand_in_.head(); }
  void consume(std::uint64_t bytes) override {
    if (stand_in_.active()) {
      stand_in_.clear();
      offset_ += skipped_;
      skipped_ = 0;
      return;
    }
    buffer_.consume(bytes);
    offset_ += bytes;
  }
  std::uint64_t total() const override { return offset_; }
  void end() override { ended_ = true; }
  void note(protocol::SplitPosition& position) override {
    position.offset = offset_;
    position.ended = ended_;
  }

 private:
  /// False: nothing there now, or the end.
  Result<bool> fill() {
    pollfd waits{STDIN_FILENO, POLLIN, 0};
    if (::poll(&waits, 1, 0) == 0) return false;
    exec::InputBuffer::Space space = buffer_.space();
    ssize_t got = ::read(STDIN_FILENO, space.data,
                         std::min(space.size, exec::longest_record + 1 - buffer_.unread().size()));
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return false;
    if (got < 0)
      return fail(RunError::source_unreadable, fmt::format("stdin: {}", std::strerror(errno)), errno);
    if (got == 0) at_end_ = true;
    buffer_.filled(static_cast<std::size_t>(got));
    return got > 0;
  }

  Result<bool> read_header() {
    std::string_view unread = buffer_.unread();
    const char* begin = unread.data();
    const char* cursor = unread.starts_with("\xef\xbb\xbf") ? begin + 3 : begin;
    weir_str header{};
    if (!weir_frame_csv(&cursor, begin + unread.size(), at_end_, &header)) {
      if (at_end_) header_read_ = true;
      return at_end_;
    }
    auto opened = options_.open_decoder({header.data, header.size});
    if (!opened) return fail(RunError::source_unreadable, "stdin: " + opened.error());
    decoder_ = std::move(*opened);
    header_read_ = true;
    consume(static_cast<std::uint64_t>(cursor - begin));
    return true;
  }

  /// Throws away the rest of a record that is too long. False: its end has not come yet.
  Result<bool> skip() {
    for (;;) {
      std::string_view unread = buffer_.unread();
      const char* end = record_end_.find(unread.data(), unread.data() + unread.size());
      std::size_t take = end ? static_cast<std::size_t>(end - unread.data()) : unread.size();
      skipped_ += take;
      buffer_.consume(take);
      if (end || at_end_) {
        skipping_ = false;
        stand_in_.set(stand_in_head_);
        return true;
      }
      WEIR_TRY(bool any, fill());
      if (!any && !at_end_) return false;
    }
  }

 public:
  /// For formats that need a decoder without a header.
  Result<void> open() {
    header_read_ = !options_.header;
    if (options_.header || !options_.open_decoder) return {};
    auto opened = options_.open_decoder({});
    if (!opened) return fail(RunError::source_unreadable, "stdin: " + opened.error());
    decoder_ = std::move(*opened);
    return {};
  }

 private:
  StdinOptions options_;
  exec::InputBuffer buffer_;
  exec::StandIn stand_in_;
  std::string stand_in_head_;
  exec::RecordEnd record_end_{false};
  std::shared_ptr<const void> decoder_;
  std::uint64_t offset_ = 0;
  std::uint64_t skipped_ = 0;
  bool header_read_ = false;
  bool skipping_ = false;
  bool at_end_ = false;
  bool ended_ = false;
};

class StdinSource final : public exec::Source {
 public:
  explicit StdinSource(StdinOptions options) : options_(std::move(options)) {}

  Result<exec::OpenedSource> open(const protocol::SourceState* saved) override {
    exec::OpenedSource opened;
    if (saved) {
      bool ended = !saved->splits.empty() && saved->splits[0].ended;
      if (!ended)
        return fail(
            RunError::not_resumable,
            fmt::format(
                "source {} reads standard input, and the last run did not come to its end; start over with "
                "--fresh, or run with another --state",
                options_.name));
      opened.positions = saved->splits;
      opened.splits.emplace_back();
      return opened;
    }
    auto split = std::make_unique<StdinSplit>(options_);
    WEIR_CHECK(split->open());
    opened.positions.emplace_back();
    opened.splits.push_back(std::move(split));
    return opened;
  }
  bool replayable() const override { return false; }
  std::uint64_t line_of(std::string_view, std::uint64_t) override { return 0; }

 private:
  StdinOptions options_;
};

}  // namespace

std::unique_ptr<exec::Source> make_stdin_source(StdinOptions options) {
  return std::make_unique<StdinSource>(std::move(options));
}

}  // namespace weir::connectors::stdio
