// ATen's Scalar: a number argument, which remembers whether it is a bool, an integer or a float. An integer may be a
// symbolic size; and while a function with Scalar arguments is traced, these are known by their kinds alone.

#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <sinter/graph/dtype.h>
#include <sinter/graph/sym_int.h>

namespace sinter {

struct TracedNumber;
struct LocatedNumber;
struct LocatedScalar;

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
  explicit Scalar(const TracedNumber& number) : traced_(&number), kind_(traced) {}

  Kind kind() const { return kind_ <= Kind::floating ? kind_ : kind_of_symbol(); }
  bool is_floating() const { return kind() == Kind::floating; }
  bool is_boolean() const { return kind() == Kind::boolean; }

  bool is_symbolic() const { return kind_ == symbolic; }
  SymInt size() const { return is_symbolic() ? *size_ : SymInt(to_int()); }  // of an integer

  // The value is an input of the traced function.
  bool is_traced() const { return kind_ == traced; }
  const TracedNumber& traced_number() const { return *traced_; }

  // The value; of a symbolic size, which becomes a number by that, SymInt::constant(). So does a number that is an
  // input of the function: the entry is then for this value alone, by a guard that names the line.
  double to_double(Here here = Here::current()) const {
    return kind_ == Kind::floating ? floating_ : double_of_integer(here);
  }
  // A float is cut towards zero; out of range or NaN gives INT64_MIN.
  int64_t to_int(Here here = Here::current()) const;
  bool to_bool(Here here = Here::current()) const {
    return kind_ == Kind::floating ? floating_ != 0 : bool_of_integer(here);
  }
  // Itself, as a number.
  Scalar known(Here here = Here::current()) const;

  // bool, i64 or f64: what it weighs in type promotion (the floating kind as the default dtype).
  DType dtype() const;

  // The same kind and the same bits: NaN is itself, -0.0 is not 0.0.
  template <std::same_as<Scalar> S>
  bool operator==(const S& other) const {
    return equals(other, Here());
  }
  bool operator==(const LocatedNumber& other) const;
  // As numbers; a bool is 0 or 1.
  bool operator<(const LocatedScalar& other) const;
  bool operator>(const LocatedScalar& other) const;
  bool operator<=(const LocatedScalar& other) const;
  bool operator>=(const LocatedScalar& other) const;
  // The 64 bits that hold the value.
  uint64_t bits() const { return static_cast<uint64_t>(integer_); }

 private:
  static constexpr Kind symbolic = static_cast<Kind>(3);  // an integer that is a size
  static constexpr Kind traced = static_cast<Kind>(4);

  bool equals(const Scalar& other, Here here) const;
  Kind kind_of_symbol() const;
  double double_of_integer(Here here) const;
  bool bool_of_integer(Here here) const;

  union {
    int64_t integer_;
    double floating_;
    const SymInt* size_;          // interned
    const TracedNumber* traced_;  // interned
  };
  Kind kind_;
};

// A plain number on a side of an operator, with the line where it is written.
struct LocatedNumber {
  template <class T>
    requires std::is_arithmetic_v<T>
  LocatedNumber(T value, Here here = Here::current()) : value(value), here(here) {}

  Scalar value;
  Here here;
};

// The same of any number.
struct LocatedScalar {
  template <class T>
    requires std::is_convertible_v<T, Scalar>
  LocatedScalar(T value, Here here = Here::current()) : value(value), here(here) {}

  Scalar value;
  Here here;
};
template <std::same_as<Scalar> S>
bool operator<(const LocatedNumber& a, const S& b) {
  return b > LocatedScalar(a.value, a.here);
}
template <std::same_as<Scalar> S>
bool operator>(const LocatedNumber& a, const S& b) {
  return b < LocatedScalar(a.value, a.here);
}
template <std::same_as<Scalar> S>
bool operator<=(const LocatedNumber& a, const S& b) {
  return b >= LocatedScalar(a.value, a.here);
}
template <std::same_as<Scalar> S>
bool operator>=(const LocatedNumber& a, const S& b) {
  return b <= LocatedScalar(a.value, a.here);
}

// A number that is an input of the traced function, or computed from such ones.
struct TracedNumber {
  int id = 0;          // within one traced function
  Scalar example;      // in the call that is traced
  uint16_t owner = 0;  // the compilation whose traced function holds it, as a SymInt's
};
// As a Scalar; equal ones are one object, which lives as long as the process.
Scalar traced_number(int id, Scalar example, uint16_t owner = 0);

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
