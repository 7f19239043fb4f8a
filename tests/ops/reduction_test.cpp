// Reductions: values, types, dims, empty inputs, errors.

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

Tensor matrix(DType dtype = f32) { return tensor_of({1, 2, 3, 4, 5, 6}, {2, 3}, dtype); }

TEST(Reduction, OverAnySetOfDims) {
  Tensors x = {matrix(), tensor_of({0, 1, 2, 3, 4, 5, 6, 7}, {2, 2, 2})};
  expect_elements([](const Tensors& x) { return sum(x[0]); }, x, f32, {21});
  expect_elements([](const Tensors& x) { return sum(x[0], {0}); }, x, f32, {5, 7, 9});
  expect_elements([](const Tensors& x) { return sum(x[0], {-1}); }, x, f32, {6, 15});
  expect_elements([](const Tensors& x) { return sum(x[1], {0, 2}); }, x, f32, {10, 18});
  expect_elements([](const Tensors& x) { return sum(x[0], Dims{}); }, x, f32, {21});
  expect_elements([](const Tensors& x) { return amax(x[0], {1}); }, x, f32, {3, 6});
  expect_elements([](const Tensors& x) { return amin(x[0], {0}); }, x, f32, {1, 2, 3});
  expect_elements([](const Tensors& x) { return prod(x[0], 1); }, x, f32, {6, 120});
  expect_elements([](const Tensors& x) { return mean(x[0], {1}); }, x, f32, {2, 5});
  expect_elements([](const Tensors& x) { return sum(x[0].t(), {0}); }, x, f32, {6, 15});
}

// Rows of memory follow one another in the lanes: whole chunks of lanes, parts of them, parts of vectors.
TEST(Reduction, OfRowsThatMakeUpOneSequence) {
  for (int64_t length : {1, 49, 64, 65, 200, 1000})
    for (int64_t rows : {2, 70})
      for (DType dtype : {f32, f64, bf16, i32}) {
        Tensor x = (randn({rows, 3, length}) * 100.0).to(dtype);
        auto sums = [](const Tensor& x) { return std::vector<Tensor>{sum(x + 1, {0, 2}), amax(x, {0, 2})}; };
        eager_and_compiled(sums, x);
        auto wide = [](const Tensor& x) { return std::vector<Tensor>{sum(x.to(f64), {0, 2}), sum(x, {0, 2})}; };
        eager_and_compiled(wide, x);
      }
}

// An empty list means all dims, but for any and all, where it means none.
TEST(Reduction, OverAnEmptyListOfDims) {
  Tensors x = {tensor_of({0, 2, 1, 1}, {2, 2}, i8)};
  auto over = [](const char* op, Value dims) {
    return [op, dims](const Tensors& x) { return ops(op)(x[0], dims)[0].tensor(); };
  };
  expect_elements(over("aten::any.dims", Dims{}), x, boolean, {0, 1, 1, 1});
  expect_elements(over("aten::all.dims", Dims{}), x, boolean, {0, 1, 1, 1});
  expect_elements(over("aten::any.dims", Value()), x, boolean, {1});
  expect_elements(over("aten::all.dims", Dims{0, 1}), x, boolean, {0});
  expect_elements(over("aten::amax", Dims{}), x, i8, {2});
  EXPECT_EQ(layout_of(result_of(over("aten::any.dims", Dims{}), {x[0].t()})), "[2, 2] [2, 1]");
}

TEST(Reduction, KeepdimLeavesOnes) {
  auto kept = [](const Tensors& x) { return sum(x[0], {0}, true); };
  EXPECT_EQ(layout_of(result_of(kept, {matrix()})), "[1, 3] [3, 1]");
  auto all_kept = [](const Tensors& x) { return amax(x[0], {}, true); };
  EXPECT_EQ(layout_of(result_of(all_kept, {matrix()})), "[1, 1] [1, 1]");
}

