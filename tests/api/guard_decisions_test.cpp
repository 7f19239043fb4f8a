// CASES B092 to B096 for their whole kinds: what a trace decided is guarded, in whatever order sizes come, and nothing
// else is.

#include <sinter/sinter.h>

#include <random>

#include "support/compiled.h"

namespace sinter::test {
namespace {

Tensor filled(std::vector<int64_t> sizes, double value = 1) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return tensor_of(std::vector<double>(static_cast<size_t>(count), value), sizes);
}

// A question about three sizes, made of a seed: comparisons of sums, products, quotients and remainders, joined by
// and, or and not.
class Question {
 public:
  explicit Question(uint64_t seed) : random_(seed) {}

  bool ask(const SymDims& sizes, int depth = 2) {
    if (depth == 0) return compare(expression(sizes, 2), expression(sizes, 1));
    switch (below(4)) {
      case 0: return ask(sizes, depth - 1) && ask(sizes, depth - 1);
      case 1: return ask(sizes, depth - 1) || ask(sizes, depth - 1);
      case 2: return !ask(sizes, depth - 1);
      default: return ask(sizes, 0);
    }
  }

 private:
  int64_t below(int64_t end) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(end)); }

  SymInt expression(const SymDims& sizes, int depth) {
    if (depth == 0) return below(3) == 0 ? SymInt(below(6) - 1) : sizes[static_cast<size_t>(below(3))];
    SymInt a = expression(sizes, depth - 1), b = expression(sizes, depth - 1);
    switch (below(7)) {
      case 0: return a + b;
      case 1: return a - b;
      case 2: return a * b;
      case 3: return floor_div(a, 2 + below(3));
      case 4: return mod(a, 2 + below(3));
      case 5: return min(a, b);
      default: return max(a, b);
    }
  }
  bool compare(SymInt a, SymInt b) {
    switch (below(6)) {
      case 0: return a == b;
      case 1: return a != b;
      case 2: return a < b;
      case 3: return a <= b;
      case 4: return a > b;
      default: return a >= b;
    }
  }

  std::mt19937_64 random_;
};

// CASES B092.
TEST(GuardDecisions, BranchesOnSizesAreRightAtEachCall) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    // Which operands are asked for depends on the answers before: each run of a branch draws the same.
    auto f = [seed](const Tensor& x) { return Question(seed).ask(x.sizes()) ? x + 1 : x - 1; };
    auto fast = compile(f, {.entry_limit = 64, .dynamic = seed % 2 ? Dynamic::always : Dynamic::automatic});
    std::mt19937_64 random(seed + 1000);
    for (int call = 0; call < 24; ++call) {
      auto size = [&] { return static_cast<int64_t>(random() % 6); };
      Tensor x = filled({size(), size(), size()});
      SCOPED_TRACE(fmt::format("seed {} at {}", seed, to_string(x.sizes())));
      expect_same_bits(fast(x), f(x));
    }
    EXPECT_EQ(fast.stats().evictions, 0);
  }
}

// CASES B093.
TEST(GuardDecisions, ArithmeticOfNumbersNeedsNoSecondCompile) {
  using Function = Tensor (*)(const Tensor&, Scalar, Scalar);
  constexpr Function functions[] = {
      [](const Tensor& p, Scalar a, Scalar b) { return p * (p * (a * b)); },
      [](const Tensor& p, Scalar a, Scalar b) { return p * a * b; },
      [](const Tensor& p, Scalar a, Scalar) { return p * a; },
      [](const Tensor& p, Scalar a, Scalar b) { return p * (1 - a) + b / (a + 1); },
      [](const Tensor& p, Scalar a, Scalar b) { return p / sqrt(a - b * b * -1) - pow(a, b); },
  };
  for (Function function : functions) {
    auto fast = compile(function);
    Tensor p = filled({10}, 3);
    for (int i = 1; i <= 50; ++i) expect_same_bits(fast(p, 0.01 * i, 1.0), function(p, 0.01 * i, 1.0));
    EXPECT_LE(fast.stats().compiles, 2);
  }
}

