// Kernels with short forms of operations, on a device, against the CPU's bits.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include <cstring>
#include <functional>
#include <random>

#include "support/test_device.h"

namespace sinter::test {

namespace {

using Function = std::function<Tensor(const Tensor&, const Tensor&)>;

// Elements of these bits.
Tensor of_bits(DType dtype, int64_t count, const std::function<uint32_t(int64_t)>& bits) {
  Tensor t = zeros({count}, dtype);
  size_t size = size_t(byte_size(dtype));
  for (int64_t i = 0; i < count; ++i) {
    uint32_t element = bits(i);
    std::memcpy(static_cast<char*>(t.data_ptr()) + size_t(i) * size, &element, size);
  }
  return t;
}

void expect_bits_of_the_cpu(const Function& function, const Tensor& x, const Tensor& y, const char* what) {
  Device gpu = cuda::device(0);
  auto fast = compile(function);
  expect_agreement(fast(x.to(gpu), y.to(gpu)).to(cpu), function(x, y), what);
}

TEST(CudaQuickOperationsOnDevice, GiveTheBitsOfTheCpu) {
  SINTER_NEEDS_CUDA();
  int64_t count = 1 << 24;
  Tensor all = of_bits(f32, count, [](int64_t i) { return uint32_t(i) * 256 + uint32_t(i * 37 % 256); });
  std::mt19937 random(5);
  Tensor any = of_bits(f32, count, [&](int64_t) { return random(); });
  auto number_near_one = [&](int64_t) { return 0x3f000000 + uint32_t(random() >> 8); };
  Tensor near_one = of_bits(f32, count, number_near_one), others = of_bits(f32, count, number_near_one);
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor& y) { return x / y; }, any, all, "random quotients");
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor& y) { return x / y; }, near_one, all, "quotients");
  // Quotients next to the middle between two numbers.
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor& y) { return (x * y) / y; }, near_one, others,
                         "quotients of products");
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor&) { return sqrt(x); }, all, all, "sqrt");
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor&) { return log(x); }, all, all, "log");
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor&) { return exp(x); }, all, all, "exp");
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor&) { return sigmoid(x); }, all, all, "sigmoid");
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor&) { return tanh(x); }, all, all, "tanh");
}

TEST(CudaQuickOperationsOnDevice, RoundToTheSameBf16) {
  SINTER_NEEDS_CUDA();
  Tensor every = of_bits(bf16, 1 << 16, [](int64_t i) { return uint32_t(i); });
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor&) { return sigmoid(x); }, every, every, "sigmoid");
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor&) { return silu(x); }, every, every, "silu");
  expect_bits_of_the_cpu([](const Tensor& x, const Tensor&) { return exp(x); }, every, every, "exp");
  std::mt19937 random(6);
  int64_t count = 1 << 24;
  Tensor x = of_bits(bf16, count, [&](int64_t) { return random(); });
  Tensor y = of_bits(bf16, count, [&](int64_t) { return random(); });
  expect_bits_of_the_cpu([](const Tensor& a, const Tensor& b) { return a / b; }, x, y, "quotients");
  expect_bits_of_the_cpu([](const Tensor& a, const Tensor& b) { return sigmoid(a) * b; }, x, y, "sigmoid times");
}

}  // namespace

}  // namespace sinter::test
