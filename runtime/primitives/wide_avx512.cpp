// Primitives that touch elements of 8 bytes, for AVX-512.

enum { N = 8 };

#ifndef __clang__
#pragma GCC optimize("no-math-errno")  // sqrt is then one instruction
#endif

#include <sinter/runtime/primitives/build_table.h>
#include <sinter/runtime/primitives/tables.h>

namespace sinter::runtime {

constinit const PrimitiveTable wide_avx512 = build_wide();

}  // namespace sinter::runtime
