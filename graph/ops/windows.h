// Sliding windows over the spatial dims of a tensor: how many there are, and a view of them all, which reductions fuse
// with.

#pragma once

#include <sinter/graph/ops/spatial.h>

namespace sinter {

// One number for each spatial dim.
struct Windows {
  Dims kernel, stride, padding, dilation;
  SymDims size;    // of the input
  SymDims output;  // how many windows
};

// The windows of a pool, from the parameters kernel_size, stride (the kernel's if empty), padding, dilation and
// ceil_mode, those that the op has; all checked. `slot` is the input's.
Windows pool_windows(const OpArgs& args, int64_t rank, int slot);

// Of sizes [..., output..., kernel...], where places outside of x are `outside`. A view of x if there are none.
Tensor windows_of(const Tensor& x, const Windows& windows, Scalar outside, Here here);

// The sum or the maximum of each window, of sizes [..., output...].
enum class WindowReduction { sum, maximum };
Tensor reduced_windows(const Tensor& x, const Windows& windows, WindowReduction kind, Scalar outside, Here here);

// x in that memory order (row-major or channels last): itself if it is so already.
Tensor laid_out(const Tensor& x, const Layout& layout, Here here);

}  // namespace sinter
