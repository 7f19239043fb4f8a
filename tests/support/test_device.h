// Which device the tests run on besides the CPU: SINTER_TEST_DEVICE=cuda, and what is compared how there.

#pragma once

#include <gtest/gtest.h>
#include <sinter/graph/tensor.h>

#include <string>

namespace sinter::test {

// The CPU unless SINTER_TEST_DEVICE names another that this machine has; one that it lacks fails the test.
Device test_device();

// A tensor with its memory on another device: the same layout in a storage of the same size.
Tensor on_device(const Tensor& tensor, Device device);

// `actual`, of a CUDA device, against what the CPU gave: equal type, sizes and strides; integers and bool equal; floats
// equal bit for bit, or, after a reduction or a library call, within `reduction_bound` of the largest magnitude.
void expect_agreement(const Tensor& actual, const Tensor& expected, const std::string& what = {});

// f32: 2^-17, f64: 2^-44, f16: 2^-9, bf16: 2^-6.
double reduction_bound(DType dtype);

// Skips the test, with the reason, where there is no CUDA device.
#define SINTER_NEEDS_CUDA()            \
  if (!::sinter::cuda::is_available()) \
  GTEST_SKIP() << "no CUDA device: the driver (libcuda.so.1) is missing or sees none"

}  // namespace sinter::test
