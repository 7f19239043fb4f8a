// The error bounds of the prelude's math functions, on a dense sample and on special values.

#include <codegen/prelude_error.h>
#include <codegen/prelude_kernels.h>
#include <codegen/prelude_samples.h>
#include <gtest/gtest.h>

namespace {

template <class T>
struct Wide;
template <>
struct Wide<float> {
  using type = double;
};
template <>
struct Wide<double> {
  using type = long double;
};

template <class T>
T sigmoid(T x) {
  return 1 / (1 + std::exp(-x));
}

const PreludeVariant& fastest() { return *prelude_variants().back(); }

template <class T>
void expect_within(const char* name, typename Wide<T>::type (*exact)(typename Wide<T>::type), double bound,
                   const std::vector<T>& inputs) {
  std::vector<T> out(inputs.size());
  const void* in[] = {inputs.data()};
  find_kernel(fastest(), name).run(in, out.data(), static_cast<long>(inputs.size()));
  double worst = 0;
  T where = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    double error = ulp_error(out[i], exact(inputs[i]));
    if (error > worst) worst = error, where = inputs[i];
  }
  EXPECT_LE(worst, bound) << name << " at " << where;
}

// Every 2^12th float.
std::vector<float> dense_floats() {
  std::vector<float> v = special_values<float>();
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 4099) {
    uint32_t word = static_cast<uint32_t>(bits);
    float x;
    std::memcpy(&x, &word, sizeof x);
    v.push_back(x);
  }
  return v;
}

std::vector<double> many_doubles() {
  std::vector<double> v = samples<double>(60000, false, 1);
  std::mt19937_64 bits(2);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double range : {1.0, 4.0, 30.0, 750.0, 1e5, 1e7}) {
    for (int i = 0; i < 20000; ++i) v.push_back(range * unit(bits));
  }
  v.push_back(6381956970095103.0 * 0x1p797);  // of all doubles the nearest to a multiple of pi/2
  return v;
}

// 1 is the aim; what is more was found over all arguments (prelude_exhaustive.cpp).
TEST(PreludeMath, OfF32IsWithinOneUlpOrNearlySo) {
  std::vector<float> in = dense_floats();
  expect_within<float>("exp_f32", std::exp, 1, in);
  expect_within<float>("log_f32", std::log, 1, in);
  expect_within<float>("sin_f32", std::sin, 1, in);
  expect_within<float>("cos_f32", std::cos, 1, in);
  expect_within<float>("tanh_f32", std::tanh, 1, in);
  expect_within<float>("sigmoid_f32", sigmoid<double>, 1, in);
  expect_within<float>("erf_f32", std::erf, 1, in);
  expect_within<float>("sqrt_f32", std::sqrt, 0.5, in);
  expect_within<float>("exp2_f32", std::exp2, 1, in);
  expect_within<float>("expm1_f32", std::expm1, 1.01, in);
  expect_within<float>("log2_f32", std::log2, 1.3, in);
  expect_within<float>("log10_f32", std::log10, 1.4, in);
  expect_within<float>("log1p_f32", std::log1p, 1, in);
  expect_within<float>("asin_f32", std::asin, 1, in);
  expect_within<float>("acos_f32", std::acos, 1, in);
  expect_within<float>("atan_f32", std::atan, 1.1, in);
  expect_within<float>("sinh_f32", std::sinh, 1, in);
  expect_within<float>("cosh_f32", std::cosh, 1, in);
  expect_within<float>("asinh_f32", std::asinh, 1.2, in);
  expect_within<float>("acosh_f32", std::acosh, 1, in);
  expect_within<float>("atanh_f32", std::atanh, 1, in);
  expect_within<float>("tan_f32", std::tan, 1.2, in);
}

