// Writes at indices on a device have the CPU's bits, also where many meet; bad indices are the CPU's errors.

#include <sinter/sinter.h>

#include "support/on_both_devices.h"
#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

Tensor values(const std::vector<int64_t>& sizes, DType dtype) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i * 29 % 31) / 7 - 1.5);
  return tensor_of(elements, sizes, f64).to(dtype);
}

Tensor positions(const std::vector<int64_t>& sizes, int64_t below, DType dtype = i64) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i * i * 13 % below));
  return tensor_of(elements, sizes, dtype);
}

TEST(CudaScatter, WhereManyMeetTheOrderIsTheCpus) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f64, f16, bf16, i64, i32, u8}) {
    Tensor self = values({5, 6}, dtype), source = values({40, 6}, dtype), index = positions({40, 6}, 5);
    expect_the_cpus("aten::scatter.src", {self, 0, index, source});
    expect_the_cpus("aten::scatter_add", {self, 0, index, source});
    for (const char* how : {"sum", "prod", "amax", "amin", "mean"})
      for (bool includes_self : {true, false})
        expect_the_cpus("aten::scatter_reduce.two", {self, 0, index, source, std::string(how), includes_self});
    expect_the_cpus("aten::scatter.value", {self, 1, positions({3, 4}, 6), 2});
    expect_the_cpus("aten::scatter.value_reduce", {self, 1, positions({3, 4}, 6), 2, std::string("multiply")});
  }
  // A vector of indices, repeated over the other dims; and an index smaller than what it takes from.
  Tensor vector = positions({300}, 7, i32).unsqueeze(1).expand({300, 4});
  expect_the_cpus("aten::scatter_add", {values({7, 4}, f32), 0, vector, values({300, 4}, f32)});
  expect_the_cpus("aten::scatter_add", {values({5, 6}, f32), 1, positions({2, 9}, 6), values({4, 11}, f32)});
}

TEST(CudaScatter, ManyPositionsAreSortedByDigits) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, i64}) {
    Tensor self = values({400, 30}, dtype), source = values({500, 30}, dtype), index = positions({500, 30}, 400);
    expect_the_cpus("aten::scatter_add", {self, 0, index, source});
  }
}

TEST(CudaScatter, AlongADim) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, bf16, i32}) {
    Tensor self = values({3, 5, 2}, dtype), source = values({3, 20, 2}, dtype), index = positions({20}, 5);
    expect_the_cpus("aten::index_add", {self, 1, index, source});
    expect_the_cpus("aten::index_add", {self, 1, index, source, 3});
    expect_the_cpus("aten::index_copy", {self, 1, index, source});
    expect_the_cpus("aten::index_reduce", {self, 1, index, source, std::string("amax"), true});
    expect_the_cpus("aten::index_fill.int_Scalar", {self.transpose(0, 2), 1, positions({2}, 5) - 3, 1});
  }
}

TEST(CudaScatter, AtListsOfIndices) {
  SINTER_NEEDS_CUDA();
  for (bool accumulates : {false, true})
    for (DType dtype : {f32, f16, i64}) {
      Tensor self = values({4, 5, 6}, dtype), rows = positions({7, 1}, 4), columns = positions({3}, 5) - 2;
      expect_the_cpus("aten::index_put", {self, Value::List{rows, columns}, values({7, 3, 6}, dtype), accumulates});
      expect_the_cpus("aten::index_put", {self, Value::List{Value(), columns}, values({3, 6}, dtype), accumulates});
      expect_the_cpus("aten::index_put",
                      {self, Value::List{positions({3}, 4), Value(), columns}, values({3, 5}, dtype), accumulates});
      expect_the_cpus("aten::index_put", {self, Value::List{rows}, values({1}, dtype), accumulates});
      expect_the_cpus("aten::put", {self, positions({9}, 120) - 60, values({9}, dtype), accumulates});
    }
  Tensor mask = tensor_of({1, 0, 1, 1}, {4}, boolean);
  expect_the_cpus("aten::index_put", {values({4, 3}, f32), Value::List{mask}, values({3, 3}, f32), false});
}

TEST(CudaScatter, TablesAndPlanes) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f16})
    expect_the_cpus("aten::embedding_dense_backward", {values({30, 8}, dtype), positions({30}, 6), 6, 2, false});
  expect_the_cpus("aten::max_unpool2d", {values({2, 3, 2, 2}, f32), positions({2, 3, 2, 2}, 16), Dims{4, 4}});
}

std::string message(const char* op, const Values& arguments, Device device) {
  try {
    run_on(op, arguments, device);
    cuda::synchronize();
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

TEST(CudaScatter, ABadIndexIsTheCpusError) {
  SINTER_NEEDS_CUDA();
  Tensor bad = tensor_of({0, 5}, {2}, i64), low = tensor_of({0, -1}, {2}, i64);
  for (const Tensor& index : {bad, low}) {
    Values arguments = {values({5, 2}, f32), 0, index, values({2, 2}, f32)};
    std::string expected = message("aten::index_add", arguments, cpu);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(message("aten::index_add", arguments, cuda::device(0)), expected);
  }
}

}  // namespace
}  // namespace sinter::test
