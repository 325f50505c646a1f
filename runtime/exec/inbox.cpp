#include "runtime/exec/inbox.h"

namespace weir::exec {

void Inbox::push(std::size_t operator_index, std::size_t from, Message message) {
  {
    std::lock_guard lock(mutex_);
    channels_[operator_index * workers_ + from].messages.push_back(std::move(message));
    ++waiting_;
    signalled_ = true;
  }
  changed_.notify_one();
}

void Inbox::wake() {
  {
    std::lock_guard lock(mutex_);
    signalled_ = true;
  }
  changed_.notify_one();
}

std::optional<Inbox::Taken> Inbox::take() {
  std::lock_guard lock(mutex_);
  if (waiting_ == 0) return std::nullopt;
  for (std::size_t at = channels_.size(); at-- > 0;) {
    Channel& channel = channels_[at];
    if (channel.blocked || channel.messages.empty()) continue;
    Taken taken{at / workers_, at % workers_, std::move(channel.messages.front())};
    channel.messages.pop_front();
    --waiting_;
    return taken;
  }
  return std::nullopt;
}

void Inbox::block(std::size_t operator_index, std::size_t from) {
  std::lock_guard lock(mutex_);
  channels_[operator_index * workers_ + from].blocked = true;
}

void Inbox::unblock_all() {
  std::lock_guard lock(mutex_);
  for (Channel& channel : channels_) channel.blocked = false;
}

void Inbox::begin_round() {
  std::lock_guard lock(mutex_);
  signalled_ = false;
}

void Inbox::park(std::chrono::microseconds at_most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, at_most, [&] { return signalled_; });
}

Fabric::Fabric(std::size_t operators, std::size_t workers) : sent_(workers) {
  for (std::size_t worker = 0; worker < workers; ++worker)
    inboxes_.push_back(std::make_unique<Inbox>(operators, workers));
}

void Fabric::send(std::size_t from, std::size_t to, std::size_t operator_index, Message message) {
  sent_[from].fetch_add(static_cast<std::int64_t>(message.size), std::memory_order_relaxed);
  inboxes_[to]->push(operator_index, from, std::move(message));
}

void Fabric::applied(std::size_t from, std::uint64_t bytes) {
  auto by = static_cast<std::int64_t>(bytes);
  std::int64_t before = sent_[from].fetch_sub(by, std::memory_order_relaxed);
  if (before >= soft_limit && before - by < soft_limit) inboxes_[from]->wake();
}

void Fabric::wake_all() {
  for (auto& inbox : inboxes_) inbox->wake();
}

}  // namespace weir::exec
