// Compiles generated C++, in this process or with a g++ of the machine, and runs programs made of it.

#pragma once

#include "support/naive_schedule.h"

#include <sinter/codegen/program.h>
#include <sinter/runtime/cpu_features.h>

namespace sinter::test {

enum class SourceCompiler { clang_in_process, gcc };

// Runs every step of a program on the buffers. Ranges are cut into `pieces` parts at multiples of the grain.
void run_program(const codegen::Program& program, BufferBytes& buffers, SourceCompiler compiler, runtime::Isa isa,
                 int pieces = 1);

}  // namespace sinter::test
