// The start of our own CUDA kernels: what an element type is called in them.

#pragma once

#include <sinter/graph/dtype.h>

#include <string>

namespace sinter::runtime {

// CUDA C++ of T (in memory), A (what it is computed in: f32 for f16 and bf16, unsigned for integers, which wrap) and of
// widen(T) and narrow(A), each with one rounding.
std::string element_text(DType dtype);

}  // namespace sinter::runtime
