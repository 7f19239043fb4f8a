// The prelude's functions over arrays; built with PRELUDE_LANES, PRELUDE_NAME and PRELUDE_ISA defined.

#include <codegen/prelude_kernels.h>

namespace {
enum { N = PRELUDE_LANES };
}
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
#include <sinter/codegen/prelude/reduce.h>
#include <sinter/codegen/prelude/trigonometry_f32.h>
#include <sinter/codegen/prelude/trigonometry_f64.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

typedef bool8 type_bool;
typedef unsigned char type_u8;
typedef signed char type_i8;
typedef short type_i16;
typedef int type_i32;
typedef long type_i64;
typedef f16 type_f16;
typedef bf16 type_bf16;
typedef float type_f32;
typedef double type_f64;

long lanes_from(long i, long n) { return n - i < (long)N ? n - i : (long)N; }

template <class A, class R, class F>
void run1(const void* const* in, void* out, long n) {
  for (long i = 0; i < n; i += N) {
    long left = lanes_from(i, n);
    store_n((R*)out + i, F{}(load_n((const A*)in[0] + i, left)), left);
  }
}

template <class A, class B, class R, class F>
void run2(const void* const* in, void* out, long n) {
  for (long i = 0; i < n; i += N) {
    long left = lanes_from(i, n);
    store_n((R*)out + i, F{}(load_n((const A*)in[0] + i, left), load_n((const B*)in[1] + i, left)), left);
  }
}

template <class A, class B, class C, class R, class F>
void run3(const void* const* in, void* out, long n) {
  for (long i = 0; i < n; i += N) {
    long left = lanes_from(i, n);
    auto a = load_n((const A*)in[0] + i, left);
    store_n((R*)out + i, F{}(a, load_n((const B*)in[1] + i, left), load_n((const C*)in[2] + i, left)), left);
  }
}

// Rows of W elements to one element each.
template <int W, class A, class R, class F>
void run_rows(const void* const* in, void* out, long n) {
  for (long i = 0; i < n; ++i) {
    decltype(load((const A*)nullptr)) row[W / N];
    for (int j = 0; j < W / N; ++j) row[j] = load((const A*)in[0] + i * W + j * N);
    auto r = F{}(row);
    __builtin_memcpy((R*)out + i, &r, sizeof(R));
  }
}

