// ATen's order of values: NaN is the greatest.

#pragma once

#include <sinter/graph/dtype.h>

#include <cmath>
#include <type_traits>

namespace sinter::runtime {

template <class T>
bool is_less(T a, T b) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return is_less(static_cast<float>(a), static_cast<float>(b));
  else if constexpr (std::is_floating_point_v<T>)
    return a < b || (std::isnan(b) && !std::isnan(a));
  else
    return a < b;
}

// Unequal as numbers are: NaN differs from itself, zeros do not differ.
template <class T>
bool differs(T a, T b) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return static_cast<float>(a) != static_cast<float>(b);
  else
    return a != b;
}

}  // namespace sinter::runtime
