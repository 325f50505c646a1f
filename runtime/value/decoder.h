// What a source's format needs besides its type: opened once per file (csv: the header decides) or once per source.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/abi/abi.h"

namespace weir::value {

struct DecoderOptions {
  std::string format;                       // json | csv | text | regex
  const weir_type* type = nullptr;          // the source's record type
  std::vector<std::string> null_texts;      // texts that mean absent
  const weir_text_tables* texts = nullptr;  // regex
  std::uint32_t regex = 0;                  // regex: index into the plan's regexes
  std::string_view header;                  // csv: the first record of the file, without its end of line
};

// Immutable; shared by workers. weir_input.decoder points to it.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual std::uint32_t decode(weir_worker* worker, std::string_view record, char* frame,
                               weir_str* detail) const = 0;
};

// Null for json, which needs none. The error says what the file or the type lacks, for example
// "the header has no column `id`".
std::expected<std::unique_ptr<const Decoder>, std::string> open_decoder(const DecoderOptions& options);

}  // namespace weir::value