TEST(Reduction, TypesOfResults) {
  for (DType dtype : {boolean, u8, i8, i16, i32, i64}) {
    Tensors x = {tensor_of({1, 1, 0}, {3}, dtype)};
    expect_elements([](const Tensors& x) { return sum(x[0]); }, x, i64, {2});
    expect_elements([](const Tensors& x) { return prod(x[0]); }, x, i64, {0});
    expect_elements([](const Tensors& x) { return amax(x[0]); }, x, dtype, {1});
    expect_elements([](const Tensors& x) { return any(x[0]); }, x, dtype == u8 ? u8 : boolean, {1});
    expect_elements([](const Tensors& x) { return all(x[0]); }, x, dtype == u8 ? u8 : boolean, {0});
    expect_elements([](const Tensors& x) { return mean(x[0], Dims{}, false, f64); }, x, f64, {2.0 / 3.0});
  }
}

TEST(Reduction, AskedTypesConvertTheInputFirst) {
  Tensors x = {tensor_of({200, 100}, {2}, u8), tensor_of({0.5, 0.5}, {2})};
  expect_elements([](const Tensors& x) { return sum(x[0], {0}, false, u8); }, x, u8, {44});
  expect_elements([](const Tensors& x) { return sum(x[1], {0}, false, i32); }, x, i32, {0});
  expect_elements([](const Tensors& x) { return sum(x[1], {0}, false, boolean); }, x, boolean, {1});
  expect_elements([](const Tensors& x) { return prod(x[1], 0, false, boolean); }, x, boolean, {1});
}

TEST(Reduction, HalfTypesAccumulateInF32) {
  // In f16 the sum would stay at 2048 and overflow; so would the mean's.
  std::vector<double> ones(5000, 1.0), large(4, 60000.0);
  expect_elements([](const Tensors& x) { return sum(x[0]); }, {tensor_of(ones, {5000}, f16)}, f16, {5000});
  expect_elements([](const Tensors& x) { return mean(x[0]); }, {tensor_of(large, {4}, f16)}, f16, {60000});
}

TEST(Reduction, NanAndInfinity) {
  Tensors x = {tensor_of({1, nan, infinity}, {3}), tensor_of({infinity, -infinity}, {2})};
  expect_elements([](const Tensors& x) { return amax(x[0]); }, x, f32, {nan});
  expect_elements([](const Tensors& x) { return amin(x[0]); }, x, f32, {nan});
  expect_elements([](const Tensors& x) { return sum(x[1]); }, x, f32, {nan});
  expect_elements([](const Tensors& x) { return any(x[0] * nan); }, x, boolean, {1});
}

TEST(Reduction, EmptyInputsGiveTheIdentity) {
  Tensors x = {tensor_of({}, {0, 2})};
  expect_elements([](const Tensors& x) { return sum(x[0]); }, x, f32, {0});
  expect_elements([](const Tensors& x) { return sum(x[0], {0}); }, x, f32, {0, 0});
  expect_elements([](const Tensors& x) { return prod(x[0]); }, x, f32, {1});
  expect_elements([](const Tensors& x) { return any(x[0]); }, x, boolean, {0});
  expect_elements([](const Tensors& x) { return all(x[0]); }, x, boolean, {1});
  expect_elements([](const Tensors& x) { return mean(x[0]); }, x, f32, {nan});
  expect_elements([](const Tensors& x) { return amax(x[0], {1}); }, x, f32, {});
}

TEST(Reduction, ErrorsNameTheDims) {
  Tensors x = {matrix(), tensor_of({}, {0, 2}), matrix(i32)};
  EXPECT_EQ(message_of([](const Tensors& x) { return sum(x[0], {2}); }, x),
            "sum: dim 2 is out of range for a tensor of rank 2");
  EXPECT_EQ(message_of([](const Tensors& x) { return sum(x[0], {0, -2}); }, x), "sum: dim 0 is given twice");
  EXPECT_EQ(message_of([](const Tensors& x) { return amax(x[1], {0}); }, x),
            "amax: the reduction is over no elements and has no identity");
  EXPECT_EQ(message_of([](const Tensors& x) { return mean(x[2]); }, x), "mean: is not implemented for i32");
}

}  // namespace
}  // namespace sinter::test
