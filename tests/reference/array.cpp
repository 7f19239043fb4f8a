// Reads, converts and compares reference arrays.

#include "reference/array.h"

#include <sinter/runtime/cuda/copy.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace sinter::reference {

namespace {

// Bits of the significand (the hidden one included) and the exponent of the smallest subnormal.
struct FloatFormat {
  int precision;
  int least_exponent;
  double greatest;
};

FloatFormat format_of(DType dtype) {
  if (dtype == DType::f16) return {11, -24, 65504};
  if (dtype == DType::bf16) return {8, -133, std::ldexp(255, 120)};
  if (dtype == DType::f32) return {24, -149, std::numeric_limits<float>::max()};
  return {53, -1074, std::numeric_limits<double>::max()};
}

double read_half(uint16_t bits, int exponent_bits) {
  int fraction_bits = 15 - exponent_bits;
  int bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
  int fraction = bits & ((1 << fraction_bits) - 1);
  double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  int whole = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
  return sign * std::ldexp(whole, std::max(exponent, 1) - bias - fraction_bits);
}

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

Number read_element(DType dtype, const std::byte* at) {
  switch (dtype) {
    case DType::boolean: return {0, load<uint8_t>(at) != 0};
    case DType::u8: return {0, load<uint8_t>(at)};
    case DType::i8: return {0, load<int8_t>(at)};
    case DType::i16: return {0, load<int16_t>(at)};
    case DType::i32: return {0, load<int32_t>(at)};
    case DType::i64: return {0, load<int64_t>(at)};
    case DType::f16: return {read_half(load<uint16_t>(at), 5), 0};
    case DType::bf16: return {read_half(load<uint16_t>(at), 8), 0};
    case DType::f32: return {load<float>(at), 0};
    case DType::f64: return {load<double>(at), 0};
  }
  return {};
}

int64_t float_to_integer(DType to, double value) {
  // What x86 gives: out of range is the least integer, of 64 bits for i64 and of 32 bits for narrower types.
  bool is_wide = to == DType::i64;
  double limit = is_wide ? 0x1p63 : 0x1p31;
  int64_t least = is_wide ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int32_t>::min();
  double whole = std::trunc(value);
  return whole >= -limit && whole < limit ? static_cast<int64_t>(whole) : least;
}

bool is_close(double got, double want, double units, double scale, DType dtype) {
  if (std::isinf(scale)) return true;
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  if (got == want) return units > 0 || std::signbit(got) == std::signbit(want);
  if (units == 0 || std::isinf(want) || std::isinf(got)) return false;
  FloatFormat format = format_of(dtype);
  double unit = std::ldexp(std::max(std::abs(want), scale), 1 - format.precision);
  return std::abs(got - want) <= units * std::max(unit, std::ldexp(1, format.least_exponent));
}

}  // namespace

Array read(const Tensor& anywhere) {
  Tensor tensor = runtime::moved(anywhere, cpu);
  Array array{tensor.dtype(), {}, {}, false, 0, {}};
  for (SymInt size : tensor.sizes()) array.sizes.push_back(size.constant());
  int64_t count = element_count(array.sizes);
  if (count == 0) return array;
  const auto* base = static_cast<const std::byte*>(tensor.storage()->data);
  std::vector<int64_t> index(array.sizes.size());
  do {
    int64_t position = tensor.storage_offset().constant();
    for (size_t dim = 0; dim < index.size(); ++dim) position += index[dim] * tensor.strides()[dim].constant();
    array.values.push_back(read_element(array.dtype, base + position * byte_size(array.dtype)));
  } while (advance(index, array.sizes));
  return array;
}

Array number(const Scalar& scalar) {
  if (scalar.is_floating()) return {DType::f64, {}, {{scalar.to_double(), 0}}, true, 0, {}};
  return {scalar.is_boolean() ? DType::boolean : DType::i64, {}, {{0, scalar.to_int()}}, true, 0, {}};
}

double round_float(DType dtype, double value) {
  if (dtype == DType::f64 || value == 0 || !std::isfinite(value)) return value;
  FloatFormat format = format_of(dtype);
  int exponent = 0;
  std::frexp(value, &exponent);
  int unit = std::max(exponent - format.precision, format.least_exponent);
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  if (std::abs(rounded) > format.greatest) return std::copysign(std::numeric_limits<double>::infinity(), value);
  return std::copysign(rounded, value);
}

int64_t wrap_integer(DType dtype, int64_t value) {
  switch (dtype) {
    case DType::boolean: return value != 0;
    case DType::u8: return static_cast<uint8_t>(value);
    case DType::i8: return static_cast<int8_t>(value);
    case DType::i16: return static_cast<int16_t>(value);
    case DType::i32: return static_cast<int32_t>(value);
    default: return value;
  }
}

Number convert(const Number& value, DType from, DType to) {
  if (is_floating(to)) {
    double wide = is_floating(from) ? value.f : static_cast<double>(value.i);
    // ATen makes halves of floats: a double rounds twice.
    return {round_float(to, is_half(to) ? round_float(DType::f32, wide) : wide), 0};
  }
  if (!is_floating(from)) return {0, wrap_integer(to, value.i)};
  if (to == DType::boolean) return {0, value.f != 0 || std::isnan(value.f)};
  return {0, wrap_integer(to, float_to_integer(to, value.f))};
}

Array convert(const Array& array, DType to) {
  Array result = array;
  result.dtype = to;
  for (Number& value : result.values) value = convert(value, array.dtype, to);
  return result;
}

int64_t element_count(const std::vector<int64_t>& sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

bool advance(std::vector<int64_t>& index, const std::vector<int64_t>& sizes) {
  for (size_t dim = sizes.size(); dim-- > 0;) {
    if (++index[dim] < sizes[dim]) return true;
    index[dim] = 0;
  }
  return false;
}

int64_t flat_index(const std::vector<int64_t>& index, const std::vector<int64_t>& sizes) {
  int64_t flat = 0;
  for (size_t dim = 0; dim < sizes.size(); ++dim) flat = flat * sizes[dim] + index[dim];
  return flat;
}

std::string difference(const Array& got, const Array& want) {
  if (got.dtype != want.dtype) return fmt::format("dtype {}, want {}", name(got.dtype), name(want.dtype));
  if (got.sizes != want.sizes)
    return fmt::format("sizes [{}], want [{}]", fmt::join(got.sizes, ", "), fmt::join(want.sizes, ", "));
  for (size_t i = 0; i < want.values.size(); ++i) {
    const Number &x = got.values[i], &y = want.values[i];
    if (!is_floating(want.dtype)) {
      if (x.i != y.i) return fmt::format("element {} is {}, want {}", i, x.i, y.i);
    } else if (!is_close(x.f, y.f, want.error_units, want.scales.empty() ? 0 : want.scales[i], want.dtype)) {
      return fmt::format("element {} is {:.17g}, want {:.17g}", i, x.f, y.f);
    }
  }
  return {};
}

}  // namespace sinter::reference
