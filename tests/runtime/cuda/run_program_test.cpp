// Compiled functions on CUDA tensors: kernels, results, views, arguments that are written, products, detours.

#include <sinter/runtime/cuda/run_program.h>

#include <sinter/runtime/cuda/load_kernel.h>
#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {
namespace {

const Device gpu = cuda::device(0);

Tensor numbers(const std::vector<int64_t>& sizes, double scale = 0.37) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(scale * static_cast<double>(i * 7 % 23) - 3);
  return tensor_of(elements, sizes);
}

int64_t launches_of(const std::function<void()>& call) {
  int64_t before = runtime::cuda_kernel_stats().launches;
  call();
  return runtime::cuda_kernel_stats().launches - before;
}

TEST(CudaProgram, PointwiseChainsAreOneKernelWithTheCpusBits) {
  SINTER_NEEDS_CUDA();
  auto f = [](const Tensor& x, const Tensor& y) { return gelu(relu(x + y) * 2.0) + exp(x) / (y + 10); };
  auto fast = compile(f);
  Tensor x = numbers({7, 13}), y = numbers({13}, 0.11);
  Tensor there_x = x.to(gpu), there_y = y.to(gpu);
  expect_same_bits(fast(there_x, there_y).to(cpu), f(x, y));
  EXPECT_EQ(launches_of([&] { fast(there_x, there_y); }), 1);
  expect_same_bits(f(there_x, there_y).to(cpu), f(x, y), "eager");
}

TEST(CudaProgram, SoftmaxIsOneKernel) {
  SINTER_NEEDS_CUDA();
  auto f = [](const Tensor& x) { return softmax(x, -1); };
  auto fast = compile(f);
  Tensor x = numbers({9, 100}), there = x.to(gpu);
  expect_agreement(fast(there), f(x));
  EXPECT_EQ(launches_of([&] { fast(there); }), 1);
}

TEST(CudaProgram, ResultsThatAreViewsOfArgumentsStayViews) {
  SINTER_NEEDS_CUDA();
  auto fast = compile([](const Tensor& x) { return std::pair(x.t(), x + 1); });
  Tensor there = numbers({3, 4}).to(gpu);
  auto [view, sum] = fast(there);
  EXPECT_EQ(view.storage(), there.storage());
  expect_same_bits(view.to(cpu), numbers({3, 4}).t());
  expect_same_bits(sum.to(cpu), numbers({3, 4}) + 1);
}

TEST(CudaProgram, ArgumentsAreWritten) {
  SINTER_NEEDS_CUDA();
  auto f = [](const Tensor& x) { x.slice(0, 1).mul_(2.0).add_(1.0); };
  Tensor here = numbers({5, 3}), there = here.to(gpu);
  compile(f)(there);
  f(here);
  expect_same_bits(there.to(cpu), here);
}

TEST(CudaProgram, ProductsAgree) {
  SINTER_NEEDS_CUDA();
  auto f = [](const Tensor& a, const Tensor& b) { return relu(mm(a, b)) + mm(b.t(), a.t()).t(); };
  auto fast = compile(f);
  for (DType dtype : {f32, f64, f16, bf16}) {
    Tensor a = numbers({33, 20}).to(dtype), b = numbers({20, 17}).to(dtype);
    expect_agreement(fast(a.to(gpu), b.to(gpu)), f(a, b), std::string(name(dtype)));
  }
  auto batched = [](const Tensor& a, const Tensor& b) { return bmm(a, b.transpose(1, 2)); };
  Tensor a = numbers({4, 5, 6}), b = numbers({4, 7, 6});
  expect_agreement(compile(batched)(a.to(gpu), b.to(gpu)), batched(a, b));
}

TEST(CudaProgram, AttentionAgrees) {
  SINTER_NEEDS_CUDA();
  Tensor q = numbers({2, 4, 9, 8}, 0.05), k = numbers({2, 2, 11, 8}, 0.04), v = numbers({2, 2, 11, 6}, 0.03);
  Tensor mask = numbers({9, 11}) > 0;
  for (bool is_causal : {false, true}) {
    auto f = [&](const Tensor& q, const Tensor& k, const Tensor& v) {
      return scaled_dot_product_attention(q, k, v, {}, 0.0, is_causal, {}, true);
    };
    expect_agreement(compile(f)(q.to(gpu), k.to(gpu), v.to(gpu)), f(q, k, v), is_causal ? "causal" : "plain");
  }
  auto f = [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
    return scaled_dot_product_attention(q, k, v, mask, 0.0, false, {}, true);
  };
  expect_agreement(compile(f)(q.to(gpu), k.to(gpu), v.to(gpu), mask.to(gpu)), f(q, k, v, mask), "masked");
}

