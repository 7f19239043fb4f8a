// ATen's Scalar: a number argument, which remembers whether it is a bool, an integer or a float.

#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <sinter/graph/dtype.h>

namespace sinter {

class Scalar {
 public:
  enum class Kind : uint8_t { boolean, integer, floating };

  Scalar() : Scalar(int64_t{0}) {}
  Scalar(bool value) : integer_(value), kind_(Kind::boolean) {}
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  Scalar(T value) : integer_(static_cast<int64_t>(value)), kind_(Kind::integer) {}
  Scalar(double value) : floating_(value), kind_(Kind::floating) {}
  Scalar(float value) : Scalar(static_cast<double>(value)) {}

  Kind kind() const { return kind_; }
  bool is_floating() const { return kind_ == Kind::floating; }
  bool is_boolean() const { return kind_ == Kind::boolean; }

  double to_double() const { return is_floating() ? floating_ : static_cast<double>(integer_); }
  // A float is cut towards zero; out of range or NaN gives INT64_MIN.
  int64_t to_int() const;
  bool to_bool() const { return is_floating() ? floating_ != 0 : integer_ != 0; }

  // bool, i64 or f64: what it weighs in type promotion (the floating kind as the default dtype).
  DType dtype() const;

  // The same kind and the same bits: NaN is itself, -0.0 is not 0.0.
  bool operator==(const Scalar& other) const { return kind_ == other.kind_ && integer_ == other.integer_; }
  // The 64 bits that hold the value.
  uint64_t bits() const { return static_cast<uint64_t>(integer_); }

 private:
  union {
    int64_t integer_;
    double floating_;
  };
  Kind kind_;
};

// `2`, `2.0`, `true`, `inf`; the shortest text that reads back to the same value.
std::string to_string(const Scalar& scalar);

}  // namespace sinter
