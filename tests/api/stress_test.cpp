// Many threads call few compiled functions with arguments of random sizes, types, strides and overlaps; each result is
// compared with eager's.
//
// SINTER_STRESS_SECONDS chooses for how long (2).

#include <sinter/sinter.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "support/compiled.h"

namespace sinter::test {
namespace {

using Function = Tensor (*)(Tensor&, Tensor&);

Tensor scaled_sum(Tensor& a, Tensor& b) { return relu(a + b) * 2; }
Tensor shifted_softmax(Tensor& a, Tensor& b) { return softmax(a * 2, -1, f32) + b; }
Tensor adds_in_place(Tensor& a, Tensor& b) {
  a.add_(b);
  return a * b;
}
Tensor doubles_the_second(Tensor& a, Tensor& b) {
  b.mul_(2);
  return a - b;
}
Tensor sums_of_joined(Tensor& a, Tensor& b) { return sum(cat({a, b}, 0), {0}); }
Tensor product(Tensor& a, Tensor& b) { return matmul(a, b.t()); }
Tensor mean_of_larger(Tensor& a, Tensor& b) { return mean(where(a > b, a, b), {-1}, false, f32); }
Tensor writes_a_row(Tensor& a, Tensor& b) {
  a.select(0, 0).copy_(b.select(0, 0));
  return sum(a, {1});
}

constexpr Function functions[] = {scaled_sum,     shifted_softmax, adds_in_place,  doubles_the_second,
                                  sums_of_joined, product,         mean_of_larger, writes_a_row};

using Compiled2 = decltype(compile(scaled_sum));

class Arguments {
 public:
  explicit Arguments(uint64_t seed) : random_(seed) {}

  int64_t below(int64_t end) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(end)); }

  // Two matrices whose sizes mostly go together; the second is often (part of) the first's memory.
  std::pair<Tensor, Tensor> draw() {
    static constexpr DType types[] = {f32, f32, f32, f64, i32, bf16};
    DType dtype = types[below(std::size(types))];
    int64_t rows = 1 + below(5), columns = 1 + below(40);
    Tensor base = tensor_of(numbers(4 * (rows + 2) * (columns + 2)), {4 * (rows + 2) * (columns + 2)}, dtype);
    Tensor a = view_of(base, rows, columns, below(3));
    switch (below(8)) {
      case 0: return {a, a};
      case 1: return {a, view_of(base, rows, columns, below(6))};
      case 2: return {a, tensor_of(numbers(columns), {1, columns}, dtype)};
      case 3: return {a, tensor_of(numbers(1), {}, dtype)};
      default: break;
    }
    Tensor other = tensor_of(numbers(4 * (rows + 2) * (columns + 2)), {4 * (rows + 2) * (columns + 2)}, dtype);
    return {a, view_of(other, rows, columns, below(3))};
  }

 private:
  std::vector<double> numbers(int64_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = static_cast<double>(below(17) - 8) / 2;
    return values;
  }

  Tensor view_of(const Tensor& base, int64_t rows, int64_t columns, int64_t offset) {
    switch (below(4)) {
      case 0: return strided_view(base, {rows, columns}, {1, rows}, offset);
      case 1: return strided_view(base, {rows, columns}, {2 * columns, 2}, offset);
      default: return strided_view(base, {rows, columns}, {columns, 1}, offset);
    }
  }

  std::mt19937_64 random_;
};

// What a call gives: its result and what it left in the arguments, or its error.
struct Outcome {
  Tensor result, a, b;
  std::string error;
};

template <class F>
Outcome outcome_of(F& function, const Tensor& a, const Tensor& b) {
  MemoryCopies copies;
  Outcome outcome{{}, copies.copy(a), copies.copy(b), {}};
  if (a.is_same(b)) outcome.b = outcome.a;
  try {
    outcome.result = function(outcome.a, outcome.b);
  } catch (const Error& error) {
    outcome.error = error.message();
  }
  return outcome;
}

void stress(Compiled2* compiled, uint64_t seed, std::chrono::steady_clock::time_point end,
            std::atomic<int64_t>& calls) {
  Arguments arguments(seed);
  while (std::chrono::steady_clock::now() < end && !testing::Test::HasFailure()) {
    auto which = static_cast<size_t>(arguments.below(std::size(functions)));
    auto [a, b] = arguments.draw();
    SCOPED_TRACE(
        fmt::format("seed {} function {} of {} and {}", seed, which, to_string(a.meta()), to_string(b.meta())));
    Function eager = functions[which];
    Outcome expected = outcome_of(eager, a, b), actual = outcome_of(compiled[which], a, b);
    ++calls;
    if (!expected.error.empty() || !actual.error.empty()) {
      // Arguments of two dtypes or partial overlap may be refused by name; else both fail alike.
      EXPECT_EQ(actual.error.empty(), expected.error.empty()) << actual.error << " against " << expected.error;
      continue;
    }
    expect_same_bits(actual.result, expected.result, "result");
    expect_same_bits(actual.a, expected.a, "first argument afterwards");
    expect_same_bits(actual.b, expected.b, "second argument afterwards");
  }
}

TEST(Stress, ThreadsWithRandomArgumentsAgreeWithEager) {
  const char* chosen = std::getenv("SINTER_STRESS_SECONDS");
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(chosen ? std::atoi(chosen) : 2);
  Compiled2 compiled[] = {Compiled2(functions[0], {}, Here::current()), Compiled2(functions[1], {}, Here::current()),
                          Compiled2(functions[2], {}, Here::current()), Compiled2(functions[3], {}, Here::current()),
                          Compiled2(functions[4], {}, Here::current()), Compiled2(functions[5], {}, Here::current()),
                          Compiled2(functions[6], {}, Here::current()), Compiled2(functions[7], {}, Here::current())};
  std::atomic<int64_t> calls = 0;
  {
    std::vector<std::jthread> threads;
    for (uint64_t i = 0; i < 16; ++i) threads.emplace_back([&, i] { stress(compiled, i, end, calls); });
  }
  EXPECT_GT(calls, 16);
  RecordProperty("calls", static_cast<int>(calls));
  if (chosen) std::printf("%lld calls\n", static_cast<long long>(calls));
}

}  // namespace
}  // namespace sinter::test
