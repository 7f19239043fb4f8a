// nll_loss and cross_entropy_loss: values, what is ignored, targets out of range, kernels.

#include <cmath>

#include <sinter/graph/ops/functions/loss.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

const double nan = std::nan("");

Tensor classes(const std::vector<double>& numbers) { return tensor_of(numbers, {int64_t(numbers.size())}, i64); }
Tensor log_probabilities(DType dtype = f32) { return tensor_of({-1, -2, -3, -4, -5, -6}, {2, 3}, dtype); }

TEST(CrossEntropy, NllPicksTheTarget) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensors x = {log_probabilities(dtype), classes({2, 0}), tensor_of({1, 2, 4}, {3}, dtype)};
    expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1], {}, Reduction::none); }, x, dtype, {3, 4});
    expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1]); }, x, dtype, {3.5});
    expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1], {}, Reduction::sum); }, x, dtype, {7});
    expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1], x[2], Reduction::none); }, x, dtype, {12, 4});
    expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1], x[2], Reduction::sum); }, x, dtype, {16});
    expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1], x[2]) * 5; }, x, dtype, {16});
  }
  expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1]); },
                  {tensor_of({-1, -2}, {2}), tensor_of({1}, {}, i64)}, f32, {2});
}

// B079
TEST(CrossEntropy, NegativeTargetsAreErrorsUnlessIgnored) {
  Tensors x = {log_probabilities(), classes({1, -1})};
  EXPECT_EQ(message_of([](const Tensors& x) { return nll_loss(x[0], x[1]); }, x),
            "nll_loss_nd: the target -1 is out of range for 3 classes");
  expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1], {}, Reduction::mean, -1); }, x, f32, {2});
  EXPECT_EQ(message_of([](const Tensors& x) { return nll_loss(x[0], x[1]); }, {log_probabilities(), classes({3, 0})}),
            "nll_loss_nd: the target 3 is out of range for 3 classes");
  EXPECT_EQ(message_of([](const Tensors& x) { return cross_entropy_loss(x[0], x[1]); },
                       {log_probabilities(), classes({0, 7})}),
            "cross_entropy_loss: the target 7 is out of range for 3 classes");
}

TEST(CrossEntropy, TheErrorNamesTheUsersLine) {
  auto loss = [](const Tensor& x, const Tensor& target) { return cross_entropy_loss(x, target); };
  try {
    compile(loss)(log_probabilities(), classes({0, 3}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cross_entropy_test.cpp"), std::string::npos) << error.what();
    EXPECT_EQ(error.need(), "need 0 <= target < 3, or ignore_index");
  }
}

TEST(CrossEntropy, NothingLeftGivesNanAsMeanAndZeroAsSum) {
  for (const Tensors& x :
       {Tensors{log_probabilities(), classes({-100, -100})}, Tensors{tensor_of({}, {0, 3}), classes({})}}) {
    expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1]); }, x, f32, {nan});
    expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1], {}, Reduction::sum); }, x, f32, {0});
    expect_elements([](const Tensors& x) { return cross_entropy_loss(x[0], x[1]); }, x, f32, {nan});
  }
}

TEST(CrossEntropy, ScoresFarApartStayFinite) {
  Tensors x = {tensor_of({1000, 0, -1000, 0, 1000, 0}, {2, 3}), classes({0, 0})};
  expect_elements([](const Tensors& x) { return cross_entropy_loss(x[0], x[1], {}, Reduction::none); }, x, f32,
                  {0, 1000});
}

TEST(CrossEntropy, ClassesLieAlongDimOne) {
  Tensors x = {tensor_of({-1, -2, -3, -4, -5, -6, -7, -8}, {1, 2, 2, 2}), tensor_of({0, 1, 0, 1}, {1, 2, 2}, i64)};
  expect_elements([](const Tensors& x) { return nll_loss(x[0], x[1], {}, Reduction::none); }, x, f32, {1, 6, 3, 8});
}

TEST(CrossEntropy, ProbabilitiesAsTargetsAgreeWithClasses) {
  Tensors x = {log_probabilities(f64), classes({2, 0}), tensor_of({0, 0, 1, 1, 0, 0}, {2, 3}, f64)};
  for (double smoothing : {0.0, 0.25}) {
    auto by_class = [=](const Tensors& x) {
      return cross_entropy_loss(x[0], x[1], {}, Reduction::mean, -100, smoothing);
    };
    auto by_probability = [=](const Tensors& x) {
      return cross_entropy_loss(x[0], x[2], {}, Reduction::mean, -100, smoothing);
    };
    EXPECT_NEAR(elements_of(result_of(by_class, x))[0], elements_of(result_of(by_probability, x))[0], 1e-14);
  }
}

TEST(CrossEntropy, ErrorsOfItsArguments) {
  Tensors x = {log_probabilities(), classes({1, 0, 2}), tensor_of({1, 1}, {2}), classes({1, 0}),
               log_probabilities(f64)};
  EXPECT_EQ(message_of([](const Tensors& x) { return nll_loss(x[0], x[1]); }, x),
            "nll_loss_nd: the target has sizes [3], the input without its classes [2]");
  EXPECT_EQ(message_of([](const Tensors& x) { return nll_loss(x[0], x[3], x[2]); }, x),
            "nll_loss_nd: the weight has sizes [2] for 3 classes");
  EXPECT_EQ(message_of([](const Tensors& x) { return nll_loss(x[0], x[2]); }, x), "nll_loss_nd: the target is f32");
  EXPECT_EQ(
      message_of([](const Tensors& x) { return cross_entropy_loss(x[0], x[3], {}, Reduction::mean, -100, 2); }, x),
      "cross_entropy_loss: label_smoothing is 2");
  EXPECT_EQ(message_of([](const Tensors& x) { return cross_entropy_loss(x[0], x[4], {}, Reduction::mean, 1); }, x),
            "cross_entropy_loss: ignore_index is given beside targets that are probabilities");
}

// The rows are one kernel; the others are over one number a row.
TEST(CrossEntropy, IsAFewKernels) {
  auto loss = [](const Tensor& x, const Tensor& target) { return cross_entropy_loss(x, target); };
  EXPECT_LE(kernel_count(loss, zeros({64, 1000}), zeros({64}, i64)), 4);
}

}  // namespace
}  // namespace sinter::test
