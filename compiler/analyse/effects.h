// What an expression of the flow may depend on besides its arguments.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "compiler/flow/flow.h"

namespace weir::analyse {

enum class Effect : std::uint8_t {
  clock = 1,     // the time of day while running
  random = 2,    // drawn anew at each evaluation
  external = 4,  // read from outside
  order = 8,     // the order in which records arrive
  host = 16,     // environment, machine, parallelism: read while running
  pinned = 32,   // tzdata, Unicode, libm by CPU: fixed for a run, named at start when they change
  opaque = 64,   // not known to anyone
};

using Effects = std::uint8_t;  // a set of Effect; 0: pure

inline bool has(Effects effects, Effect effect) {
  return (effects & static_cast<Effects>(effect)) != 0;
}
inline Effects set_of(Effect effect) {
  return static_cast<Effects>(effect);
}

// The effects of one call of a library function (Op::kCall), by its overload. What is not known is `opaque`.
using EffectsOf = std::function<Effects(const flow::Expr& call)>;

// As the declarations of the standard library say.
EffectsOf library_effects();

// What the operation itself depends on, its arguments apart: kCall as `effects_of` says, `meta.received` the clock.
// Functions of the program count as pure here.
Effects own_effects(const flow::Expr& expr, const EffectsOf& effects_of);

// "the clock", for messages.
std::string_view describe(Effect effect);
// "clock", as declarations write it.
std::string_view word(Effect effect);

}  // namespace weir::analyse
