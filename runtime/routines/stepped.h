// Numbers that are rounded to f16 or bf16 after each step, for what ATen computes in these types themselves: where an
// element is read shows the rounding.

#pragma once

#include <sinter/runtime/routines/planes.h>

#include <cmath>

namespace sinter::runtime {

template <class T>
class Stepped {
 public:
  Stepped() = default;
  template <class Number>
    requires std::is_arithmetic_v<Number>
  explicit Stepped(Number value) : value_(rounded(static_cast<float>(value))) {}
  explicit Stepped(T value) : value_(static_cast<float>(value)) {}

  float value() const { return value_; }
  Stepped operator-() const { return Stepped(-value_); }
  friend Stepped operator+(Stepped a, Stepped b) { return Stepped(a.value_ + b.value_); }
  friend Stepped operator-(Stepped a, Stepped b) { return Stepped(a.value_ - b.value_); }
  friend Stepped operator*(Stepped a, Stepped b) { return Stepped(a.value_ * b.value_); }
  friend Stepped operator/(Stepped a, Stepped b) { return Stepped(a.value_ / b.value_); }
  friend auto operator<=>(Stepped a, Stepped b) = default;
  friend Stepped fmod(Stepped a, Stepped b) { return Stepped(std::fmod(a.value_, b.value_)); }
  friend Stepped floor(Stepped a) { return Stepped(std::floor(a.value_)); }
  friend Stepped nearbyint(Stepped a) { return Stepped(std::nearbyint(a.value_)); }

 private:
  static float rounded(float value) { return static_cast<float>(static_cast<T>(value)); }

  float value_ = 0;
};

// The type in which an element type's numbers are rounded step by step.
template <class T>
using Step = std::conditional_t<is_half_type<T>, Stepped<T>, T>;

template <class T>
float wide(Stepped<T> x) {
  return x.value();
}
inline float wide(float x) { return x; }
inline double wide(double x) { return x; }
inline float fmod(float a, float b) { return std::fmod(a, b); }
inline double fmod(double a, double b) { return std::fmod(a, b); }
inline float floor(float x) { return std::floor(x); }
inline double floor(double x) { return std::floor(x); }
inline float nearbyint(float x) { return std::nearbyint(x); }
inline double nearbyint(double x) { return std::nearbyint(x); }

}  // namespace sinter::runtime
