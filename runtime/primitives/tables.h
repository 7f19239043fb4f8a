// The tables of all instruction sets, each defined in a file compiled for it.

#pragma once

#include <sinter/runtime/primitives/primitive_table.h>

namespace sinter::runtime {

extern const PrimitiveTable narrow_generic, wide_generic;
#if defined(__x86_64__)
extern const PrimitiveTable narrow_sse42, wide_sse42;
extern const PrimitiveTable narrow_avx2, wide_avx2;
extern const PrimitiveTable narrow_avx512, wide_avx512;
#endif

}  // namespace sinter::runtime
