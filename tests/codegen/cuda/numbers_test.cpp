// Kernels of numbers that are arguments: each is a parameter by value, and results are those of the CPU.

#include "support/expect_cuda.h"
#include "support/loops_of.h"

#include <sinter/codegen/generate_program.h>
#include <sinter/sinter.h>

#include <gtest/gtest.h>

#include "support/same_bits.h"

namespace sinter::test {

namespace {

template <class F, class... Numbers>
Loops loops_of_call(F function, const Tensor& x, const Numbers&... numbers) {
  std::string graph = compile(function).explain(x, numbers...).graph;
  return scheduled(graph, codegen::fusion_limits(codegen::CudaTarget{}));
}

Tensor some(const std::vector<int64_t>& sizes, DType dtype = f32) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return tensor_of(std::vector<double>(static_cast<size_t>(count), 1.0), sizes, dtype);
}

TEST(CudaNumbers, ArePassedThemselves) {
  Loops loops = loops_of_call([](const Tensor& x, Scalar rate) { return x * rate; }, some({1000}), Scalar(0.5));
  codegen::Program program = cuda_program(loops.schedule);
  ASSERT_EQ(program.kernels.size(), 1u);
  const std::string& text = program.kernels[0].text;
  EXPECT_NE(text.find("    const number<double> in_arg_2_given"), std::string::npos) << text;
  EXPECT_NE(text.find("  const double* const in_arg_2 = &in_arg_2_given.value;\n"), std::string::npos) << text;
  EXPECT_EQ(program.steps.size(), 1u);
}

TEST(CudaNumbers, OfEveryKindAndType) {
  auto f = [](const Tensor& x, Scalar a, Scalar b) { return (x * a + b) * 2; };
  std::vector<fusion::Schedule> schedules;
  std::vector<Loops> kept;
  for (DType dtype : {f32, f64, f16, bf16, i32, i64})
    for (auto [a, b] : {std::pair<Scalar, Scalar>(0.5, 3), {2, true}, {true, 0.25}}) {
      kept.push_back(loops_of_call(f, some({33}, dtype), a, b));
      schedules.push_back(kept.back().schedule);
    }
  expect_cuda(joined(schedules));
}

TEST(CudaNumbers, AreComputedOnTheDevice) {
  auto f = [](const Tensor& x, Scalar beta, Scalar step) {
    return x * (1 - beta) + pow(beta, step) / sqrt(step * 2) - x / (beta + 3);
  };
  Loops loops = loops_of_call(f, some({257}), Scalar(0.75), Scalar(3));
  expect_cuda(loops.schedule);
}

// Rows, columns, tiles, scans, and kernels of several launches.
TEST(CudaNumbers, InEveryArrangement) {
  auto rows = [](const Tensor& x, Scalar a) { return softmax(x * a, -1) + a; };
  auto columns = [](const Tensor& x, Scalar a) { return sum(x * a, {0}) * a; };
  auto all = [](const Tensor& x, Scalar a) { return sum(x * a) + a; };
  auto turned = [](const Tensor& x, Scalar a) { return x.t().contiguous() * a + 1; };
  auto running = [](const Tensor& x, Scalar a) { return cumsum(x * a, 1) - a; };
  for (int64_t size : {5, 70}) {
    Tensor x = some({size, 67});
    expect_cuda(loops_of_call(rows, x, Scalar(0.5)).schedule, 1e-5);
    expect_cuda(loops_of_call(columns, x, Scalar(0.5)).schedule, 1e-5);
    expect_cuda(loops_of_call(all, x, Scalar(0.5)).schedule, 1e-4);
    expect_cuda(loops_of_call(turned, x, Scalar(0.5)).schedule);
    expect_cuda(loops_of_call(running, x, Scalar(0.5)).schedule, 1e-5);
  }
}

}  // namespace

}  // namespace sinter::test
