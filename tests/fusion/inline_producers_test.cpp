// Which values are computed where they are used, and which keep their memory.

#include <sinter/fusion/inline_producers.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(InlineProducers, MakesOneNestOfAChain) {
  Loops loops = test::loops_of(R"(graph():
    %x : f32[8, 16] = placeholder[target=x]
    %y : f32[16] = placeholder[target=y]
    %add : f32[8, 16] = call_function[target=aten.add.Tensor](args = (%x, %y), kwargs = {})
    %relu : f32[8, 16] = call_function[target=aten.relu.default](args = (%add,), kwargs = {})
    %mul : f32[8, 16] = call_function[target=aten.mul.Scalar](args = (%relu, 2.0), kwargs = {})
    return (%mul,))");
  EXPECT_TRUE(inline_producers(loops.schedule, {}));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel mul outer 0 parallel 0
  nest mul [i0 < 8, i1 < 16]
    x0 = load x[16*i0 + i1]
    x1 = load y[i1]
    store mul[16*i0 + i1] = mul(maximum(0.0, add(x0, x1)), 2.0)
)");
}

TEST(InlineProducers, KeepsACostlyValueThatTwoNestsUse) {
  Loops loops = test::loops_of(R"(graph():
    %x : f32[64, 16] = placeholder[target=x]
    %exp : f32[64, 16] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sum : f32[64] = call_function[target=aten.sum.dim_IntList](args = (%exp, [1]), kwargs = {})
    %sum_1 : f32[16] = call_function[target=aten.sum.dim_IntList](args = (%exp, [0]), kwargs = {})
    return (%sum, %sum_1))");
  EXPECT_FALSE(inline_producers(loops.schedule, {}));
  EXPECT_EQ(test::kernel_names(loops.schedule), "exp; sum; sum_1");
}

TEST(InlineProducers, DoesNotInlineAShiftedCopyIntoItsOwnWrite) {
  Loops loops = test::loops_of(R"(graph():
    %x : f32[8] = placeholder[target=x]
    %from : f32[7] = call_function[target=aten.slice.Tensor](args = (%x, 0, 0, 7), kwargs = {})
    %to : f32[7] offset=1 = call_function[target=aten.slice.Tensor](args = (%x, 0, 1, 8), kwargs = {})
    %neg : f32[7] = call_function[target=aten.neg.default](args = (%from,), kwargs = {})
    %write : f32[7] offset=1 = call_function[target=aten.copy_.default](args = (%to, %neg), kwargs = {})
    return ())");
  inline_producers(loops.schedule, {});
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel copy outer 0 parallel 0
  nest copy [i0 < 7]
    x0 = load x[i0]
    store copy[i0] = neg(x0)
kernel copy_ outer 0 parallel 0
  nest copy_ [i0 < 7]
    x0 = load copy[i0]
    store x[i0 + 1] = x0
)");
}

TEST(InlineProducers, InlinesIntoAWriteOfTheVeryElementRead) {
  Loops loops = test::loops_of(R"(graph():
    %x : f32[4, 8] = placeholder[target=x]
    %y : f32[8, 4] = placeholder[target=y]
    %t : f32[8, 4] strides=[1, 8] = call_function[target=aten.t.default](args = (%x,), kwargs = {})
    %write : f32[8, 4] strides=[1, 8] = call_function[target=aten.add_.Tensor](args = (%t, %y), kwargs = {})
    return (%t,))");
  EXPECT_TRUE(inline_producers(loops.schedule, {}));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel copy_ outer 0 parallel 0
  nest copy_ [i0 < 8, i1 < 4]
    x0 = load x[i0 + 8*i1]
    x1 = load y[4*i0 + i1]
    store x[i0 + 8*i1] = add(x0, x1)
)");
}

TEST(InlineProducers, StopsAtTheLimitOfTheBody) {
  Loops loops = test::loops_of(R"(graph():
    %x : f32[8, 16] = placeholder[target=x]
    %y : f32[16] = placeholder[target=y]
    %add : f32[8, 16] = call_function[target=aten.add.Tensor](args = (%x, %y), kwargs = {})
    %relu : f32[8, 16] = call_function[target=aten.relu.default](args = (%add,), kwargs = {})
    %mul : f32[8, 16] = call_function[target=aten.mul.Scalar](args = (%relu, 2.0), kwargs = {})
    return (%mul,))");
  EXPECT_FALSE(inline_producers(loops.schedule, {.max_body_nodes = 1}));
}

}  // namespace
}  // namespace sinter::fusion
