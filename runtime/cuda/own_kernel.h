// Kernels that are written by hand: a text with sizes as parameters, so that one compilation serves all of them.

#pragma once

#include <sinter/graph/tensor.h>

#include <string>
#include <vector>

namespace sinter::runtime {

// One launch of a kernel's function. A launch of no blocks is left out.
struct OwnLaunch {
  std::string function;
  int64_t blocks = 0;
};

inline constexpr int own_threads = 256;

// Blocks of own_threads with a thread for each of `count`.
inline int64_t blocks_for(int64_t count) { return (count + own_threads - 1) / own_threads; }

// Puts the launches on the current stream of `device`, all with the same parameters: the addresses, and behind them the
// numbers, each a `long`. The text is its own key: equal texts are compiled once in a process.
void run_own_kernel(Device device, std::string_view name, std::string text, std::vector<OwnLaunch> launches,
                    std::vector<void*> addresses, std::vector<int64_t> numbers, int threads = own_threads);

// On the device, contiguous and not cleared.
Tensor new_device_tensor(Device device, DType dtype, Dims sizes);

// An integer type of the element's size: it moves any element.
DType type_to_move(DType dtype);

}  // namespace sinter::runtime
