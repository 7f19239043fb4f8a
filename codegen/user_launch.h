// The source around a user's loop kernel: declarations that stand in for the headers it can't include, its own text,
// and a function with the signature of generated kernels that calls it.

#pragma once

#include <sinter/codegen/generate_program.h>
#include <sinter/graph/custom/user_kernel.h>

namespace sinter::codegen {

// A launch in a program: its numbers are constants of the source, or on the CPU symbolic sizes. The kernel's name
// follows `prefix`.
struct UserLaunch {
  KernelSource source;
  std::vector<int> buffers;
  std::vector<SymInt> sizes;  // whose values the function is given after the buffers
};
UserLaunch user_launch(const fusion::ExternCall& call, const fusion::Schedule& schedule, const CppTarget& target,
                       std::string prefix);
UserLaunch user_launch(const fusion::ExternCall& call, const fusion::Schedule& schedule, const CudaTarget& target,
                       std::string prefix);

// A launch on tensors at hand: `buffers` are the addresses of their first elements, and then one of an array of 64-bit
// integers and doubles, the numbers. One source serves launches of all sizes.
KernelSource user_kernel_source(const UserKernel& kernel);

}  // namespace sinter::codegen
