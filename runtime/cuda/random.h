// Random numbers on a CUDA device: those that the CPU draws, bit for bit.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::runtime {

// Runs an op of Structured::random: fills the dense memory of `output` from the default generator, on the current
// stream.
void fill_random_on_cuda(const OpArgs& args, const Tensor& output);

}  // namespace sinter::runtime
