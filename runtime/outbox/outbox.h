#pragma once

#include <cstdint>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/files/host.h"
#include "runtime/outbox/sink.h"
#include "runtime/protocol/recovery.h"
#include "runtime/protocol/slot.h"

namespace weir::outbox {

/// All sinks of a program, and what is decided and not acknowledged. One per generation; used by the coordinator's
/// thread (`prepare` may run on another one, while no other call runs). Any failure ends the attempt.
///
/// Start:   fence(generation); settle(recovery); the log acknowledges settled() unless it is empty; clean()
/// Epoch:   prepare(e, cuts) -> manifest.sinks; the log decides; decided(); deliver()
/// Stop:    with unrecorded() not empty, the log acknowledges it; recorded()
class Outbox {
 public:
  /// The sinks outlive the outbox.
  Outbox(files::Host& host, std::vector<Sink*> sinks);

  Result<void> fence(std::uint64_t generation);
  /// Publishes what the log says is pending, and takes the counts from its manifest. Failure: delivery_unknown,
  /// published_differs, staged_damaged, target_ahead: refused, nothing written.
  Result<void> settle(const protocol::Recovery& recovery);
  /// What settle published.
  const std::vector<protocol::Acknowledged>& settled() const { return settled_; }
  Result<void> clean();

  /// `cuts[s]` are the cuts of sink s, in the order of lanes. Makes them durable and returns the manifest's part. What
  /// was delivered before this call is left out of it: that is its acknowledgement.
  Result<std::vector<protocol::SinkState>> prepare(std::uint64_t epoch,
                                                   const std::vector<std::vector<LaneCut>>& cuts);
  /// The manifest with the parts of the last prepare is in the log.
  Result<void> decided();
  /// Publishes every rolled file that is decided, in order.
  Result<void> deliver();

  /// Delivered, and not left out of a decided manifest yet.
  std::vector<protocol::Acknowledged> unrecorded() const;
  /// They are in the log.
  Result<void> recorded();

  /// Bytes that are decided or prepared and not yet delivered.
  std::uint64_t pending_bytes() const;

 private:
  struct Item {
    protocol::StagedFile file;
    bool decided = false;
    bool delivered = false;
    bool left_out = false;  // of the manifest that is being decided
  };
  struct Target {
    Sink* sink;
    protocol::SinkState state;  // without files
    std::vector<Item> items;    // in delivery order
  };

  static void take_cut(Target& target, const LaneCut& cut);
  Result<void> forget(bool (*which)(const Item&));

  files::Host& host_;
  std::vector<Target> targets_;
  std::vector<protocol::Acknowledged> settled_;
  std::uint64_t epoch_ = 0;
};

}  // namespace weir::outbox
