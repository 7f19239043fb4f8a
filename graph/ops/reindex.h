// The ops that reindex.cpp defines, and how other families reorder and extend tensors.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_REINDEX_OPS(OP) \
  OP(reindex_default) OP(flip_default) OP(fliplr_default) OP(flipud_default) OP(rot90_default) OP(roll_default) \
  OP(repeat_default) OP(tile_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_REINDEX_OPS)

namespace sinter {

// How sinter::reindex finds an element of its input: along each dim, element i of the result is element
// start + i * step of the input.
struct Reindexing {
  SymDims sizes, strides;  // of the result
  SymDims start;
  Dims step;
  // What lies before and behind the input: "fill" (one value), "wrap" (the input again), "clamp" (its outermost
  // elements), "mirror" (the input backwards, without its outermost elements).
  const char* outside = "fill";
  Scalar fill = 0;

  // A copy of a tensor as it is, row-major.
  explicit Reindexing(const SymDims& sizes);
};
Tensor reindex(const Tensor& x, const Reindexing& by, Here here);

}  // namespace sinter
