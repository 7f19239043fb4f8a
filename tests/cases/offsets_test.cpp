// Arguments that begin in the middle of a storage.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {
namespace {

using Numbers = std::vector<double>;

Tensor counted(int64_t count) { return arange(static_cast<double>(count)); }
// 4, 5, 6, 7 in a storage of 0 .. 9.
Tensor middle() { return counted(10).slice(0, 4, 8); }

// Eager and compiled give these numbers, and leave those in the argument's whole storage.
template <class F>
void expect_numbers(F function, const std::function<Tensor()>& make, const Numbers& result, const Numbers& storage) {
  auto compiled = compile(function);
  for (int i = 0; i < 3; ++i) {
    Tensor x = make();
    Tensor got = i == 0 ? function(x) : compiled(x);
    std::string which = i == 0 ? "eager" : "compiled";
    EXPECT_EQ(elements_of(got), result) << which;
    int64_t held = x.storage()->bytes / byte_size(x.dtype());
    EXPECT_EQ(elements_of(as_strided(x, {held}, {1}, 0)), storage) << which;
  }
  EXPECT_EQ(compiled.stats().compiles, 1);
}

TEST(Offsets, AProductReadsAWrittenArgumentWhereItLies) {
  for (DType dtype : {f32, f64, f16, bf16, i32}) {
    auto make = [&] { return tensor_of({9, 9, 1, 2, 3, 4}, {3, 2}, dtype).slice(0, 1); };
    expect_numbers(
        [](const Tensor& x) {
          x.mul_(2);
          return mm(x, x.t());
        },
        make, {20, 44, 44, 100}, {9, 9, 2, 4, 6, 8});
    expect_numbers(
        [](const Tensor& x) {
          x.t().add_(1);
          return matmul(x.unsqueeze(0), x.t());
        },
        make, {13, 23, 23, 41}, {9, 9, 2, 3, 4, 5});
  }
  expect_numbers(
      [](const Tensor& x) {
        Tensor row = x.slice(0, 1);
        row.add_(1);
        return linear(x, row);
      },
      [] { return tensor_of({9, 9, 1, 2, 3, 4}, {3, 2}).slice(0, 1); }, {14, 41}, {9, 9, 1, 2, 4, 5});
}

TEST(Offsets, SoDoARoutineAndACapturedTensor) {
  expect_numbers(
      [](const Tensor& x) {
        x.mul_(-1);
        return ops("aten::sort")(x)[0].tensor();
      },
      middle, {-7, -6, -5, -4}, {0, 1, 2, 3, -4, -5, -6, -7, 8, 9});
  Tensor w = ones({4, 2}).slice(0, 1);
  auto product = compile([w](const Tensor& x) {
    w.mul_(2);
    return mm(w, w.t()) + x;
  });
  EXPECT_EQ(elements_of(product(zeros({1}))), Numbers(9, 8));
  EXPECT_EQ(elements_of(product(zeros({1}))), Numbers(9, 32));
}

TEST(Offsets, ArgumentsOfOneStorageAreMultipliedWhereTheyLie) {
  auto function = [](const Tensor& x, const Tensor& y) {
    x.add_(1);
    return mm(x, y);
  };
  auto compiled = compile(function);
  for (int i = 0; i < 3; ++i) {
    Tensor base = counted(12).view({6, 2});
    Tensor x = base.slice(0, 1, 3), y = base.slice(0, 2, 4);  // one row in common
    Tensor got = i == 0 ? function(x, y) : compiled(x, y);
    EXPECT_EQ(elements_of(got), (Numbers{39, 46, 61, 72})) << i;  // [[3, 4], [5, 6]] @ [[5, 6], [6, 7]]
  }
}

}  // namespace
}  // namespace sinter::test
