// Integer arithmetic wraps at its own type and width, in values, sums and reductions.

#include <gtest/gtest.h>

#include <cstdlib>

#include "cases/known_answers.h"

namespace sinter::test {
namespace {

TEST(IntArith, B022_ValuesAreNotNarrowedToIndexTypes) {
  std::vector<double> want;
  for (int i = 0; i < 11; ++i) want.push_back(i * 1e9);
  in_both_modes([] { return Tensors{}; },
                [](Tensors) -> Tensors {
                  Tensor t = ops("aten::arange.start").call({0, 11}, {{"dtype", i64}})[0].tensor();
                  return {op("aten::mul.Tensor", t, 1000000000)};
                },
                [&](const Tensors& results, const Tensors&) {
                  EXPECT_EQ(results[0].dtype(), i64);
                  expect_values(results[0], want);
                });
}

TEST(IntArith, B026_Int32WrapsBeforeAnInt64Sum) {
  expect_results(
      {make(i32, {1, 2}, {2147483647, 1}), make(i32, {1, 2}, {1, 1})},
      [](Tensors x) -> Tensors { return {op("aten::sum.dim_IntList", op("aten::add.Tensor", x[0], x[1]), Dims{1})}; },
      {{-2147483646}});
}

TEST(IntArith, B026_NarrowSumsWrapAtEveryLength) {
  struct Type {
    DType dtype;
    double greatest, wrapped;
  };
  for (Type type :
       {Type{u8, 255, 0}, Type{i8, 127, -128}, Type{i16, 32767, -32768}, Type{i32, 2147483647, -2147483648.0}})
    for (int64_t length : {1, 7, 8, 17, 33, 1000}) {
      std::vector<double> values(length, type.greatest), ones(length, 1);
      expect_results({make(type.dtype, values), make(type.dtype, ones)},
                     [](Tensors x) -> Tensors { return {op("aten::sum", op("aten::add.Tensor", x[0], x[1]))}; },
                     {{type.wrapped * static_cast<double>(length)}});
    }
}

TEST(IntArith, B026_ProductsOfInt32MatricesWrapBeforeTheSum) {
  // [[m, m], [m, m]] times the identity, twice: the sum of both wraps to -2.
  std::vector<double> greatest(4, 2147483647);
  expect_results({make(i32, {2, 2}, greatest), make(i32, {2, 2}, {1, 0, 0, 1})},
                 [](Tensors x) -> Tensors {
                   Tensor a = op("aten::mm", x[0], x[1]), b = op("aten::mm", x[0], x[1]);
                   return {op("aten::sum.dim_IntList", op("aten::add.Tensor", a, b), Dims{1})};
                 },
                 {{-4, -4}});
}

TEST(CodegenCrash, B110_NarrowIntegersWrapAtTheirOwnType) {
  auto add = [](Tensors x) { return op("aten::add.Tensor", x[0], x[1]); };
  expect_pointwise({add, {i8, i8}, {{100}, {100}}, i8, {-56}});
  expect_pointwise({add, {u8, u8}, {{200}, {100}}, u8, {44}});
  expect_pointwise({add, {i16, i16}, {{32767}, {1}}, i16, {-32768}});
  expect_pointwise({[](Tensors x) { return op("aten::neg", x[0]); }, {i8}, {{-128}}, i8, {-128}});
  expect_pointwise(
      {[](Tensors x) { return op("aten::maximum", x[0], x[1]); }, {u8, u8}, {{200, 3}, {100, 7}}, u8, {200, 7}});
  expect_pointwise(
      {[](Tensors x) { return op("aten::bitwise_and.Tensor", x[0], x[1]); }, {u8, u8}, {{0xF0}, {0x3C}}, u8, {0x30}});
  expect_pointwise(
      {[](Tensors x) { return op("aten::bitwise_xor.Tensor", x[0], x[1]); }, {u8, u8}, {{0xF0}, {0x3C}}, u8, {0xCC}});
  expect_pointwise({[](Tensors x) { return op("aten::bitwise_not", x[0]); }, {u8}, {{0xF0}}, u8, {0x0F}});
  expect_pointwise({[](Tensors x) { return op("aten::mul.Tensor", x[0], x[0]); }, {i16}, {{300}}, i16, {24464}});
}

Tensor shift_left(const Tensor& x, const Value& by) { return op("aten::__lshift__.Tensor", x, by); }
Tensor shift_right(const Tensor& x, const Value& by) { return op("aten::__rshift__.Tensor", x, by); }

// Rule out: the hardware's shift, which takes the amount modulo the width.
TEST(IntArith, B023_ShiftsByTheWidthOrMore) {
  auto left = [](Tensors x) { return shift_left(x[0], x[1]); };
  auto right = [](Tensors x) { return shift_right(x[0], x[1]); };
  expect_pointwise({right, {i64, i64}, {{1000, 1000, -1000, 1000}, {64, 63, 64, 3}}, i64, {0, 0, -1, 125}});
  expect_pointwise({left, {i64, i64}, {{1, 1, 1}, {64, -1, 62}}, i64, {0, 0, 4611686018427387904.0}});
  expect_pointwise({left, {u8, u8}, {{255, 255, 255}, {8, 7, 1}}, u8, {0, 128, 254}});
  expect_pointwise({right, {u8, u8}, {{255, 255, 255}, {9, 8, 7}}, u8, {0, 0, 1}});
  expect_pointwise({right, {i8, i8}, {{-128, 127, -1}, {8, 8, 100}}, i8, {-1, 0, -1}});
  expect_pointwise({left, {i16, i16}, {{1, 1, -1}, {16, 15, 17}}, i16, {0, -32768, 0}});
  expect_pointwise({right, {i32, i32}, {{-5, 5, -5}, {32, 32, -1}}, i32, {-1, 0, -1}});
}

TEST(IntArith, B023_ShiftsByANumber) {
  struct Shift {
    DType dtype;
    double value;
    int64_t by;
    double left, right;
  };
  for (Shift shift : {Shift{i64, 1000, 64, 0, 0}, Shift{i64, -1000, 64, 0, -1}, Shift{i64, 1, -1, 0, 0},
                      Shift{u8, 255, 8, 0, 0}, Shift{i8, -1, 9, 0, -1}, Shift{i32, 3, 31, -2147483648.0, 0}}) {
    expect_pointwise({[&](Tensors x) { return op("aten::__lshift__.Scalar", x[0], shift.by); },
                      {shift.dtype},
                      {{shift.value}},
                      shift.dtype,
                      {shift.left}});
    expect_pointwise({[&](Tensors x) { return op("aten::__rshift__.Scalar", x[0], shift.by); },
                      {shift.dtype},
                      {{shift.value}},
                      shift.dtype,
                      {shift.right}});
  }
}

TEST(CodegenCrash, B110_NarrowIntegersAreShiftedAtTheirOwnType) {
  expect_pointwise({[](Tensors x) { return shift_right(shift_left(x[0], x[1]), x[1]); },
                    {u8, u8},
                    {{255, 129}, {1, 1}},
                    u8,
                    {127, 1}});
  expect_pointwise({[](Tensors x) { return shift_right(op("aten::add.Tensor", x[0], x[0]), 1); },
                    {i8},
                    {{100, -100}},
                    i8,
                    {-28, 28}});
}

TEST(CodegenCrash, B110_AWrappedValueIsComparedAsWrapped) {
  // 200 + 100 is 44 in u8, which is less than 100; 300 would not be.
  expect_pointwise({[](Tensors x) { return op("aten::lt.Scalar", op("aten::add.Tensor", x[0], x[1]), 100); },
                    {u8, u8},
                    {{200}, {100}},
                    boolean,
                    {1}});
}

TEST(IntArith, B086_SumsOfMoreThanTwoToThe32Elements) {
  if (!std::getenv("SINTER_LARGE_TESTS")) GTEST_SKIP() << "set SINTER_LARGE_TESTS for a run over 5e9 elements";
  Tensor row = make(i8, {1, 100000}, std::vector<double>(100000, 1.0));
  in_both_modes([&] { return Tensors{row}; },
                [](Tensors x) -> Tensors {
                  Tensor all = op("aten::expand", x[0], Dims{50000, 100000});
                  return {op("aten::sum", all), ops("aten::mean").call({all}, {{"dtype", f64}})[0].tensor()};
                },
                [](const Tensors& results, const Tensors&) {
                  expect_values(results[0], {5000000000});
                  expect_values(results[1], {1});
                });
}

// Real memory: the last of the elements is the greatest.
TEST(IntArith, B086_ThePlaceOfTheLastOfFiveBillionElements) {
  if (!std::getenv("SINTER_LARGE_TESTS")) GTEST_SKIP() << "set SINTER_LARGE_TESTS for a run over 5e9 elements";
  Tensor all = ops("aten::ones").call({Dims{50000, 100000}}, {{"dtype", i8}})[0].tensor();
  op("aten::fill_.Scalar", op("aten::as_strided", all, Dims{}, Dims{}, 4999999999), 2);
  in_both_modes([&] { return Tensors{all}; }, [](Tensors x) -> Tensors { return {op("aten::argmax", x[0])}; },
                [](const Tensors& results, const Tensors&) { expect_values(results[0], {4999999999}); });
}

}  // namespace
}  // namespace sinter::test
