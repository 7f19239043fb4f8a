// The vector types of generated CUDA: one lane, which behaves as the compilers' vectors of the other preludes do, so
// that the headers of arithmetic and math are shared.
//
// A comparison gives 0 or -1 in an integer of the same width, a cast keeps the bits, and `mask ? a : b` chooses. The
// pieces stand in for those of the same names in ../vectors.h; `__device__` is put before `inline` where it is printed.

#pragma once

namespace {

// What NVRTC does not know, under the names that the shared headers use.
// piece: __builtin_clzl
#define __builtin_clzl(x) __clzll((long)(x))
// piece: __builtin_nanf
#define __builtin_nanf(text) __int_as_float(0x7fc00000)
// piece: __builtin_inff
#define __builtin_inff() __int_as_float(0x7f800000)
// piece: __builtin_nan
#define __builtin_nan(text) __longlong_as_double(0x7ff8000000000000)
// piece: __builtin_inf
#define __builtin_inf() __longlong_as_double(0x7ff0000000000000)
// piece: __builtin_memcpy
#define __builtin_memcpy memcpy
// piece: SignedOf
template <unsigned long Bytes>
struct SignedOf {
  typedef long type;
};
template <>
struct SignedOf<1> {
  typedef signed char type;
};
template <>
struct SignedOf<2> {
  typedef short type;
};
template <>
struct SignedOf<4> {
  typedef int type;
};
// piece: Lane
template <class T>
struct Lane {
  typedef Lane<typename SignedOf<sizeof(T)>::type> Mask;

  T x;
  Lane() = default;
  __device__ Lane(T value) : x(value) {}
  template <class U>
  __device__ explicit Lane(Lane<U> other) {
    static_assert(sizeof(U) == sizeof(T));
    __builtin_memcpy(&x, &other.x, sizeof x);
  }
  __device__ explicit operator bool() const { return x != 0; }
  __device__ T& operator[](int) { return x; }
  __device__ T operator[](int) const { return x; }

  friend __device__ Lane operator-(Lane a) { return Lane((T)-a.x); }
  friend __device__ Lane operator~(Lane a) { return Lane((T)~a.x); }
#define LANE_OPERATOR(op)                                                              \
  friend __device__ Lane operator op(Lane a, Lane b) { return Lane((T)(a.x op b.x)); } \
  __device__ Lane& operator op##=(Lane b) { return *this = *this op b; }
  LANE_OPERATOR(+)
  LANE_OPERATOR(-)
  LANE_OPERATOR(*)
  LANE_OPERATOR(/)
  LANE_OPERATOR(&)
  LANE_OPERATOR(|)
  LANE_OPERATOR(^)
  LANE_OPERATOR(<<)
  LANE_OPERATOR(>>)
#undef LANE_OPERATOR
#define LANE_COMPARISON(op)                                           \
  friend __device__ Mask operator op(Lane a, Lane b) {                \
    return Mask((typename SignedOf<sizeof(T)>::type) - (a.x op b.x)); \
  }
  LANE_COMPARISON(==)
  LANE_COMPARISON(!=)
  LANE_COMPARISON(<)
  LANE_COMPARISON(<=)
  LANE_COMPARISON(>)
  LANE_COMPARISON(>=)
#undef LANE_COMPARISON
};
// piece: __builtin_convertvector
template <class V, class U>
inline V converted_lane(Lane<U> v) {
  return V((decltype(V::x))v.x);
}
#define __builtin_convertvector(v, type) converted_lane<type>(v)
// piece: f32v
typedef Lane<float> f32v;
// piece: f64v
typedef Lane<double> f64v;
// piece: i8v
typedef Lane<signed char> i8v;
// piece: u8v
typedef Lane<unsigned char> u8v;
// piece: i16v
typedef Lane<short> i16v;
// piece: u16v
typedef Lane<unsigned short> u16v;
// piece: i32v
typedef Lane<int> i32v;
// piece: u32v
typedef Lane<unsigned> u32v;
// piece: i64v
typedef Lane<long> i64v;
// piece: u64v
typedef Lane<unsigned long> u64v;
// end of pieces

}  // namespace
