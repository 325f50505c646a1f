#include "runtime/connectors/file/file_lane.h"

#include <fmt/core.h>

#include <utility>

#include "runtime/base/crc32c.h"
#include "runtime/connectors/file/output_names.h"

namespace weir::connectors::file {

void OpenFiles::add(const std::string& name, std::shared_ptr<files::File> file) {
  std::scoped_lock guard(mutex_);
  files_[name] = std::move(file);
  new_names_ = true;
}

std::shared_ptr<files::File> OpenFiles::find(const std::string& name) {
  std::scoped_lock guard(mutex_);
  auto found = files_.find(name);
  return found == files_.end() ? nullptr : found->second;
}

void OpenFiles::remove(const std::string& name) {
  std::scoped_lock guard(mutex_);
  files_.erase(name);
}

bool OpenFiles::take_new_names() {
  std::scoped_lock guard(mutex_);
  return std::exchange(new_names_, false);
}

FileLane::FileLane(files::Host& host, const FileSinkOptions& options, LanePlace place,
                   std::shared_ptr<OpenFiles> open_files)
    : host_(host), options_(options), place_(std::move(place)), open_files_(std::move(open_files)) {}

Result<void> FileLane::append(std::string_view rows, std::uint64_t count) {
  if (failed_) return fail(RunError::lane_failed, fmt::format("sink {} lane {}", options_.name, place_.lane));
  if (rows.empty()) return {};
  if (!file_) WEIR_CHECK(begin_file());
  rows_ += count;
  bytes_ += rows.size();
  staged_.rows += count;
  buffer_.append(rows);
  if (buffer_.size() < options_.buffer_size) return {};
  return flush();
}

Result<void> FileLane::begin_file() {
  failed_ = true;  // until it is done
  ++counter_;
  staged_ = {};
  staged_.generation = place_.generation;
  staged_.lane = place_.lane;
  staged_.counter = counter_;
  staged_.name = to_text(OutputName{options_.name, place_.lineage8, place_.generation, place_.lane, counter_,
                                    options_.extension});
  staged_.staged = files::join(place_.folder, staged_.name);
  WEIR_TRY(file_, host_.files.open(files::join(place_.target, staged_.staged), files::OpenMode::create_new));
  open_files_->add(staged_.name, file_);
  opened_us_ = host_.clock.steady_us();
  buffer_ = options_.header;
  failed_ = false;
  return {};
}

Result<void> FileLane::flush() {
  auto written = file_->append(buffer_);
  failed_ = !written.has_value();
  if (failed_) return written;
  staged_.length += buffer_.size();
  staged_.crc32c = base::crc32c(buffer_, staged_.crc32c);
  buffer_.clear();
  return {};
}

bool FileLane::due() const {
  return staged_.length >= options_.roll_size ||
         host_.clock.steady_us() - opened_us_ >= options_.roll_every_us;
}

Result<outbox::LaneCut> FileLane::cut(std::uint64_t epoch, outbox::Roll roll) {
  if (failed_) return fail(RunError::lane_failed, fmt::format("sink {} lane {}", options_.name, place_.lane));
  outbox::LaneCut cut;
  cut.lane = place_.lane;
  cut.counter = counter_;
  cut.rows = std::exchange(rows_, 0);
  cut.bytes = std::exchange(bytes_, 0);
  if (!file_) return cut;
  WEIR_CHECK(flush());
  if (staged_.first_epoch == 0) staged_.first_epoch = epoch;
  if (cut.rows > 0) staged_.last_epoch = epoch;
  staged_.rolled = roll == outbox::Roll::now || due();
  cut.files.push_back(staged_);
  if (staged_.rolled) file_.reset();
  return cut;
}

}  // namespace weir::connectors::file
