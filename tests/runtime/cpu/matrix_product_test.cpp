// Products against plain sums, on small integers, which every type holds exactly.

#include <gtest/gtest.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/parallel.h>

#include <cstring>

namespace sinter {
namespace {

constexpr DType product_types[] = {u8, i8, i16, i32, i64, f16, bf16, f32, f64};

double element(const Tensor& x, int64_t row, int64_t column) {
  return x.select(0, row).select(0, column).item<double>();
}

void expect_product(const Tensor& a, const Tensor& b) {
  Tensor c = mm(a, b);
  int64_t inner = a.size(1).constant();
  for (int64_t i = 0; i < c.size(0).constant(); ++i)
    for (int64_t j = 0; j < c.size(1).constant(); ++j) {
      double sum = 0;
      for (int64_t k = 0; k < inner; ++k) sum += element(a, i, k) * element(b, k, j);
      ASSERT_EQ(element(c, i, j), sum) << name(a.dtype()) << " " << i << " " << j;
    }
}

Tensor small_integers(SymDims sizes, DType dtype) { return randint(0, 4, sizes).to(dtype); }

TEST(MatrixProduct, OfEveryTypeAndLayout) {
  for (DType dtype : product_types) {
    Tensor a = small_integers({5, 6}, dtype), b = small_integers({6, 4}, dtype);
    expect_product(a, b);
    expect_product(a, small_integers({4, 6}, dtype).t());
    expect_product(small_integers({6, 5}, dtype).t(), b);
    expect_product(small_integers({6, 5}, dtype).t(), small_integers({4, 6}, dtype).t());
    expect_product(small_integers({9, 12}, dtype).slice(0, 1, 9, 2).slice(1, 0, 12, 2), b);
    expect_product(small_integers({5, 1}, dtype).expand({5, 6}), b);
    expect_product(a, small_integers({1, 4}, dtype).expand({6, 4}));
    expect_product(a.slice(0, 0, 1), b.slice(1, 2, 3));
    expect_product(a.slice(1, 3, 4), b.slice(0, 3, 4));
  }
}

TEST(MatrixProduct, EmptySizes) {
  for (DType dtype : product_types) {
    Tensor c = mm(small_integers({3, 0}, dtype), small_integers({0, 4}, dtype));
    EXPECT_EQ(c.sum().item<double>(), 0) << name(dtype);
    EXPECT_EQ(mm(small_integers({0, 3}, dtype), small_integers({3, 4}, dtype)).numel().constant(), 0);
    EXPECT_EQ(bmm(small_integers({0, 3, 2}, dtype), small_integers({0, 2, 4}, dtype)).numel().constant(), 0);
  }
}

TEST(MatrixProduct, BatchesAreProductsOfTheirMatrices) {
  for (DType dtype : product_types) {
    Tensor a = small_integers({3, 5, 6}, dtype), b = small_integers({3, 4, 6}, dtype).transpose(1, 2);
    for (const Tensor& left :
         {a, small_integers({1, 5, 6}, dtype).expand({3, 5, 6}), small_integers({5, 3, 6}, dtype).transpose(0, 1)}) {
      Tensor c = bmm(left, b);
      for (int64_t i = 0; i < 3; ++i) {
        Tensor one = mm(left.select(0, i), b.select(0, i));
        EXPECT_EQ(std::memcmp(one.data_ptr(), c.select(0, i).data_ptr(), 20 * byte_size(dtype)), 0) << name(dtype);
      }
    }
  }
}

TEST(MatrixProduct, IntegersWrapAround) {
  Tensor a = full({1, 3}, 100, i8), b = full({3, 1}, 100, i8);
  EXPECT_EQ(mm(a, b).item<int64_t>(), static_cast<int8_t>(30000));
}

TEST(MatrixProduct, HalfPrecisionIsRoundedOnce) {
  for (DType dtype : {f16, bf16}) {
    Tensor a = full({1, 4096}, 1.0, dtype), b = full({4096, 1}, 1.0, dtype);
    EXPECT_EQ(mm(a, b).item<double>(), 4096) << name(dtype);  // a sum kept in that type would stop much earlier
  }
}

// oneDNN does not promise it, but it holds: a change here is worth knowing of.
TEST(MatrixProduct, ThreadsDoNotChangeTheBits) {
  int threads = get_num_threads();
  for (DType dtype : {f32, bf16, f64})
    for (auto [m, n, k] : {std::array<int64_t, 3>{64, 64, 64},
                           {1, 300, 4000},
                           {16, 16, 20000},
                           {300, 200, 100},
                           {8, 8, 100000},
                           {1, 1, 300000},
                           {1000, 3, 500}}) {
      Tensor a = randn({m, k}).to(dtype), b = randn({k, n}).to(dtype);
      set_num_threads(1);
      Tensor one = mm(a, b);
      set_num_threads(4);
      Tensor many = mm(a, b);
      EXPECT_EQ(std::memcmp(one.data_ptr(), many.data_ptr(), m * n * byte_size(dtype)), 0)
          << name(dtype) << " " << m << " " << n << " " << k;
    }
  set_num_threads(threads);
}

}  // namespace
}  // namespace sinter
