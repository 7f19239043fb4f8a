// Primitives on elements of up to 4 bytes, for AVX-512.

enum { N = 16 };

#ifndef __clang__
#pragma GCC optimize("no-math-errno")  // sqrt is then one instruction
#endif

#include <sinter/runtime/primitives/build_table.h>
#include <sinter/runtime/primitives/tables.h>

namespace sinter::runtime {

constinit const PrimitiveTable narrow_avx512 = build_narrow();

}  // namespace sinter::runtime
