// Convolutions on the device against the CPU's, the same from run to run.

#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {

namespace {

Tensor numbers(std::vector<int64_t> sizes, DType dtype, int seed) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>((i * 37 + seed) % 23 - 11) / 8);
  return tensor_of(elements, sizes, dtype);
}

using Convolution = std::function<Tensor(const std::vector<Tensor>&)>;

void expect_as_on_the_cpu(const Convolution& convolve, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> there;
  for (const Tensor& input : inputs) there.push_back(on_device(input, cuda::device(0)));
  Tensor first = convolve(there);
  expect_agreement(first, convolve(inputs), std::string(name(inputs[0].dtype())));
  std::vector<double> once = elements_of(first), again = elements_of(convolve(there));
  EXPECT_EQ(once, again) << "from run to run";
}

TEST(CudaConvolution, ForwardInEveryFloatType) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f64, f16, bf16})
    expect_as_on_the_cpu(
        [](const std::vector<Tensor>& x) {
          return ops("aten::conv2d")
              .call({x[0], x[1], x[2], Dims{2, 1}, Dims{1, 0}, Dims{1, 2}, int64_t{2}})[0]
              .tensor();
        },
        {numbers({3, 4, 9, 11}, dtype, 1), numbers({6, 2, 3, 3}, dtype, 2), numbers({6}, dtype, 3)});
}

TEST(CudaConvolution, OneAndThreeDims) {
  SINTER_NEEDS_CUDA();
  expect_as_on_the_cpu([](const std::vector<Tensor>& x) { return ops("aten::conv1d").call({x[0], x[1]})[0].tensor(); },
                       {numbers({2, 3, 30}, f32, 1), numbers({5, 3, 4}, f32, 2)});
  expect_as_on_the_cpu([](const std::vector<Tensor>& x) { return ops("aten::conv3d").call({x[0], x[1]})[0].tensor(); },
                       {numbers({1, 2, 6, 7, 8}, f32, 1), numbers({3, 2, 2, 3, 2}, f32, 2)});
}

TEST(CudaConvolution, TransposedAndInAnyMemoryOrder) {
  SINTER_NEEDS_CUDA();
  expect_as_on_the_cpu(
      [](const std::vector<Tensor>& x) {
        return ops("aten::conv_transpose2d.input").call({x[0], x[1], Value(), Dims{2}, Dims{1}, Dims{1}})[0].tensor();
      },
      {numbers({2, 4, 6, 5}, f32, 1), numbers({4, 3, 3, 3}, f32, 2)});
  Tensor last = strided_view(numbers({2 * 4 * 6 * 5}, f32, 1), {2, 4, 6, 5}, {120, 1, 20, 4}, 0);
  expect_as_on_the_cpu([](const std::vector<Tensor>& x) { return ops("aten::conv2d").call({x[0], x[1]})[0].tensor(); },
                       {last, numbers({3, 4, 2, 2}, f32, 2)});
}

TEST(CudaConvolution, Gradients) {
  SINTER_NEEDS_CUDA();
  for (size_t which : {0, 1, 2})
    expect_as_on_the_cpu(
        [which](const std::vector<Tensor>& x) {
          return ops("aten::convolution_backward")
              .call({x[0], x[1], x[2], Dims{3}, Dims{1, 1}, Dims{1, 1}, Dims{1, 1}, false, Dims{0, 0}, int64_t{1},
                     Value::List{true, true, true}})[which]
              .tensor();
        },
        {numbers({2, 3, 8, 8}, f32, 1), numbers({2, 4, 8, 8}, f32, 2), numbers({3, 4, 3, 3}, f32, 3)});
}

}  // namespace
}  // namespace sinter::test
