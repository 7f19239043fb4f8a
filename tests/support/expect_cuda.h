// Compares generated CUDA, run on the CPU, with generated C++ of the same schedule; and compiles it with NVRTC.

#pragma once

#include "support/naive_schedule.h"

#include <sinter/codegen/program.h>

namespace sinter::test {

codegen::Program cuda_program(const fusion::Schedule& schedule);

// Bit for bit (any NaN counts as any other) where `tolerance` is 0; else floats may differ by that much of the larger.
// Calls that only check data are left out.
void expect_cuda(const fusion::Schedule& schedule, double tolerance = 0);
void expect_cuda(const fusion::Schedule& schedule, const BufferBytes& start, double tolerance);

// One schedule with the kernels of all: one run of a compiler in place of many.
fusion::Schedule joined(const std::vector<fusion::Schedule>& schedules);

// Fails if NVRTC refuses a kernel or has anything to say about it. Nothing where there is no NVRTC.
void expect_nvrtc(const codegen::Program& program);

}  // namespace sinter::test
