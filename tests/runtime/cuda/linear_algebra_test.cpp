// Factorisations on the device: what they are to multiply to, and the errors that they share with the CPU.

#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {

namespace {

// A stack of matrices, none of them singular; symmetric and positive if asked.
Tensor matrices(int64_t rows, int64_t columns, bool is_positive, DType dtype = f64) {
  std::vector<double> elements;
  for (int64_t matrix = 0; matrix < 3; ++matrix)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        elements.push_back((i == j ? static_cast<double>(rows + matrix) : 0.0) +
                           static_cast<double>((is_positive ? i + j : 3 * i + 5 * j) % 7) / 8);
  return on_device(tensor_of(elements, {3, rows, columns}, dtype), cuda::device(0));
}

void expect_near(const Tensor& got, const Tensor& want, const std::string& what) {
  expect_agreement(got, on_device(want, cpu), what, 64);
}

TEST(CudaLinearAlgebra, FactorsMultiplyToTheMatrix) {
  SINTER_NEEDS_CUDA();
  for (auto [rows, columns] : {std::pair{5, 5}, {7, 4}, {4, 6}}) {
    Tensor a = matrices(rows, columns, false);
    auto [q, r] = linalg_qr(a);
    expect_near(matmul(q, r), a, "qr");
    auto [u, s, vh] = linalg_svd(a, false);
    expect_near(matmul(u * s.unsqueeze(-2), vh), a, "svd");
  }
  Tensor positive = matrices(6, 6, true);
  Tensor l = ops("aten::linalg_cholesky").call({positive})[0].tensor();
  expect_near(matmul(l, l.transpose(-1, -2)), positive, "cholesky");
  Values eigen = ops("aten::linalg_eigh").call({positive});
  Tensor vectors = eigen[1].tensor();
  expect_near(matmul(vectors * eigen[0].tensor().unsqueeze(-2), vectors.transpose(-1, -2)), positive, "eigh");
}

TEST(CudaLinearAlgebra, SolutionsAndDeterminantsAreTheCpus) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f64}) {
    Tensor a = matrices(6, 6, false, dtype), b = matrices(6, 2, false, dtype);
    expect_near(matmul(a, ops("aten::linalg_solve").call({a, b})[0].tensor()), b, "solve");
    Tensor inverse = ops("aten::linalg_inv").call({a})[0].tensor();
    expect_near(matmul(a, inverse), on_device(eye(6, dtype).expand({3, 6, 6}).contiguous(), cpu), "inv");
    Tensor determinant = ops("aten::linalg_det").call({a})[0].tensor();
    expect_near(determinant, ops("aten::linalg_det").call({on_device(a, cpu)})[0].tensor(), "det");
    Tensor x = ops("aten::linalg_solve_triangular").call({a, b}, {{"upper", Value(true)}})[0].tensor();
    expect_near(matmul(triu(a), x), b, "solve_triangular");
  }
}

TEST(CudaLinearAlgebra, ASingularMatrixIsNamed) {
  SINTER_NEEDS_CUDA();
  Tensor a = on_device(tensor_of({1, 2, 2, 4}, {2, 2}), cuda::device(0));
  try {
    ops("aten::linalg_inv").call({a});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "linalg_inv: the matrix is singular: pivot 2 is zero");
  }
}

}  // namespace
}  // namespace sinter::test
