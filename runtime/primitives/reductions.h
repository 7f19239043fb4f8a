// Reductions of blocks, in the order of fusion::ReductionOrder; see elementwise.h for how this file is used.

#pragma once

#include <sinter/codegen/prelude/reduce.h>
#include <sinter/runtime/primitives/elementwise.h>

namespace {

// Masks are reduced as their bits.
template <class V>
V bits_of(V v) {
  return v;
}
i32v bits_of(b32v v) { return v.bits; }
template <class T>
auto load_bits(const T* p) {
  return bits_of(load(p));
}
template <class T>
using BitsOf = decltype(load_bits(static_cast<const T*>(nullptr)));
template <class T>
BitsOf<T> splat_bits(T value) {
  T lanes[N];
  for (int i = 0; i < N; ++i) lanes[i] = value;
  return load_bits(lanes);
}
template <class T, class V>
void store_bits(T* p, V v) {
  store(p, v);
}
void store_bits(bool8* p, i32v v) { store(p, b32v{v}); }
template <class T, class V>
void store_first(T* p, V lane) {
  *p = lane;
}
void store_first(bool8* p, int lane) { p->byte = lane != 0; }

// The highest and lowest values of a type.
template <class T>
constexpr T highest() {
  if constexpr (T(0.5) != T(0))
    return T(__builtin_inf());
  else if constexpr (T(-1) > T(0))
    return T(-1);
  else
    return T(~(1ul << (sizeof(T) * 8 - 1)) & (~0ul >> (64 - sizeof(T) * 8)));
}
template <class T>
constexpr T lowest() {
  if constexpr (T(0.5) != T(0))
    return T(-__builtin_inf());
  else if constexpr (T(-1) > T(0))
    return T(0);
  else
    return T(-highest<T>() - 1);
}

struct Sum {
  template <class V>
  static auto run(V a, V b) -> decltype(add(a, b)) {
    return add(a, b);
  }
  template <class T>
  static T identity() {
    return T(0);
  }
};
struct Product {
  template <class V>
  static auto run(V a, V b) -> decltype(mul(a, b)) {
    return mul(a, b);
  }
  template <class T>
  static T identity() {
    return T(1);
  }
};
struct Minimum {
  template <class V>
  static auto run(V a, V b) -> decltype(minimum(a, b)) {
    return minimum(a, b);
  }
  template <class T>
  static T identity() {
    return highest<T>();
  }
};
struct Maximum {
  template <class V>
  static auto run(V a, V b) -> decltype(maximum(a, b)) {
    return maximum(a, b);
  }
  template <class T>
  static T identity() {
    return lowest<T>();
  }
};
struct Any {
  static i32v run(i32v a, i32v b) { return a | b; }
  template <class T>
  static bool8 identity() {
    return bool8{0};
  }
};
struct All {
  static i32v run(i32v a, i32v b) { return a & b; }
  template <class T>
  static bool8 identity() {
    return bool8{1};
  }
};

template <class C, class T>
struct Reduce {
  using V = BitsOf<T>;
  static constexpr int W = sizeof(T) == 8 ? 32 : 64;

  static V identity() { return splat_bits<T>(C::template identity<T>()); }

  // The first n lanes; the identity in the others.
  static V load_some(const T* p, long n) {
    T lanes[N];
    for (int i = 0; i < N; ++i) lanes[i] = C::template identity<T>();
    __builtin_memcpy(lanes, p, n * sizeof(T));
    return load_bits(lanes);
  }

  static void combine(void* result, const void* a, const void* b, const void*, int64_t n) {
    auto* r = static_cast<T*>(result);
    auto* x = static_cast<const T*>(a);
    auto* y = static_cast<const T*>(b);
    long i = 0;
    for (; i + N <= n; i += N) store_bits(r + i, C::run(load_bits(x + i), load_bits(y + i)));
    if (i == n) return;
    T last[N];
    store_bits(last, C::run(load_some(x + i, n - i), load_some(y + i, n - i)));
    __builtin_memcpy(r + i, last, (n - i) * sizeof(T));
  }

