// Runs generated CUDA on the CPU: its text as C++, its threads as coroutines. For tests on machines without a GPU.

#pragma once

#include "support/naive_schedule.h"

#include <sinter/codegen/program.h>

#include <functional>

namespace sinter::test {

// Runs every step of a program on the buffers, blocks and threads in order. Slow: for small sizes. `number` gives the
// values of symbolic sizes.
void run_cuda_program(
    const codegen::Program& program, BufferBytes& buffers,
    const std::function<int64_t(SymInt)>& number = [](SymInt size) { return size.constant(); });

}  // namespace sinter::test
