// Orders that the proof accepts, and such that it must not.

#include <sinter/fusion/verify_order.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(VerifyOrder, AcceptsWhatThePassesMake) {
  for (std::string_view text : {R"(graph():
    %x : f32[4, 1000] = placeholder[target=x]
    %s : f32[4, 1000] = call_function[target=aten._softmax.default](args = (%x, -1, false), kwargs = {})
    return (%s,))",
                                R"(graph():
    %x : f32[4, 8] = placeholder[target=x]
    %y : f32[8, 4] = placeholder[target=y]
    %t : f32[8, 4] strides=[1, 8] = call_function[target=aten.t.default](args = (%x,), kwargs = {})
    %write : f32[8, 4] strides=[1, 8] = call_function[target=aten.add_.Tensor](args = (%t, %y), kwargs = {})
    return (%t,))",
                                R"(graph():
    %x : f32[8] = placeholder[target=x]
    %from : f32[7] = call_function[target=aten.slice.Tensor](args = (%x, 0, 0, 7), kwargs = {})
    %to : f32[7] offset=1 = call_function[target=aten.slice.Tensor](args = (%x, 0, 1, 8), kwargs = {})
    %neg : f32[7] = call_function[target=aten.neg.default](args = (%from,), kwargs = {})
    %write : f32[7] offset=1 = call_function[target=aten.copy_.default](args = (%to, %neg), kwargs = {})
    return ())"})
    EXPECT_NO_THROW(verify_order(loops_before("localize_buffers", text).schedule));
}

TEST(VerifyOrder, RefusesAReadBeforeItsWrite) {
  Loops loops = loops_before("localize_buffers", R"(graph():
    %x : f32[64, 16] = placeholder[target=x]
    %exp : f32[64, 16] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sum : f32[64] = call_function[target=aten.sum.dim_IntList](args = (%exp, [1]), kwargs = {})
    %sum_1 : f32[16] = call_function[target=aten.sum.dim_IntList](args = (%exp, [0]), kwargs = {})
    return (%sum, %sum_1))");
  std::swap(loops.schedule.kernels[0], loops.schedule.kernels[1]);
  EXPECT_THROW(verify_order(loops.schedule), Error);
}

TEST(VerifyOrder, RefusesAWriteOfAnArgumentBeforeItsRead) {
  Loops loops = loops_before("localize_buffers", R"(graph():
    %x : f32[8] = placeholder[target=x]
    %from : f32[7] = call_function[target=aten.slice.Tensor](args = (%x, 0, 0, 7), kwargs = {})
    %to : f32[7] offset=1 = call_function[target=aten.slice.Tensor](args = (%x, 0, 1, 8), kwargs = {})
    %neg : f32[7] = call_function[target=aten.neg.default](args = (%from,), kwargs = {})
    %write : f32[7] offset=1 = call_function[target=aten.copy_.default](args = (%to, %neg), kwargs = {})
    return ())");
  std::swap(loops.schedule.kernels[0], loops.schedule.kernels[1]);
  EXPECT_THROW(verify_order(loops.schedule), Error);
}

TEST(VerifyOrder, RefusesAValueFromAnotherIterationOfTheSharedAxes) {
  Loops loops = loops_before("localize_buffers", R"(graph():
    %x : f32[4, 1000] = placeholder[target=x]
    %s : f32[4, 1000] = call_function[target=aten._softmax.default](args = (%x, -1, false), kwargs = {})
    return (%s,))");
  for (Load& load : loops.schedule.kernels[0].nests[2].body.loads)
    if (loops.schedule.buffers[load.buffer].name == "exp") load.index[0] = load.index[0] + 1;
  EXPECT_THROW(verify_order(loops.schedule), Error);
}

}  // namespace
}  // namespace sinter::fusion