// CASES B094.
TEST(GuardDecisions, PartsOfArgumentsThatNothingIsAskedOfAreNotGuarded) {
  auto fast = compile([](const std::vector<Tensor>& list, const std::pair<Tensor, std::optional<Tensor>>& pair,
                         Scalar) { return list[0] * 2 + pair.first; });
  Tensor used = filled({3});
  auto call = [&](const Tensor& unused, Scalar number) {
    expect_same_bits(fast({used, unused}, {used, unused}, number), filled({3}, 3));
  };
  call(filled({4}), 1.0);
  call(filled({6, 2}), 2.0);
  call(filled({0}), -0.0);
  call(filled({3}).to(f64), 0.5);
  call(strided_view(filled({8}), {2, 2}, {1, 3}, 1), 0.5);
  call(used, 0.5);
  EXPECT_EQ(fast.stats().compiles, 1);
}

// CASES B095: the same memory, part of it, and interleaved elements; written by the one, the other, or both.
TEST(GuardDecisions, OverlapsOfWrittenArgumentsAreLookedAtEachTime) {
  using Function = Tensor (*)(const Tensor&, const Tensor&);
  constexpr Function functions[] = {
      [](const Tensor& x, const Tensor& y) { return x.mul_(2) + y; },
      [](const Tensor& x, const Tensor& y) { return x + y.mul_(2); },
      [](const Tensor& x, const Tensor& y) { return x.add_(1) * y.add_(2) - x; },
      [](const Tensor& x, const Tensor& y) {
        x.slice(0, 1).mul_(3);
        y.select(0, 0).fill_(9);
        return x + y;
      },
  };
  struct View {
    int64_t offset, stride;
  };
  const std::pair<View, View> places[] = {{{0, 1}, {20, 1}}, {{0, 1}, {0, 1}}, {{0, 1}, {2, 1}},  {{3, 1}, {0, 1}},
                                          {{0, 2}, {1, 2}},  {{0, 2}, {2, 2}}, {{0, 1}, {20, 1}}, {{2, 1}, {0, 2}}};
  for (Function function : functions) {
    auto fast = compile(function, {.entry_limit = 64});
    for (int64_t size : {4, 5, 7, 4})
      for (auto [a, b] : places) {
        std::vector<double> values(40);
        for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 2;
        Tensor own = tensor_of(values, {40}), theirs = tensor_of(values, {40});
        auto call = [&](auto& callable, const Tensor& base) {
          return callable(strided_view(base, {size}, {a.stride}, a.offset),
                          strided_view(base, {size}, {b.stride}, b.offset));
        };
        SCOPED_TRACE(
            fmt::format("size {}, from {} by {} and from {} by {}", size, a.offset, a.stride, b.offset, b.stride));
        expect_same_bits(call(fast, own), call(function, theirs));
        expect_same_bits(own, theirs, "memory afterwards");
      }
  }
}

// CASES B096.
TEST(GuardDecisions, StridesOfDimsOfOneElementMeanNothing) {
  auto f = [](const Tensor& x) { return (x * 2).sum({0}) + 1; };
  for (Dynamic dynamic : {Dynamic::automatic, Dynamic::always}) {
    auto fast = compile(f, {.dynamic = dynamic});
    Tensor base = filled({64}, 4);
    for (int64_t odd : {3, 0, 1, 17, 3})
      expect_same_bits(fast(strided_view(base, {3, 1, 4}, {4, odd, 1}, 0)), f(filled({3, 1, 4}, 4)));
    EXPECT_EQ(fast.stats().compiles, 1);
  }
  auto fast = compile([](const Tensor& x) { return x + 1; }, {.dynamic = Dynamic::always});
  expect_same_bits(fast(filled({5, 4})), filled({5, 4}, 2));
  for (int64_t odd : {1, 0, 9}) {  // of a symbolic dim that has one element at this call
    expect_same_bits(fast(strided_view(filled({64}), {1, 4}, {odd, 1}, 0)), filled({1, 4}, 2));
    expect_same_bits(fast(strided_view(filled({64}), {1, 1}, {odd, 7}, 0)), filled({1, 1}, 2));
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

}  // namespace
}  // namespace sinter::test
