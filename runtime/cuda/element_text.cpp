// Types and conversions as text.

#include <sinter/runtime/cuda/element_text.h>

namespace sinter::runtime {

namespace {

std::string types_of(DType dtype) {
  switch (dtype) {
    case DType::f64: return "typedef double T;\ntypedef double A;\n";
    case DType::f32: return "typedef float T;\ntypedef float A;\n";
    case DType::i64: return "typedef long long T;\ntypedef unsigned long long A;\n";
    case DType::i32: return "typedef int T;\ntypedef unsigned A;\n";
    case DType::i16: return "typedef short T;\ntypedef unsigned A;\n";
    case DType::i8: return "typedef signed char T;\ntypedef unsigned A;\n";
    case DType::boolean:
    case DType::u8: return "typedef unsigned char T;\ntypedef unsigned A;\n";
    default: return "typedef unsigned short T;\ntypedef float A;\n";
  }
}

std::string conversions_of(DType dtype) {
  if (dtype == DType::f16)
    return R"(__device__ inline A widen(T x) { float y; asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x)); return y; }
__device__ inline T narrow(A x) { T y; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x)); return y; }
)";
  if (dtype == DType::bf16)
    return R"(__device__ inline A widen(T x) { return __uint_as_float((unsigned)x << 16); }
__device__ inline T narrow(A x) {
  unsigned bits = __float_as_uint(x);
  if (x != x) return 0x7fc0;
  return (T)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
)";
  return "__device__ inline A widen(T x) { return (A)x; }\n__device__ inline T narrow(A x) { return (T)x; }\n";
}

}  // namespace

std::string element_text(DType dtype) { return types_of(dtype) + conversions_of(dtype); }

}  // namespace sinter::runtime
