// Inputs for the prelude's functions: special values, then bit patterns of every kind, the same in every run.

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

inline size_t bytes_of(std::string_view dtype) {
  if (dtype == "f64" || dtype == "i64") return 8;
  if (dtype == "f32" || dtype == "i32") return 4;
  return dtype == "bool" || dtype == "u8" || dtype == "i8" ? 1 : 2;
}

template <class T>
std::vector<T> special_values() {
  using L = std::numeric_limits<T>;
  if constexpr (L::is_integer) {
    return {0,
            1,
            2,
            3,
            5,
            7,
            static_cast<T>(-1),
            static_cast<T>(-2),
            static_cast<T>(-3),
            L::min(),
            L::max(),
            static_cast<T>(L::max() - 1),
            static_cast<T>(L::min() + 1),
            static_cast<T>(L::max() / 2),
            63,
            64,
            31,
            8};
  } else {
    std::vector<T> v = {0,
                        1,
                        2,
                        3,
                        T(.5),
                        T(1.5),
                        T(2.5),
                        T(.1),
                        T(1) / 3,
                        127,
                        128,
                        255,
                        256,
                        32767,
                        32768,
                        65504,
                        65520,
                        T(0x1p24),
                        T(0x1p31),
                        T(0x1p31) - 1,
                        T(0x1p32),
                        T(0x1p53),
                        T(0x1p63),
                        T(88.7),
                        T(103.9),
                        T(104.1),
                        T(709.7),
                        T(745.1),
                        T(1e22),
                        T(0x1p-14),
                        T(0x1p-24),
                        T(0x1p-25),
                        T(0x1p-133),
                        L::min(),
                        L::max(),
                        L::denorm_min(),
                        L::infinity(),
                        L::quiet_NaN(),
                        T(1) + L::epsilon(),
                        T(1) - L::epsilon() / 2,
                        L::min() / 2,
                        T(.96),
                        T(.9),
                        T(0x1p17),
                        T(0x1p20),
                        T(3.1415926535897932)};
    for (size_t n = v.size(), i = 0; i < n; ++i) v.push_back(-v[i]);
    return v;
  }
}

// Every pair of special values, then random bits (every second one a float of moderate size), n in all, as raw memory.
template <class T>
std::vector<T> samples(size_t n, bool second, uint64_t seed) {
  std::vector<T> special = special_values<T>(), v;
  size_t count = special.size();
  std::mt19937_64 bits(seed);
  for (size_t i = 0; i < n; ++i) {
    T x;
    uint64_t word = bits();
    std::memcpy(&x, &word, sizeof x);
    if constexpr (!std::numeric_limits<T>::is_integer) {
      if (i % 2 == 1)
        x = static_cast<T>(std::ldexp(static_cast<double>(static_cast<int64_t>(word)), int(word % 40) - 80));
    } else if (i % 4 == 1) {
      x = static_cast<T>(x % 16);
    }
    v.push_back(i < count * count ? special[second ? i / count : i % count] : x);
  }
  return v;
}
