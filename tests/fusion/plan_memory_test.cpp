// Places of temporaries, used again once their values are dead.

#include <sinter/fusion/plan_memory.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

// Products, each of the one before: nothing of it can be fused.
std::string chain_of_products(int count) {
  std::string text = "graph():\n    %x : f32[16, 16] = placeholder[target=x]\n";
  std::string before = "x";
  for (int i = 0; i < count; ++i) {
    std::string name = fmt::format("p{}", i);
    text +=
        fmt::format("    %{} : f32[16, 16] = call_function[target=aten.mm.default](args = (%{}, %x), kwargs = {{}})\n",
                    name, before);
    before = name;
  }
  return text + fmt::format("    return (%{},)\n", before);
}

TEST(PlanMemory, GivesAChainOfUnfusableStepsTwoPlaces) {
  Loops loops = loops_before("plan_memory", chain_of_products(50));
  EXPECT_EQ(loops.schedule.kernels.size(), 50u);
  EXPECT_TRUE(plan_memory(loops.schedule));
  EXPECT_EQ(loops.schedule.arena_bytes, 2 * 16 * 16 * 4);
}

TEST(PlanMemory, KeepsApartWhatLivesAtTheSameTime) {
  Loops loops = loops_before("plan_memory", R"(graph():
    %x : f32[16, 16] = placeholder[target=x]
    %a : f32[16, 16] = call_function[target=aten.mm.default](args = (%x, %x), kwargs = {})
    %b : f32[16, 16] = call_function[target=aten.mm.default](args = (%a, %x), kwargs = {})
    %c : f32[16, 16] = call_function[target=aten.mm.default](args = (%b, %b), kwargs = {})
    %d : f32[16, 16] = call_function[target=aten.mm.default](args = (%a, %c), kwargs = {})
    return (%d,))");
  EXPECT_TRUE(plan_memory(loops.schedule));
  EXPECT_EQ(loops.schedule.arena_bytes, 3 * 16 * 16 * 4);
}

TEST(PlanMemory, NeedsNothingForASingleKernel) {
  Loops loops = loops_before("plan_memory", R"(graph():
    %x : f32[8, 16] = placeholder[target=x]
    %y : f32[16] = placeholder[target=y]
    %add : f32[8, 16] = call_function[target=aten.add.Tensor](args = (%x, %y), kwargs = {})
    %relu : f32[8, 16] = call_function[target=aten.relu.default](args = (%add,), kwargs = {})
    %mul : f32[8, 16] = call_function[target=aten.mul.Scalar](args = (%relu, 2.0), kwargs = {})
    return (%mul,))");
  EXPECT_FALSE(plan_memory(loops.schedule));
  EXPECT_EQ(loops.schedule.arena_bytes, 0);
}

}  // namespace
}  // namespace sinter::fusion
