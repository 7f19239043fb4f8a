// Compiles generated C++ with a compiler of the machine, loads it, and runs programs made of it.

#pragma once

#include "support/naive_schedule.h"

#include <sinter/codegen/generate_program.h>

#include <string>

namespace sinter::test {

struct SourceCompiler {
  std::string command;  // g++, clang++-19
  std::string flags;    // -march=...
};

// Runs every step of a program on the buffers. Ranges are cut into `pieces` parts at multiples of the grain.
void run_program(const codegen::Program& program, BufferBytes& buffers, const SourceCompiler& compiler, int pieces = 1);

}  // namespace sinter::test
