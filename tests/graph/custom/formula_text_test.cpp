// Formulas as C++ text: what they mean, and what is said of those that mean nothing.

#include <sinter/graph/custom/formula_text.h>

#include <sinter/sinter.h>

#include <gtest/gtest.h>

#include <cmath>

#include "support/compiled.h"

namespace sinter::test {
namespace {

// The text as an op of x (and y), run eager and compiled on f32.
std::vector<double> values(std::string_view text, const std::vector<double>& x, const std::vector<double>& y = {}) {
  std::string signature = y.empty() ? "texts::f(Tensor x) -> Tensor" : "texts::f(Tensor x, Tensor y) -> Tensor";
  CustomOp op = elementwise_op(signature, text);
  Tensor a = tensor_of(x, {static_cast<int64_t>(x.size())});
  if (y.empty()) return elements_of(eager_and_compiled([&](const Tensor& t) { return op(t); }, a));
  Tensor b = tensor_of(y, {static_cast<int64_t>(y.size())});
  return elements_of(eager_and_compiled([&](const Tensor& t, const Tensor& u) { return op(t, u); }, a, b));
}

std::string fault(std::string_view text) {
  try {
    graph::FormulaText(text, {{"x"}}, Here::current());
  } catch (const Error& error) {
    return error.message();
  }
  return "none";
}

using Numbers = std::vector<double>;

TEST(FormulaText, AnExpression) {
  EXPECT_EQ(values("2.0f * x + 1.0f", {1, -3}), (Numbers{3, -5}));
  EXPECT_EQ(values("x > 0 ? x : 0.0f", {1, -3}), (Numbers{1, 0}));
  EXPECT_EQ(values("-x * -(x - 1) / 2", {3, 4}), (Numbers{3, 6}));
  EXPECT_EQ(values("std::fabs(x) + fmaxf(x, y)", {-2, 3}, {5, 1}), (Numbers{7, 6}));
}

TEST(FormulaText, TypesAreThoseOfCpp) {
  EXPECT_EQ(values("x + 1 / 2", {1}), Numbers{1}) << "1 / 2 is 0";
  EXPECT_EQ(values("x + 1 / 2.0f", {1}), Numbers{1.5});
  EXPECT_EQ(values("x + (-7 / 2) + (-7 % 2)", {0}), Numbers{-4}) << "both round toward zero";
  EXPECT_EQ(values("(int)x", {2.9f, -2.9f}), (Numbers{2, -2}));
  EXPECT_EQ(values("static_cast<int>(x) / 2", {5, -5}), (Numbers{2, -2}));
  EXPECT_EQ(values("(x + 16777216.0) - 16777216.0", {1}), Numbers{1}) << "an unsuffixed number is a double";
  EXPECT_EQ(values("(x + 16777216.0f) - 16777216.0f", {1}), Numbers{0});
  EXPECT_EQ(values("(x + T(16777216)) - T(16777216)", {1}), Numbers{0});
  EXPECT_EQ(values("true + (x > 1) + (x > 2)", {3}), Numbers{3}) << "a bool counts as an int";
}

TEST(FormulaText, FunctionsAreThoseOfCmath) {
  EXPECT_EQ(values("round(x)", {0.5, -0.5, 2.5, 0.49999997f, -1.2f}), (Numbers{1, -1, 3, 0, -1}));
  EXPECT_EQ(values("rint(x)", {0.5, 1.5, 2.5}), (Numbers{0, 2, 2}));
  EXPECT_EQ(values("fmod(x, y)", {-7, 7}, {3, -3}), (Numbers{-1, 1}));
  EXPECT_EQ(values("fmin(x, y)", {NAN, 1}, {2, NAN}), (Numbers{2, 1})) << "a NaN counts as missing";
  EXPECT_EQ(values("isnan(x) || isinf(x) ? 1 : 0", {NAN, INFINITY, -INFINITY, 3}), (Numbers{1, 1, 1, 0}));
  EXPECT_EQ(values("(int)x & 6 | (int)x << 4 ^ 1", {5}), Numbers{(5 & 6) | ((5 << 4) ^ 1)});
}

TEST(FormulaText, AFunctionWithStatements) {
  EXPECT_EQ(values("float f(float x) { float y = x * x; y += 1; return y; }", {3}), Numbers{10});
  EXPECT_EQ(values("template <class T> T f(T x) { if (x > 0) return x; else return T(0); }", {3, -3}), (Numbers{3, 0}));
  EXPECT_EQ(values("inline float f(const float x) { if (x > 1) { return 1; } if (x < -1) return -1; return x; }",
                   {3, 0.5, -3}),
            (Numbers{1, 0.5, -1}));
  EXPECT_EQ(values("float f(float x) { float y = 0; if (x > 0) { y = x; } else { y = -x; } return y * 2; }", {3, -4}),
            (Numbers{6, 8}));
  EXPECT_EQ(values("float f(float x) { if (x > 0) { if (x > 10) return 10; } return x; }", {3, 30, -1}),
            (Numbers{3, 10, -1}));
  EXPECT_EQ(values("double f(float x) { double wide = x; return wide + 0.25; }", {3}), Numbers{3.25});
}

TEST(FormulaText, LoopsWhoseCountIsANumber) {
  EXPECT_EQ(values("float f(float x) { float y = 1; for (int i = 0; i < 4; ++i) y *= x; return y; }", {3}),
            Numbers{81});
  EXPECT_EQ(values("float f(float x) { float s = 0; for (int i = 1; i <= 3; i += 1) { float t = x * i; s += t; } "
                   "for (int i = 0; i < 2; i++) { if (i == 1) s += 100; } return s; }",
                   {2}),
            Numbers{112});
  EXPECT_EQ(fault("float f(float x) { float y = x; for (int i = 0; y < 4; ++i) y *= 2; return y; }"),
            "formula: the loop's count depends on data at column 51");
  EXPECT_EQ(fault("float f(float x) { while (x > 1) x /= 2; return x; }"),
            "formula: this statement has no vector form, found `while`, at column 20");
}

TEST(FormulaText, MistakesAreNamedWithTheirColumn) {
  EXPECT_EQ(fault("2.0f * z"), "formula: `z` is not declared at column 8");
  EXPECT_EQ(fault("x +"), "formula: expected a name, found the end, at column 4");
  EXPECT_EQ(fault("sine(x)"), "formula: there is no function `sine` at column 1");
  EXPECT_EQ(fault("exp(x, x)"), "formula: `exp` takes 1 arguments, got 2 at column 1");
  EXPECT_EQ(fault("x % 2"), "formula: `%` of f32 at column 3");
  EXPECT_EQ(fault("x x"), "formula: expected the end, found `x`, at column 3");
  EXPECT_EQ(fault("float f(float x) { if (x > 0) return x; }"),
            "formula: `f` does not return a value on each path at column 1");
  EXPECT_EQ(fault("float f(float x, float y) { return x; }"),
            "formula: `f` takes 2 parameters, the op has 1 at column 1");
  EXPECT_EQ(fault("float f(float x) { float x = 1; return x; }"), "formula: `x` is declared twice at column 26");
  EXPECT_EQ(fault(std::string(1000, '(') + "x" + std::string(1000, ')')).substr(0, 37),
            "formula: expected less nesting, found");
}

TEST(FormulaText, ComputesInTheOpsType) {
  CustomOp op = elementwise_op("texts::third(Tensor x) -> Tensor", "template <class T> T f(T x) { return x / T(3); }");
  EXPECT_EQ(elements_of(op(tensor_of({1}, {1}, f64))), Numbers{1.0 / 3.0});
  EXPECT_EQ(op(tensor_of({1}, {1}, f16)).dtype(), f16);
  EXPECT_EQ(op(tensor_of({1}, {1}, i64)).dtype(), f32);
  CustomOp positive = elementwise_op("texts::positive(Tensor x) -> Tensor", "x > 0");
  EXPECT_EQ(positive(tensor_of({1, -1}, {2})).dtype(), boolean);
}

// The first value of an op of a tensor and a number.
double value_at(std::string_view signature, std::string_view text, const Tensor& x, const Scalar& n) {
  CustomOp op = elementwise_op(signature, text);
  return elements_of(eager_and_compiled([&](const Tensor& t) { return op(t, n); }, x))[0];
}

TEST(FormulaText, IntegersAreExact) {
  Tensor x = tensor_of({1}, {1});
  constexpr const char* with_int = "texts::f(Tensor x, int n) -> Tensor";
  EXPECT_EQ(value_at(with_int, "int f(float x, int n) { return n % 1000; }", x, 123456789), 789);
  EXPECT_EQ(value_at(with_int, "long f(float x, long n) { return n - 9007199254740992L; }", x, 9007199254740993), 1);
  EXPECT_EQ(value_at(with_int, "0 * x + n / 2", x, 5), 2) << "an int parameter is an integer";
  EXPECT_EQ(value_at("texts::f(Tensor x, float s) -> Tensor", "double f(float x, double s) { return (s - 0.1) * 1e9; }",
                     x, 0.1),
            0);
  CustomOp last = elementwise_op("texts::last(Tensor x) -> Tensor", "long f(long x) { return x % 1000; }");
  Tensor wide = tensor_of({123456789, 16777217}, {2}, i64);
  EXPECT_EQ(elements_of(eager_and_compiled([&](const Tensor& t) { return last(t); }, wide)), (Numbers{789, 217}));
  CustomOp small = elementwise_op("texts::small(Tensor x) -> Tensor", "int f(int x) { return x / 2 + (x & 1); }");
  for (DType dtype : {u8, i8, i16, i32, i64})
    EXPECT_EQ(elements_of(eager_and_compiled([&](const Tensor& t) { return small(t); }, tensor_of({7}, {1}, dtype))),
              Numbers{4})
        << name(dtype);
}

TEST(FormulaText, BoolTensorsAreNumbersInAnExpression) {
  CustomOp plus = elementwise_op("texts::plus(Tensor x) -> Tensor", "x + 1");
  CustomOp flipped = elementwise_op("texts::flipped(Tensor x) -> Tensor", "bool f(bool x) { return !x; }");
  Tensor x = tensor_of({1, 0}, {2}, boolean);
  EXPECT_EQ(elements_of(eager_and_compiled([&](const Tensor& t) { return plus(t); }, x)), (Numbers{2, 1}));
  EXPECT_EQ(elements_of(eager_and_compiled([&](const Tensor& t) { return flipped(t); }, x)), (Numbers{0, 1}));
}

TEST(FormulaText, LoopsOverAnIntParameter) {
  CustomOp op =
      elementwise_op("texts::power(Tensor x, int n) -> Tensor",
                     "float f(float x, int n) { float y = 1; for (int i = 0; i < n; ++i) y *= x; return y; }");
  for (int n : {0, 1, 5}) EXPECT_EQ(elements_of(op(tensor_of({2}, {1}), n)), Numbers{std::pow(2.0, n)});
  EXPECT_EQ(values("float f(float x) { float y = 0; for (int i = 0; i < (1 << 2); ++i) y += x; return y; }", {3}),
            Numbers{12});
  EXPECT_EQ(values("float f(float x) { for (int i = 0; i < 5; ++i) { if (x < i) return i; } return -1; }", {2.5, 9}),
            (Numbers{3, -1}))
      << "a loop may return";
}

TEST(FormulaText, LiteralsAreThoseOfCpp) {
  EXPECT_EQ(values("x + 010 + 0x10 + 0b101", {0}), Numbers{8 + 16 + 5});
  EXPECT_EQ(values("x + 0x1.8p1f", {0}), Numbers{3});
  EXPECT_EQ(fault("x + 1u"), "formula: `1u` is unsigned, which a formula's values can't be at column 5");
  EXPECT_EQ(fault("x + 0xFFFFFFFF"),
            "formula: `0xFFFFFFFF` is unsigned, which a formula's values can't be at column 5");
  EXPECT_EQ(fault("1.0uf * x"), "formula: `1.0uf` is no number at column 1");
  EXPECT_EQ(fault("08 + x"), "formula: `08` is no number at column 1");
  EXPECT_EQ(fault("1.0L * x"), "formula: `1.0L` is a long double, which a formula's values can't be at column 1");
  EXPECT_EQ(fault("x /* never closed"), "formula: the comment never ends at column 3");
}

TEST(FormulaText, FunctionsOfIntegersAreOfDoubles) {
  float x = 0.3f;
  EXPECT_EQ(values("std::pow(x, 3) - x * x * x", {x}),
            Numbers{static_cast<float>(std::pow(static_cast<double>(x), 3) - static_cast<double>(x * x * x))});
  EXPECT_EQ(fault("maxf(x, 1)"), "formula: there is no function `maxf` at column 1");
  EXPECT_EQ(fault("absf(x)"), "formula: there is no function `absf` at column 1");
  EXPECT_EQ(fault("std::max(x, 1)"), "formula: `max` of f32 and i32 at column 6");
}

TEST(FormulaText, NamesEndWithTheirBlock) {
  EXPECT_EQ(values("float f(float x) { { float a = x; x = a + 1; } { float a = 2; x = x * a; } return x; }", {3}),
            Numbers{8});
  EXPECT_EQ(values("float f(float x) { float a = 1; { float a = 5; x += a; } return x + a; }", {1}), Numbers{7});
  EXPECT_EQ(values("float f(float x) { float y = 0; for (int i = 0; i < 2; ++i) { if (i < 5) { float t = x; y += t; } "
                   "if (i < 6) { float t = 1; y += t; } } return y; }",
                   {3}),
            Numbers{8});
  EXPECT_EQ(fault("float f(float x) { { float a = x; x = a; } return a; }"),
            "formula: `a` is not declared at column 51");
  EXPECT_EQ(fault("float f(float x) { const float c = 2; c = 3; return c * x; }"),
            "formula: `c` is const at column 39");
  EXPECT_EQ(values("float f(float x) { float y; if (x > 0) y = 1; else y = 2; return y; }", {3, -3}), (Numbers{1, 2}));
}

TEST(FormulaText, TypesOfSeveralWords) {
  EXPECT_EQ(values("(long long)x + (long int)x", {2.5}), Numbers{4});
  EXPECT_EQ(fault("(unsigned)x"), "formula: a formula's values can't be of this type, found `unsigned`, at column 2");
}

TEST(FormulaText, ManyReturnsCostNoMoreThanTheirText) {
  auto text = [](int count) {
    std::string text = "float f(float x) { float y = 0;";
    for (int i = 0; i < count; ++i) text += " if (x > 0.0f) { if (x > 1.0f) return 2.0f; y = 1.0f; }";
    return text + " return y; }";
  };
  EXPECT_EQ(values(text(100), {-1, 0.5, 3}), (Numbers{0, 1, 2}));
  EXPECT_EQ(values("float f(float x) { if (x > 2) { if (x > 3) return 3; x = 10; } else { if (x < 0) return 0; } "
                   "if (x == 10) return 5; return x; }",
                   {4, 2.5, -1, 1}),
            (Numbers{3, 5, 0, 1}));
}

}  // namespace
}  // namespace sinter::test
