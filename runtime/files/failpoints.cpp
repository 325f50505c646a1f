#include "runtime/files/failpoints.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ranges>

namespace weir::files {
namespace {

constexpr FailpointInfo all[] = {
#define WEIR_FAILPOINT(name, step, when, needs, recovery) \
  {Failpoint::name, #name, step, when, needs, recovery},
#include "runtime/protocol/failpoints.def"
#undef WEIR_FAILPOINT
};

}  // namespace

std::span<const FailpointInfo> failpoints() {
  return all;
}

std::optional<Failpoint> find_failpoint(std::string_view name) {
  auto found = std::ranges::find(all, name, &FailpointInfo::name);
  if (found == std::end(all)) return std::nullopt;
  return found->point;
}

Result<FailOrder> parse_fail_order(std::string_view text) {
  auto wrong = [&] {
    return fail(RunError::file_io,
                fmt::format("WEIR_FAILPOINT is \"{}\"; expected NAME@N or NAME@N:stop", text));
  };
  std::size_t at = text.find('@');
  if (at == std::string_view::npos) return wrong();
  FailOrder order{};
  auto point = find_failpoint(text.substr(0, at));
  if (!point) return wrong();
  order.point = *point;
  std::string_view count = text.substr(at + 1);
  if (std::size_t colon = count.find(':'); colon != std::string_view::npos) {
    if (count.substr(colon) != ":stop") return wrong();
    order.action = FailAction::stop;
    count = count.substr(0, colon);
  }
  auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), order.hit);
  if (error != std::errc{} || end != count.data() + count.size() || order.hit == 0) return wrong();
  return order;
}

Failpoints::Failpoints() : counts_(new std::atomic<std::uint64_t>[std::size(all)]()) {}

Failpoints::~Failpoints() {
  if (log_ >= 0) ::close(log_);
}

Result<std::unique_ptr<Failpoints>> Failpoints::make(std::vector<FailOrder> orders,
                                                     const std::string& log_path) {
  auto made = std::make_unique<Failpoints>();
  made->orders_ = std::move(orders);
  if (!log_path.empty()) {
    made->log_ = ::open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (made->log_ < 0)
      return fail(RunError::file_io, fmt::format("{}: {}", log_path, std::strerror(errno)), errno);
  }
  return made;
}

Result<std::unique_ptr<Failpoints>> Failpoints::from_environment() {
  std::vector<FailOrder> orders;
  if (const char* text = std::getenv("WEIR_FAILPOINT"); text && *text) {
    for (auto part : std::views::split(std::string_view(text), ',')) {
      WEIR_TRY(FailOrder order, parse_fail_order(std::string_view(part.begin(), part.end())));
      orders.push_back(order);
    }
  }
  const char* log = std::getenv("WEIR_FAILPOINT_LOG");
  return make(std::move(orders), log ? log : "");
}

void Failpoints::hit(Failpoint point, std::uint64_t epoch) {
  auto index = static_cast<std::size_t>(point);
  std::uint64_t count = counts_[index].fetch_add(1) + 1;
  if (log_ >= 0) {
    std::string line = fmt::format("{} {} {}\n", all[index].name, count, epoch);
    [[maybe_unused]] auto written = ::write(log_, line.data(), line.size());
  }
  for (const FailOrder& order : orders_)
    if (order.point == point && order.hit == count)
      std::raise(order.action == FailAction::kill ? SIGKILL : SIGSTOP);
}

std::uint64_t Failpoints::hits(Failpoint point) const {
  return counts_[static_cast<std::size_t>(point)];
}

}  // namespace weir::files
