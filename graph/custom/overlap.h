// Whether two tensors reach a byte of one memory.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter::graph {

// Exact but where strides nest so badly that telling would take long: then true. Symbolic sizes count as they are in
// this trace.
bool may_overlap(const Tensor& a, const Tensor& b);

}  // namespace sinter::graph
