// Rows made of several parts: a loop for each.

#include <sinter/fusion/split_at_joints.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(SplitAtJoints, GivesEachPartOfAJoinedRowItsLoop) {
  Loops loops = loops_before("split_at_joints", R"(graph():
    %x : f32[32, 10] = placeholder[target=x]
    %y : f32[32, 6] = placeholder[target=y]
    %cat : f32[32, 16] = call_function[target=aten.cat.default](args = ([%x, %y], 1), kwargs = {})
    %exp : f32[32, 16] = call_function[target=aten.exp.default](args = (%cat,), kwargs = {})
    return (%exp,))");
  EXPECT_TRUE(split_at_joints(loops.schedule, {}));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel exp outer 1 parallel 0
  nest exp [i0 < 32, i1 < 10]
    x0 = load x[10*i0 + i1]
    store exp[16*i0 + i1] = exp(x0)
  nest exp [i0 < 32, i1 < 6]
    x0 = load y[6*i0 + i1]
    store exp[16*i0 + i1 + 10] = exp(x0)
)");
}

TEST(SplitAtJoints, LeavesJointsBetweenRowsAndShortLoopsAlone) {
  Loops rows = loops_before("split_at_joints", R"(graph():
    %x : f32[32, 10] = placeholder[target=x]
    %y : f32[32, 10] = placeholder[target=y]
    %cat : f32[64, 10] = call_function[target=aten.cat.default](args = ([%x, %y], 0), kwargs = {})
    return (%cat,))");
  EXPECT_FALSE(split_at_joints(rows.schedule, {}));
  Loops few = loops_before("split_at_joints", R"(graph():
    %x : f32[2, 10] = placeholder[target=x]
    %y : f32[2, 6] = placeholder[target=y]
    %cat : f32[2, 16] = call_function[target=aten.cat.default](args = ([%x, %y], 1), kwargs = {})
    return (%cat,))");
  EXPECT_FALSE(split_at_joints(few.schedule, {}));
}

// Else each element would ask the conditions of all parts.
TEST(SplitAtJoints, GivesEachOfManyPartsItsLoopWhereverTheyJoin) {
  std::string text = "graph():\n";
  for (int i = 0; i < 9; ++i) text += fmt::format("    %x{} : f32[4, 10] = placeholder[target=x{}]\n", i, i);
  text += "    %cat : f32[36, 10] = call_function[target=aten.cat.default](args = ([%x0";
  for (int i = 1; i < 9; ++i) text += fmt::format(", %x{}", i);
  text += "], 0), kwargs = {})\n    return (%cat,)";
  Loops loops = loops_before("split_at_joints", text);
  EXPECT_FALSE(split_at_joints(loops.schedule, {.many_joints = 9}));
  EXPECT_TRUE(split_at_joints(loops.schedule, {.many_joints = 8}));
  ASSERT_EQ(loops.schedule.kernels[0].nests.size(), 9u);
  EXPECT_EQ(kernels_text(loops.schedule).find("where"), std::string::npos);
  EXPECT_NE(kernels_text(loops.schedule).find("load x8[10*i0 + i1]\n    store cat[10*i0 + i1 + 320] = x0"),
            std::string::npos)
      << kernels_text(loops.schedule);
}

// The written columns lie behind all that is read: a row of no element has no part before them.
TEST(SplitAtJoints, LeavesRowsOfNoElementAlone) {
  Loops loops = loops_before("split_at_joints", R"(graph():
    %x : f32[17, 8] strides=[20, 2] = placeholder[target=x]
    %y : f32[17, 5] = placeholder[target=y]
    %written : f32[17, 8] strides=[20, 2] = call_function[target=aten.as_strided_scatter.default](args = (%x, %y, [17, 5], [20, 2], 6), kwargs = {})
    %none : f32[17, 0] strides=[20, 2] offset=6 = call_function[target=aten.as_strided.default](args = (%written, [17, 0], [20, 2], 6), kwargs = {})
    %exp : f32[17, 0] = call_function[target=aten.exp.default](args = (%none,), kwargs = {})
    return (%exp,))");
  EXPECT_NE(to_string(loops.schedule).find("nest exp [i0 < 17, i1 < 0]"), std::string::npos)
      << to_string(loops.schedule);
  EXPECT_FALSE(split_at_joints(loops.schedule, {})) << to_string(loops.schedule);
}

}  // namespace
}  // namespace sinter::fusion
