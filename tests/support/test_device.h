// Which device the tests run on besides the CPU: SINTER_TEST_DEVICE=cuda, and what is compared how there.

#pragma once

#include <gtest/gtest.h>
#include <sinter/graph/tensor.h>

#include <string>

namespace sinter::test {

// The CPU unless SINTER_TEST_DEVICE names another that this machine has; one that it lacks fails the test.
Device test_device();

// Where the tests' own tensors are made: the CPU; in programs that run on the test device as a whole, that
// (support/on_test_device.cpp).
Device placement();
void set_placement(Device device);

// A tensor with its memory on another device: the same layout in a storage of the same size.
Tensor on_device(const Tensor& tensor, Device device);

// `actual`, of a CUDA device, against what the CPU gave: equal type, sizes and strides; integers and bool equal; floats
// equal bit for bit, or, after a reduction or a library call, within `reduction_bound` of the largest magnitude.
// With `slack`, within so many times that.
void expect_agreement(const Tensor& actual, const Tensor& expected, const std::string& what = {}, double slack = 1);

// f32: 2^-17, f64: 2^-44, f16: 2^-9, bf16: 2^-6.
double reduction_bound(DType dtype);

// Skips the test, with the reason, where there is no CUDA device.
#define SINTER_NEEDS_CUDA()            \
  if (!::sinter::cuda::is_available()) \
  GTEST_SKIP() << "no CUDA device: the driver (libcuda.so.1) is missing or sees none"

// Skips the test where this program's tensors are on a CUDA device: it is about what only the CPU has.
#define SINTER_NEEDS_CPU(reason) \
  if (!::sinter::test::placement().is_cpu()) GTEST_SKIP() << "not on a CUDA device: " << (reason)

}  // namespace sinter::test
