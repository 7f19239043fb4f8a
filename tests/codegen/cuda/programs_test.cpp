// Programs that people write, as CUDA: each is few kernels, and NVRTC takes every one.

#include "support/expect_cuda.h"
#include "support/nvrtc.h"
#include "support/traced.h"

#include <sinter/codegen/generate_program.h>
#include <sinter/graph/ops/ops.h>

#include <gtest/gtest.h>

namespace sinter::test {

namespace {

using Tensors = std::vector<Tensor>;

TensorMeta of(SymDims sizes, DType dtype = f32) { return {dtype, cpu, contiguous_layout(sizes)}; }

struct Workload {
  std::string name;
  TracedFunction function;
  std::vector<TensorMeta> inputs;
  size_t kernels;   // distinct sources
  size_t launches;  // of all steps
};

Tensor black_scholes(const Tensors& x) {
  Tensor d1 = (log(x[0] / x[1]) + (x[3] + 0.5 * x[4] * x[4]) * x[2]) / (x[4] * sqrt(x[2]));
  Tensor d2 = d1 - x[4] * sqrt(x[2]);
  auto cdf = [](const Tensor& z) { return 0.5 * (1 + erf(z * 0.7071067811865476)); };
  return x[0] * cdf(d1) - x[1] * exp(-x[3] * x[2]) * cdf(d2);
}

Tensors adam(const Tensors& x) {
  Tensor m = 0.9 * x[2] + 0.1 * x[1], v = 0.999 * x[3] + 0.001 * x[1] * x[1];
  return {x[0] - 1e-3 * (m / 0.1) / (sqrt(v / 0.001) + 1e-8), m, v};
}

Tensor sin_exp_chain(Tensor x, const Tensor& y) {
  for (int i = 0; i < 10; ++i) x = sin(x) * y + exp(-x * x) * 0.1;
  return x;
}

Tensor stencil(const Tensor& x) {
  auto part = [&](int row, int column) { return x.slice(0, 1 + row, 4095 + row).slice(1, 1 + column, 4095 + column); };
  return part(0, 0) + 0.1 * (part(-1, 0) + part(1, 0) + part(0, -1) + part(0, 1) - 4 * part(0, 0));
}

std::vector<Workload> workloads() {
  constexpr int64_t big = int64_t{1} << 27, rows = 16384;
  auto one = [](Tensor (*f)(const Tensors&)) { return [f](const Tensors& x) { return Tensors{f(x)}; }; };
  return {
      {"relu_add_mul_1k",
       one([](const Tensors& x) { return relu(x[0] + x[1]) * 2.0; }),
       {of({1000}), of({1000})},
       1,
       1},
      {"relu_add_mul", one([](const Tensors& x) { return relu(x[0] + x[1]) * 2.0; }), {of({big}), of({big})}, 1, 1},
      {"gelu", one([](const Tensors& x) { return gelu(x[0]) * 2.0; }), {of({big})}, 1, 1},
      {"black_scholes", one(black_scholes), std::vector<TensorMeta>(5, of({big})), 1, 1},
      {"sin_exp_chain10",
       [](const Tensors& x) { return Tensors{sin_exp_chain(x[0], x[1])}; },
       {of({big}), of({big})},
       1,
       1},
      {"adam", adam, std::vector<TensorMeta>(4, of({big / 2})), 1, 1},
      {"bf16_chain",
       one([](const Tensors& x) { return sigmoid(x[0]) * x[0] + x[1]; }),
       {of({big}, bf16), of({big}, bf16)},
       1,
       1},
      {"transpose_add",
       one([](const Tensors& x) { return x[0].transpose(0, 1) + x[1]; }),
       {of({4096, 4096}), of({4096, 4096})},
       1,
       1},
      {"cat_mul",
       one([](const Tensors& x) { return cat({x[0], x[1]}, 1) * 2.0; }),
       {of({4096, 2000}), of({4096, 2096})},
       1,
       1},
      {"softmax", one([](const Tensors& x) { return softmax(x[0], -1); }), {of({rows, 4096})}, 1, 1},
      {"softmax_odd", one([](const Tensors& x) { return softmax(x[0] * 0.5 + 1.0, -1); }), {of({rows, 1000})}, 1, 1},
      {"layer_norm_residual",
       one([](const Tensors& x) { return layer_norm(x[0] + x[1], {1024}, x[2], x[3]); }),
       {of({rows, 1024}), of({rows, 1024}), of({1024}), of({1024})},
       1,
       1},
      {"rms_norm",
       one([](const Tensors& x) { return x[0] * rsqrt(mean(x[0] * x[0], {-1}, true) + 1e-6) * x[1]; }),
       {of({rows, 4096}), of({4096})},
       1,
       1},
      {"var_mean_dim0",
       [](const Tensors& x) {
         TensorPair r = var_mean(x[0], Dims{0});
         return Tensors{r.first, r.second};
       },
       {of({rows, 4096})},
       1,
       1},
      {"sum_all", one([](const Tensors& x) { return sum(x[0] * x[0]); }), {of({big})}, 1, 2},
      {"cross_entropy",
       one([](const Tensors& x) { return cross_entropy_loss(x[0], x[1]); }),
       {of({rows, 4096}), of({rows}, i64)},
       3,
       5},
      {"argmax", one([](const Tensors& x) { return argmax(x[0] + 1, -1); }), {of({rows, 4096})}, 1, 1},
      {"cumsum", one([](const Tensors& x) { return cumsum(x[0], -1) * 2; }), {of({rows, 4096})}, 1, 1},
      {"linear_gelu",
       one([](const Tensors& x) { return gelu(linear(x[0], x[1], x[2])); }),
       {of({1024, 1024}), of({4096, 1024}), of({4096})},
       1,
       1},
      {"stencil", one([](const Tensors& x) { return stencil(x[0]); }), {of({4096, 4096})}, 1, 1},
      {"embedding",
       one([](const Tensors& x) { return embedding(x[0], x[1]) * 2.0; }),
       {of({50000, 768}), of({8, 512}, i64)},
       2,
       2},
      {"var_all", one([](const Tensors& x) { return x[0] * rsqrt(mean(x[0] * x[0]) + 1e-6); }), {of({big})}, 2, 3},
      {"softmax_columns", one([](const Tensors& x) { return softmax(x[0], 0); }), {of({512, 4096})}, 1, 1},
  };
}

TEST(CudaPrograms, AreFewLaunchesThatCompile) {
  codegen::CudaTarget target;
  for (const Workload& workload : workloads()) {
    SCOPED_TRACE(workload.name);
    Traced loops = traced(workload.function, workload.inputs, codegen::fusion_limits(target));
    codegen::Program program = codegen::generate_program(loops.schedule, target);
    size_t launches = 0;
    for (const codegen::Step& step : program.steps)
      if (auto* kernel = std::get_if<codegen::KernelStep>(&step.what))
        launches += program.kernels[size_t(kernel->kernel)].launches.size();
    EXPECT_EQ(program.kernels.size(), workload.kernels);
    EXPECT_EQ(launches, workload.launches);
    expect_nvrtc(program);
  }
  if (!nvrtc_missing().empty()) GTEST_SKIP() << "counted, but not compiled: " << nvrtc_missing();
}

}  // namespace

}  // namespace sinter::test
