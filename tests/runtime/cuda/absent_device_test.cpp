// SINTER_CUDA_ARCH on a machine without a device: programs are generated and compiled, and nothing runs.

#include <sinter/runtime/options.h>

#include <sinter/runtime/cuda/nvrtc_compiler.h>
#include <sinter/sinter.h>

#include "support/test_device.h"

namespace sinter::test {
namespace {

class CudaAbsentDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (runtime::environment().cuda_arch.empty()) GTEST_SKIP() << "SINTER_CUDA_ARCH is not set";
    if (!runtime::has_nvrtc()) GTEST_SKIP() << "NVRTC can't be opened";
    if (cuda::is_available()) GTEST_SKIP() << "there is a CUDA device";
  }
};

Tensor empty_there(Dims sizes, DType dtype = f32) {
  return ops("aten::empty.memory_format")
      .call({sizes}, {{"dtype", Value(dtype)}, {"device", Value(cuda::device(0))}})[0]
      .tensor();
}

TEST_F(CudaAbsentDevice, ExplainShowsTheKernelsThatWereCompiled) {
  auto fast = compile([](const Tensor& x) { return softmax(gelu(x) * 2.0, -1); });
  Explanation explanation = fast.explain(empty_there({64, 1000}));
  ASSERT_EQ(explanation.kernels.size(), 1u);
  EXPECT_NE(explanation.kernels[0].source.find("__global__"), std::string::npos);
}

TEST_F(CudaAbsentDevice, AScalarIsAParameterWhoseValueIsNotGuarded) {
  auto fast = compile([](const Tensor& x, Scalar rate) { return x * rate + (1 - rate); });
  Explanation explanation = fast.explain(empty_there({1000}), Scalar(0.5));
  ASSERT_EQ(explanation.kernels.size(), 1u);
  EXPECT_NE(explanation.kernels[0].source.find("const number<double>"), std::string::npos)
      << explanation.kernels[0].source;
  for (const std::string& guard : explanation.guards) EXPECT_EQ(guard.find("arg1 =="), std::string::npos) << guard;
}

TEST_F(CudaAbsentDevice, RunningIsAnError) {
  auto fast = compile([](const Tensor& x) { return x + 1; });
  try {
    fast(empty_there({4}));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment);
    EXPECT_EQ(error.message(), "cuda: this machine has no CUDA device");
  }
}

}  // namespace
}  // namespace sinter::test
