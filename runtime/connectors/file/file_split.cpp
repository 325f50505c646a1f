#include "runtime/connectors/file/file_split.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "runtime/base/crc32c.h"
#include "runtime/connectors/file/file_list.h"
#include "runtime/exec/record_end.h"
#include "runtime/value/helpers.h"

namespace weir::connectors::file {

using exec::Piece;
using exec::Readiness;

std::unexpected<Status> fail_grown(std::string_view source, std::string_view path, std::uint64_t size,
                                   std::uint64_t complete_at) {
  return fail(
      RunError::new_input,
      fmt::format("source {}: {} has {} bytes, and was taken as complete at byte {} because a later file had "
                  "begun; move what is behind that byte to the end of the newest file, or start over with "
                  "--fresh",
                  source, path, size, complete_at));
}

FileSplit::FileSplit(std::shared_ptr<const FileSourceOptions> options, std::vector<ListedFile> files,
                     std::uint64_t first_file, const protocol::SplitPosition& position, std::size_t read_size,
                     Look look)
    : options_(std::move(options)),
      files_(std::move(files)),
      first_file_(first_file),
      look_(std::move(look)),
      at_(position.file - first_file),
      offset_(position.offset),
      buffer_(read_size),
      ended_(position.ended) {
  for (std::size_t file = 0; file < at_ && file < files_.size(); ++file)
    before_ += files_[file].identity.size;
}

Result<void> FileSplit::open_current() {
  WEIR_TRY(file_, open_listed(options_->pattern, current().identity, current().current_path));
  buffer_.clear();
  header_end_ = 0;
  header_read_ = !options_->header;
  WEIR_CHECK(checksum_up_to_position());
  if (options_->open_decoder && !options_->header && !decoder_) {
    auto opened = options_->open_decoder({});
    if (!opened)
      return fail(RunError::source_unreadable, fmt::format("{}: {}", options_->name, opened.error()));
    decoder_ = std::move(*opened);
  }
  return {};
}

Result<void> FileSplit::checksum_up_to_position() {
  if (!options_->verify_input) return {};
  WEIR_TRY(auto sum, file_.checksum(offset_));
  checksum_ = sum.value_or(0);
  return {};
}

Result<void> FileSplit::check_header() {
  if (!options_->header || files_.empty() || ended_) return {};
  const std::uint64_t offset = offset_;
  WEIR_CHECK(open_current());
  WEIR_CHECK(read_header());
  offset_ = offset;
  file_ = InputFile();
  return {};
}

Result<bool> FileSplit::read_header() {
  WEIR_TRY(Reach limit, reach());
  std::string bytes;
  for (std::uint64_t want = 64 << 10;; want *= 2) {
    bytes.assign(std::min(want, limit.to), '\0');
    WEIR_TRY(std::size_t got, file_.read_at(0, bytes));
    bool all = got == limit.to;
    bytes.resize(got);
    bytes.append(WEIR_INPUT_PADDING, '\0');
    const char* begin = bytes.data();
    const char* end = begin + got;
    const char* cursor = got >= 3 && std::memcmp(begin, "\xef\xbb\xbf", 3) == 0 ? begin + 3 : begin;
    weir_str header{};
    if (weir_frame_csv(&cursor, end, all && limit.final, &header)) {
      auto opened = options_->open_decoder({header.data, header.size});
      if (!opened)
        return fail(RunError::source_unreadable,
                    fmt::format("{}: {}", current().identity.path, opened.error()));
      decoder_ = std::move(*opened);
      header_end_ = static_cast<std::uint64_t>(cursor - begin);
      offset_ = std::max(offset_, header_end_);
      header_read_ = true;
      WEIR_CHECK(checksum_up_to_position());
      return true;
    }
    if (!all && want <= exec::longest_record) continue;
    if (!limit.final) return false;
    // No header at all: an empty file has no records either.
    header_read_ = true;
    offset_ = std::max(offset_, limit.to);
    return true;
  }
}

Result<FileSplit::Reach> FileSplit::reach() {
  if (current().complete) return Reach{current().identity.size, true, false};
  WEIR_TRY(std::uint64_t size, file_.size());
  if (size < offset_)
    return fail(RunError::split_truncated,
                fmt::format("{} has {} bytes, and {} were read", current().current_path, size, offset_));
  if (options_->until_end) return Reach{std::min(size, current().identity.size), false, true};
  return Reach{size, false, false};
}

Result<bool> FileSplit::next_file() {
  before_ += current().identity.size;
  ++at_;
  offset_ = 0;
  file_ = InputFile();
  buffer_.clear();
  if (at_ < files_.size()) return true;
  --at_;
  before_ -= current().identity.size;
  offset_ = current().identity.size;
  ended_ = true;
  buffer_.release();
  return false;
}

Piece FileSplit::piece_of_buffer(const Reach& reach) const {
  std::string_view unread = buffer_.unread();
  Piece piece;
  piece.data = unread.data();
  piece.end = unread.data() + unread.size();
  piece.base = offset_;
  piece.last = reach.final && offset_ + unread.size() == reach.to;
  piece.path = files_[at_].identity.path;
  piece.decoder = decoder_.get();
  return piece;
}

Result<Readiness> FileSplit::read(Piece& piece, bool more) {
  for (;;) {
    if (ended_) return Readiness::ended;
    if (files_.empty()) {
      WEIR_CHECK(look_again());
      if (files_.empty()) return options_->until_end ? Readiness::caught_up : Readiness::waiting;
    }
    if (!file_.is_open()) WEIR_CHECK(open_current());
    if (!header_read_) {
      WEIR_TRY(bool whole, read_header());
      if (!whole) {
        WEIR_TRY(Reach so_far, reach());
        WEIR_TRY(Readiness next, at_end_for_now(so_far.to));
        if (next != Readiness::ready) return next;
        continue;
      }
    }
    if (stand_in_.active()) {
      piece = {stand_in_.data(), stand_in_.end(), offset_, false, files_[at_].identity.path, decoder_.get()};
      return Readiness::ready;
    }
    WEIR_TRY(Reach limit, reach());
    std::uint64_t buffered_to = offset_ + buffer_.unread().size();
    if (!buffer_.unread().empty() && !more) {
      piece = piece_of_buffer(limit);
      return Readiness::ready;
    }
    if (buffer_.unread().size() > exec::longest_record) {
      WEIR_TRY(bool found_end, skip_long_record(limit));
      if (!found_end) {
        WEIR_TRY(Readiness next, at_end_for_now(limit.to));
        if (next != Readiness::ready) return next;
      }
      continue;
    }
    if (buffered_to < limit.to) {
      exec::InputBuffer::Space space = buffer_.space();
      // Never more than decides whether a record is too long, so that the answer does not depend on the buffer.
      std::size_t room = exec::longest_record + 1 - buffer_.unread().size();
      std::size_t want = std::min<std::uint64_t>({space.size, limit.to - buffered_to, room});
      WEIR_TRY(std::size_t got, file_.read_at(buffered_to, {space.data, want}));
      if (got == 0)
        return fail(RunError::split_truncated,
                    fmt::format("{} ends at byte {}, and had {} when it was listed", current().current_path,
                                buffered_to, limit.to));
      buffer_.filled(got);
      piece = piece_of_buffer(limit);
      return Readiness::ready;
    }
    if (limit.final) {
      // The stage takes everything of a last piece, so that nothing is unread here.
      WEIR_TRY(bool another, next_file());
      if (!another) return Readiness::ended;
      more = false;
      continue;
    }
    WEIR_TRY(Readiness next, at_end_for_now(limit.to));
    if (next != Readiness::ready) return next;
    if (!buffer_.unread().empty()) more = false;
  }
}

bool FileSplit::later_file_has_bytes() const {
  return std::any_of(files_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, files_.end(),
                     [](const ListedFile& file) { return file.identity.size > 0; });
}

Result<void> FileSplit::look_again() {
  if (!look_) return {};
  WEIR_TRY(std::vector<protocol::FileIdentity> listed, look_());
  for (protocol::FileIdentity& file : listed) {
    auto known =
        std::ranges::find_if(files_, [&](const ListedFile& each) { return same_file(each.identity, file); });
    if (known == files_.end()) {
      files_.push_back({file, file.path, false});
      found_.push_back(std::move(file));
    } else if (known < files_.begin() + static_cast<std::ptrdiff_t>(at_)) {
      if (file.size > known->identity.size)
        return fail_grown(options_->name, file.path, file.size, known->identity.size);
    } else if (known > files_.begin() + static_cast<std::ptrdiff_t>(at_)) {
      known->identity.size = file.size;
    }
  }
  return {};
}

Result<Readiness> FileSplit::at_end_for_now(std::uint64_t to) {
  if (!later_file_has_bytes()) WEIR_CHECK(look_again());
  if (!later_file_has_bytes()) return options_->until_end ? Readiness::caught_up : Readiness::waiting;
  WEIR_TRY(std::uint64_t size, file_.size());
  current().identity.size = size;
  if (size > to) return Readiness::ready;
  current().complete = true;
  auto found = std::ranges::find_if(
      found_, [&](const protocol::FileIdentity& file) { return same_file(file, current().identity); });
  if (found == found_.end())
    found_.push_back(current().identity);
  else
    *found = current().identity;
  return Readiness::ready;
}

Result<bool> FileSplit::skip_long_record(const Reach& limit) {
  std::string_view begun = buffer_.unread();
  std::uint64_t at = offset_ + begun.size();
  std::string chunk(1 << 20, '\0');
  exec::RecordEnd record_end(options_->header);
  const char* end = record_end.find(begun.data(), begun.data() + begun.size());
  if (end) long_record_end_ = offset_ + static_cast<std::uint64_t>(end - begun.data());
  while (!end) {
    std::size_t want = std::min<std::uint64_t>(chunk.size(), limit.to - at);
    std::size_t got = 0;
    if (want > 0) {
      WEIR_TRY(got, file_.read_at(at, {chunk.data(), want}));
    }
    if (got == 0) {
      if (!limit.final) return false;
      long_record_end_ = at;
      break;
    }
    end = record_end.find(chunk.data(), chunk.data() + got);
    if (end) long_record_end_ = at + static_cast<std::uint64_t>(end - chunk.data());
    at += got;
  }
  stand_in_.set(buffer_.unread());
  return true;
}

void FileSplit::consume(std::uint64_t bytes) {
  if (stand_in_.active()) {
    stand_in_.clear();
    offset_ = long_record_end_;
    buffer_.release();
    if (auto sum = checksum_up_to_position(); !sum) checksum_ = 0;  // a later start then refuses the file
    return;
  }
  if (options_->verify_input) checksum_ = base::crc32c(buffer_.unread().substr(0, bytes), checksum_);
  buffer_.consume(bytes);
  offset_ += bytes;
}

void FileSplit::end() {
  ended_ = true;
  buffer_.release();
  file_ = InputFile();
}

void FileSplit::note(protocol::SplitPosition& position) {
  position.file = first_file_ + at_;
  position.offset = offset_;
  position.ended = ended_;
  position.guard_length = 0;
  position.guard_hash = 0;
  if (files_.empty()) return;
  if (options_->verify_input && offset_ > guard_limit) {
    position.guard_length = offset_;
    position.guard_hash = checksum_;
    return;
  }
  std::uint64_t length = std::min(offset_, guard_limit);
  if (!file_.is_open() && ended_) {
    auto opened = open_listed(options_->pattern, current().identity, current().current_path);
    if (opened) file_ = std::move(*opened);
  }
  if (!file_.is_open()) return;
  auto guard = file_.hash(offset_ - length, length);
  if (ended_) file_ = InputFile();
  if (!guard || !*guard) return;
  position.guard_length = length;
  position.guard_hash = **guard;
}

}  // namespace weir::connectors::file
