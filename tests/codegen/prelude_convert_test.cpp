// Conversions on special values and random bits, beside plain C++ with x86's results out of range.

#include <codegen/prelude_kernels.h>
#include <codegen/prelude_samples.h>
#include <gtest/gtest.h>

namespace {

template <class From, class To>
void expect_conversion(const std::string& name, To (*exact)(From)) {
  std::vector<From> in = samples<From>(30000, false, 1);
  std::vector<To> out(in.size());
  const void* inputs[] = {in.data()};
  find_kernel(*prelude_variants().back(), name).run(inputs, out.data(), static_cast<long>(in.size()));
  for (size_t i = 0; i < in.size(); ++i) {
    To want = exact(in[i]);
    ASSERT_TRUE(std::memcmp(&want, &out[i], sizeof want) == 0 || (want != want && out[i] != out[i]))
        << name << '(' << +in[i] << ") = " << +out[i] << ", not " << +want;
  }
}

template <class T>
int32_t to_i32(T x) {
  return x > -0x1p31 - 1 && x < 0x1p31 ? static_cast<int32_t>(x) : INT32_MIN;
}
template <class T>
int64_t to_i64(T x) {
  return x >= -0x1p63 && x < 0x1p63 ? static_cast<int64_t>(x) : INT64_MIN;
}

template <class T>
void expect_float_conversions(const std::string& from) {
  expect_conversion<T, int32_t>("to_i32_from_" + from, to_i32<T>);
  expect_conversion<T, int64_t>("to_i64_from_" + from, to_i64<T>);
  expect_conversion<T, int16_t>("to_i16_from_" + from, [](T x) { return static_cast<int16_t>(to_i32(x)); });
  expect_conversion<T, int8_t>("to_i8_from_" + from, [](T x) { return static_cast<int8_t>(to_i32(x)); });
  expect_conversion<T, uint8_t>("to_u8_from_" + from, [](T x) { return static_cast<uint8_t>(to_i32(x)); });
  expect_conversion<T, uint8_t>("to_bool_from_" + from, [](T x) { return static_cast<uint8_t>(x != 0); });
}

TEST(PreludeConvert, FloatsOutOfRangeGiveWhatX86Gives) {
  expect_float_conversions<float>("f32");
  expect_float_conversions<double>("f64");
}

template <class From, class To>
To cast(From x) {
  return static_cast<To>(x);
}

template <class From>
void expect_integer_conversions(const std::string& from) {
  expect_conversion<From, int8_t>("to_i8_from_" + from, cast<From, int8_t>);
  expect_conversion<From, uint8_t>("to_u8_from_" + from, cast<From, uint8_t>);
  expect_conversion<From, int16_t>("to_i16_from_" + from, cast<From, int16_t>);
  expect_conversion<From, int32_t>("to_i32_from_" + from, cast<From, int32_t>);
  expect_conversion<From, int64_t>("to_i64_from_" + from, cast<From, int64_t>);
  expect_conversion<From, float>("to_f32_from_" + from, cast<From, float>);
  expect_conversion<From, double>("to_f64_from_" + from, cast<From, double>);
  expect_conversion<From, uint8_t>("to_bool_from_" + from, [](From x) { return static_cast<uint8_t>(x != 0); });
}

TEST(PreludeConvert, IntegersWrapAndRoundOnce) {
  expect_integer_conversions<uint8_t>("u8");
  expect_integer_conversions<int8_t>("i8");
  expect_integer_conversions<int16_t>("i16");
  expect_integer_conversions<int32_t>("i32");
  expect_integer_conversions<int64_t>("i64");
  expect_conversion<float, double>("to_f64_from_f32", cast<float, double>);
  expect_conversion<double, float>("to_f32_from_f64", cast<double, float>);
}

// The value of a format with that many exponent and mantissa bits.
double value_of(uint16_t bits, int exponent_bits, int mantissa_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1, exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1);
  int mantissa = bits & ((1 << mantissa_bits) - 1);
  double sign = bits >> 15 ? -1 : 1;
  if (exponent == 2 * bias + 1) return mantissa == 0 ? sign * INFINITY : NAN;
  if (exponent != 0) mantissa |= 1 << mantissa_bits;
  return sign * std::ldexp(mantissa, (exponent == 0 ? 1 : exponent) - bias - mantissa_bits);
}

void expect_half_format(const std::string& dtype, int exponent_bits, int mantissa_bits) {
  const PreludeVariant& variant = *prelude_variants().back();
  std::vector<uint16_t> all(65536), back(65536);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint16_t>(i);
  std::vector<float> wide(65536);
  const void* in[] = {all.data()};
  find_kernel(variant, "to_f32_from_" + dtype).run(in, wide.data(), 65536);
  const void* wide_in[] = {wide.data()};
  find_kernel(variant, "to_" + dtype + "_from_f32").run(wide_in, back.data(), 65536);
  for (size_t i = 0; i < all.size(); ++i) {
    double want = value_of(all[i], exponent_bits, mantissa_bits);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(wide[i]) && std::isnan(value_of(back[i], exponent_bits, mantissa_bits)));
    } else {
      ASSERT_EQ(wide[i], want);
      ASSERT_EQ(back[i], all[i]);
    }
  }
}

// Every float between two neighbours of the narrow format goes to the nearer, a tie to the even one.
void expect_nearest(const std::string& dtype, int exponent_bits, int mantissa_bits) {
  std::vector<float> in;
  std::vector<uint16_t> want;
  uint16_t infinity = static_cast<uint16_t>(((1 << exponent_bits) - 1) << mantissa_bits);
  for (uint16_t bits = 0; bits < infinity; ++bits) {
    double low = value_of(bits, exponent_bits, mantissa_bits), up = value_of(bits + 1, exponent_bits, mantissa_bits);
    if (std::isinf(up)) up = 2 * low - value_of(bits - 1, exponent_bits, mantissa_bits);
    float middle = static_cast<float>((low + up) / 2);
    if (middle != (low + up) / 2) continue;  // bf16's subnormals have no middle in f32
    for (float x : {std::nextafter(middle, 0.0f), middle, std::nextafter(middle, INFINITY)}) {
      uint16_t nearest = x < middle ? bits : x > middle ? bits + 1 : bits + (bits & 1);
      in.push_back(x), want.push_back(nearest);
      in.push_back(-x), want.push_back(nearest | 0x8000);
    }
  }
  std::vector<uint16_t> out(in.size());
  const void* inputs[] = {in.data()};
  find_kernel(*prelude_variants().back(), "to_" + dtype + "_from_f32")
      .run(inputs, out.data(), static_cast<long>(in.size()));
  for (size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], want[i]) << dtype << ' ' << std::hexfloat << in[i];
}

TEST(PreludeConvert, F16AndBf16KeepEveryValueAndRoundToNearestEven) {
  expect_half_format("f16", 5, 10);
  expect_half_format("bf16", 8, 7);
  expect_nearest("f16", 5, 10);
  expect_nearest("bf16", 8, 7);
}

}  // namespace
