// Results that take over the memory of an operand.

#include <sinter/fusion/reuse_in_place.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(ReuseInPlace, WritesABiasWhereTheProductLies) {
  Loops loops = loops_before("reuse_in_place", R"(graph():
    %x : f32[64, 32] = placeholder[target=x]
    %w : f32[32, 16] = placeholder[target=w]
    %b : f32[16] = placeholder[target=b]
    %mm : f32[64, 16] = call_function[target=aten.mm.default](args = (%x, %w), kwargs = {})
    %add : f32[64, 16] = call_function[target=aten.add.Tensor](args = (%mm, %b), kwargs = {})
    %relu : f32[64, 16] = call_function[target=aten.relu.default](args = (%add,), kwargs = {})
    return (%relu,))");
  EXPECT_TRUE(reuse_in_place(loops.schedule));
  EXPECT_EQ("\n" + to_string(loops.schedule), R"(
buffer x : f32[64, 32] input 0
buffer w : f32[32, 16] input 1
buffer b : f32[16] input 2
buffer relu : f32[64, 16] output
call aten::mm.default(x, w) -> relu
kernel relu outer 2 parallel 1
  nest relu [i0 < 64, i1 < 16 vector]
    x0 = load relu[16*i0 + i1]
    x1 = load b[i1]
    store relu[16*i0 + i1] = maximum(0.0, add(x0, x1))
return relu f32[64, 16]
)");
}

TEST(ReuseInPlace, KeepsAnOperandThatIsReadElsewhere) {
  Loops loops = loops_before("reuse_in_place", R"(graph():
    %x : f32[16, 16] = placeholder[target=x]
    %mm : f32[16, 16] = call_function[target=aten.mm.default](args = (%x, %x), kwargs = {})
    %t : f32[16, 16] strides=[1, 16] = call_function[target=aten.t.default](args = (%mm,), kwargs = {})
    %add : f32[16, 16] = call_function[target=aten.add.Tensor](args = (%mm, %t), kwargs = {})
    return (%add,))");
  EXPECT_FALSE(reuse_in_place(loops.schedule)) << to_string(loops.schedule);
}

TEST(ReuseInPlace, KeepsTheArgumentsOfTheCaller) {
  Loops loops = loops_before("reuse_in_place", R"(graph():
    %x : f32[8, 16] strides=[1, 8] = placeholder[target=x]
    %exp : f32[8, 16] strides=[1, 8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    return (%exp,))");
  EXPECT_FALSE(reuse_in_place(loops.schedule));
}

}  // namespace
}  // namespace sinter::fusion
