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

std::string fault(std::string_view text, std::vector<std::string> parameters = {"x"}) {
  try {
    graph::FormulaText(text, std::move(parameters), Here::current());
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

}  // namespace
}  // namespace sinter::test
