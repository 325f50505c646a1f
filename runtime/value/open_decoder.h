// The decoders that open_decoder chooses from.
#pragma once

#include "runtime/value/decoder.h"

namespace weir::value {

std::expected<std::unique_ptr<const Decoder>, std::string> open_csv(const DecoderOptions& options);

}  // namespace weir::value
