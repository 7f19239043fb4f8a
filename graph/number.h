// ATen's Scalar: a number argument, which remembers whether it is a bool, an integer or a float. An integer may be a
// symbolic size.

#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <sinter/graph/dtype.h>
#include <sinter/graph/sym_int.h>

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
  Scalar(SymInt value);

  Kind kind() const { return is_symbolic() ? Kind::integer : kind_; }
  bool is_floating() const { return kind_ == Kind::floating; }
  bool is_boolean() const { return kind_ == Kind::boolean; }

  bool is_symbolic() const { return kind_ == symbolic; }
  SymInt size() const { return is_symbolic() ? *size_ : SymInt(integer_); }  // of an integer

  // The value; of a symbolic size, which becomes a number by that, SymInt::constant().
  double to_double() const { return is_floating() ? floating_ : static_cast<double>(number()); }
  // A float is cut towards zero; out of range or NaN gives INT64_MIN.
  int64_t to_int() const;
  bool to_bool() const { return is_floating() ? floating_ != 0 : number() != 0; }

  // bool, i64 or f64: what it weighs in type promotion (the floating kind as the default dtype).
  DType dtype() const;

  // The same kind and the same bits: NaN is itself, -0.0 is not 0.0.
  bool operator==(const Scalar& other) const { return kind_ == other.kind_ && integer_ == other.integer_; }
  // The 64 bits that hold the value.
  uint64_t bits() const { return static_cast<uint64_t>(integer_); }

 private:
  static constexpr Kind symbolic = static_cast<Kind>(3);  // an integer that is a size

  int64_t number() const { return is_symbolic() ? size_->constant() : integer_; }

  union {
    int64_t integer_;
    double floating_;
    const SymInt* size_;  // interned
  };
  Kind kind_;
};

// Whether a T can hold the number, as ATen's checked conversions ask: a negative integer may wrap in an unsigned type,
// a float is cut towards zero, infinities and NaN fit floats only.
template <class T>
bool fits(Scalar value) {
  if constexpr (std::is_same_v<T, bool>) {
    return true;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr T top = std::numeric_limits<T>::max();
    if (value.is_floating() || sizeof(T) == sizeof(int64_t)) {
      if (!value.is_floating()) return true;
      constexpr double limit = static_cast<double>(top / 2 + 1) * 2;  // one past the top, exactly
      double number = value.to_double();
      if (std::is_signed_v<T> && sizeof(T) == sizeof(int64_t)) return number >= -limit && number < limit;
      return number > (std::is_signed_v<T> ? -limit - 1 : -limit) && number < limit;
    }
    int64_t number = value.to_int();
    int64_t bottom =
        std::is_signed_v<T> ? static_cast<int64_t>(std::numeric_limits<T>::min()) : -static_cast<int64_t>(top);
    return number >= bottom && number <= static_cast<int64_t>(top);
  } else if constexpr (std::is_same_v<T, float>) {
    double number = value.to_double();
    return !(number > -std::numeric_limits<double>::infinity() && number < std::numeric_limits<double>::infinity()) ||
           (number >= std::numeric_limits<float>::lowest() && number <= std::numeric_limits<float>::max());
  } else {
    return true;
  }
}

// `2`, `2.0`, `true`, `inf`; the shortest text that reads back to the same value.
std::string to_string(const Scalar& scalar);

}  // namespace sinter
