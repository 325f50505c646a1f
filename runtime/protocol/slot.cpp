#include "runtime/protocol/slot.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "runtime/protocol/manifest_json.h"

namespace weir::protocol {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Fence, pipeline, lineage, fingerprint, weir, reason, pid, host, started_us)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Acknowledged, sink, name)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Ack, epoch, files)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Ended, epoch)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Amend, epoch, reason, accepted)

std::string_view to_string(SlotKind kind) {
  switch (kind) {
    case SlotKind::fence:
      return "fence";
    case SlotKind::plan:
      return "plan";
    case SlotKind::decide:
      return "decide";
    case SlotKind::ack:
      return "ack";
    case SlotKind::ended:
      return "ended";
    case SlotKind::amend:
      return "amend";
  }
  return "unknown";
}

SlotKind kind_of(const Body& body) {
  struct Kinds {
    SlotKind operator()(const Fence&) const { return SlotKind::fence; }
    SlotKind operator()(const Manifest&) const { return SlotKind::decide; }
    SlotKind operator()(const Ack&) const { return SlotKind::ack; }
    SlotKind operator()(const Ended&) const { return SlotKind::ended; }
    SlotKind operator()(const Amend&) const { return SlotKind::amend; }
  };
  return std::visit(Kinds{}, body);
}

std::string payload_text(const Slot& slot) {
  nlohmann::json payload;
  payload["generation"] = slot.generation;
  payload["oldest"] = slot.oldest;
  std::visit([&](const auto& body) { payload["body"] = body; }, slot.body);
  return payload.dump();
}

namespace {

Body parse_body(SlotKind kind, const nlohmann::json& body) {
  switch (kind) {
    case SlotKind::fence:
      return body.get<Fence>();
    case SlotKind::decide:
      return body.get<Manifest>();
    case SlotKind::ack:
      return body.get<Ack>();
    case SlotKind::ended:
      return body.get<Ended>();
    case SlotKind::amend:
      return body.get<Amend>();
    case SlotKind::plan:
      break;
  }
  throw nlohmann::json::other_error::create(501, "a kind that this program does not write", nullptr);
}

}  // namespace

Result<Slot> parse_payload(std::uint64_t number, SlotKind kind, std::string_view text) {
  try {
    nlohmann::json payload = nlohmann::json::parse(text);
    Slot slot;
    slot.number = number;
    slot.generation = payload.at("generation").get<std::uint64_t>();
    slot.oldest = payload.at("oldest").get<std::uint64_t>();
    slot.body = parse_body(kind, payload.at("body"));
    return slot;
  } catch (const nlohmann::json::exception& error) {
    return fail(RunError::payload_invalid,
                fmt::format("slot {} ({}): {}", number, to_string(kind), error.what()));
  }
}

}  // namespace weir::protocol
