// Custom ops of device tensors: opcheck with samples there, and functions that make tensors from numbers.

#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

Tensor sample() { return tensor_of({-1, 0.5, 2, 3, 4, 5}, {2, 3}, f32).to(cuda::device(0)); }

TEST(CudaCustomOps, OpcheckTakesSamplesOnTheDevice) {
  SINTER_NEEDS_CUDA();
  CustomOp square = elementwise_op("cuda::square(Tensor x) -> Tensor", "x * x");
  OpCheckReport report = opcheck(square, {{sample()}});
  EXPECT_TRUE(report.ok()) << to_string(report);
  report = opcheck(ops("aten::gelu"), {{sample()}});
  EXPECT_TRUE(report.ok()) << to_string(report);
}

TEST(CudaCustomOps, OpcheckFindsAWriteThatIsNotDeclared) {
  SINTER_NEEDS_CUDA();
  auto sly = [](const Tensor& x) {
    x.add_(1);
    return x + 0;
  };
  CustomOp op = custom_op("cuda::sly", "(Tensor x) -> Tensor", sly);
  op.register_kernel(DeviceType::cuda, sly);
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  OpCheckReport report = opcheck(op, {{sample()}});
  EXPECT_FALSE(report.ok());
  EXPECT_NE(to_string(report).find("it writes `x`"), std::string::npos) << to_string(report);
}

TEST(CudaCustomOps, FunctionsMakeTheirTensorsThere) {
  SINTER_NEEDS_CUDA();
  CustomOp shift =
      kernel_op("cuda::shift(Tensor x) -> Tensor", [](const Tensor& x) { return x + tensor({1.0f, 2.0f, 3.0f}); });
  shift.register_fake([](const Tensor& x) { return empty(x.sizes(), x.dtype()); });
  Tensor expected = tensor_of({0, 2.5, 5, 4, 6, 8}, {2, 3}, f32);
  expect_same_bits(shift(sample()).to(cpu), expected);
  auto fast = compile([&](const Tensor& x) { return shift(x) * 1; });
  expect_same_bits(fast(sample()).to(cpu), expected);
}

}  // namespace
}  // namespace sinter::test