TEST(PreludeMath, OfF64IsWithinTwoUlp) {
  std::vector<double> in = many_doubles();
  expect_within<double>("exp_f64", std::exp, 2, in);
  expect_within<double>("log_f64", std::log, 2, in);
  expect_within<double>("sin_f64", std::sin, 2, in);
  expect_within<double>("cos_f64", std::cos, 2, in);
  expect_within<double>("tanh_f64", std::tanh, 2, in);
  expect_within<double>("sigmoid_f64", sigmoid<long double>, 2, in);
  expect_within<double>("erf_f64", std::erf, 2, in);
  expect_within<double>("sqrt_f64", std::sqrt, 0.51, in);
  expect_within<double>("exp2_f64", std::exp2, 2, in);
  expect_within<double>("expm1_f64", std::expm1, 2, in);
  expect_within<double>("log2_f64", std::log2, 2, in);
  expect_within<double>("log10_f64", std::log10, 2, in);
  expect_within<double>("log1p_f64", std::log1p, 2, in);
  expect_within<double>("tan_f64", std::tan, 2, in);
  expect_within<double>("asin_f64", std::asin, 2, in);
  expect_within<double>("acos_f64", std::acos, 2, in);
  expect_within<double>("atan_f64", std::atan, 2, in);
  expect_within<double>("sinh_f64", std::sinh, 2, in);
  expect_within<double>("cosh_f64", std::cosh, 2, in);
  expect_within<double>("asinh_f64", std::asinh, 2, in);
  expect_within<double>("acosh_f64", std::acosh, 2, in);
  expect_within<double>("atanh_f64", std::atanh, 2, in);
}

// Powers of two and of ten have whole logarithms.
TEST(PreludeMath, LogarithmsOfPowersAreWhole) {
  std::vector<float> two, ten;
  std::vector<double> wide_two, wide_ten;
  for (int i = -149; i < 128; ++i) two.push_back(std::ldexp(1.0f, i));
  for (int i = -1074; i < 1024; ++i) wide_two.push_back(std::ldexp(1.0, i));
  for (int i = 0; i <= 10; ++i) ten.push_back(std::pow(10.0f, float(i)));
  for (int i = 0; i <= 22; ++i) wide_ten.push_back(std::pow(10.0, double(i)));
  // The reference's own error is rounded away.
  auto log2 = [](auto x) { return std::round(std::log2(x)); };
  auto log10 = [](auto x) { return std::round(std::log10(x)); };
  expect_within<float>("log2_f32", log2, 0, two);
  expect_within<float>("log10_f32", log10, 0, ten);
  expect_within<double>("log2_f64", log2, 0, wide_two);
  expect_within<double>("log10_f64", log10, 0, wide_ten);
}

template <class T>
T mantissa(T x) {
  int exponent;
  return std::frexp(x, &exponent);
}
template <class T>
T exponent(T x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::isfinite(x) ? T(exponent) : T(0);
}

TEST(PreludeMath, FindsThePartsOfFloats) {
  expect_within<float>("mantissa_f32", mantissa, 0, dense_floats());
  expect_within<float>("exponent_f32", exponent, 0, dense_floats());
  expect_within<double>("mantissa_f64", mantissa, 0, many_doubles());
  expect_within<double>("exponent_f64", exponent, 0, many_doubles());
}

// Pairs of special values, of any bits, of one size, and of a given ratio.
template <class T>
void expect_pairs_within(const char* name, typename Wide<T>::type (*exact)(T, T), double bound) {
  std::vector<T> x = samples<T>(200000, false, 11), y = samples<T>(200000, true, 12), out(x.size());
  for (size_t i = 20000; i < x.size(); i += 2) y[i] = x[i] * T(std::fmod(double(i) * .6180339887, 1) * (i % 5 - 2.5));
  const void* in[] = {x.data(), y.data()};
  find_kernel(fastest(), name).run(in, out.data(), static_cast<long>(x.size()));
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_LE(ulp_error(out[i], exact(x[i], y[i])), bound) << name << "(" << x[i] << ", " << y[i] << ") = " << out[i];
}

