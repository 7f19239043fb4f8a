// Orders of device tensors are the CPU's: rows shorter and longer than a tile, every type, NaN and zeros of both signs.

#include <sinter/sinter.h>

#include <limits>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

// No two elements are equal where the type can tell as many apart.
Tensor shuffled(const std::vector<int64_t>& sizes, DType dtype) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i * 7919 % (count + 1)) - count / 2.0);
  if (is_floating(dtype) && count > 4) {
    elements[1] = std::numeric_limits<double>::quiet_NaN();
    elements[2] = -0.0;
    elements[3] = 0.0;
    elements[4] = -std::numeric_limits<double>::infinity();
  }
  if (dtype == boolean || dtype == u8)
    for (double& element : elements) element = std::abs(static_cast<int64_t>(element)) % 2;
  return tensor_of(elements, sizes, dtype);
}

void expect_the_cpus(const char* op, const Values& rest, const Tensor& x) {
  auto run = [&](const Tensor& self) {
    std::vector<Value> arguments = {self};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    return apply(*find_op(op), arguments, {}, Here::current());
  };
  Values here = run(x), there = run(on_device(x, cuda::device(0)));
  ASSERT_EQ(here.size(), there.size());
  for (size_t i = 0; i < here.size(); ++i)
    expect_same_bits(on_device(there[i].tensor(), cpu), here[i].tensor(),
                     fmt::format("{} of {}, result {}", op, to_string(x.meta()), i));
}

TEST(CudaOrder, SortsRowsOfAnyLengthAndType) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f64, f16, bf16, i64, i32, i16, u8, boolean})
    for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{3, 5}, {1}, {2, 2049}, {3, 100}, {0, 4}, {4, 0}})
      for (bool descending : {false, true})
        expect_the_cpus("aten::sort.stable", {true, -1, descending}, shuffled(sizes, dtype));
  expect_the_cpus("aten::sort.stable", {true, 0, false}, shuffled({300, 3}, f32));
  expect_the_cpus("aten::sort.stable", {true, 1, true}, shuffled({3, 40, 2}, i64));
  expect_the_cpus("aten::sort.stable", {true, 0, true}, shuffled({9001}, f32));
  expect_the_cpus("aten::sort.stable", {true, 0, true}, shuffled({}, f32));
}

TEST(CudaOrder, LongRowsOfEveryTypeAreSortedByTheirDigits) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f16, bf16, i32, i16, i8, u8, boolean})
    for (bool descending : {false, true})
      expect_the_cpus("aten::sort.stable", {true, -1, descending}, shuffled({2, 9001}, dtype));
  for (DType dtype : {f64, i64}) expect_the_cpus("aten::sort.stable", {true, -1, true}, shuffled({20001}, dtype));
  Tensor alike = tensor_of(std::vector<double>(12000, 0.0), {12000}, f32);
  expect_the_cpus("aten::sort.stable", {true, 0, true}, alike);
}

TEST(CudaOrder, TopkAndKthvalueOfDistinctElements) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f64, i32})
    for (int64_t length : {7, 2048, 5000}) {
      Tensor x = shuffled({2, length}, i64).to(dtype);
      for (int64_t k : {1, 5, 7})
        for (bool largest : {false, true}) expect_the_cpus("aten::topk", {k, -1, largest, true}, x);
      expect_the_cpus("aten::kthvalue", {3, -1, false}, x);
      expect_the_cpus("aten::kthvalue", {length, 1, true}, x);
    }
  expect_the_cpus("aten::topk", {700, 0, true, true}, shuffled({9000}, i64));
  expect_the_cpus("aten::topk", {2, 0, true, true}, shuffled({9, 4}, i64).to(f32));
  // Over several segments, and twice.
  expect_the_cpus("aten::topk", {3, -1, false, true}, shuffled({2, 20001}, f32));
  expect_the_cpus("aten::topk", {2000, 0, true, true}, shuffled({20001}, i64));
}

TEST(CudaOrder, MediansAndModes) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f64, i32}) {
    Tensor x = shuffled({4, 9}, dtype);
    for (const char* op : {"aten::median.dim", "aten::nanmedian.dim"}) {
      expect_the_cpus(op, {1, false}, x);
      expect_the_cpus(op, {0, true}, x);
    }
    for (const char* op : {"aten::median", "aten::nanmedian"}) expect_the_cpus(op, {}, x);
    expect_the_cpus("aten::mode", {1, false}, tensor_of({1, 2, 2, 3, 3, 0, 5, 5, 5, 4}, {2, 5}, dtype));
  }
}

}  // namespace
}  // namespace sinter::test
