#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"

namespace weir::exec {

/// What the compiler says about a program (runtime/abi/plan.md), read once at start. Indexes are positions in the
/// arrays of Plan; durations are microseconds, sizes bytes.

enum class SourceConnector { file, standard_input };
enum class SourceFormat { json, csv, text, regex };
enum class FileOrder { each, in_order };
enum class ErrorPolicy { fail, drop, to_stream };

/// A connector's argument: a literal, or the value of a parameter at start.
struct PlanText {
  std::string literal;
  std::optional<std::uint32_t> param;
};

struct ParamPlan {
  std::string name;
  std::string type;
  std::string default_value;
  bool address = false;  // may change between runs of one lineage
};

struct SourcePlan {
  std::string name;
  SourceConnector connector = SourceConnector::file;
  PlanText path;
  SourceFormat format = SourceFormat::json;
  std::uint32_t regex = 0;
  std::vector<std::string> null_texts;
  FileOrder files = FileOrder::each;
  bool follow = false;
  bool timed = false;
  std::int64_t lateness = 0;
  ErrorPolicy on_error = ErrorPolicy::fail;
  std::string fingerprint;
};

/// Where rows come from, through stateless steps only.
struct PlanInput {
  bool is_operator = false;
  std::uint32_t index = 0;
};

struct OperatorPlan {
  std::string name;
  std::int64_t window_size = 0;  // 0: no window
  std::int64_t window_offset = 0;
  std::vector<PlanInput> inputs;
  std::uint32_t state_size = 16;
  std::vector<std::uint32_t> string_offsets;
  std::vector<std::string> key_columns;
  std::vector<std::string> state_columns;
  std::string fingerprint;
  std::vector<std::string> lineage;
};

enum class SinkConnector { file, standard_output };
enum class SinkFormat { json, csv };

struct SinkPlan {
  std::string name;
  SinkConnector connector = SinkConnector::file;
  PlanText path;
  SinkFormat format = SinkFormat::json;
  std::string header;
  std::uint64_t roll_size = 128ull << 20;
  std::int64_t roll_every = 60'000'000;
  std::vector<PlanInput> inputs;
  std::string guarantee;
};

struct SitePlan {
  std::uint32_t code = 0;
  std::string stage;
  std::string message;  // empty: the detail says it
  std::uint32_t source = 0;
  bool fatal = false;  // ends the run whatever the policy
};

struct TimePatternPlan {
  std::string pattern;
  std::string zone;
};

struct Plan {
  std::string weir;
  std::string pipeline;
  std::string fingerprint;
  std::string script;
  std::int64_t checkpoint_every = 10'000'000;
  std::string state_folder;
  std::uint32_t keep = 3;
  std::uint32_t parallelism = 0;  // 0: number of processors
  std::vector<ParamPlan> params;
  std::vector<std::string> regexes;
  std::vector<TimePatternPlan> time_patterns;
  std::vector<SourcePlan> sources;
  std::vector<OperatorPlan> operators;  // inputs before users
  std::vector<SinkPlan> sinks;
  std::vector<SitePlan> sites;
  std::string report;
};

/// Failure: plan_invalid, with the place.
Result<Plan> read_plan(std::string_view json);

}  // namespace weir::exec
