// What running a program needs to know of its buffers, whatever device they are on.

#pragma once

#include <sinter/codegen/program.h>

namespace sinter::runtime {

// Those that steps and results name; buffers that gave their work to another have no memory.
std::vector<int> used_buffers(const codegen::Program& program);

// What offset 0 of the layout that an input was traced with stands for.
char* origin_of(const Tensor& tensor, const TensorMeta& traced);

}  // namespace sinter::runtime
