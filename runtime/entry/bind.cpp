#include "runtime/entry/bind.h"

#include <fmt/core.h>

#include <algorithm>

#include "runtime/connectors/file/file_sink.h"
#include "runtime/connectors/file/file_source.h"
#include "runtime/connectors/stdio/stdio.h"
#include "runtime/value/decoder.h"
#include "runtime/value/pinned.h"
#include "runtime/value/text_tables.h"

namespace weir::entry {
namespace {

const char* format_name(exec::SourceFormat format) {
  switch (format) {
    case exec::SourceFormat::json:
      return "json";
    case exec::SourceFormat::csv:
      return "csv";
    case exec::SourceFormat::text:
      return "text";
    case exec::SourceFormat::regex:
      return "regex";
  }
  return "json";
}

connectors::file::OpenDecoder decoder_of(const exec::Program& program, std::size_t index) {
  const exec::SourcePlan& source = program.plan.sources[index];
  if (source.format == exec::SourceFormat::json) return {};
  value::DecoderOptions options;
  options.format = format_name(source.format);
  options.type = program.code->source_types[index];
  options.null_texts = source.null_texts;
  options.texts = program.texts;
  options.regex = source.regex;
  // Called by several workers at once, each with the header of its own file.
  return [options](std::string_view header) -> std::expected<std::shared_ptr<const void>, std::string> {
    value::DecoderOptions own = options;
    own.header = header;
    auto opened = value::open_decoder(own);
    if (!opened) return std::unexpected(opened.error());
    return std::shared_ptr<const value::Decoder>(std::move(*opened));
  };
}

}  // namespace

Result<std::unique_ptr<BoundProgram>> BoundProgram::make(const weir_program_t& code, exec::Plan plan,
                                                         Flags flags) {
  WEIR_TRY(Params params, Params::make(plan, flags.params));
  std::vector<value::TimePatternText> patterns;
  for (const exec::TimePatternPlan& pattern : plan.time_patterns)
    patterns.push_back({pattern.pattern, pattern.zone});
  auto texts = value::make_text_tables(plan.regexes, patterns);
  if (!texts) return fail(RunError::plan_invalid, texts.error());
  exec::Program program;
  program.code = &code;
  program.plan = std::move(plan);
  program.params = params.slots();
  program.texts = texts->get();
  program.environment = value::pinned_versions();
  program.environment["weir"] = program.plan.weir;
  for (std::size_t at = 0; at < program.plan.params.size(); ++at)
    if (!program.plan.params[at].address)
      program.environment["param " + program.plan.params[at].name] = params.text(at);
  std::unique_ptr<BoundProgram> bound(
      new BoundProgram(std::move(program), std::move(flags), std::move(params)));
  bound->texts_ = std::move(*texts);
  for (const exec::SinkPlan& sink : bound->program_.plan.sinks)
    bound->views_.push_back(sink.connector == exec::SinkConnector::standard_output
                                ? connectors::stdio::make_stdout_view(sink.header)
                                : nullptr);
  return bound;
}

exec::RunOptions BoundProgram::options() const {
  exec::RunOptions options;
  options.state_folder = flags_.state_folder;
  options.checkpoint = flags_.checkpoint;
  options.checkpoint_every_us = flags_.checkpoint_every_us;
  options.checkpoint_records = flags_.checkpoint_records;
  options.journal_epochs = flags_.journal_epochs;
  options.lane_bytes = flags_.lane_bytes;
  options.keep = std::max<std::uint32_t>(program_.plan.keep, 1);
  options.parallelism = flags_.parallelism;
  options.take_over = flags_.take_over;
  options.replace_output = flags_.replace_output;
  options.drain = flags_.drain;
  return options;
}

std::string BoundProgram::text(const exec::PlanText& text) const {
  return text.param ? params_.text(*text.param) : text.literal;
}

std::string BoundProgram::target(const exec::SinkPlan& sink) const {
  return flags_.redirect_sinks.empty() ? text(sink.path) : files::join(flags_.redirect_sinks, sink.name);
}

std::vector<std::string> BoundProgram::targets() const {
  std::vector<std::string> targets;
  for (const exec::SinkPlan& sink : program_.plan.sinks)
    if (sink.connector == exec::SinkConnector::file) targets.push_back(target(sink));
  return targets;
}

std::unique_ptr<exec::Source> BoundProgram::source(std::size_t index) const {
  const exec::SourcePlan& plan = program_.plan.sources[index];
  bool header = plan.format == exec::SourceFormat::csv;
  if (plan.connector == exec::SourceConnector::standard_input)
    return connectors::stdio::make_stdin_source({plan.name, header, decoder_of(program_, index)});
  connectors::file::FileSourceOptions options;
  options.name = plan.name;
  options.pattern = text(plan.path);
  for (const auto& [name, pattern] : flags_.bindings)
    if (name == plan.name) options.pattern = pattern;
  options.in_order = plan.files == exec::FileOrder::in_order;
  options.follow = plan.follow;
  options.until_end = flags_.until_end;
  options.header = header;
  options.verify_input = flags_.verify_input;
  options.open_decoder = decoder_of(program_, index);
  return connectors::file::make_file_source(std::move(options));
}

exec::BoundSink BoundProgram::sink(files::Host& host, const exec::SinkPlan& plan) const {
  connectors::file::FileSinkOptions options;
  options.name = plan.name;
  options.target = target(plan);
  options.extension = plan.format == exec::SinkFormat::csv ? "csv" : "ndjson";
  options.header = plan.header;
  options.roll_size = plan.roll_size;
  options.roll_every_us = flags_.roll_every_us.value_or(plan.roll_every);
  exec::BoundSink bound;
  bound.sink = connectors::file::make_file_sink(host, std::move(options));
  return bound;
}

exec::Connectors BoundProgram::connectors(files::Host& host) const {
  exec::Connectors made;
  for (std::size_t at = 0; at < program_.plan.sources.size(); ++at) made.sources.push_back(source(at));
  for (std::size_t at = 0; at < program_.plan.sinks.size(); ++at) {
    if (!views_[at]) {
      made.sinks.push_back(sink(host, program_.plan.sinks[at]));
      continue;
    }
    exec::BoundSink view;
    view.view = views_[at];
    made.sinks.push_back(std::move(view));
  }
  return made;
}

}  // namespace weir::entry
