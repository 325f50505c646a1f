// Runs a flow program in the test's process: compiled by this stage, loaded by LLVM's JIT, with a small runtime around it
// that keeps rows and state in memory.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/abi/abi.h"

namespace weir::lower::testing {

struct Rejection {
  std::uint32_t site = 0;
  std::string raw;
  std::string detail;
};

struct Options {
  bool optimise = true;
  std::uint32_t workers = 1;  // all played by one worker's context: exchanges are delivered at the end
};

class Runner {
 public:
  // `flow`: the program in the text form of flow. Fails the test where it does not compile.
  explicit Runner(std::string_view flow, const Options& options = {});
  ~Runner();
  Runner(const Runner&) = delete;

  // Feeds one split of source `index` until its end.
  void feed(int index, std::string text);
  // Delivers what exchanges hold, then closes every window of every operator, inputs before users.
  void close();

  std::vector<std::string> sink(int index) const;  // lines
  const std::vector<Rejection>& rejections() const;
  const std::string& plan() const;
  weir_source_counters counters(int source) const;
  // Code, stage and message of a rejection's site: "5006 s.select: integer overflow: `a + b`".
  std::string site(const Rejection& rejection) const;
  bool stopped() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace weir::lower::testing
