// Tensors as C++ objects: literals that are new at each call, variables and handles that two arguments have in common,
// layouts that change in place.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {
namespace {

using Numbers = std::vector<double>;

Tensor three() { return tensor_of({1, 2, 3}, {3}); }
template <class F>
std::string message_of(F call) {
  try {
    call();
  } catch (const Error& error) {
    return error.message();
  }
  return "nothing was thrown";
}

Tensor matrix() { return tensor_of({0, 1, 2, 3, 4, 5}, {2, 3}); }

TEST(Literals, AreNewAtEachCall) {
  auto add_up = compile([](const Tensor& x) {
    Tensor total = tensor({0., 0., 0.});
    total.add_(x);
    total[0].add_(10);
    return total * 1;
  });
  auto given_out = compile([](const Tensor& x) { return std::pair(x + 1, tensor({1., 2.})); });
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(elements_of(add_up(three())), (Numbers{11, 2, 3}));
    Tensor literal = given_out(three()).second;
    EXPECT_EQ(elements_of(literal), (Numbers{1, 2}));
    literal.mul_(100);
  }
}

TEST(Literals, ForeignMemoryIsWrappedOutsideOfTheFunction) {
  SINTER_NEEDS_CPU("the memory is the host's");
  float memory[] = {1, 2, 3};
  auto wraps = compile([&](const Tensor& x) { return x + from_blob(memory, {3}); });
  EXPECT_EQ(message_of([&] { wraps(three()); }), "from_blob: a traced function has no memory, only shapes");
  auto captures = compile([w = from_blob(memory, {3})](const Tensor& x) { return x + w; });
  captures(three());
  memory[0] = 5;
  EXPECT_EQ(elements_of(captures(three())), (Numbers{6, 4, 6}));
}

// --- One variable as two arguments ------------------------------------------------------------------------------