TEST(PreludeMath, FunctionsOfTwoNumbersAreWithinTwoUlp) {
  expect_pairs_within<float>("atan2_f32", [](float y, float x) { return std::atan2(double(y), double(x)); }, 2);
  expect_pairs_within<float>("hypot_f32", [](float x, float y) { return std::hypot(double(x), double(y)); }, 0.51);
  using W = long double;
  expect_pairs_within<double>("atan2_f64", [](double y, double x) { return std::atan2(W(y), W(x)); }, 2);
  expect_pairs_within<double>("hypot_f64", [](double x, double y) { return std::hypot(W(x), W(y)); }, 1);
}

TEST(PreludeMath, NextafterAndCopysignAreExact) {
  expect_pairs_within<float>("nextafter_f32", [](float x, float y) { return double(std::nextafter(x, y)); }, 0);
  expect_pairs_within<float>("copysign_f32", [](float x, float y) { return double(std::copysign(x, y)); }, 0);
  using W = long double;
  expect_pairs_within<double>("nextafter_f64", [](double x, double y) { return W(std::nextafter(x, y)); }, 0);
  expect_pairs_within<double>("copysign_f64", [](double x, double y) { return W(std::copysign(x, y)); }, 0);
}

TEST(PreludeMath, RoundsToWholeNumbersExactly) {
  std::vector<float> in = dense_floats();
  expect_within<float>("floor_f32", std::floor, 0, in);
  expect_within<float>("ceil_f32", std::ceil, 0, in);
  expect_within<float>("trunc_f32", std::trunc, 0, in);
  expect_within<float>("round_f32", std::nearbyint, 0, in);
  expect_within<double>("floor_f64", std::floor, 0, many_doubles());
  expect_within<double>("ceil_f64", std::ceil, 0, many_doubles());
  expect_within<double>("trunc_f64", std::trunc, 0, many_doubles());
  expect_within<double>("round_f64", std::nearbyint, 0, many_doubles());
}

template <class T>
void expect_pow_within(const char* name, double bound) {
  std::vector<T> x = samples<T>(100000, false, 3), y = samples<T>(100000, true, 4), out(x.size());
  for (size_t i = 20000; i < x.size(); i += 3) {  // results of ordinary size
    x[i] = T(std::ldexp(1 + std::fabs(std::fmod(double(i) * .6180339887, 1)), int(i % 11) - 5));
    y[i] = T(std::fmod(double(i) * .7548776662, 2) - 1) * std::numeric_limits<T>::max_exponent /
           (std::log2(x[i]) + T(1e-3));
  }
  const void* in[] = {x.data(), y.data()};
  find_kernel(fastest(), name).run(in, out.data(), static_cast<long>(x.size()));
  using W = typename Wide<T>::type;
  for (size_t i = 0; i < x.size(); ++i) {
    bool ordinary = std::isfinite(x[i]) && x[i] != 0;  // glibc's long double pow(-inf, -2^63) is not 0
    double error = ulp_error(out[i], ordinary ? std::pow(W(x[i]), W(y[i])) : W(std::pow(x[i], y[i])));
    ASSERT_LE(error, bound) << name << "(" << x[i] << ", " << y[i] << ") = " << out[i];
  }
}

TEST(PreludeMath, PowIsWithinTwoUlpAndKnowsTheSpecialCases) {
  expect_pow_within<float>("pow_f32", 2);
  expect_pow_within<double>("pow_f64", 2);
}

