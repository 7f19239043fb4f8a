// Recorded programs: the same results from other memory, few launches, and what is not recorded.

#include <sinter/runtime/cuda/replay_program.h>

#include <sinter/runtime/cuda/load_kernel.h>
#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

const Device gpu = cuda::device(0);

Tensor numbers(double first) { return tensor_of({first, -2, 0.5, 3, first * 2, 7}, {2, 3}); }

int64_t launches_of(const std::function<void()>& call) {
  int64_t before = runtime::cuda_kernel_stats().launches;
  call();
  return runtime::cuda_kernel_stats().launches - before;
}

TEST(CudaReplay, ReplaysGiveWhatEachCallsArgumentsGive) {
  SINTER_NEEDS_CUDA();
  Tensor weight = tensor_of({1, 0, 2, 1, -1, 3}, {3, 2}).to(gpu);
  auto f = [weight](const Tensor& x) { return softmax(mm(relu(x) * 2.0, weight.to(x.device())), -1); };
  auto fast = compile(f, {.cuda_graphs = true});
  auto plain = compile(f);
  for (double first : {1.0, -4.0, 9.0}) {
    Tensor x = numbers(first).to(gpu);
    Tensor expected = plain(x).to(cpu);
    Tensor kept = fast(x);
    fast(numbers(100).to(gpu));  // leaves earlier results alone
    expect_same_bits(kept.to(cpu), expected);
  }
  Tensor x = numbers(2).to(gpu);
  EXPECT_EQ(launches_of([&] { fast(x); }), 0) << "kernels are launched by the graph";
}

TEST(CudaReplay, WhatWritesItsArgumentsRunsAsItIs) {
  SINTER_NEEDS_CUDA();
  auto fast = compile([](const Tensor& x) { x.add_(1); }, {.cuda_graphs = true});
  Tensor x = numbers(1).to(gpu);
  fast(x);
  fast(x);
  expect_same_bits(x.to(cpu), numbers(1) + 2);
}

}  // namespace
}  // namespace sinter::test
