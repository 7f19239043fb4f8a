// Turns a schedule into a program: one source text per distinct kernel, buffers, and steps in order.

#pragma once

#include <sinter/codegen/program.h>

namespace sinter::codegen {

// What the generated C++ is for: vector registers of this many bytes.
struct CppTarget {
  int vector_bytes = 32;
  // Results of a kernel that are together at least this large are written past the caches.
  int64_t stream_bytes = 8 << 20;
};

Program generate_program(const fusion::Schedule& schedule, const CppTarget& target);

}  // namespace sinter::codegen
