// Compares generated kernels with the naive run of their schedule, bit for bit.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::test {

// With g++ and clang++, for vectors of 16, 32 and 64 bytes where the machine has them, whole and cut ranges. Locals and
// what no kernel writes are left out. `stream_bytes` as in CppTarget.
void expect_naive(const fusion::Schedule& schedule, int64_t stream_bytes = 8 << 20);

}  // namespace sinter::test