TEST(CudaProgram, AUsersKernelIsLaunchedEagerAndCompiled) {
  SINTER_NEEDS_CUDA();
  Kernel twice = kernel("twice_on_gpu", {.cpu = {}, .cuda = R"(
__global__ void twice_on_gpu(const float* x, float* out, int64_t n, float factor) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] * factor;
}
)"});
  CustomOp op = kernel_op("tests::twice_on_gpu(Tensor x) -> Tensor", [&](const Tensor& x) {
    Tensor out = empty_like(x);
    SymInt n = x.numel();
    wrap_kernel(twice, Grid{.x = ceil_div(n, 256)}, x, out, n, 2.5);
    return out;
  });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  auto f = [&](const Tensor& x) { return op(x + 1) * 3.0; };
  Tensor x = numbers({300}), expected = (x + 1) * 2.5 * 3.0;
  expect_same_bits(f(x.to(gpu)).to(cpu), expected, "eager");
  expect_same_bits(compile(f)(x.to(gpu)).to(cpu), expected, "compiled");
}

TEST(CudaProgram, ScalarsCostNoCompile) {
  SINTER_NEEDS_CUDA();
  auto f = [](const Tensor& x, Scalar rate, Scalar by) { return x * rate + (by - rate) / 3; };
  auto fast = compile(f);
  auto recorded = compile(f, {.entry_limit = 100, .cuda_graphs = true});
  Tensor x = numbers({300});
  for (double rate : {0.5, 0.25, -0.0, 1e30})
    for (int64_t by : {1, 7}) {
      expect_same_bits(fast(x.to(gpu), rate, by).to(cpu), f(x, rate, by), fmt::format("{} {}", rate, by));
      expect_same_bits(recorded(x.to(gpu), rate, by).to(cpu), f(x, rate, by), fmt::format("{} {}", rate, by));
    }
  EXPECT_EQ(fast.stats().compiles, 1);
  EXPECT_EQ(recorded.stats().compiles, 8) << "values are part of a recording";
  auto by_item = [](const Tensor& x, const Tensor& rate) { return x * rate.item(); };
  expect_same_bits(compile(by_item)(x.to(gpu), scalar_tensor(0.75).to(gpu)).to(cpu), x * 0.75);
}

TEST(CudaProgram, SizesThatOnlyDataTellRunOpByOp) {
  SINTER_NEEDS_CUDA();
  auto f = [](const Tensor& x, const Tensor& mask) {
    Tensor chosen = masked_select(x * 2, mask);
    check_size(chosen.size(0), 0, 6);
    return std::vector<Tensor>{chosen - 1, sum(chosen), nonzero(mask) + 1, x * mask.sum().item().size()};
  };
  auto fast = compile(f);
  Tensor x = numbers({12});
  for (int64_t count : {5, 0, 1, 6}) {
    Tensor mask = arange(12) < count;
    std::vector<Tensor> expected = f(x, mask), actual = fast(x.to(gpu), mask.to(gpu));
    for (size_t i = 0; i < expected.size(); ++i)
      expect_agreement(actual[i].to(cpu), expected[i], fmt::format("{} elements, result {}", count, i));
  }
  EXPECT_EQ(fast.stats().compiles, 1);
  EXPECT_THROW(fast(x.to(gpu), (arange(12) < 7).to(gpu)), Error);
}

TEST(CudaProgram, AnIndexOutOfRangeIsThrownWhereTheHostWaits) {
  SINTER_NEEDS_CUDA();
  auto f = [](const Tensor& table, const Tensor& index) {
    return ops("aten::embedding")(table, index)[0].tensor() * 2.0;
  };
  Tensor table = numbers({4, 3}), good = tensor_of({0, 3}, {2}, i64), bad = tensor_of({0, 4000000}, {2}, i64);
  auto fast = compile(f);
  std::string message;
  try {
    f(table, bad);
  } catch (const Error& error) {
    message = error.message();
  }
  EXPECT_NE(message, "");
  for (bool is_compiled : {false, true}) {
    try {
      Tensor result = is_compiled ? fast(table.to(gpu), bad.to(gpu)) : f(table.to(gpu), bad.to(gpu));
      cuda::synchronize();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), message);
    }
    expect_same_bits(fast(table.to(gpu), good.to(gpu)).to(cpu), f(table, good), "the device goes on");
  }
}

TEST(CudaProgram, WhatHasNoCudaFormGoesByWayOfTheHost) {
  SINTER_NEEDS_CUDA();
  auto f = [](const Tensor& x) { return ops("aten::sort")(x + 1, -1, true)[0].tensor() * 2.0; };
  Tensor x = numbers({4, 9});
  expect_same_bits(compile(f)(x.to(gpu)).to(cpu), f(x));
  expect_same_bits(f(x.to(gpu)).to(cpu), f(x));
}

TEST(CudaProgram, WorkOnTwoDevicesRunsOpByOp) {
  SINTER_NEEDS_CUDA();
  auto f = [](const Tensor& x) { return (x + 1).to(cpu) * 2.0; };
  Tensor x = numbers({6});
  Tensor result = compile(f)(x.to(gpu));
  EXPECT_EQ(result.device(), cpu);
  expect_same_bits(result, (x + 1) * 2.0);
}

}  // namespace
}  // namespace sinter::test
