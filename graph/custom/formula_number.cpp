// Prefix, digits, suffix.

#include <sinter/graph/custom/formula_number.h>

#include <sinter/graph/error.h>

#include <cctype>
#include <charconv>
#include <limits>

namespace sinter::graph {

namespace {

// The letters at the end that are no digits of the number, in lower case.
std::string suffix_of(std::string_view text, std::string_view letters) {
  std::string suffix;
  while (!text.empty() && letters.find(text.back()) != std::string_view::npos) {
    suffix.insert(suffix.begin(), static_cast<char>(std::tolower(static_cast<unsigned char>(text.back()))));
    text.remove_suffix(1);
  }
  return suffix;
}

FormulaNumber refused(std::string fault, std::string need = {}) {
  FormulaNumber number;
  number.fault = std::move(fault);
  number.need = std::move(need);
  return number;
}

FormulaNumber no_number(std::string_view text) { return refused(fmt::format("`{}` is no number", text)); }

FormulaNumber unsigned_number(std::string_view text) {
  return refused(fmt::format("`{}` is unsigned, which a formula's values can't be", text), "a signed number");
}

template <class T>
bool read_floating(std::string_view digits, bool is_hex, double& value) {
  T exact = 0;  // rounded once
  const char* end = digits.data() + digits.size();
  auto [stop, error] =
      std::from_chars(digits.data(), end, exact, is_hex ? std::chars_format::hex : std::chars_format::general);
  value = static_cast<double>(exact);
  return error == std::errc{} && stop == end;
}

FormulaNumber floating_number(std::string_view text, std::string_view digits, bool is_hex) {
  std::string suffix = suffix_of(digits, "fFlL");
  digits.remove_suffix(suffix.size());
  if (suffix == "l") return refused(fmt::format("`{}` is a long double, which a formula's values can't be", text));
  FormulaNumber number;
  number.dtype = suffix == "f" ? DType::f32 : DType::f64;
  bool is_read = suffix == "f" ? read_floating<float>(digits, is_hex, number.floating)
                               : read_floating<double>(digits, is_hex, number.floating);
  return is_read && suffix.size() < 2 ? number : no_number(text);
}

}  // namespace

FormulaNumber read_formula_number(std::string_view text) {
  bool has_prefix = text.size() > 1 && text[0] == '0';
  bool is_hex = has_prefix && (text[1] == 'x' || text[1] == 'X');
  bool is_binary = has_prefix && (text[1] == 'b' || text[1] == 'B');
  std::string_view digits = text.substr(is_hex || is_binary ? 2 : 0);
  if (!is_binary && digits.find_first_of(is_hex ? ".pP" : ".eE") != std::string_view::npos)
    return floating_number(text, digits, is_hex);
  std::string suffix = suffix_of(digits, "uUlL");
  digits.remove_suffix(suffix.size());
  bool is_octal = digits.size() > 1 && digits[0] == '0' && !is_hex && !is_binary;
  int base = is_hex ? 16 : is_binary ? 2 : is_octal ? 8 : 10;
  uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  bool is_long = suffix == "l" || suffix == "ll";
  bool is_unsigned = suffix == "u" || suffix == "ul" || suffix == "ull" || suffix == "lu" || suffix == "llu";
  if (digits.empty() || stop != end || !(suffix.empty() || is_long || is_unsigned)) return no_number(text);
  if (error != std::errc{} || (base == 10 && value > uint64_t(std::numeric_limits<int64_t>::max())))
    return refused(fmt::format("`{}` is too large", text), "a number of 64 bits");
  // Not written in tens it may be unsigned without saying so.
  bool is_int = value <= uint64_t(std::numeric_limits<int32_t>::max());
  bool becomes_unsigned = base != 10 && ((!is_int && !is_long && value <= std::numeric_limits<uint32_t>::max()) ||
                                         value > uint64_t(std::numeric_limits<int64_t>::max()));
  if (is_unsigned || becomes_unsigned) return unsigned_number(text);
  FormulaNumber number;
  number.integer = static_cast<int64_t>(value);
  number.dtype = is_int && !is_long ? DType::i32 : DType::i64;
  return number;
}

}  // namespace sinter::graph
