// Runs a function on a thread with a large stack and waits for it: the generated parser recurses with the text.
#pragma once

#include <cstddef>
#include <functional>

namespace weir::parse {

// Room for the documented limits, also without optimisation and with sanitizers. Only what is used takes memory.
inline constexpr std::size_t big_stack_bytes = 512u << 20;

// If no thread can be had, `work` runs on the caller's stack. `work` must not throw.
void run_on_big_stack(const std::function<void()>& work);

}  // namespace weir::parse
