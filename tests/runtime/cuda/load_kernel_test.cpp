// A kernel written by hand: compiled, loaded, launched; what NVRTC refuses; what a failing kernel leaves behind.

#include <sinter/runtime/cuda/load_kernel.h>

#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/nvrtc_compiler.h>
#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::runtime {
namespace {

using test::expect_same_bits;
using test::tensor_of;

codegen::KernelSource twice(int64_t count) {
  codegen::KernelSource source;
  source.name = "twice";
  source.text = R"(extern "C" __global__ void twice(const float* x, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < )" + std::to_string(count) +
                R"() out[i] = x[i] * 2.0f;
}
)";
  source.launches.push_back({.function = "twice", .grid = {(count + 127) / 128, 1, 1}, .block = 128});
  return source;
}

TEST(LoadCudaKernel, SourcesCompileWithoutADevice) {
  if (!has_nvrtc()) GTEST_SKIP() << "NVRTC can't be opened";
  std::vector<char> cubin = compile_cuda(twice(10).text, "sm_90");
  EXPECT_GT(cubin.size(), 100u);
  EXPECT_EQ(compile_cuda(twice(10).text, "sm_90"), cubin) << "the same text gives the same bytes";
}

TEST(LoadCudaKernel, NvrtcsLogIsInTheErrorWhenItRefuses) {
  if (!has_nvrtc()) GTEST_SKIP() << "NVRTC can't be opened";
  try {
    compile_cuda("extern \"C\" __global__ void broken() { nonsense(); }", "sm_90", "broken.cu");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::backend);
    EXPECT_NE(error.message().find("NVRTC refused broken.cu"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("nonsense"), std::string::npos) << error.message();
  }
}

TEST(LoadCudaKernel, RunsOnTheCurrentStream) {
  SINTER_NEEDS_CUDA();
  const CudaDevice& device = cuda_device(cuda::device(0));
  auto kernel = load_cuda_kernel(twice(300), device);
  Tensor x = tensor_of(std::vector<double>(300, 1.5), {300}).to(cuda::device(0)), out = empty_like(x);
  void* addresses[] = {x.data_ptr(), out.data_ptr()};
  int64_t before = cuda_kernel_stats().launches;
  launch(*kernel, addresses, current_cuda_stream(device));
  EXPECT_EQ(cuda_kernel_stats().launches, before + 1);
  expect_same_bits(out.to(cpu), tensor_of(std::vector<double>(300, 3), {300}));
}

TEST(LoadCudaKernel, EqualTextIsCompiledOnce) {
  SINTER_NEEDS_CUDA();
  const CudaDevice& device = cuda_device(cuda::device(0));
  auto first = load_cuda_kernel(twice(77), device);
  int64_t compiles = cuda_kernel_stats().compiles;
  EXPECT_EQ(load_cuda_kernel(twice(77), device), first);
  EXPECT_EQ(cuda_kernel_stats().compiles, compiles);
}

}  // namespace
}  // namespace sinter::runtime
