// Tensors as text, in PyTorch's manner.

#include <gtest/gtest.h>
#include <sinter/graph/literal.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/print_tensor.h>

#include <cmath>
#include <sstream>

namespace sinter {
namespace {

TEST(PrintTensor, ValuesAreAligned) {
  EXPECT_EQ(to_string(tensor({{1.0, -2.5}, {10.0, 3.0}})),
            "[[ 1.0000, -2.5000],\n"
            " [10.0000,  3.0000]] f32[2, 2]");
  std::ostringstream out;
  out << tensor({1, -20, 3});
  EXPECT_EQ(out.str(), "[  1, -20,   3] i64[3]");
}

TEST(PrintTensor, WhatIsAskedOfATensorPrintsToo) {
  Tensor x = tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  std::ostringstream out;
  out << x.sizes() << " " << x.t().strides() << " " << x.size(1) << " " << x.dtype() << " " << x.device();
  EXPECT_EQ(out.str(), "[2, 3] [1, 3] 3 f32 cpu");
}

TEST(PrintTensor, WholeFloatsHaveAPoint) {
  EXPECT_EQ(to_string(tensor({1.0, 2.0})), "[1., 2.] f32[2]");
  EXPECT_EQ(to_string(tensor({1.0, NAN, -INFINITY})), "[  1.,  nan, -inf] f32[3]");
}

TEST(PrintTensor, FarMagnitudesAreScientific) {
  EXPECT_EQ(to_string(tensor({0.001, 100.0})), "[1.0000e-03, 1.0000e+02] f32[2]");
  EXPECT_EQ(to_string(tensor({1.0, 10000.0})), "[1.0000e+00, 1.0000e+04] f32[2]");
}

TEST(PrintTensor, IntegersAndBoolsAreExact) {
  EXPECT_EQ(to_string(tensor({int64_t{9007199254740993}})), "[9007199254740993] i64[1]");
  EXPECT_EQ(to_string(tensor({true, false})), "[ true, false] bool[2]");
  EXPECT_EQ(to_string(tensor(5)), "5 i64[]");
  EXPECT_EQ(to_string(zeros({0, 2})), "[] f32[0, 2]");
}

TEST(PrintTensor, ViewsShowTheirOwnElements) {
  EXPECT_EQ(to_string(tensor({{1, 2}, {3, 4}}).t().select(0, 1)), "[2, 4] i64[2]");
}

TEST(PrintTensor, BlocksAreSetApart) {
  EXPECT_EQ(to_string(tensor({{{1}, {2}}, {{3}, {4}}})),
            "[[[1],\n  [2]],\n\n"
            " [[3],\n  [4]]] i64[2, 2, 1]");
}

TEST(PrintTensor, LongRowsBreakAtEightyColumns) {
  EXPECT_EQ(to_string(arange(30)),
            "[ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17, 18,\n"
            " 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29] i64[30]");
}

TEST(PrintTensor, LargeTensorsAreElided) {
  EXPECT_EQ(to_string(arange(2000)), "[   0,    1,    2, ..., 1997, 1998, 1999] i64[2000]");
}

}  // namespace
}  // namespace sinter