template <class T>
void expect_one_rounding(const PreludeVariant& variant, const char* name, T (*exact)(T, T, T)) {
  std::vector<T> a = samples<T>(200000, false, 5), b = samples<T>(a.size(), true, 6),
                 c = samples<T>(a.size(), false, 7);
  for (size_t i = 30000; i < a.size(); ++i) {
    if (i % 3 != 0) continue;  // sums that nearly cancel, or round near a tie
    a[i] = std::ldexp(std::frexp(a[i], std::vector<int>(1).data()),
                      int(i % 7) * (i % 2 ? -40 : 1) * (sizeof(T) == 8 ? 3 : 1));
    c[i] = -a[i] * b[i] * (i % 5 == 0 ? 1 : std::ldexp(T(1), int(i % 120) - 60));
    if (i % 4 == 1) c[i] = std::nextafter(c[i], T(0));
  }
  std::vector<T> out(a.size());
  const void* in[] = {a.data(), b.data(), c.data()};
  find_kernel(variant, name).run(in, out.data(), static_cast<long>(a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    T want = exact(a[i], b[i], c[i]);
    if (std::isnan(want) && std::isnan(out[i])) continue;
    ASSERT_EQ(want, out[i]) << name << ' ' << variant.name << ' ' << std::hexfloat << a[i] << ' ' << b[i] << ' '
                            << c[i];
    ASSERT_EQ(std::signbit(want), std::signbit(out[i])) << name << ' ' << variant.name;
  }
}

TEST(PreludeMath, FmaRoundsOnceWithAndWithoutTheInstruction) {
  for (const PreludeVariant* variant : prelude_variants()) {
    expect_one_rounding<float>(*variant, "fma_f32", std::fma);
    expect_one_rounding<double>(*variant, "fma_f64", std::fma);
  }
}

template <class T>
T aten_remainder(T a, T b) {
  T r = std::fmod(a, b);
  return r != 0 && (b < 0) != (r < 0) ? r + b : r;
}

// ATen's div_floor_floating.
template <class T>
T aten_div_floor(T a, T b) {
  if (b == 0) return a / b;
  T mod = std::fmod(a, b), div = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) div -= 1;
  if (div == 0) return std::copysign(T(0), a / b);
  T whole = std::floor(div);
  return div - whole > T(.5) ? whole + 1 : whole;
}

template <class T>
void expect_equal(const char* name, T (*exact)(T, T)) {
  std::vector<T> a = samples<T>(100000, false, 8), b = samples<T>(a.size(), true, 9), out(a.size());
  for (size_t i = 20000; i < a.size(); i += 2) {
    b[i] = T(int(i % 199) - 99) / 10;
    a[i] = b[i] * T(int(i % 100003) - 50001);
  }
  const void* in[] = {a.data(), b.data()};
  find_kernel(fastest(), name).run(in, out.data(), static_cast<long>(a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(ulp_error(out[i], exact(a[i], b[i])), 0) << name << "(" << a[i] << ", " << b[i] << ") = " << out[i];
  }
}

TEST(PreludeMath, DividesFloatsByTheRulesOfAten) {
  expect_equal<float>("fmod_f32", std::fmod);
  expect_equal<double>("fmod_f64", std::fmod);
  expect_equal<float>("remainder_f32", aten_remainder);
  expect_equal<double>("remainder_f64", aten_remainder);
  expect_equal<float>("div_floor_f32", aten_div_floor);
  expect_equal<double>("div_floor_f64", aten_div_floor);
}

// CASES B001: a quotient that rounds up to a whole number.
TEST(PreludeMath, FloorDivisionBelongsToTheExactRemainder) {
  float a[] = {1, 0.5f, 6, 1}, b[] = {0.1f, 0.1f, 0.2f, 1.0f / 3}, out[4];
  const void* in[] = {a, b};
  find_kernel(fastest(), "div_floor_f32").run(in, out, 4);
  EXPECT_EQ(std::vector<float>(out, out + 4), (std::vector<float>{9, 4, 29, 2}));
  double c[] = {1, 0.5, 6, 1}, d[] = {0.1, 0.1, 0.2, 1.0 / 3}, wide[4];
  const void* wide_in[] = {c, d};
  find_kernel(fastest(), "div_floor_f64").run(wide_in, wide, 4);
  EXPECT_EQ(std::vector<double>(wide, wide + 4), (std::vector<double>{9, 4, 29, 3}));
}

}  // namespace
