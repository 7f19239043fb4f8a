// Tensors to a device and back: types, strides, single elements, writes into views; what may not mix.

#include <sinter/runtime/cuda/copy.h>

#include <sinter/sinter.h>

#include <sstream>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

const Device gpu = cuda::device(0);

Tensor counting(const std::vector<int64_t>& sizes, DType dtype = f32) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i % 100));
  return tensor_of(elements, sizes, dtype);
}

TEST(CudaCopy, EveryTypeSurvivesTheWayThereAndBack) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : all_dtypes) {
    Tensor x = counting({3, 5}, dtype);
    Tensor there = x.to(gpu);
    EXPECT_EQ(there.device(), gpu);
    expect_same_bits(there.to(cpu), x, std::string(name(dtype)));
  }
}

TEST(CudaCopy, StridesAreKept) {
  SINTER_NEEDS_CUDA();
  Tensor x = counting({4, 6});
  expect_same_bits(x.t().to(gpu).to(cpu), x.t().to(f32));
  expect_same_bits(x.slice(1, 1, 5, 2).to(gpu).to(cpu), clone(x.slice(1, 1, 5, 2)));
  expect_same_bits(x.to(gpu).slice(1, 1, 5, 2).to(cpu), clone(x.slice(1, 1, 5, 2)));
  expect_same_bits(counting({1}).expand({7}).to(gpu).to(cpu), clone(counting({1}).expand({7})));
  expect_same_bits(counting({0, 3}).to(gpu).to(cpu), counting({0, 3}));
}

TEST(CudaCopy, CopyWritesAcrossDevicesAndTypes) {
  SINTER_NEEDS_CUDA();
  Tensor target = zeros({4, 6}).to(gpu);
  target.slice(0, 1, 3).copy_(counting({2, 6}, i32));
  Tensor expected = zeros({4, 6});
  expected.slice(0, 1, 3).copy_(counting({2, 6}, i32));
  expect_same_bits(target.to(cpu), expected);

  Tensor host = zeros({6, 4});
  host.t().copy_(target);
  expect_same_bits(host, clone(expected.t(), Here::current()).contiguous());
  host.copy_(counting({4}).to(gpu));
  expect_same_bits(host, clone(counting({4}).expand({6, 4})).contiguous());
}

TEST(CudaCopy, ItemAndPrintingReadTheDevice) {
  SINTER_NEEDS_CUDA();
  EXPECT_EQ(tensor_of({42}, {1}, i64).to(gpu).item<int64_t>(), 42);
  std::ostringstream text, expected;
  text << counting({2, 2}).to(gpu);
  expected << counting({2, 2});
  EXPECT_EQ(text.str(), expected.str());
}

TEST(CudaCopy, FactoriesTakeADevice) {
  SINTER_NEEDS_CUDA();
  Values made = ops("aten::ones").call({Dims{2, 3}}, {{"device", Value(gpu)}});
  EXPECT_EQ(made[0].tensor().device(), gpu);
  expect_same_bits(made[0].tensor().to(cpu), ones({2, 3}));
  EXPECT_EQ(zeros_like(made[0].tensor()).device(), gpu);
}

TEST(CudaCopy, MemoryOfOthersIsUsedWhereItLies) {
  SINTER_NEEDS_CUDA();
  Tensor owner = counting({2, 3}).to(gpu);
  Tensor borrowed = cuda::from_blob(owner.data_ptr(), {3, 2}, {1, 3}, gpu);
  expect_same_bits(borrowed.to(cpu), counting({2, 3}).t());
  borrowed.add_(1);
  expect_same_bits(owner.to(cpu), counting({2, 3}) + 1);
}

TEST(CudaCopy, RandomNumbersAreTheCpusOwn) {
  SINTER_NEEDS_CUDA();
  for (const char* op : {"aten::rand", "aten::randn"}) {
    manual_seed(7);
    Tensor there = ops(op).call({Dims{1000}}, {{"device", Value(gpu)}})[0].tensor();
    manual_seed(7);
    Tensor here = ops(op).call({Dims{1000}})[0].tensor();
    expect_same_bits(there.to(cpu), here, op);
  }
}

TEST(CudaCopy, DevicesDoNotMixButForSingleNumbers) {
  SINTER_NEEDS_CUDA();
  Tensor here = counting({3}), there = here.to(gpu);
  try {
    add(there, here);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::argument);
    EXPECT_EQ(error.message(), "add: tensors are on different devices (cuda:0 vs cpu)");
  }
  EXPECT_THROW(mm(counting({2, 2}), counting({2, 2}).to(gpu)), Error);
  EXPECT_THROW(cat({here, there}), Error);
  EXPECT_THROW(here.add_(there), Error);
  expect_same_bits((there * tensor_of({2}, {})).to(cpu), here * 2.0);
  auto compiled = compile([](const Tensor& x, const Tensor& factor) { return x * factor; });
  expect_same_bits(compiled(there, tensor_of({2}, {})).to(cpu), here * 2.0);
}

}  // namespace
}  // namespace sinter::test