TEST(SharedVariables, AnAssignmentShowsInTheOtherArgument) {
  auto assigns = [](const Tensor& x, Tensor& y) {
    y = y + 10;
    return x * 2;
  };
  auto both = [](Tensor& x, Tensor& y) {
    x = x + 1;
    y = y * 2;
  };
  auto fast = compile(assigns);
  auto fast_both = compile(both);
  for (int i = 0; i < 2; ++i) {
    Tensor a = three(), b = three(), c = three();
    EXPECT_EQ(elements_of(fast(a, b)), (Numbers{2, 4, 6}));
    EXPECT_EQ(elements_of(fast(c, c)), (Numbers{22, 24, 26}));
    EXPECT_EQ(elements_of(c), (Numbers{11, 12, 13}));
    fast_both(a, b);
    EXPECT_EQ(elements_of(a), (Numbers{2, 3, 4}));
    EXPECT_EQ(elements_of(b), (Numbers{22, 24, 26}));
    fast_both(a, a);
    EXPECT_EQ(elements_of(a), (Numbers{6, 8, 10}));
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(SharedVariables, AnArgumentBecomesAnother) {
  auto fast = compile([](Tensor& x, Tensor& y) { std::swap(x, y); });
  for (int i = 0; i < 2; ++i) {
    Tensor a = three(), b = matrix(), first = a, second = b;
    fast(a, b);
    EXPECT_TRUE(a.is_same(second));
    EXPECT_TRUE(b.is_same(first));
  }
}

// --- Layouts that change in place -------------------------------------------------------------------------------

TEST(ChangedLayouts, OneTensorAsTwoArguments) {
  OpHandle turn = ops("aten::t_");
  auto once = [=](Tensor x, Tensor y) {
    turn(x);
    return y * 2;
  };
  auto twice = [=](Tensor x, Tensor y) {
    turn(x);
    turn(y);
    return x + 0;
  };
  auto fast_once = compile(once);
  auto fast_twice = compile(twice);
  for (int i = 0; i < 2; ++i) {
    Tensor a = matrix(), b = matrix(), c = matrix();
    expect_same_bits(fast_once(a, b), matrix() * 2, "two tensors");
    expect_same_bits(fast_once(c, c), matrix().t() * 2, "one tensor");
    expect_same_bits(c, matrix().t(), "afterwards");
    expect_same_bits(fast_twice(b, b), matrix() + 0, "turned twice");
    expect_same_bits(b, matrix(), "turned twice, afterwards");
  }
}

TEST(ChangedLayouts, ThatOfACapturedTensorIsAnErrorAndStays) {
  Tensor w = matrix();
  auto turns = compile([w](const Tensor& x) {
    Tensor handle = w;
    ops("aten::t_")(handle);
    return x + w;
  });
  auto places = compile([w](const Tensor& x) {
    ops("aten::as_strided_")(w, SymDims{2}, SymDims{1});
    return x + w;
  });
  EXPECT_EQ(message_of([&] { turns(three()); }), "t_: it would change a captured tensor's layout for good");
  EXPECT_EQ(message_of([&] { places(three()); }), "as_strided_: it would change a captured tensor's layout for good");
  expect_same_bits(w, matrix(), "the captured tensor");
}

TEST(ChangedLayouts, OfACapturedTensorMeanAnotherEntry) {
  Tensor w = matrix(), handle = w;
  auto fast = compile([w](const Tensor& x) { return w * 2 + x; });
  Tensor x = ones({1});
  expect_same_bits(fast(x), matrix() * 2 + x, "as it was");
  ops("aten::t_")(handle);
  EXPECT_NE(to_string(fast.explain_call(x)).find("a captured tensor got another layout"), std::string::npos);
  expect_same_bits(fast(x), matrix().t() * 2 + x, "turned");
  ops("aten::as_strided_")(handle, SymDims{2}, SymDims{1}, 4);
  expect_same_bits(fast(x), tensor_of({9, 11}, {2}), "at its end");
  ops("aten::as_strided_")(handle, SymDims{2, 3}, SymDims{3, 1}, 0);
  expect_same_bits(fast(x), matrix() * 2 + x, "turned back");
  EXPECT_EQ(fast.stats().compiles, 3);
}

// Two tensors on one memory that is not one storage.
TEST(SharedMemory, OfCapturedTensorsOfOtherLibrariesIsSeen) {
  Tensor w = three(), again = from_dlpack(to_dlpack(w));
  auto reads = compile([=](const Tensor& x) { return w + again * x; });
  EXPECT_EQ(elements_of(reads(three())), (Numbers{2, 6, 12}));
  auto writes = compile([=](const Tensor& x) {
    w.add_(1);
    return again * x;
  });
  EXPECT_EQ(message_of([&] { writes(three()); }),
            "compile: two captured tensors share memory but no storage, and the function writes one of them");
}

// --- Compiled functions -----------------------------------------------------------------------------------------

TEST(CompiledFunctions, OneThatWasMovedFromGoesOnWorking) {
  auto first = compile([](const Tensor& x) { return x * 2; });
  first(three());
  auto second = std::move(first);
  EXPECT_EQ(elements_of(second(three())), (Numbers{2, 4, 6}));
  EXPECT_EQ(elements_of(first(three())), (Numbers{2, 4, 6}));
  EXPECT_EQ(first.stats().compiles, 1) << "they share their entries";
  first = std::move(second);
  EXPECT_EQ(elements_of(second(three())), (Numbers{2, 4, 6}));
}

// --- Numbers of the widest kind ---------------------------------------------------------------------------------

TEST(Arguments, LongDoublesAreGuardedByAllTheirBits) {
  auto fast = compile([](const Tensor& x, long double a) { return x * static_cast<double>((a - 1.0L) * 0x1p63L); });
  for (double steps : {0., 1., 2., 1.})
    EXPECT_EQ(elements_of(fast(ones({1}), 1.0L + static_cast<long double>(steps) * 0x1p-63L)), Numbers{steps});
  EXPECT_EQ(fast.stats().compiles, 3);
}

}  // namespace
}  // namespace sinter::test
