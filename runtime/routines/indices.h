// Index tensors as routines read them, and what else routines on whole buffers share.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::runtime {

enum class Negative : uint8_t { is_refused, counts_from_the_end };

// The positions that an index tensor names along a dim of `size` elements: i64, row-major, each in [0, size). Throws at
// the first that is out of range. dim < 0: the elements of a whole tensor.
Tensor checked_indices(const OpArgs& args, const Tensor& index, int64_t dim, int64_t size, Negative negative);

// The same memory seen with another layout (its offset included).
Tensor seen_as(const Tensor& tensor, Layout layout);
// The tensor's elements in that type, row-major.
Tensor dense(const Tensor& tensor, DType dtype);
// A contiguous tensor's elements in one dim.
Tensor flat(const Tensor& tensor);

inline int64_t count_of(const Tensor& tensor) { return tensor.numel().constant(); }
Dims sizes_of(const Tensor& tensor);

// Calls f with a zero of the compute type f32 or f64.
template <class F>
void visit_floating(DType dtype, F&& f) {
  dtype == DType::f64 ? f(double{}) : f(float{});
}

// Calls f with a zero of an unsigned integer that is as large as an element: to move elements of any type.
template <class F>
void visit_bytes(DType dtype, F&& f) {
  switch (byte_size(dtype)) {
    case 1: return f(uint8_t{});
    case 2: return f(uint16_t{});
    case 4: return f(uint32_t{});
    case 8: return f(uint64_t{});
  }
}

// Calls f with a zero of the type: bool, an integer, f32 or f64.
template <class F>
void visit_computed(DType dtype, F&& f) {
  visit(dtype, [&](auto zero) {
    if constexpr (std::is_arithmetic_v<decltype(zero)>) f(zero);
  });
}

}  // namespace sinter::runtime