  static void fill_identity(void* values, int64_t n) {
    for (long i = 0; i < n; ++i) static_cast<T*>(values)[i] = C::template identity<T>();
  }

  static void take_whole_rows(V (&v)[W / N], const T* values, long count) {
    for (long k = 0; k < count; ++k)
      for (int j = 0; j < W / N; ++j) v[j] = C::run(v[j], load_bits(values + k * W + j * N));
  }

  static void lanes(void* accumulators, const void* values, int64_t n, int64_t phase) {
    auto* acc = static_cast<T*>(accumulators);
    auto* x = static_cast<const T*>(values);
    if (phase != 0) {
      long head = n < W - phase ? n : W - phase;
      combine(acc + phase, acc + phase, x, nullptr, head);
      x += head;
      n -= head;
    }
    if (n >= W) {
      V v[W / N];
      for (int j = 0; j < W / N; ++j) v[j] = load_bits(acc + j * N);
      take_whole_rows(v, x, n / W);
      for (int j = 0; j < W / N; ++j) store_bits(acc + j * N, v[j]);
    }
    if (n % W != 0) combine(acc, acc, x + n / W * W, nullptr, n % W);
  }

  static void halve_lanes(void* result, const void* accumulators) {
    V v[W / N];
    for (int j = 0; j < W / N; ++j) v[j] = load_bits(static_cast<const T*>(accumulators) + j * N);
    store_first(static_cast<T*>(result), halve<W>(v, [](V a, V b) { return C::run(a, b); }));
  }

  static void rows(void* results, const void* values, int64_t rows, int64_t n) {
    auto* r = static_cast<T*>(results);
    auto* x = static_cast<const T*>(values);
    for (long i = 0; i < rows; ++i, x += n) {
      if (n <= N) {  // the other lanes hold the identity, which changes nothing
        V v = C::run(identity(), load_some(x, n));
        store_first(r + i, halve<N>(&v, [](V a, V b) { return C::run(a, b); }));
        continue;
      }
      V v[W / N];
      for (int j = 0; j < W / N; ++j) v[j] = identity();
      take_whole_rows(v, x, n / W);
      const T* rest = x + n / W * W;
      long left = n % W;
      for (int j = 0; j < W / N && left > 0; ++j, rest += N, left -= N)
        v[j] = C::run(v[j], left >= N ? load_bits(rest) : load_some(rest, left));
      store_first(r + i, halve<W>(v, [](V a, V b) { return C::run(a, b); }));
    }
  }

  static void columns(void* accumulators, const void* values, int64_t rows, int64_t n, int64_t row_stride) {
    auto* acc = static_cast<T*>(accumulators);
    auto* x = static_cast<const T*>(values);
    long j = 0;
    for (; j + 4 * N <= n; j += 4 * N) {  // whole cache lines of a row at a time
      V v[4];
      for (int k = 0; k < 4; ++k) v[k] = load_bits(acc + j + k * N);
      for (long i = 0; i < rows; ++i)
        for (int k = 0; k < 4; ++k) v[k] = C::run(v[k], load_bits(x + i * row_stride + j + k * N));
      for (int k = 0; k < 4; ++k) store_bits(acc + j + k * N, v[k]);
    }
    for (; j < n; j += N) {
      long count = n - j < long{N} ? n - j : long{N};
      V v = load_some(acc + j, count);
      for (long i = 0; i < rows; ++i) {
        const T* row = x + i * row_stride + j;
        v = C::run(v, count == N ? load_bits(row) : load_some(row, count));
      }
      T last[N];
      store_bits(last, v);
      __builtin_memcpy(acc + j, last, count * sizeof(T));
    }
  }

  static constexpr sinter::runtime::ReductionPrimitives all() {
    if constexpr (requires(V v) { C::run(v, v); })
      return {&combine, &fill_identity, &lanes, &halve_lanes, &rows, &columns};
    return {};
  }
};

}  // namespace
