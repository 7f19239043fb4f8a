// Runs what users wrote: implementations of custom ops, and loop kernels on tensors at hand.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// An op that is opaque or made of kernels, on real tensors. Its implementation makes the results.
Values run_custom(const OpArgs& args);

// The same as a step of a program: the results are copied into `outputs`, whose layouts its fake function said. The
// arguments may lie in memory that the program reuses: if the implementation kept one, that becomes a copy of its own.
void call_custom(const OpArgs& args, std::span<const Tensor> outputs);

// The same for results whose sizes only the implementation tells: it makes them.
std::vector<Tensor> make_custom(const OpArgs& args);

// sinter::launch writes `outputs`, sinter::launch_ its arguments.
void launch_kernel(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
