// Many threads call few compiled functions with arguments of random sizes, types, strides and overlaps, under every
// policy of sizes and limits; each result is compared with eager's. Functions are replaced while they are called, and
// some fail.
//
// SINTER_STRESS_SECONDS chooses for how long (2).

#include <sinter/runtime/program_cache.h>
#include <sinter/sinter.h>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
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
Tensor branches_on_a_size(Tensor& a, Tensor& b) { return a.size(0) > 2 ? (a * 2).reshape({-1}) + b.sum() : a - b; }
// At some sizes each trace of it fails, in whatever thread.
Tensor fails_at_some_sizes(Tensor& a, Tensor& b) {
  if (a.size(1) == 7) throw std::runtime_error("seven columns");
  return a.t() * b.sum();
}

constexpr Function functions[] = {scaled_sum, shifted_softmax, adds_in_place, doubles_the_second, sums_of_joined,
                                  product,    mean_of_larger,  writes_a_row,  branches_on_a_size, fails_at_some_sizes};

const Options choices[] = {
    {},
    {.dynamic = Dynamic::always},
    {.dynamic = Dynamic::never},
    {.entry_limit = 2},
    {.entry_limit = 1, .dynamic = Dynamic::always},
    {.entry_limit = 3, .at_limit = AtLimit::eager, .dynamic = Dynamic::never},
    {.entry_limit = 3, .at_limit = AtLimit::error},
    {.backend = "eager", .dynamic = Dynamic::always},
};

// What may be refused by name although eager computes it.
bool is_refused_by_choice(const std::string& error, const Options& options, bool is_marked) {
  if (is_marked && error.find("declared dynamic must be a number") != std::string::npos) return true;
  return options.at_limit == AtLimit::error && error.find("and none fits") != std::string::npos;
}

using Compiled2 = decltype(compile(scaled_sum));

// One function under one choice. Whoever lets go of one that was replaced destroys it.
class Slot {
 public:
  Slot(Function function, const Options& options) : function_(function), options_(options) { replace(); }

  std::shared_ptr<Compiled2> get() const {
    std::lock_guard lock(mutex_);
    return compiled_;
  }
  void replace() {
    auto fresh = std::make_shared<Compiled2>(function_, options_, Here::current());
    std::lock_guard lock(mutex_);
    compiled_.swap(fresh);
  }
  Function function() const { return function_; }
  const Options& options() const { return options_; }

 private:
  Function function_;
  Options options_;
  mutable std::mutex mutex_;
  std::shared_ptr<Compiled2> compiled_;
};

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
Outcome outcome_of(F& function, const Tensor& a, const Tensor& b, int marked_dim = -1) {
  MemoryCopies copies(placement());
  Outcome outcome{{}, copies.copy(a), copies.copy(b), {}};
  if (a.is_same(b)) outcome.b = outcome.a;
  if (marked_dim >= 0) mark_dynamic(outcome.a, marked_dim);
  try {
    outcome.result = function(outcome.a, outcome.b);
  } catch (const Error& error) {
    outcome.error = error.message();
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return outcome;
}

struct Tally {
  std::atomic<int64_t> calls = 0, refused = 0, failed = 0;
};

void stress(std::deque<Slot>& slots, uint64_t seed, std::chrono::steady_clock::time_point end, Tally& tally) {
  graph::InheritDevice inherit(placement());
  Arguments arguments(seed);
  while (std::chrono::steady_clock::now() < end && !testing::Test::HasFailure()) {
    auto which = static_cast<size_t>(arguments.below(static_cast<int64_t>(slots.size())));
    Slot& slot = slots[which];
    auto [a, b] = arguments.draw();
    int marked = static_cast<int>(std::max<int64_t>(arguments.below(24) - 22, -1));  // now and then a dim of the first
    if (arguments.below(200) == 0) slot.replace();
    SCOPED_TRACE(fmt::format("seed {} slot {} of {} and {}, dim {} marked", seed, which, to_string(a.meta()),
                             to_string(b.meta()), marked));
    Function eager = slot.function();
    Outcome expected = outcome_of(eager, a, b), actual = outcome_of(*slot.get(), a, b, marked);
    ++tally.calls;
    if (is_refused_by_choice(actual.error, slot.options(), marked >= 0)) {
      ++tally.refused;
      continue;
    }
    if (!expected.error.empty() || !actual.error.empty()) {
      // Arguments of two dtypes or partial overlap may be refused by name; else both fail alike.
      EXPECT_EQ(actual.error.empty(), expected.error.empty()) << actual.error << " against " << expected.error;
      ++tally.failed;
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
  std::deque<Slot> slots;
  for (Function function : functions)
    for (const Options& options : choices) slots.emplace_back(function, options);
  Tally tally;
  {
    std::vector<std::jthread> threads;
    for (uint64_t i = 0; i < 16; ++i) threads.emplace_back([&, i] { stress(slots, i, end, tally); });
  }
  EXPECT_GT(tally.calls, 16);
  RecordProperty("calls", static_cast<int>(tally.calls));
  if (chosen)
    fmt::print("{} calls, {} refused by choice, {} failed alike; {} programs made, {} found\n", tally.calls.load(),
               tally.refused.load(), tally.failed.load(), runtime::program_cache().stats().makes,
               runtime::program_cache().stats().hits);
}

}  // namespace
}  // namespace sinter::test
