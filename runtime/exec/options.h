#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/exec/source.h"
#include "runtime/outbox/sink.h"
#include "runtime/protocol/manifest.h"

namespace weir::exec {

enum class CheckpointMode { time, records, never };

struct RunOptions {
  std::string state_folder;
  CheckpointMode checkpoint = CheckpointMode::time;
  std::int64_t checkpoint_every_us = 10'000'000;
  std::uint64_t checkpoint_records = 0;
  std::uint32_t keep = 3;
  std::uint64_t journal_epochs = 1024;  // that a state checkpoint's journal has at most
  std::uint32_t parallelism = 1;
  std::uint64_t lane_bytes =
      64 << 20;  // of output after which a lane asks for an epoch; at four times, input waits
  bool take_over = false;
  bool replace_output = false;  // of a new lineage's targets
  bool drain = false;           // windows are closed at the end of this run, whatever ends it
};

/// Where a sink's rows go: exactly one is set.
struct BoundSink {
  std::unique_ptr<outbox::Sink> sink;
  std::shared_ptr<View> view;
  std::string extension;
};

/// What the program's connectors are, made anew for every attempt.
struct Connectors {
  std::vector<std::unique_ptr<Source>> sources;  // by source of the plan
  std::vector<BoundSink> sinks;                  // by sink of the plan
};
using MakeConnectors = std::function<Connectors()>;

struct Progress {
  std::uint64_t epoch = 0;    // the newest decided one
  std::uint64_t records = 0;  // of this process
  std::uint64_t windows = 0;  // open
  std::int64_t watermark = protocol::no_time;
  std::string holder;  // "orders p3"; empty: nothing holds it
};

/// What happens in a run, told to whoever watches. Called by the coordinator's thread.
struct Observer {
  std::function<void(const protocol::Manifest&)> decided;
  /// A new run (no manifest) or one that goes on from the manifest; `reason`: "start" or why the last attempt failed.
  std::function<void(const std::string& lineage, std::uint64_t generation, const protocol::Manifest* from,
                     const std::string& reason)>
      started;
  std::function<void(const Progress&)> progress;
};

struct SourceReport {
  std::string name;
  std::uint64_t read = 0;
  std::uint64_t late = 0;
  std::uint64_t rejected = 0;
  std::uint64_t dropped = 0;
};

struct SinkReport {
  std::string name;
  std::string target;  // empty: standard output
  std::uint64_t rows = 0;
  std::uint64_t files = 0;  // published by this process
};

struct WorkerReport {
  std::uint64_t records = 0;                 // read, by this process
  std::vector<std::uint64_t> operator_rows;  // applied to state, by operator
};

/// Counts over the life of the run (the lineage), except where it says process.
struct RunReport {
  std::string lineage;
  std::uint64_t generation = 0;
  std::uint64_t resumed_epoch = 0;   // 0: a new run
  std::uint64_t epoch = 0;           // the newest decided
  std::uint64_t epochs_decided = 0;  // by this process
  std::uint64_t attempts = 0;        // by this process
  std::uint64_t new_records = 0;     // by this process
  bool ended = false;
  bool had_ended = false;  // before this start
  std::vector<SourceReport> sources;
  std::vector<SinkReport> sinks;
  std::vector<WorkerReport> workers;
};

}  // namespace weir::exec
