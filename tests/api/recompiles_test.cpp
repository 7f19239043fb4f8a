// What a function does at its limit of entries and when it is frozen, what the log says of it, and what never makes it
// compile again.

#include <sinter/sinter.h>

#include <thread>

#include "support/compiled.h"
#include "support/log_lines.h"

namespace sinter::test {
namespace {

using Numbers = std::vector<double>;

Tensor filled(int64_t count, double value = 1) { return tensor_of(Numbers(count, value), {count}); }

Tensor plus_one(const Tensor& x) { return x + 1; }

Options limited(AtLimit policy) {
  return {.name = "f", .entry_limit = 2, .at_limit = policy, .dynamic = Dynamic::never};
}

TEST(Limits, EachPolicyIsLoggedOnce) {
  const std::pair<AtLimit, std::string_view> policies[] = {
      {AtLimit::evict_least_recent, "f: more than 2 entries: the least recently used is dropped"},
      {AtLimit::eager, "f: more than 2 entries: further calls run uncompiled"},
      {AtLimit::error, "f: more than 2 entries: a call that none fits is an error"}};
  for (auto [policy, line] : policies) {
    auto fast = compile(plus_one, limited(policy));
    LogLines log("recompiles");
    for (int64_t size : {1, 2}) fast(filled(size));
    EXPECT_EQ(log.count("more than"), 0) << log.text;
    for (int64_t size : {3, 4, 5, 3}) {
      try {
        EXPECT_EQ(elements_of(fast(filled(size))), Numbers(size, 2));
        EXPECT_NE(policy, AtLimit::error);
      } catch (const Error& error) {
        EXPECT_EQ(policy, AtLimit::error) << error.what();
      }
    }
    EXPECT_EQ(log.count("more than"), 1) << log.text;
    EXPECT_EQ(log.count(line), 1) << log.text;
    EXPECT_EQ(fast.stats().entries, 2);
    EXPECT_EQ(elements_of(fast(filled(2))), Numbers(2, 2)) << "what it has still runs";
  }
}

TEST(Limits, TheErrorSaysWhichGuardsFail) {
  auto fast = compile(plus_one, limited(AtLimit::error));
  for (int64_t size : {1, 2}) fast(filled(size));
  try {
    fast(filled(3));
    FAIL() << "it has two entries";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "compile: f has 2 entries, and none fits: entry 0: arg0.size(0) == 1 failed: expected 1, actual 3; "
              "entry 1: arg0.size(0) == 2 failed: expected 2, actual 3");
    EXPECT_EQ(error.need(), "declare what varies, or allow more entries (entry_limit)");
  }
}

TEST(Limits, ExplainSaysThatACallWouldRunUncompiled) {
  auto fast = compile(plus_one, limited(AtLimit::eager));
  for (int64_t size : {1, 2}) fast(filled(size));
  try {
    fast.explain(filled(3));
    FAIL() << "there is no entry to explain";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "compile: this call of f would run uncompiled: it has 2 of 2 entries");
  }
  EXPECT_EQ(fast.explain(filled(2)).kernels.size(), 1u);
}

TEST(Recompiles, AFrozenFunctionTracesNothing) {
  int traces = 0;
  auto fast = compile([&](const Tensor& x) {
    ++traces;
    return x + 1;
  });
  fast(filled(3));
  fast.no_recompile();
  for (int i = 0; i < 3; ++i) EXPECT_THROW(fast(filled(4)), Error);
  EXPECT_THROW(fast.explain(filled(4)), Error);
  EXPECT_EQ(elements_of(fast(filled(3))), Numbers(3, 2));
  EXPECT_EQ(traces, 1);
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(Recompiles, ExplainCallRunsAndCompilesNothing) {
  int traces = 0;
  auto fast = compile([&](Tensor& x) {
    ++traces;
    return x.add_(1);
  });
  Tensor x = filled(3);
  EXPECT_EQ(to_string(fast.explain_call(x)), "no entry fits: the call would compile\n");
  fast(x);
  EXPECT_EQ(to_string(fast.explain_call(x)), "entry 0 would run\n");
  Tensor larger = filled(4), typed = tensor_of({1, 2, 3}, {3}, f64);
  EXPECT_EQ(to_string(fast.explain_call(larger)),
            "no entry fits: the call would compile\n"
            "  entry 0: arg0.size(0) == 3 failed: expected 3, actual 4\n");
  EXPECT_EQ(to_string(fast.explain_call(typed)),
            "no entry fits: the call would compile\n"
            "  entry 0: arg0.dtype() == f32 failed: expected f32, actual f64\n");
  EXPECT_EQ(traces, 1);
  EXPECT_EQ(elements_of(x), Numbers(3, 2)) << "written once, by the call";
}

// Results are the same bits whatever these are, so that none of them is guarded: nothing else that is ambient exists
// (the default dtype is f32, and there is no grad mode).
TEST(Recompiles, AmbientStateThatChangesNoResultIsNotGuarded) {
  static_assert(std::is_const_v<decltype(default_dtype)>, "if it could change, it would have to be guarded");
  auto fast = compile([](const Tensor& x) { return sum(x * 0.1) + rand({2}); });
  Tensor x = arange(100000, f32);
  manual_seed(1);
  Tensor expected = fast(x);
  int before = get_num_threads();
  for (int threads : {1, 2, 5}) {
    set_num_threads(threads);
    manual_seed(1);
    expect_same_bits(fast(x), expected, fmt::format("{} threads", threads));
  }
  set_num_threads(before);
  set_parallel_for(
      [](void*, int64_t begin, int64_t end, int64_t, RangeFunction part, void* context) { part(context, begin, end); },
      nullptr);
  manual_seed(1);
  expect_same_bits(fast(x), expected, "the user's loop");
  set_parallel_for(nullptr, nullptr);
  std::jthread([&] {
    manual_seed(1);
    expect_same_bits(fast(x), expected, "another thread");
  }).join();
  EXPECT_EQ(fast.stats().compiles, 1);
}

// CASES B112.
TEST(Recompiles, LargeSumsOfSharedTermsAreRightAtEveryCall) {
  for (int count : {5, 20, 60, 200}) {
    auto density = [count](const Tensor& p) {
      Tensor mean = p.select(0, 0) * 2, scale = exp(p.select(0, 1));
      Tensor total = mean * 0.0;
      for (int i = 0; i < count; ++i) {
        Tensor z = (mean - 0.125 * i) / scale;
        total = total - z * z * 0.5 - log(scale);
      }
      return total;
    };
    auto fast = compile(density);
    for (double first : {0.5, -1.25, 3.0}) {
      Tensor p = tensor_of({first, first / 4}, {2});
      expect_same_bits(fast(p), density(p), fmt::format("{} terms at {}", count, first));
    }
    EXPECT_EQ(fast.stats().compiles, 1);
  }
}

}  // namespace
}  // namespace sinter::test
