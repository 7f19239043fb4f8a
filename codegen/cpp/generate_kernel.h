// The C++ source of one kernel, with what its caller must know.

#pragma once

#include <sinter/codegen/generate_program.h>

namespace sinter::codegen {

struct GeneratedKernel {
  KernelSource source;        // names in it are still `name`
  std::vector<SymInt> sizes;  // the symbols whose values follow the buffers in the list, behind one pointer
  std::vector<int> buffers;   // of the schedule, in the order of the function's list; without partial results
};

// `name` becomes the function's name: cpp_fused_add_relu_0.
GeneratedKernel generate_kernel(const fusion::Schedule& schedule, const fusion::Kernel& kernel, const CppTarget& target,
                                const std::string& name);

}  // namespace sinter::codegen
