// What a call allocates and keeps, and that threads, instruction sets and phases do not show in its results.

#include <sinter/runtime/run_program.h>

#include <sinter/runtime/cpu/allocator.h>
#include <sinter/runtime/parallel.h>
#include <sinter/sinter.h>

#include <thread>

#include "support/compiled.h"

namespace sinter::runtime {

namespace {

using test::elements_of;
using test::expect_same_bits;
using test::tensor_of;

int64_t allocations_of(const std::function<void()>& call) {
  int64_t before = host_memory_stats().allocations;
  call();
  return host_memory_stats().allocations - before;
}

TEST(RunProgram, ACallAllocatesItsResultsAndOneArena) {
  auto pointwise = compile([](const Tensor& x) { return std::pair(x + 1, x * 2); });
  auto product = compile([](const Tensor& x) { return mm(mm(x + 1, x) + 2, x) * 3; });
  auto inplace = compile([](const Tensor& x) { x.add_(1); });
  Tensor x = tensor_of(std::vector<double>(64 * 64, 0.5), {64, 64});
  pointwise(x), product(x), inplace(x);
  EXPECT_EQ(allocations_of([&] { pointwise(x); }), 2);
  EXPECT_EQ(allocations_of([&] { product(x); }), 2) << "the result, and an arena";
  EXPECT_EQ(allocations_of([&] { inplace(x); }), 0);
}

TEST(RunProgram, PeakMemoryIsResultsAndArena) {
  auto product = compile([](const Tensor& x) { return mm(mm(x + 1, x) + 2, x) * 3; });
  Tensor x = tensor_of(std::vector<double>(64 * 64, 0.5), {64, 64});
  product(x);
  int64_t before = host_memory_stats().current_bytes;
  reset_peak_host_memory();
  Tensor result = product(x);
  EXPECT_LE(host_memory_stats().peak_bytes - before, 3 * 64 * 64 * 4 + 256);
  EXPECT_EQ(host_memory_stats().current_bytes - before, 64 * 64 * 4) << "the arena is gone";
}

// CASES B123.
TEST(RunProgram, CallsLeakNothing) {
  auto fast = compile([](const Tensor& x, bool fails) {
    if (fails) throw std::runtime_error("of the user");
    return std::tuple(x + 1, x * 2, x - 3);
  });
  Tensor x = tensor_of({1, 2, 3}, {3});
  fast(x, false);
  int64_t before = host_memory_stats().current_bytes;
  for (int i = 0; i < 10000; ++i) {
    if (i % 100 == 0) {
      EXPECT_THROW(fast(x, true), std::runtime_error);
    }
    auto results = fast(x, false);
    if (i % 50 == 0) std::jthread([kept = std::move(results)] { (void)kept; });
  }
  EXPECT_EQ(host_memory_stats().current_bytes, before);
}

TEST(RunProgram, ThreadsDoNotShowInResults) {
  auto function = [](const Tensor& x) { return std::tuple(x.sum(), softmax(x, 1), x.sum(Dims{0}), relu(x) * 2); };
  std::vector<double> values(300 * 1000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 977) / 31 - 12;
  Tensor x = tensor_of(values, {300, 1000});
  int before = get_num_threads();
  set_num_threads(1);
  auto expected = test::tensors_of(compile(function)(x));
  for (int threads : {2, 3, 7}) {
    set_num_threads(threads);
    auto actual = test::tensors_of(compile(function)(x));
    for (size_t i = 0; i < expected.size(); ++i) expect_same_bits(actual[i], expected[i]);
  }
  set_num_threads(before);
}

TEST(RunProgram, InstructionSetsDoNotShowInResults) {
  auto function = [](const Tensor& x) { return std::tuple(x.sum(), softmax(x, 1), exp(x).sum(Dims{0}), sin(x)); };
  std::vector<double> values(37 * 61);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 97) / 31 - 1;
  Tensor x = tensor_of(values, {37, 61});
  auto expected = test::tensors_of(function(x));
  for (Isa isa : {Isa::generic, Isa::sse42, Isa::avx2, Isa::avx512}) {
    if (!is_supported(isa)) continue;
    auto actual = test::tensors_of(compile(function, {.isa = isa})(x));
    for (size_t i = 0; i < expected.size(); ++i) expect_same_bits(actual[i], expected[i], std::string(name(isa)));
  }
}

TEST(RunProgram, EmptyTensorsRunNothing) {
  auto function = [](const Tensor& x) { return std::tuple(x + 1, x.sum(), x.sum(Dims{1})); };
  test::eager_and_compiled(function, tensor_of({}, {0, 3}));
  test::eager_and_compiled(function, tensor_of({}, {3, 0}));
}

TEST(RunProgram, SizesOfTheResultAreThoseOfTheCall) {
  auto fast = compile([](const Tensor& x) { return x.expand({2, 3}); });
  Tensor row = tensor_of({1, 2, 3}, {1, 3});
  Tensor result = fast(row);
  EXPECT_EQ(elements_of(result), (std::vector<double>{1, 2, 3, 1, 2, 3}));
  EXPECT_TRUE(result.storage() == row.storage());
}

}  // namespace

}  // namespace sinter::runtime
