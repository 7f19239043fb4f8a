// Products of matrices and of batches of matrices in device memory, by cuBLASLt: f32 (never by way of tf32), f64, f16
// and bf16 (accumulated in f32).

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter::runtime {

bool multiplies_on_cuda(DType dtype);

// c = a @ b on the current stream; rank 2, or 3 with equal batch sizes. c is row-major without gaps. For a and b of a
// half type, c may be f32: then nothing is rounded.
void multiply_on_cuda(const Tensor& a, const Tensor& b, const Tensor& c, Here here);

}  // namespace sinter::runtime
