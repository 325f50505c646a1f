#pragma once

#include <nlohmann/json.hpp>

#include "runtime/protocol/manifest.h"

namespace weir::protocol {

// Every field must be there: a manifest is never completed by defaults.

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileIdentity, path, device, inode, born_us, size, head_length, head_hash)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SplitPosition, ordinal, file, offset, ended, max_time, records,
                                   guard_length, guard_hash)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourceState, name, fingerprint, files, splits, watermark, read, rejected,
                                   dropped, late)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OperatorState, name, id, fingerprint, key_columns, state_columns, lineage,
                                   state_size, watermark)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StateFile, name, length, crc32c)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StateCheckpoint, folder, key_groups, files)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StagedFile, generation, lane, counter, staged, name, length, crc32c,
                                   rolled, rows, first_epoch, last_epoch)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaneMarker, lane, counter)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SinkState, name, connector, target, markers, files, rows, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Manifest, epoch, generation, pipeline, lineage, fingerprint, parallelism,
                                   aligned, ended, decided_us, sources, operators, state, sinks, environment)

}  // namespace weir::protocol
