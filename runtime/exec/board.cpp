#include "runtime/exec/board.h"

#include <algorithm>

namespace weir::exec {

Board::Board(std::size_t workers, std::function<void()> wake_workers)
    : workers_(workers), wake_workers_(std::move(wake_workers)) {}

void Board::request_barrier(BarrierRequest request) {
  {
    std::lock_guard lock(mutex_);
    request_ = request;
    cuts_.clear();
    barrier_wanted_ = false;
  }
  wake_workers_();
}

void Board::stop_workers() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_workers_();
}

void Board::set_quota(std::int64_t records) {
  {
    std::lock_guard lock(mutex_);
    limited_ = records >= 0;
    quota_ = records;
  }
  wake_workers_();
}

BarrierRequest Board::request() const {
  std::lock_guard lock(mutex_);
  return request_;
}

bool Board::stopping() const {
  std::lock_guard lock(mutex_);
  return stopping_;
}

std::uint64_t Board::take_quota(std::uint64_t wanted) {
  std::lock_guard lock(mutex_);
  if (limited_) {
    // Small helpings near the end, so that no worker is left without.
    auto share = static_cast<std::uint64_t>(quota_) / (2 * workers_);
    wanted = std::min({wanted, std::max<std::uint64_t>(share, 1), static_cast<std::uint64_t>(quota_)});
    quota_ -= static_cast<std::int64_t>(wanted);
  }
  outstanding_ += wanted;
  return wanted;
}

void Board::give_back(std::uint64_t taken, std::uint64_t used) {
  bool refilled = false;
  {
    std::lock_guard lock(mutex_);
    outstanding_ -= taken;
    records_ += used;
    if (limited_) {
      refilled = quota_ == 0 && taken > used;
      quota_ += static_cast<std::int64_t>(taken - used);
      if (quota_ == 0 && outstanding_ == 0) changed_.notify_all();
    }
  }
  if (refilled) wake_workers_();
}

void Board::post(WorkerCut cut) {
  std::lock_guard lock(mutex_);
  cuts_.push_back(std::move(cut));
  if (cuts_.size() == workers_) changed_.notify_all();
}

void Board::fail(Status status) {
  std::lock_guard lock(mutex_);
  if (!failure_ && !record_failure_) failure_ = std::move(status);
  changed_.notify_all();
}

void Board::fail(RecordFailure failure) {
  std::lock_guard lock(mutex_);
  if (!failure_ && !record_failure_) record_failure_ = std::move(failure);
  changed_.notify_all();
}

void Board::sources_done(bool ended) {
  std::lock_guard lock(mutex_);
  ++done_;
  if (ended) ++ended_;
  if (done_ == workers_) changed_.notify_all();
}

void Board::ask_for_barrier() {
  std::lock_guard lock(mutex_);
  barrier_wanted_ = true;
  changed_.notify_all();
}

void Board::poke() {
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

Board::News Board::news() const {
  News news;
  news.failed = failure_ || record_failure_;
  news.cuts_complete = cuts_.size() == workers_;
  news.sources_done = done_ == workers_;
  news.sources_ended = ended_ == workers_;
  news.barrier_wanted = barrier_wanted_;
  news.quota_used_up = limited_ && quota_ == 0 && outstanding_ == 0;
  news.records = records_;
  return news;
}

Board::News Board::wait(std::chrono::microseconds at_most, const std::function<bool(const News&)>& wanted) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, at_most, [&] { return wanted(news()); });
  return news();
}

std::vector<WorkerCut> Board::take_cuts() {
  std::lock_guard lock(mutex_);
  std::ranges::sort(cuts_, {}, &WorkerCut::worker);
  return std::move(cuts_);
}

std::optional<Status> Board::failure() const {
  std::lock_guard lock(mutex_);
  return failure_;
}

std::optional<RecordFailure> Board::record_failure() const {
  std::lock_guard lock(mutex_);
  return record_failure_;
}

std::vector<std::uint32_t> Board::missing_cuts() const {
  std::lock_guard lock(mutex_);
  std::vector<std::uint32_t> missing;
  for (std::uint32_t worker = 0; worker < workers_; ++worker)
    if (std::ranges::find(cuts_, worker, &WorkerCut::worker) == cuts_.end()) missing.push_back(worker);
  return missing;
}

}  // namespace weir::exec
