// Turns a schedule into a program: one source text per distinct kernel, buffers, and steps in order.

#pragma once

#include <sinter/codegen/program.h>
#include <sinter/fusion/schedule_graph.h>

namespace sinter::codegen {

// What the generated C++ is for: vector registers of this many bytes.
struct CppTarget {
  int vector_bytes = 32;
  // Results of a kernel that are together at least this large are written past the caches.
  int64_t stream_bytes = 8 << 20;
};

Program generate_program(const fusion::Schedule& schedule, const CppTarget& target);

// What the generated CUDA is for. The defaults are an H200's.
struct CudaTarget {
  int architecture = 90;                  // sm_90
  int multiprocessors = 132;              // a kernel has blocks for all of them where its work allows
  int64_t shared_bytes = 227 * 1024;      // dynamic shared memory that a block may ask for
  int64_t index_limit = (1LL << 31) - 1;  // positions beyond it are 64 bits wide
};

// What fusion may keep inside a kernel of such a GPU.
fusion::FusionLimits fusion_limits(const CudaTarget& target);

Program generate_program(const fusion::Schedule& schedule, const CudaTarget& target);

}  // namespace sinter::codegen
