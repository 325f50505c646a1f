#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace weir::files {

/// A fresh folder for one test, removed at its end. In memory where that can be: what is tested there is the order of
/// calls, which the disk makes slow and not different.
class TestFolder {
 public:
  TestFolder() {
    for (std::filesystem::path place :
         {std::filesystem::path("/dev/shm"), std::filesystem::temp_directory_path()}) {
      path_ = (place / "weir-test-XXXXXX").string();
      if (::mkdtemp(path_.data())) return;
    }
    std::abort();
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

}  // namespace weir::files
