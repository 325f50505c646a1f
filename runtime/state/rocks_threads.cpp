#include "runtime/state/rocks_threads.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace weir::state {
namespace {

using Function = void (*)(void*);

/// One thread, started at the first job. What is still queued at the end is not run.
class Queue {
 public:
  Queue() = default;
  ~Queue() {
    {
      std::lock_guard guard(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void add(Function function, void* argument, void* tag, Function unscheduled) {
    {
      std::lock_guard guard(mutex_);
      jobs_.push_back({function, argument, tag, unscheduled});
      if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    }
    changed_.notify_one();
  }

  int remove(void* tag) {
    std::vector<Job> removed;
    {
      std::lock_guard guard(mutex_);
      auto kept =
          std::stable_partition(jobs_.begin(), jobs_.end(), [&](const Job& job) { return job.tag != tag; });
      removed.assign(kept, jobs_.end());
      jobs_.erase(kept, jobs_.end());
    }
    for (const Job& job : removed)
      if (job.unscheduled) job.unscheduled(job.argument);
    return static_cast<int>(removed.size());
  }

  unsigned length() const {
    std::lock_guard guard(mutex_);
    return static_cast<unsigned>(jobs_.size());
  }

 private:
  struct Job {
    Function function;
    void* argument;
    void* tag;
    Function unscheduled;
  };

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
      if (ending_) return;
      Job job = jobs_.front();
      jobs_.pop_front();
      lock.unlock();
      job.function(job.argument);
      lock.lock();
    }
  }

  mutable std::mutex mutex_;  // guards all; not held while a job runs
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool ending_ = false;
  std::thread thread_;
};

class OwnThreads final : public rocksdb::EnvWrapper {
 public:
  explicit OwnThreads(const std::shared_ptr<rocksdb::FileSystem>& file_system)
      : EnvWrapper(rocksdb::NewCompositeEnv(file_system)) {
    file_system_ = file_system;
    system_clock_ = target()->GetSystemClock();
  }
  const char* Name() const override { return "weir"; }

  void Schedule(Function function, void* argument, Priority priority, void* tag,
                Function unscheduled) override {
    queue(priority).add(function, argument, tag, unscheduled);
  }
  int UnSchedule(void* tag, Priority priority) override { return queue(priority).remove(tag); }
  unsigned GetThreadPoolQueueLen(Priority priority) const override {
    return (priority == HIGH ? flushes_ : compactions_).length();
  }
  void SetBackgroundThreads(int, Priority) override {}
  void IncBackgroundThreadsIfNeeded(int, Priority) override {}
  int GetBackgroundThreads(Priority) override { return 1; }
  int ReserveThreads(int, Priority) override { return 0; }
  int ReleaseThreads(int, Priority) override { return 0; }

 private:
  Queue& queue(Priority priority) { return priority == HIGH ? flushes_ : compactions_; }

  Queue flushes_;
  Queue compactions_;
};

}  // namespace

std::unique_ptr<rocksdb::Env> make_rocks_env(const std::shared_ptr<rocksdb::FileSystem>& file_system) {
  return std::make_unique<OwnThreads>(file_system);
}

}  // namespace weir::state
