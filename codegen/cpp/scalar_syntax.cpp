// The tables of spellings.

#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/fusion/scan_kind.h>
#include <sinter/graph/error.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace sinter::codegen {

namespace {

struct TypeSpelling {
  DType dtype;
  std::string_view element;
  std::string_view vector;
};
constexpr TypeSpelling type_spellings[] = {
    {DType::boolean, "bool8", "b32v"}, {DType::u8, "unsigned char", "u8v"}, {DType::i8, "signed char", "i8v"},
    {DType::i16, "short", "i16v"},     {DType::i32, "int", "i32v"},         {DType::i64, "long", "i64v"},
    {DType::f16, "f16", "f16v"},       {DType::bf16, "bf16", "bf16v"},      {DType::f32, "float", "f32v"},
    {DType::f64, "double", "f64v"},
};

const TypeSpelling& spelling(DType dtype) {
  for (const TypeSpelling& row : type_spellings)
    if (row.dtype == dtype) return row;
  internal_error(Here::current(), "spelling", fmt::format("no C++ type for {}", name(dtype)));
}

std::string floating_literal(double value, bool is_double) {
  std::string_view suffix = is_double ? "" : "f";
  if (std::isnan(value)) return fmt::format("__builtin_nan{}(\"\")", suffix);
  if (std::isinf(value)) return fmt::format("{}__builtin_inf{}()", value < 0 ? "-" : "", suffix);
  std::string digits = is_double ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits + std::string(suffix);
}

std::string integer_literal(int64_t value, DType dtype) {
  if (dtype != DType::i64) return value == INT32_MIN ? "(-2147483647 - 1)" : fmt::format("{}", value);
  return value == INT64_MIN ? "(-9223372036854775807L - 1)" : fmt::format("{}L", value);
}

Scalar largest(DType dtype) {
  if (is_floating(dtype)) return std::numeric_limits<double>::infinity();
  return visit(dtype, [](auto zero) -> Scalar {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) return static_cast<int64_t>(std::numeric_limits<T>::max());
    return 0.0;
  });
}

Scalar smallest(DType dtype) {
  if (is_floating(dtype)) return -std::numeric_limits<double>::infinity();
  return visit(dtype, [](auto zero) -> Scalar {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) return static_cast<int64_t>(std::numeric_limits<T>::min());
    return 0.0;
  });
}

}  // namespace

std::string_view element_type(DType dtype) { return spelling(dtype).element; }
std::string_view vector_type(DType dtype) { return spelling(dtype).vector; }

std::string piece_name(std::string_view what, DType dtype) { return fmt::format("{}_{}", what, name(dtype)); }

std::string literal(const Scalar& value, DType dtype) {
  if (dtype == DType::boolean) return value.to_bool() ? "true" : "false";
  if (dtype == DType::f16) return fmt::format("f16{{{:#x}}}", Half(static_cast<float>(value.to_double())).bits);
  if (dtype == DType::bf16) return fmt::format("bf16{{{:#x}}}", BFloat16(static_cast<float>(value.to_double())).bits);
  if (is_floating(dtype)) return floating_literal(value.to_double(), dtype == DType::f64);
  return integer_literal(value.to_int(), dtype);
}

std::string splat(const Scalar& value, DType dtype) {
  return fmt::format("splat_{}({})", name(dtype), literal(value, dtype));
}

std::string operation_piece(ScalarOp op, DType operand) { return piece_name(info(op).name, operand); }

std::string conversion_piece(DType from, DType to) { return fmt::format("to_{}_from_{}", name(to), name(from)); }

Combine combine_of(ReductionKind kind, DType dtype) {
  if (kind == fusion::log_add_exp_scan) return {"log_add_exp", {}, "log_sum"};
  bool is_bool = dtype == DType::boolean;
  switch (kind) {
    case ReductionKind::sum: return is_bool ? Combine{"bit_or", "halve_or", "sum"} : Combine{"add", "halve_add", "sum"};
    case ReductionKind::prod:
      return is_bool ? Combine{"bit_and", "halve_and", "prod"} : Combine{"mul", "halve_mul", "prod"};
    case ReductionKind::minimum:
      return is_bool ? Combine{"bit_and", "halve_and", "min"} : Combine{"minimum", "halve_min", "min"};
    case ReductionKind::maximum:
      return is_bool ? Combine{"bit_or", "halve_or", "max"} : Combine{"maximum", "halve_max", "max"};
    case ReductionKind::any: return {"bit_or", "halve_or", "any"};
    case ReductionKind::all: return {"bit_and", "halve_and", "all"};
    case ReductionKind::none: break;
  }
  internal_error(Here::current(), "combine_of", "not a reduction");
}

std::string identity(ReductionKind kind, DType dtype) {
  if (kind == fusion::log_add_exp_scan) return splat(-std::numeric_limits<double>::infinity(), dtype);
  switch (kind) {
    case ReductionKind::prod: return splat(is_floating(dtype) ? Scalar(1.0) : Scalar(1), dtype);
    case ReductionKind::minimum: return splat(dtype == DType::boolean ? Scalar(true) : largest(dtype), dtype);
    case ReductionKind::maximum: return splat(dtype == DType::boolean ? Scalar(false) : smallest(dtype), dtype);
    case ReductionKind::all: return splat(true, dtype);
    default: return splat(is_floating(dtype) ? Scalar(0.0) : Scalar(0), dtype);
  }
}

bool is_long(ScalarOp op, DType dtype) {
  return info(op).is_function() || (dtype == DType::f64 && op == ScalarOp::fma);
}

int cost_of(ScalarOp op, DType dtype) {
  if (is_long(op, dtype)) return is_floating(dtype) && byte_size(dtype) == 8 ? 50 : 20;
  switch (op) {
    case ScalarOp::constant: return 0;
    case ScalarOp::div:
    case ScalarOp::sqrt: return 5;
    case ScalarOp::convert: return is_half(dtype) ? 8 : 1;
    default: return 1;
  }
}

}  // namespace sinter::codegen
