// Conversions and text of number arguments.

#include <sinter/graph/number.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <mutex>

namespace sinter {

int64_t Scalar::to_int() const {
  if (!is_floating()) return number();
  // 2^63 is exact in a double; the comparison is false for NaN.
  if (floating_ >= -0x1p63 && floating_ < 0x1p63) return static_cast<int64_t>(floating_);
  return std::numeric_limits<int64_t>::min();
}

namespace {

// One object for each size that is ever a number argument, so that a Scalar stays as small as it is.
const SymInt* interned(SymInt size) {
  static std::mutex mutex;
  static auto* known = new std::map<std::pair<const SymExpr*, int64_t>, SymInt>;
  std::lock_guard lock(mutex);
  return &known->try_emplace({size.expr(), size.hint()}, size).first->second;
}

}  // namespace

Scalar::Scalar(SymInt value) : integer_(value.hint()), kind_(Kind::integer) {
  if (value.is_constant()) return;
  size_ = interned(value);
  kind_ = symbolic;
}

DType Scalar::dtype() const { return is_boolean() ? DType::boolean : is_floating() ? DType::f64 : DType::i64; }

std::string to_string(const Scalar& scalar) {
  if (scalar.is_symbolic()) return to_string(scalar.size());
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
