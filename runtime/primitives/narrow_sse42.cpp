// Primitives on elements of up to 4 bytes, for SSE4.2.

enum { N = 4 };

#ifndef __clang__
#pragma GCC optimize("no-math-errno")  // sqrt is then one instruction
#endif

#include <sinter/runtime/primitives/build_table.h>
#include <sinter/runtime/primitives/tables.h>

namespace sinter::runtime {

constinit const PrimitiveTable narrow_sse42 = build_narrow();

}  // namespace sinter::runtime
