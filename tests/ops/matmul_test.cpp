// Matrix products: shapes, types, factors, errors. Small whole numbers are exact in every type.

#include <cmath>

#include <sinter/runtime/parallel.h>
#include <sinter/runtime/random.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(Matmul, ProductsInEveryType) {
  for (DType dtype : {u8, i8, i16, i32, i64, f16, bf16, f32, f64}) {
    Tensors x = {tensor_of({1, 2, 3, 4}, {2, 2}, dtype), tensor_of({5, 6, 7, 8}, {2, 2}, dtype)};
    expect_elements([](const Tensors& x) { return mm(x[0], x[1]); }, x, dtype, {19, 22, 43, 50});
    expect_elements([](const Tensors& x) { return mm(x[0].t(), x[1]); }, x, dtype, {26, 30, 38, 44});
    expect_elements([](const Tensors& x) { return mm(x[0], x[1].t()); }, x, dtype, {17, 23, 39, 53});
  }
}

TEST(Matmul, RanksOfMatmul) {
  Tensors x = {tensor_of({1, 2}, {2}), tensor_of({1, 2, 3, 4}, {2, 2}), tensor_of({1, 0, 0, 1, 2, 0, 0, 2}, {2, 2, 2})};
  expect_elements([](const Tensors& x) { return matmul(x[0], x[0]); }, x, f32, {5});
  expect_elements([](const Tensors& x) { return matmul(x[1], x[0]); }, x, f32, {5, 11});
  expect_elements([](const Tensors& x) { return matmul(x[0], x[1]); }, x, f32, {7, 10});
  expect_elements([](const Tensors& x) { return matmul(x[2], x[1]); }, x, f32, {1, 2, 3, 4, 2, 4, 6, 8});
  expect_elements([](const Tensors& x) { return matmul(x[1], x[2]); }, x, f32, {1, 2, 3, 4, 2, 4, 6, 8});
  expect_elements([](const Tensors& x) { return bmm(x[2], x[2]); }, x, f32, {1, 0, 0, 1, 4, 0, 0, 4});
  auto broadcast = [](const Tensors& x) { return matmul(x[2].unsqueeze(1), x[2].unsqueeze(0)); };
  EXPECT_EQ(layout_of(result_of(broadcast, x)), "[2, 2, 2, 2] [8, 4, 2, 1]");
}

TEST(Matmul, AnEmptyInnerDimGivesZeros) {
  Tensors x = {tensor_of({}, {2, 0}), tensor_of({}, {0, 2})};
  expect_elements([](const Tensors& x) { return mm(x[0], x[1]); }, x, f32, {0, 0, 0, 0});
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return mm(x[1], x[0]); }, x)), "[0, 0] [1, 1]");
}

TEST(Matmul, AddmmScalesBothParts) {
  Tensors x = {tensor_of({1, 1}, {2}), tensor_of({1, 2, 3, 4}, {2, 2}), tensor_of({std::nan("")}, {1})};
  expect_elements([](const Tensors& x) { return addmm(x[0], x[1], x[1]); }, x, f32, {8, 11, 16, 23});
  expect_elements([](const Tensors& x) { return addmm(x[0], x[1], x[1], 10, 2); }, x, f32, {24, 30, 40, 54});
  expect_elements([](const Tensors& x) { return addmm(x[2], x[1], x[1], 0); }, x, f32, {7, 10, 15, 22});
}

TEST(Matmul, LinearTransposesItsWeight) {
  Tensors x = {tensor_of({1, 2, 3, 4}, {2, 2}), tensor_of({1, 0, 1, 1, 0, 2}, {3, 2}), tensor_of({10, 20, 30}, {3})};
  expect_elements([](const Tensors& x) { return linear(x[0], x[1]); }, x, f32, {1, 3, 4, 3, 7, 8});
  expect_elements([](const Tensors& x) { return linear(x[0], x[1], x[2]); }, x, f32, {11, 23, 34, 13, 27, 38});
  auto of_rank_3 = [](const Tensors& x) { return linear(x[0].unsqueeze(0), x[1], x[2]); };
  EXPECT_EQ(layout_of(result_of(of_rank_3, x)), "[1, 2, 3] [6, 3, 1]");
}

TEST(Matmul, ErrorsNameSizesAndTypes) {
  Tensors x = {tensor_of({1, 2, 3, 4, 5, 6}, {2, 3}), tensor_of({1, 2, 3, 4}, {2, 2}), tensor_of({1, 2, 3}, {3}),
               tensor_of({1, 2, 3, 4}, {2, 2}, i32)};
  EXPECT_EQ(message_of([](const Tensors& x) { return mm(x[0], x[1]); }, x), "mm: inner sizes differ (3 vs 2)");
  EXPECT_EQ(message_of([](const Tensors& x) { return matmul(x[0], x[1]); }, x), "matmul: inner sizes differ (3 vs 2)");
  EXPECT_EQ(message_of([](const Tensors& x) { return mm(x[0], x[2]); }, x), "mm: mat2 has 1 dims");
  EXPECT_EQ(message_of([](const Tensors& x) { return mm(x[1], x[3]); }, x), "mm: dtypes differ (f32 vs i32)");
  EXPECT_EQ(message_of([](const Tensors& x) { return addmm(x[3], x[3], x[3], 0.5); }, x),
            "addmm: beta 0.5 is a float, the tensors are i32");
}

// oneDNN itself adds small products in another order on more threads.
TEST(Matmul, SmallProductsAreTheSameForAnyNumberOfThreads) {
  int before = get_num_threads();
  for (int64_t inner : {1, 6, 17, 64})
    for (int64_t count : {1, 3, 4}) {
      manual_seed(1);
      Tensor a = randn({inner, count, 29}).permute({1, 2, 0}), b = randn({5, count, inner}).permute({1, 2, 0});
      set_num_threads(1);
      Tensor one = bmm(a, b);
      for (int threads : {2, 3, 8}) {
        set_num_threads(threads);
        expect_same_bits(bmm(a, b), one);
      }
    }
  set_num_threads(before);
}

}  // namespace
}  // namespace sinter::test