#define UNARY(op, t, to) {#op "_" #t, #t, #to, 1, run1<type_##t, type_##to, decltype([](auto x) { return op(x); })>},
#define BINARY(op, t, to)         \
  {#op "_" #t, #t " " #t, #to, 1, \
   run2<type_##t, type_##t, type_##to, decltype([](auto x, auto y) { return op(x, y); })>},
#define SELECT(t)                          \
  {"select_" #t, "bool " #t " " #t, #t, 1, \
   run3<bool8, type_##t, type_##t, type_##t, decltype([](auto m, auto x, auto y) { return select(m, x, y); })>},
#define FMA(t)                         \
  {"fma_" #t, #t " " #t " " #t, #t, 1, \
   run3<type_##t, type_##t, type_##t, type_##t, decltype([](auto x, auto y, auto z) { return fma(x, y, z); })>},
#define CONVERT(to, t) \
  {"to_" #to "_from_" #t, #t, #to, 1, run1<type_##t, type_##to, decltype([](auto x) { return to_##to(x); })>},
#define HALVE(op, t, w) \
  {"halve_" #op "_" #t, #t, #t, w, run_rows<w, type_##t, type_##t, decltype([](auto r) { return halve_##op(r); })>},

// clang-format off
#define COMPARISONS(t) \
  BINARY(eq, t, bool)  \
  BINARY(ne, t, bool) BINARY(lt, t, bool) BINARY(le, t, bool) BINARY(gt, t, bool) BINARY(ge, t, bool)
#define INTEGER(t)                                                                                                 \
  COMPARISONS(t)                                                                                                   \
  SELECT(t)                                                                                                        \
  UNARY(neg, t, t) UNARY(abs, t, t) UNARY(bit_not, t, t) BINARY(add, t, t) BINARY(sub, t, t) BINARY(mul, t, t)     \
      BINARY(minimum, t, t) BINARY(maximum, t, t) BINARY(bit_and, t, t) BINARY(bit_or, t, t) BINARY(bit_xor, t, t) \
          BINARY(shift_left, t, t) BINARY(shift_right, t, t) BINARY(div_trunc, t, t) BINARY(div_floor, t, t)       \
              BINARY(fmod, t, t) BINARY(remainder, t, t) BINARY(pow, t, t) BINARY(gcd, t, t)
#define FLOAT(t)                                                                                                   \
  COMPARISONS(t)                                                                                                   \
  SELECT(t)                                                                                                        \
  FMA(t) UNARY(neg, t, t) UNARY(abs, t, t) UNARY(is_nan, t, bool) BINARY(add, t, t) BINARY(sub, t, t)              \
      BINARY(mul, t, t) BINARY(div, t, t) BINARY(minimum, t, t) BINARY(maximum, t, t) UNARY(sqrt, t, t)            \
          UNARY(floor, t, t) UNARY(ceil, t, t) UNARY(trunc, t, t) UNARY(round, t, t) BINARY(div_trunc, t, t)       \
              BINARY(div_floor, t, t) BINARY(fmod, t, t) BINARY(remainder, t, t) UNARY(exp, t, t) UNARY(log, t, t) \
                  UNARY(sin, t, t) UNARY(cos, t, t) UNARY(tanh, t, t) UNARY(sigmoid, t, t) UNARY(erf, t, t)        \
                      BINARY(pow, t, t) UNARY(exp2, t, t) UNARY(expm1, t, t) UNARY(sinh, t, t) UNARY(cosh, t, t) UNARY(log2, t, t) UNARY(log10, t, t) UNARY(log1p, t, t) UNARY(tan, t, t) UNARY(asin, t, t) UNARY(acos, t, t) UNARY(atan, t, t) UNARY(asinh, t, t) UNARY(acosh, t, t) UNARY(atanh, t, t) UNARY(mantissa, t, t) UNARY(exponent, t, t) BINARY(atan2, t, t) BINARY(hypot, t, t) BINARY(copysign, t, t) BINARY(nextafter, t, t)
#define BOOLEAN                                                                                                 \
  COMPARISONS(bool)                                                                                             \
  SELECT(bool)                                                                                                  \
  UNARY(bit_not, bool, bool) BINARY(bit_and, bool, bool) BINARY(bit_or, bool, bool) BINARY(bit_xor, bool, bool) \
      BINARY(add, bool, bool) BINARY(mul, bool, bool) BINARY(minimum, bool, bool) BINARY(maximum, bool, bool)
#define CONVERSIONS(to)                                                                                 \
  CONVERT(to, bool)                                                                                     \
  CONVERT(to, u8)                                                                                       \
  CONVERT(to, i8) CONVERT(to, i16) CONVERT(to, i32) CONVERT(to, i64) CONVERT(to, f16) CONVERT(to, bf16) \
      CONVERT(to, f32) CONVERT(to, f64)
#define HALVES(t, w) HALVE(add, t, w) HALVE(mul, t, w) HALVE(min, t, w) HALVE(max, t, w)
// clang-format on

const PreludeKernel kernels[] = {
    BOOLEAN INTEGER(u8) INTEGER(i8) INTEGER(i16) INTEGER(i32) INTEGER(i64) FLOAT(f32) FLOAT(f64) SELECT(f16)
        SELECT(bf16) CONVERSIONS(bool) CONVERSIONS(u8) CONVERSIONS(i8) CONVERSIONS(i16) CONVERSIONS(i32)
            CONVERSIONS(i64) CONVERSIONS(f16) CONVERSIONS(bf16) CONVERSIONS(f32) CONVERSIONS(f64) HALVES(u8, 64)
                HALVES(i8, 64) HALVES(i16, 64) HALVES(i32, 64) HALVES(i64, 32) HALVES(f32, 64) HALVES(f64, 32)
                    HALVE(or, bool, 64) HALVE(and, bool, 64)};

// Plain loops over the elements beside every memory operation of one type; T has one member or is a number.
template <class T>
bool memory_is_right() {
  T data[8 * N], got[8 * N];
  for (int i = 0; i < 8 * N; ++i) {
    unsigned char bytes[sizeof(T)];
    for (unsigned j = 0; j < sizeof(T); ++j) bytes[j] = __is_same(T, bool8) ? i % 3 == 0 : (37 * i + 11 * j) % 120 + 1;
    __builtin_memcpy(data + i, bytes, sizeof(T));
  }
  const T zero = {};
  auto same = [](const T& a, const T& b) { return __builtin_memcmp(&a, &b, sizeof(T)) == 0; };
  auto clear = [&] { __builtin_memset(got, 1, sizeof got); };
  auto untouched = [&](int from) {
    T one;
    __builtin_memset(&one, 1, sizeof one);
    for (int i = from; i < 8 * N; ++i) {
      if (!same(got[i], one)) return false;
    }
    return true;
  };
  bool right = true;
  for (long n = 0; n <= N; ++n) {
    clear();
    store(got, load_n(data + 1, n));
    for (int i = 0; i < N; ++i) right &= same(got[i], i < n ? data[1 + i] : zero);
    right &= untouched(N);
    clear();
    store_n(got, load(data + 3), n);
    for (int i = 0; i < n; ++i) right &= same(got[i], data[3 + i]);
    right &= untouched(n);
    clear();
    store(got, load_strided(data + 7 * N, -5, n));
    for (int i = 0; i < N; ++i) right &= same(got[i], i < n ? data[7 * N - 5 * i] : zero);
    clear();
    store_strided(got, load(data), 3, n);
    for (int i = 0; i < 3 * n; ++i) right &= i % 3 != 0 || same(got[i], data[i / 3]);
    right &= untouched(3 * n);
    clear();
    store(got, gather(data, (iota_i64(n) * 3) & (4 * N - 1), n));
    for (int i = 0; i < N; ++i) right &= same(got[i], i < n ? data[(3 * (n + i)) & (4 * N - 1)] : zero);
  }
  alignas(8 * N) T lines[N];
  stream(lines, load(data + 5));
  store(got, load_splat(data + 9));
  T first = data[0];
  auto lane = lane0(load(data + 2));
  if constexpr (sizeof(lane) == sizeof(T)) __builtin_memcpy(&first, &lane, sizeof(T));
  for (int i = 0; i < N; ++i) right &= same(lines[i], data[5 + i]) && same(got[i], data[9]);
  return right && same(first, data[2]);
}

const char* check_memory() {
  if (!memory_is_right<bool8>()) return "bool";
  if (!memory_is_right<unsigned char>()) return "u8";
  if (!memory_is_right<signed char>()) return "i8";
  if (!memory_is_right<short>()) return "i16";
  if (!memory_is_right<int>()) return "i32";
  if (!memory_is_right<long>()) return "i64";
  if (!memory_is_right<f16>()) return "f16";
  if (!memory_is_right<bf16>()) return "bf16";
  if (!memory_is_right<float>()) return "f32";
  if (!memory_is_right<double>()) return "f64";
  return nullptr;
}

}  // namespace

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define NAME_OF(x) prelude_variant_##x
#define NAME(x) NAME_OF(x)

extern "C" {
extern const PreludeVariant NAME(PRELUDE_NAME);
const PreludeVariant NAME(PRELUDE_NAME) = {
    TEXT(PRELUDE_NAME), TEXT(PRELUDE_ISA), PRELUDE_LANES, kernels, sizeof kernels / sizeof kernels[0], check_memory};
}
