// Conversions and text of number arguments.

#include <sinter/graph/number.h>

#include <sinter/graph/number_facts.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

namespace sinter {

int64_t Scalar::to_int(Here here) const {
  if (is_traced()) return known(here).to_int();
  if (kind_ != Kind::floating) return is_symbolic() ? size_->constant(here) : integer_;
  // 2^63 is exact in a double; the comparison is false for NaN.
  if (floating_ >= -0x1p63 && floating_ < 0x1p63) return static_cast<int64_t>(floating_);
  return std::numeric_limits<int64_t>::min();
}

namespace {

// One object for each size that is ever a number argument, so that a Scalar stays as small as it is.
const SymInt* interned(SymInt size) {
  static std::mutex mutex;
  static auto* known = new std::map<std::tuple<const SymExpr*, uint16_t, int64_t>, SymInt>;
  std::lock_guard lock(mutex);
  return &known->try_emplace({size.expr(), size.owner(), size.hint()}, size).first->second;
}

}  // namespace

Scalar::Scalar(SymInt value) : integer_(value.hint()), kind_(Kind::integer) {
  if (value.is_constant()) return;
  size_ = interned(value);
  kind_ = symbolic;
}

Scalar traced_number(int id, Scalar example, uint16_t owner) {
  static std::mutex mutex;
  static auto* known = new std::map<std::tuple<int, Scalar::Kind, uint64_t, uint16_t>, TracedNumber>;
  std::lock_guard lock(mutex);
  TracedNumber number{id, example, owner};
  return Scalar(known->try_emplace({id, example.kind(), example.bits(), owner}, number).first->second);
}

Scalar::Kind Scalar::kind_of_symbol() const { return is_symbolic() ? Kind::integer : traced_->example.kind(); }

Scalar Scalar::known(Here here) const {
  if (is_symbolic()) return size_->constant(here);
  return is_traced() ? graph::fixed_number(*traced_, here) : *this;
}

double Scalar::double_of_integer(Here here) const {
  if (kind_ <= Kind::floating) return static_cast<double>(integer_);
  return known(here).to_double();
}

bool Scalar::bool_of_integer(Here here) const {
  if (kind_ <= Kind::floating) return integer_ != 0;
  return known(here).to_bool();
}

namespace {

enum class Order : uint8_t { less, equal, greater, none };

// Integers, at least one of them a size: a comparison is a relation between sizes.
bool are_sizes(const Scalar& a, const Scalar& b) {
  bool any_traced = a.is_traced() || b.is_traced();
  return (a.is_symbolic() || b.is_symbolic()) && !any_traced && a.kind() == Scalar::Kind::integer &&
         b.kind() == Scalar::Kind::integer;
}

Order compared(const Scalar& a, const LocatedScalar& b) {
  Scalar left = a.known(b.here), right = b.value.known(b.here);
  auto order_of = [](auto x, auto y) {
    return x < y ? Order::less : x == y ? Order::equal : x > y ? Order::greater : Order::none;
  };
  if (left.is_floating() || right.is_floating()) return order_of(left.to_double(), right.to_double());
  return order_of(left.to_int(), right.to_int());
}

}  // namespace

bool Scalar::equals(const Scalar& other, Here here) const {
  if (kind_ == other.kind_ && integer_ == other.integer_) return true;
  if (are_sizes(*this, other)) return is_equal(size(), other.size(), here);
  bool any_traced = is_traced() || other.is_traced();
  return any_traced && known(here).equals(other.known(here), here);
}
bool Scalar::operator==(const LocatedNumber& other) const { return equals(other.value, other.here); }
bool Scalar::operator<(const LocatedScalar& other) const {
  if (are_sizes(*this, other.value)) return is_less(size(), other.value.size(), other.here);
  return compared(*this, other) == Order::less;
}
bool Scalar::operator>(const LocatedScalar& other) const {
  if (are_sizes(*this, other.value)) return is_less(other.value.size(), size(), other.here);
  return compared(*this, other) == Order::greater;
}
bool Scalar::operator<=(const LocatedScalar& other) const {
  if (are_sizes(*this, other.value)) return !(*this > other);
  Order order = compared(*this, other);
  return order == Order::less || order == Order::equal;
}
bool Scalar::operator>=(const LocatedScalar& other) const {
  if (are_sizes(*this, other.value)) return !(*this < other);
  Order order = compared(*this, other);
  return order == Order::greater || order == Order::equal;
}

DType Scalar::dtype() const { return is_boolean() ? DType::boolean : is_floating() ? DType::f64 : DType::i64; }

std::string to_string(const Scalar& scalar) {
  if (scalar.is_symbolic()) return to_string(scalar.size());
  if (scalar.is_traced()) return to_string(scalar.traced_number().example);
  if (scalar.is_boolean()) return scalar.to_bool() ? "true" : "false";
  if (!scalar.is_floating()) return fmt::format("{}", scalar.to_int());
  double value = scalar.to_double();
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace sinter
