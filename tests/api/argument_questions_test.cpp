// What a traced function asks of its arguments beside their sizes: which of them are one tensor or lie in one storage,
// strides that mean nothing, offsets. The answer is that of the call at hand, and guarded; what is not asked is not.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {

namespace {

using Numbers = std::vector<double>;

Tensor filled(std::vector<int64_t> sizes, double value = 1) {
  return full(SymDims(sizes.begin(), sizes.end()), value, f32);
}

// A [1, 3] tensor of ones with this stride of its first dim.
Tensor row_with_stride(int64_t stride) { return strided_view(filled({64}), {1, 3}, {stride, 1}, 0); }

// Of the function and of its compiled form, with and without symbolic sizes, at each of the calls; gives the compiles.
template <class F, class Calls>
std::vector<int64_t> compiles_for(F f, const Calls& calls) {
  std::vector<int64_t> compiles;
  for (Dynamic dynamic : {Dynamic::never, Dynamic::always}) {
    auto fast = compile(f, {.dynamic = dynamic});
    for (int round = 0; round < 2; ++round)
      for (const auto& arguments : calls)
        EXPECT_EQ(elements_of(std::apply(fast, arguments)), elements_of(std::apply(f, arguments)));
    compiles.push_back(fast.stats().compiles);
  }
  return compiles;
}

using Pair = std::tuple<Tensor, Tensor>;

std::vector<Pair> pairs() {
  Tensor x = filled({3}, 2), y = filled({3}, 2);
  return {{x, y}, {x, x}, {y, x}, {x, x.slice(0, 0, 3)}, {x.slice(0, 0, 3), x.slice(0, 0, 3)}};
}

// --- Identity ---------------------------------------------------------------------------------------------------

TEST(ArgumentQuestions, WhetherTwoArgumentsAreOneTensor) {
  auto f = [](const Tensor& x, const Tensor& y) { return x.is_same(y) ? x * 10 : x + y; };
  EXPECT_EQ(compiles_for(f, pairs()), (std::vector<int64_t>{2, 2}));
  auto turned = [](const Tensor& x, const Tensor& y) { return y.is_same(x) && x.is_same(x) ? x * 10 : x + y; };
  EXPECT_EQ(compiles_for(turned, pairs()), (std::vector<int64_t>{2, 2}));
}

TEST(ArgumentQuestions, WhetherTwoArgumentsLieInOneStorage) {
  auto f = [](const Tensor& x, const Tensor& y) { return x.storage() == y.storage() ? x * 10 : x + y; };
  EXPECT_EQ(compiles_for(f, pairs()), (std::vector<int64_t>{2, 2}));
  auto differ = [](const Tensor& x, const Tensor& y) { return x.storage() != y.storage() ? x * 10 : x + y; };
  EXPECT_EQ(compiles_for(differ, pairs()), (std::vector<int64_t>{2, 2}));
}

TEST(ArgumentQuestions, ViewsAnswerForTheirArguments) {
  auto f = [](const Tensor& x, const Tensor& y) {
    return x.view({1, 3}).t().storage() == y.slice(0, 1, 2).storage() ? x * 10 : x + y;
  };
  EXPECT_EQ(compiles_for(f, pairs()), (std::vector<int64_t>{2, 2}));
}

TEST(ArgumentQuestions, FreshTensorsAreNobody) {
  auto f = [](const Tensor& x, const Tensor& y) {
    Tensor z = x + y;
    bool is_fresh = !z.is_same(x) && !(z.storage() == y.storage()) && z.storage() == z.view({3, 1}).storage() &&
                    !x.is_same(x.view({3})) && x.storage() == x.view({3}).storage() && !x.is_same(Tensor());
    return is_fresh ? z : z * 0;
  };
  EXPECT_EQ(compiles_for(f, pairs()), (std::vector<int64_t>{1, 1}));
}

TEST(ArgumentQuestions, CapturedTensorsAreAskedAbout) {
  Tensor w = filled({3}, 5);
  std::vector<std::tuple<Tensor>> calls = {{filled({3})}, {w}, {w.slice(0, 0, 3)}, {filled({3}, 4)}};
  auto same = [w](const Tensor& x) { return x.is_same(w) ? x * 10 : x + 1; };
  EXPECT_EQ(compiles_for(same, calls), (std::vector<int64_t>{2, 2}));
  auto turned = [w](const Tensor& x) { return w.is_same(x) ? x * 10 : x + 1; };
  EXPECT_EQ(compiles_for(turned, calls), (std::vector<int64_t>{2, 2}));
  auto storage = [w](const Tensor& x) { return x.storage() == w.storage() ? x * 10 : x + 1; };
  EXPECT_EQ(compiles_for(storage, calls), (std::vector<int64_t>{2, 2}));
  auto view = [w](const Tensor& x) { return w.view({3, 1}).storage() == x.storage() ? x * 10 : x + 1; };
  EXPECT_EQ(compiles_for(view, calls), (std::vector<int64_t>{2, 2}));
  auto own = [w](const Tensor& x) { return w.view({3, 1}).storage() == w.storage() && w.is_same(w) ? x * 10 : x; };
  EXPECT_EQ(compiles_for(own, calls), (std::vector<int64_t>{1, 1}));
}

// Another tensor may not take the place of the one that was compared with.
TEST(ArgumentQuestions, ACapturedTensorThatWasComparedStays) {
  auto held = std::make_shared<Tensor>(filled({3}));
  auto fast = compile([held](const Tensor& x) { return held->defined() && x.is_same(*held) ? x * 10 : x + 1; });
  fast(filled({3}));
  *held = Tensor();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(elements_of(fast(filled({3}))), (Numbers{2, 2, 2}));
}

TEST(ArgumentQuestions, TheAnswerIsRightWhereTheFunctionWrites) {
  for (bool of_storage : {false, true}) {
    auto f = [of_storage](const Tensor& x, const Tensor& y) {
      bool is_one = of_storage ? x.storage() == y.storage() : x.is_same(y);
      x.add_(is_one ? 1 : 2);
      return x + y;
    };
    auto fast = compile(f);
    for (int round = 0; round < 2; ++round) {
      Tensor base = filled({6});
      Tensor half = base.slice(0, 0, 3), other = base.slice(0, 2, 5);
      EXPECT_EQ(elements_of(fast(half, half)), (Numbers{4, 4, 4}));
      EXPECT_EQ(elements_of(fast(half, filled({3}))), (Numbers{5, 5, 5}));
      EXPECT_EQ(elements_of(fast(half, other)), of_storage ? (Numbers{10, 6, 6}) : (Numbers{12, 7, 7}));
      EXPECT_EQ(elements_of(base), of_storage ? (Numbers{5, 5, 5, 1, 1, 1}) : (Numbers{6, 6, 6, 1, 1, 1}));
    }
    EXPECT_EQ(fast.stats().compiles, 3);
  }
}

TEST(ArgumentQuestions, ACopyThatIsAViewAtOtherSizesSettlesIt) {
  auto f = [](const Tensor& x) {
    Tensor flat = x.t().reshape({-1});
    return flat.storage() == x.storage() ? flat * 10 : flat + 1;
  };
  std::vector<std::tuple<Tensor>> calls = {{filled({4, 5})}, {filled({1, 5})}, {filled({4, 1})}, {filled({3, 3})}};
  compiles_for(f, calls);
  auto same = [](const Tensor& x) {
    Tensor own = x.t().contiguous();
    return own.storage() == x.storage() ? own * 10 : own + 1;
  };
  compiles_for(same, calls);
}

TEST(ArgumentQuestions, WhatIsNotAskedIsNotGuarded) {
  auto f = [](const Tensor& x, const Tensor& y) { return x + y; };
  EXPECT_EQ(compiles_for(f, pairs()), (std::vector<int64_t>{1, 1}));
}

TEST(ArgumentQuestions, TheGuardSaysWhatItIsAndWhere) {
  int line = 0;
  auto fast = compile([&](const Tensor& x, const Tensor& y) { return line = __LINE__, x.is_same(y) ? x : x + y; },
                      {.argument_names = {"x", "y"}});
  Tensor x = filled({3});
  std::vector<std::string> guards = fast.explain(x, filled({3})).guards;
  EXPECT_EQ(std::ranges::count(guards, fmt::format("x is not y  # argument_questions_test.cpp:{}", line)), 1);
  CallExplanation explanation = fast.explain_call(x, x);
  ASSERT_EQ(explanation.misses.size(), 1u);
  EXPECT_EQ(explanation.misses[0], "entry 0: x is not y failed: expected so, actual the same");
}

// --- Strides that mean nothing ----------------------------------------------------------------------------------

std::vector<std::tuple<Tensor>> rows() {
  return {{row_with_stride(3)}, {row_with_stride(7)}, {row_with_stride(40)}, {row_with_stride(3)}};
}

TEST(ArgumentQuestions, AStrideOfASingleRowIsTheCallsOwn) {
  auto f = [](const Tensor& x) { return x * x.stride(0); };
  EXPECT_EQ(compiles_for(f, rows()), (std::vector<int64_t>{3, 3}));
  auto all = [](const Tensor& x) { return x * x.strides()[0]; };
  EXPECT_EQ(compiles_for(all, rows()), (std::vector<int64_t>{3, 3}));
  auto layout = [](const Tensor& x) { return x * x.layout().strides[0]; };
  EXPECT_EQ(compiles_for(layout, rows()), (std::vector<int64_t>{3, 3}));
  auto meta = [](const Tensor& x) { return x * x.meta().layout.strides[0]; };
  EXPECT_EQ(compiles_for(meta, rows()), (std::vector<int64_t>{3, 3}));
}

TEST(ArgumentQuestions, AStrideOfAViewIsAskedOfItsArgument) {
  auto f = [](const Tensor& x) { return x * x.t().unsqueeze(0).stride(2); };
  EXPECT_EQ(compiles_for(f, rows()), (std::vector<int64_t>{3, 3}));
}

TEST(ArgumentQuestions, OnlyTheStrideThatIsAskedForIsGuarded) {
  auto inner = [](const Tensor& x) { return x * x.stride(1); };
  EXPECT_EQ(compiles_for(inner, rows()), (std::vector<int64_t>{1, 1}));
  auto contiguous = [](const Tensor& x) { return x.is_contiguous() ? x * 2 : x; };
  EXPECT_EQ(compiles_for(contiguous, rows()), (std::vector<int64_t>{1, 1}));
  auto size = [](const Tensor& x) { return x * x.size(0) + x.dim() + x.numel(); };
  EXPECT_EQ(compiles_for(size, rows()), (std::vector<int64_t>{1, 1}));
  auto ops = [](const Tensor& x) { return softmax(x.reshape({3}).contiguous() * x, 0).sum({0}); };
  EXPECT_EQ(compiles_for(ops, rows()), (std::vector<int64_t>{1, 1}));
}

// A symbolic size is 1 at some calls.
TEST(ArgumentQuestions, AStrideIsAskedForAtSizesOfOneToo) {
  auto f = [](const Tensor& x) { return x * x.stride(0); };
  auto fast = compile(f, {.dynamic = Dynamic::always});
  for (const Tensor& x : {filled({5, 3}), filled({1, 3}), row_with_stride(9), filled({2, 3})})
    EXPECT_EQ(elements_of(fast(x)), elements_of(f(x)));
  EXPECT_EQ(fast.stats().compiles, 2);
}

TEST(ArgumentQuestions, StridesOfAnEmptyTensor) {
  auto f = [](const Tensor& x) { return sum(x) + x.stride(0); };
  std::vector<std::tuple<Tensor>> calls;
  for (int64_t stride : {3, 5}) calls.push_back({strided_view(filled({64}), {0, 3}, {stride, 1}, 0)});
  EXPECT_EQ(compiles_for(f, calls), (std::vector<int64_t>{2, 2}));
  auto plain = [](const Tensor& x) { return sum(x) + x.size(1); };
  EXPECT_EQ(compiles_for(plain, calls), (std::vector<int64_t>{1, 1}));
}

TEST(ArgumentQuestions, OffsetsHoweverTheyAreAskedFor) {
  Tensor base = filled({16});
  std::vector<std::tuple<Tensor>> calls = {{base.slice(0, 0, 3)}, {base.slice(0, 2, 5)}, {base.slice(0, 0, 3)}};
  auto f = [](const Tensor& x) { return x * x.storage_offset(); };
  EXPECT_EQ(compiles_for(f, calls), (std::vector<int64_t>{2, 2}));
  auto layout = [](const Tensor& x) { return x * x.layout().offset; };
  EXPECT_EQ(compiles_for(layout, calls), (std::vector<int64_t>{2, 2}));
  auto view = [](const Tensor& x) { return x * x.slice(0, 1, 2).storage_offset(); };
  EXPECT_EQ(compiles_for(view, calls), (std::vector<int64_t>{2, 2}));
  auto strides = [](const Tensor& x) { return x * x.stride(0); };
  EXPECT_EQ(compiles_for(strides, calls), (std::vector<int64_t>{1, 1}));
}

TEST(ArgumentQuestions, ContiguityInBothFormats) {
  using enum MemoryFormat;
  Tensor rows = filled({2, 3, 4, 5});
  Tensor last = ops("aten::clone")(rows, channels_last)[0].tensor();
  EXPECT_TRUE(rows.is_contiguous() && !rows.is_contiguous(channels_last));
  EXPECT_TRUE(!last.is_contiguous(contiguous) && last.is_contiguous(channels_last));
  EXPECT_FALSE(filled({3, 4}).is_contiguous(channels_last));
  EXPECT_TRUE(filled({2, 1, 4, 5}).is_contiguous(channels_last)) << "one channel lies in both orders";
  EXPECT_THROW(rows.is_contiguous(preserve), Error);
  auto f = [](const Tensor& x) { return x.is_contiguous(channels_last) ? x * 10 : x + 1; };
  // Strides of single images and channels don't matter to it.
  Tensor odd = strided_view(filled({256}), {1, 3, 4, 5}, {77, 1, 15, 3}, 0);
  std::vector<std::tuple<Tensor>> calls = {{rows}, {last}, {last.slice(0, 0, 1)}, {odd}};
  EXPECT_EQ(compiles_for(f, calls), (std::vector<int64_t>{3, 2}));
}

}  // namespace
}  // namespace sinter::test
