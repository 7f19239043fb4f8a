// What is said where there is no device, and what devices, streams and events do where there is one.

#include <sinter/runtime/cuda/device.h>

#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return fmt::format("{}: {}", name(error.kind()), error.what());
  }
  return "no error";
}

TEST(CudaDevice, WithoutADriverATensorThereIsAnErrorThatSaysWhatWasLookedFor) {
  if (runtime::find_driver()) GTEST_SKIP() << "there is a CUDA driver";
  EXPECT_EQ(cuda::device_count(), 0);
  std::string message = message_of([] { tensor_of({1}, {1}).to(cuda::device(0)); });
  EXPECT_NE(message.find("environment: "), std::string::npos) << message;
  EXPECT_NE(message.find("libcuda.so.1"), std::string::npos) << message;
  EXPECT_NE(message_of([] {
              compile([](const Tensor& x) { return x.to(cuda::device(0)) + 1; })(tensor_of({1}, {1}));
            }).find("libcuda.so.1"),
            std::string::npos);
}

TEST(CudaDevice, ADeviceThatIsNotThereIsNamed) {
  SINTER_NEEDS_CUDA();
  std::string message = message_of([] { tensor_of({1}, {1}).to(cuda::device(100)); });
  EXPECT_NE(message.find("there is no device cuda:100"), std::string::npos) << message;
}

TEST(CudaDevice, StreamsAreAThreadsOwnAndGuardsRestoreThem) {
  SINTER_NEEDS_CUDA();
  cuda::Stream before = cuda::current_stream();
  cuda::Stream side = cuda::get_stream_from_pool();
  EXPECT_EQ(before, cuda::default_stream());
  {
    cuda::StreamGuard guard(side);
    EXPECT_EQ(cuda::current_stream(), side);
    Tensor x = tensor_of({1, 2, 3}, {3}).to(cuda::device(0));
    expect_same_bits((x + x).to(cpu), tensor_of({2, 4, 6}, {3}));
  }
  EXPECT_EQ(cuda::current_stream(), before);
}

TEST(CudaDevice, EventsOrderStreamsAndMeasureTime) {
  SINTER_NEEDS_CUDA();
  cuda::Event start(true), end(true);
  start.record();
  Tensor x = tensor_of(std::vector<double>(1000, 1), {1000}).to(cuda::device(0));
  Tensor y = x + 1;
  end.record();
  cuda::Stream side = cuda::get_stream_from_pool();
  end.block(side);
  side.synchronize();
  end.synchronize();
  EXPECT_TRUE(end.query());
  EXPECT_GE(start.elapsed_time(end), 0);
}

TEST(CudaDevice, MemoryThatATensorGivesBackIsUsedAgain) {
  SINTER_NEEDS_CUDA();
  Tensor x = tensor_of(std::vector<double>(100000, 1), {100000}).to(cuda::device(0));
  {
    Tensor y = x + 1;
  }
  int64_t held = cuda::memory_stats().current_bytes, cached = cuda::memory_stats().cached_bytes;
  {
    Tensor y = x + 2;
  }
  EXPECT_EQ(cuda::memory_stats().current_bytes, held);
  EXPECT_EQ(cuda::memory_stats().cached_bytes, cached);
  cuda::empty_cache();
  EXPECT_EQ(cuda::memory_stats().cached_bytes, 0);
}

TEST(CudaDevice, MoreMemoryThanThereIsIsAnErrorAndHarmsNothing) {
  SINTER_NEEDS_CUDA();
  Tensor x = tensor_of({1}, {1}).to(cuda::device(0));
  std::string message = message_of([&] { zeros_like(x.expand({int64_t{1} << 44})); });
  EXPECT_NE(message.find("bytes left"), std::string::npos) << message;
  expect_same_bits((x + 1).to(cpu), tensor_of({2}, {1}));
}

}  // namespace
}  // namespace sinter::test
