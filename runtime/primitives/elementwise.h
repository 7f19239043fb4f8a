// Block loops around the scalar operations of the prelude.
//
// Included by one file for each instruction set and vector length, after it has declared N. Everything here has
// internal linkage: code for different instruction sets must never be merged by the linker.

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/convert.h>
#include <sinter/codegen/prelude/division.h>
#include <sinter/codegen/prelude/exponential_f32.h>
#include <sinter/codegen/prelude/exponential_f64.h>
#include <sinter/codegen/prelude/float_parts.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/integer.h>
#include <sinter/codegen/prelude/integer_division.h>
#include <sinter/codegen/prelude/integer_gcd.h>
#include <sinter/codegen/prelude/inverse_trigonometry_f32.h>
#include <sinter/codegen/prelude/inverse_trigonometry_f64.h>
#include <sinter/codegen/prelude/logarithm_f32.h>
#include <sinter/codegen/prelude/logarithm_f64.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/math_f32.h>
#include <sinter/codegen/prelude/math_f64.h>
#include <sinter/codegen/prelude/memory.h>
#include <sinter/codegen/prelude/pow_f64.h>
#include <sinter/codegen/prelude/transpose.h>
#include <sinter/codegen/prelude/trigonometry_f32.h>
#include <sinter/codegen/prelude/trigonometry_f64.h>
#include <sinter/codegen/prelude/vectors.h>
#include <sinter/runtime/primitives/primitive_table.h>

namespace {

template <class T>
using VectorOf = decltype(load(static_cast<const T*>(nullptr)));

template <class V>
struct ElementOfVector;
template <>
struct ElementOfVector<b32v> {
  using Type = bool8;
};
template <>
struct ElementOfVector<u8v> {
  using Type = unsigned char;
};
template <>
struct ElementOfVector<i8v> {
  using Type = signed char;
};
template <>
struct ElementOfVector<i16v> {
  using Type = short;
};
template <>
struct ElementOfVector<i32v> {
  using Type = int;
};
template <>
struct ElementOfVector<i64v> {
  using Type = long;
};
template <>
struct ElementOfVector<f16v> {
  using Type = f16;
};
template <>
struct ElementOfVector<bf16v> {
  using Type = bf16;
};
template <>
struct ElementOfVector<f32v> {
  using Type = float;
};
template <>
struct ElementOfVector<f64v> {
  using Type = double;
};
template <class V>
using ElementOf = typename ElementOfVector<V>::Type;

// A type for each operation, with the overloads of the prelude behind it.
#define SINTER_CALL(name)                             \
  struct call_##name {                                \
    template <class... V>                             \
    static auto run(V... v) -> decltype(name(v...)) { \
      return name(v...);                              \
    }                                                 \
  };
// clang-format off
#define SINTER_UNARY_OPERATIONS(OP) \
  OP(neg) OP(abs) OP(sqrt) OP(exp) OP(exp2) OP(expm1) OP(log) OP(log2) OP(log10) OP(log1p) OP(sin) OP(cos) OP(tan) \
  OP(asin) OP(acos) OP(atan) OP(sinh) OP(cosh) OP(tanh) OP(asinh) OP(acosh) OP(atanh) OP(sigmoid) OP(erf) \
  OP(floor) OP(ceil) OP(trunc) OP(round) OP(mantissa) OP(exponent) OP(is_nan) OP(bit_not)
#define SINTER_BINARY_OPERATIONS(OP) \
  OP(add) OP(sub) OP(mul) OP(div) OP(minimum) OP(maximum) OP(pow) OP(atan2) OP(hypot) OP(copysign) OP(nextafter) \
  OP(gcd) OP(bit_and) OP(bit_or) OP(bit_xor) OP(shift_left) OP(shift_right) OP(div_trunc) OP(div_floor) \
  OP(remainder) OP(fmod) OP(eq) OP(ne) OP(lt) OP(le) OP(gt) OP(ge)
#define SINTER_CONVERSIONS(OP) \
  OP(to_bool) OP(to_u8) OP(to_i8) OP(to_i16) OP(to_i32) OP(to_i64) OP(to_f16) OP(to_bf16) OP(to_f32) OP(to_f64)
// clang-format on
SINTER_UNARY_OPERATIONS(SINTER_CALL)
SINTER_BINARY_OPERATIONS(SINTER_CALL)
SINTER_CONVERSIONS(SINTER_CALL)
SINTER_CALL(select)
SINTER_CALL(fma)
#undef SINTER_CALL

template <class F, class A>
void unary_block(void* result, const void* a, const void*, const void*, int64_t n) {
  using V = decltype(F::run(VectorOf<A>{}));
  auto* r = static_cast<ElementOf<V>*>(result);
  auto* x = static_cast<const A*>(a);
  long i = 0;
  for (; i + N <= n; i += N) store(r + i, F::run(load(x + i)));
  if (i < n) store_n(r + i, F::run(load_n(x + i, n - i)), n - i);
}

template <class F, class A>
void binary_block(void* result, const void* a, const void* b, const void*, int64_t n) {
  using V = decltype(F::run(VectorOf<A>{}, VectorOf<A>{}));
  auto* r = static_cast<ElementOf<V>*>(result);
  auto* x = static_cast<const A*>(a);
  auto* y = static_cast<const A*>(b);
  long i = 0;
  for (; i + N <= n; i += N) store(r + i, F::run(load(x + i), load(y + i)));
  if (i < n) store_n(r + i, F::run(load_n(x + i, n - i), load_n(y + i, n - i)), n - i);
}

template <class F, class A, class B>
void ternary_block(void* result, const void* a, const void* b, const void* c, int64_t n) {
  auto* r = static_cast<B*>(result);
  auto* x = static_cast<const A*>(a);
  auto* y = static_cast<const B*>(b);
  auto* z = static_cast<const B*>(c);
  long i = 0;
  for (; i + N <= n; i += N) store(r + i, F::run(load(x + i), load(y + i), load(z + i)));
  if (i < n) store_n(r + i, F::run(load_n(x + i, n - i), load_n(y + i, n - i), load_n(z + i, n - i)), n - i);
}

// The functions are null where the prelude has no such operation on the type.
template <class F, class A>
constexpr sinter::runtime::Primitive unary() {
  if constexpr (requires(VectorOf<A> v) { F::run(v); }) return &unary_block<F, A>;
  return nullptr;
}
template <class F, class A>
constexpr sinter::runtime::Primitive binary() {
  if constexpr (requires(VectorOf<A> v) { F::run(v, v); }) return &binary_block<F, A>;
  return nullptr;
}
template <class F, class A, class B>
constexpr sinter::runtime::Primitive ternary() {
  if constexpr (requires(VectorOf<A> v, VectorOf<B> w) { F::run(v, w, w); }) return &ternary_block<F, A, B>;
  return nullptr;
}

}  // namespace
