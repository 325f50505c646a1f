#pragma once

#include <memory>
#include <string>

#include "runtime/entry/flags.h"
#include "runtime/entry/params.h"
#include "runtime/exec/context.h"
#include "runtime/exec/options.h"
#include "runtime/files/host.h"

namespace weir::entry {

/// A program with the values of one start: parameters, compiled texts, what the connectors are.
class BoundProgram {
 public:
  /// Failure: bad_parameter, plan_invalid.
  static Result<std::unique_ptr<BoundProgram>> make(const weir_program_t& code, exec::Plan plan, Flags flags);

  exec::Program& program() { return program_; }
  exec::RunOptions options() const;
  exec::Connectors connectors(files::Host& host) const;
  /// Folders of the file sinks.
  std::vector<std::string> targets() const;

 private:
  BoundProgram(exec::Program program, Flags flags, Params params)
      : program_(std::move(program)), flags_(std::move(flags)), params_(std::move(params)) {}

  std::string text(const exec::PlanText& text) const;
  std::string target(const exec::SinkPlan& sink) const;
  std::unique_ptr<exec::Source> source(std::size_t index) const;
  exec::BoundSink sink(files::Host& host, const exec::SinkPlan& plan) const;

  exec::Program program_;
  Flags flags_;
  Params params_;
  std::shared_ptr<const weir_text_tables> texts_;
  std::vector<std::shared_ptr<exec::View>>
      views_;  // by sink; kept over attempts, so that a header is written once
};

}  // namespace weir::entry
