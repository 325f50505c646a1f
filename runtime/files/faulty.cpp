#include "runtime/files/faulty.h"

#include <fmt/core.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>

#include "runtime/files/system_error.h"

namespace weir::files {
namespace {

constexpr std::array<std::string_view, 11> names = {"create",      "append",        "write_at",   "truncate",
                                                    "sync",        "link",          "rename",     "unlink",
                                                    "make_folder", "remove_folder", "sync_folder"};

class FaultyFile final : public File {
 public:
  FaultyFile(std::unique_ptr<File> below, const FaultPlan& plan, std::string path)
      : below_(std::move(below)), plan_(plan), path_(std::move(path)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) override {
    return below_->read_at(offset, out);
  }
  Result<void> append(std::string_view data) override {
    Fault fault = plan_(Operation::append, path_);
    if (fault.torn) WEIR_CHECK(below_->append(data.substr(0, data.size() / 2)));
    if (fault.error != 0) return system_fail("write", path_, fault.error);
    return below_->append(data);
  }
  Result<void> write_at(std::uint64_t offset, std::string_view data) override {
    Fault fault = plan_(Operation::write_at, path_);
    if (fault.torn) WEIR_CHECK(below_->write_at(offset, data.substr(0, data.size() / 2)));
    if (fault.error != 0) return system_fail("write", path_, fault.error);
    return below_->write_at(offset, data);
  }
  Result<void> truncate(std::uint64_t size) override {
    if (Fault fault = plan_(Operation::truncate, path_); fault.error != 0)
      return system_fail("truncate", path_, fault.error);
    return below_->truncate(size);
  }
  Result<std::uint64_t> size() override { return below_->size(); }
  Result<void> sync() override {
    if (Fault fault = plan_(Operation::sync, path_); fault.error != 0)
      return system_fail("sync", path_, fault.error);
    return below_->sync();
  }
  Result<void> sync_data() override {
    if (Fault fault = plan_(Operation::sync, path_); fault.error != 0)
      return system_fail("sync", path_, fault.error);
    return below_->sync_data();
  }

 private:
  std::unique_ptr<File> below_;
  const FaultPlan& plan_;
  std::string path_;
};

class FaultyFiles final : public Files {
 public:
  FaultyFiles(std::unique_ptr<Files> owned, Files& below, FaultPlan plan)
      : owned_(std::move(owned)), below_(below), plan_(std::move(plan)) {}

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    if (mode != OpenMode::read && mode != OpenMode::update)
      WEIR_CHECK(ask(Operation::create, "create", path));
    WEIR_TRY(auto file, below_.open(path, mode));
    return std::make_unique<FaultyFile>(std::move(file), plan_, path);
  }
  Result<std::optional<Info>> stat(const std::string& path) override { return below_.stat(path); }
  Result<std::vector<Entry>> list(const std::string& path) override { return below_.list(path); }
  Result<void> link(const std::string& from, const std::string& to) override {
    WEIR_CHECK(ask(Operation::link, "link", to));
    return below_.link(from, to);
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    WEIR_CHECK(ask(Operation::rename, "rename", to));
    return below_.rename(from, to);
  }
  Result<void> unlink(const std::string& path) override {
    WEIR_CHECK(ask(Operation::unlink, "remove", path));
    return below_.unlink(path);
  }
  Result<void> make_folder(const std::string& path) override {
    WEIR_CHECK(ask(Operation::make_folder, "make folder", path));
    return below_.make_folder(path);
  }
  Result<void> remove_folder(const std::string& path) override {
    WEIR_CHECK(ask(Operation::remove_folder, "remove folder", path));
    return below_.remove_folder(path);
  }
  Result<void> sync_folder(const std::string& path) override {
    WEIR_CHECK(ask(Operation::sync_folder, "sync", path));
    return below_.sync_folder(path);
  }
  Result<std::unique_ptr<Lock>> lock(const std::string& path, std::string_view contents) override {
    return below_.lock(path, contents);
  }

 private:
  Result<void> ask(Operation operation, std::string_view action, const std::string& path) {
    if (Fault fault = plan_(operation, path); fault.error != 0) return system_fail(action, path, fault.error);
    return {};
  }

  std::unique_ptr<Files> owned_;
  Files& below_;
  FaultPlan plan_;
};

}  // namespace

std::string_view to_string(Operation operation) {
  return names[static_cast<std::size_t>(operation)];
}

std::unique_ptr<Files> make_faulty_files(std::unique_ptr<Files> below, FaultPlan plan) {
  Files& files = *below;
  return std::make_unique<FaultyFiles>(std::move(below), files, std::move(plan));
}

std::unique_ptr<Files> make_faulty_files(Files& below, FaultPlan plan) {
  return std::make_unique<FaultyFiles>(nullptr, below, std::move(plan));
}

Result<FaultPlan> parse_fault_plan(std::string_view text) {
  auto wrong = [&] {
    return fail(RunError::file_io,
                fmt::format("WEIR_FILES_FAULT is \"{}\"; expected OPERATION@N:EIO, :ENOSPC or :torn", text));
  };
  std::size_t at = text.find('@');
  std::size_t colon = text.find(':');
  if (at == std::string_view::npos || colon == std::string_view::npos || colon < at) return wrong();
  std::string_view kind = text.substr(0, at);
  bool known = kind == "any";
  for (std::string_view name : names) known = known || name == kind;
  std::string_view count = text.substr(at + 1, colon - at - 1);
  bool onwards = count.ends_with('+');
  if (onwards) count.remove_suffix(1);
  std::uint64_t nth = 0;
  auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), nth);
  if (!known || error != std::errc{} || end != count.data() + count.size() || nth == 0) return wrong();
  std::string_view what = text.substr(colon + 1);
  Fault fault;
  if (what == "EIO")
    fault.error = EIO;
  else if (what == "ENOSPC")
    fault.error = ENOSPC;
  else if (what == "torn")
    fault = {EIO, true};
  else
    return wrong();
  auto seen = std::make_shared<std::atomic<std::uint64_t>>(0);
  return [seen, nth, onwards, fault, kind = std::string(kind)](Operation operation, const std::string&) {
    if (kind != "any" && kind != to_string(operation)) return Fault{};
    std::uint64_t number = seen->fetch_add(1) + 1;
    return number == nth || (onwards && number > nth) ? fault : Fault{};
  };
}

}  // namespace weir::files
