// More devices than one: a function follows its tensors, copies go between devices, each device has its own streams and
// memory, and mixes are errors.

#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

#define SINTER_NEEDS_TWO_DEVICES() \
  if (cuda::device_count() < 2) GTEST_SKIP() << cuda::device_count() << " CUDA devices"

const Device first = cuda::device(0), second = cuda::device(1);

Tensor numbers(const std::vector<int64_t>& sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i * 37 % 101) - 50);
  return tensor_of(elements, sizes, f32);
}

TEST(CudaSeveralDevices, AFunctionRunsWhereItsTensorsAre) {
  SINTER_NEEDS_TWO_DEVICES();
  Tensor x = numbers({300, 70}), y = numbers({70});
  auto f = [](const Tensor& a, const Tensor& b) { return relu(a + b) * 2.0; };
  auto fast = compile(f);
  Tensor expected = f(x, y);
  for (Device device : {second, first, second, first}) {
    Tensor result = fast(x.to(device), y.to(device));
    EXPECT_EQ(result.device(), device);
    expect_same_bits(result.to(cpu), expected, to_string(device));
    Tensor eager = f(x.to(device), y.to(device));
    EXPECT_EQ(eager.device(), device);
    expect_same_bits(eager.to(cpu), expected, to_string(device));
  }
  EXPECT_EQ(cuda::current_device(), first) << "calls leave the current device";
}

TEST(CudaSeveralDevices, LibrariesAndSortsWorkOnEach) {
  SINTER_NEEDS_TWO_DEVICES();
  Tensor a = numbers({64, 48}), b = numbers({48, 32});
  auto f = [](const Tensor& p, const Tensor& q) { return std::vector<Tensor>{mm(p, q), cumsum(p, 1), sum(q, {0})}; };
  auto fast = compile(f);
  std::vector<Tensor> expected = f(a, b);
  for (Device device : {second, first}) {
    std::vector<Tensor> results = fast(a.to(device), b.to(device));
    for (size_t i = 0; i < results.size(); ++i) expect_agreement(results[i], expected[i], to_string(device));
    Values order = ops("aten::sort.stable").call({a.to(device), true, -1, false});
    Values wanted = ops("aten::sort.stable").call({a, true, -1, false});
    expect_same_bits(order[0].tensor().to(cpu), wanted[0].tensor());
    expect_same_bits(order[1].tensor().to(cpu), wanted[1].tensor());
  }
}

TEST(CudaSeveralDevices, RecordedProgramsAreOfADevice) {
  SINTER_NEEDS_TWO_DEVICES();
  Tensor x = numbers({50, 20});
  auto f = [](const Tensor& a) { return softmax(a * 0.1, -1); };
  auto fast = compile(f, {.cuda_graphs = true});
  auto plain = compile(f);
  for (Device device : {second, first, second, first})
    expect_same_bits(fast(x.to(device)).to(cpu), plain(x.to(device)).to(cpu), to_string(device));
}

TEST(CudaSeveralDevices, CopiesGoBetweenDevicesInOrder) {
  SINTER_NEEDS_TWO_DEVICES();
  Tensor x = numbers({1000, 1000});
  Tensor here = x.to(first);
  for (int i = 0; i < 20; ++i) {
    here = here + 1;  // is done before the copy reads it
    Tensor there = here.to(second);
    there.add_(1);  // waits for the copy
    here = there.to(first);
  }
  expect_same_bits(here.to(cpu), x + 40);

  Tensor target = zeros({1000, 1000}).to(second);
  target.t().copy_(x.to(first));
  expect_same_bits(target.to(cpu), clone(x.t()).contiguous());
}

TEST(CudaSeveralDevices, EachHasItsCurrentStreamAndMemory) {
  SINTER_NEEDS_TWO_DEVICES();
  EXPECT_EQ(cuda::current_device(), first);
  int64_t before = cuda::memory_stats(second).current_bytes, other = cuda::memory_stats(first).current_bytes;
  {
    cuda::DeviceGuard guard(second);
    EXPECT_EQ(cuda::current_device(), second);
    cuda::StreamGuard on_stream(cuda::get_stream_from_pool());
    EXPECT_EQ(cuda::current_stream().device(), second);
    Tensor x = numbers({1 << 20}).to(second);
    EXPECT_GE(cuda::memory_stats(second).current_bytes, before + (4 << 20));
    EXPECT_EQ(cuda::memory_stats(first).current_bytes, other);
    cuda::Event done;
    Tensor y = x * 2;
    done.record();
    done.block(cuda::current_stream(first));  // a stream of the other device waits
    done.synchronize();
    EXPECT_TRUE(done.query());
    expect_same_bits(y.to(cpu), numbers({1 << 20}) * 2);
  }
  EXPECT_EQ(cuda::current_device(), first);
}

TEST(CudaSeveralDevices, MixesAreErrorsAndNumbersMayJoin) {
  SINTER_NEEDS_TWO_DEVICES();
  Tensor x = numbers({3}).to(first), y = numbers({3}).to(second);
  auto f = [](const Tensor& a, const Tensor& b) { return a + b; };
  EXPECT_THROW(f(x, y), Error);
  EXPECT_THROW(compile(f)(x, y), Error);
  expect_same_bits(f(y, tensor(2.0)).to(cpu), numbers({3}) + 2);
  EXPECT_EQ(compile(f)(y, tensor(2.0)).device(), second);
}

// Each half on a device, and the copy between them, in one function.
TEST(CudaSeveralDevices, AFunctionOverTwoDevicesGivesWhatEagerGives) {
  SINTER_NEEDS_TWO_DEVICES();
  Tensor x = numbers({40, 30});
  auto f = [](const Tensor& a) { return relu((a * 2).to(second) + 1).to(first); };
  auto fast = compile(f);
  Tensor result = fast(x.to(first));
  EXPECT_EQ(result.device(), first);
  expect_same_bits(result.to(cpu), relu(x * 2 + 1));
}

}  // namespace
}  // namespace sinter::test
