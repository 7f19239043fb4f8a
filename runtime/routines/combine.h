// How an element is combined with the one that is there already.

#pragma once

#include <sinter/graph/dtype.h>
#include <sinter/graph/number.h>
#include <sinter/runtime/routines/indices.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace sinter::runtime {

enum class Combine : uint8_t { assign, add, multiply, minimum, maximum };

// Integers wrap; for bools + is or, * is and.
template <class T>
T wrapped_sum(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return a + b;
}
template <class T>
T wrapped_product(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else
    return a * b;
}

// The greater (or smaller) of two; NaN if either is.
template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(value);
  else
    return false;
}
template <class T>
T greater_of(T a, T b) {
  return is_nan(a) || (!is_nan(b) && a >= b) ? a : b;
}
template <class T>
T smaller_of(T a, T b) {
  return is_nan(a) || (!is_nan(b) && a <= b) ? a : b;
}

inline int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// What the first element is combined with.
inline Scalar identity(Combine how, DType dtype) {
  if (how == Combine::add) return 0;
  if (how == Combine::multiply) return 1;
  bool wants_lowest = how == Combine::maximum;
  if (is_floating(dtype))
    return wants_lowest ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  Scalar result;
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      result = static_cast<int64_t>(wants_lowest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
  });
  return result;
}

// Calls f(zero of the type, combine(T& into, T value)). Assigning moves elements of any type; the rest is for bool,
// integers, f32 and f64.
template <class F>
void visit_combined(DType dtype, Combine how, F&& f) {
  if (how == Combine::assign)
    return visit_bytes(dtype, [&](auto zero) {
      using T = decltype(zero);
      f(zero, [](T& into, T value) { into = value; });
    });
  visit_computed(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (how == Combine::add) return f(zero, [](T& into, T value) { into = wrapped_sum(into, value); });
    if (how == Combine::multiply) return f(zero, [](T& into, T value) { into = wrapped_product(into, value); });
    if (how == Combine::minimum) return f(zero, [](T& into, T value) { into = smaller_of(into, value); });
    f(zero, [](T& into, T value) { into = greater_of(into, value); });
  });
}

}  // namespace sinter::runtime
