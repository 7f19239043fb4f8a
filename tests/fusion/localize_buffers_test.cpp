// Values that live within an iteration of the shared axes, and values that must stay in memory.

#include <sinter/fusion/localize_buffers.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(LocalizeBuffers, KeepsTheValuesOfARowInSmallMemory) {
  Loops loops = loops_before("localize_buffers", R"(graph():
    %x : f32[4, 1000] = placeholder[target=x]
    %s : f32[4, 1000] = call_function[target=aten._softmax.default](args = (%x, -1, false), kwargs = {})
    return (%s,))");
  EXPECT_TRUE(localize_buffers(loops.schedule, {}));
  EXPECT_EQ("\n" + to_string(loops.schedule), R"(
buffer x : f32[4, 1000] input 0
buffer amax : f32[1] local
buffer exp : f32[1000] local
buffer sum : f32[1] local
buffer mul : f32[4, 1000] output
kernel amax outer 1 parallel 0
  nest amax [i0 < 4, i1 < 1000 reduce]
    x0 = load x[1000*i0 + i1]
    reduce amax[0] = maximum (lanes 64) of x0
  nest exp [i0 < 4, i1 < 1000 reduce]
    x0 = load x[1000*i0 + i1]
    x1 = load amax[0]
    x2 = exp(sub(x0, x1))
    store exp[i1] = x2
    reduce sum[0] = sum (lanes 64) of x2
  nest mul [i0 < 4, i1 < 1000]
    x0 = load exp[i1]
    x1 = load sum[0]
    store mul[1000*i0 + i1] = mul(x0, div(1.0, x1))
return mul f32[4, 1000]
)");
}

TEST(LocalizeBuffers, DropsAStoreThatNobodyReads) {
  Loops loops = loops_before("localize_buffers", R"(graph():
    %x : f32[8, 16] = placeholder[target=x]
    %exp : f32[8, 16] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sum : f32[8] = call_function[target=aten.sum.dim_IntList](args = (%exp, [1]), kwargs = {})
    %sin : f32[8, 16] = call_function[target=aten.sin.default](args = (%exp,), kwargs = {})
    return (%sum, %sin))");
  EXPECT_NE(to_string(loops.schedule).find("store exp"), std::string::npos);
  EXPECT_TRUE(localize_buffers(loops.schedule, {}));
  EXPECT_EQ(to_string(loops.schedule).find("store exp"), std::string::npos) << to_string(loops.schedule);
}

// The picked rows are not wanted, only the check of the indices is.
TEST(LocalizeBuffers, DropsAStoreWhoseOnlyReaderIsDropped) {
  Loops loops = loops_before("localize_buffers", R"(graph():
    %x : f32[8, 16] = placeholder[target=x]
    %i : i64[5] = placeholder[target=i]
    %exp : f32[8, 16] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %pick : f32[5, 16] = call_function[target=sinter.pick.default](args = (%exp, [%i, None], false, false, false, 'index_select'), kwargs = {})
    %sin : f32[8, 16] = call_function[target=aten.sin.default](args = (%exp,), kwargs = {})
    return (%sin,))");
  EXPECT_NE(to_string(loops.schedule).find("store exp"), std::string::npos);
  EXPECT_TRUE(localize_buffers(loops.schedule, {}));
  EXPECT_EQ(to_string(loops.schedule).find("store exp"), std::string::npos) << to_string(loops.schedule);
}

TEST(LocalizeBuffers, KeepsAValueThatAnotherKernelReads) {
  Loops loops = loops_before("localize_buffers", R"(graph():
    %x : f32[64, 16] = placeholder[target=x]
    %exp : f32[64, 16] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sum : f32[64] = call_function[target=aten.sum.dim_IntList](args = (%exp, [1]), kwargs = {})
    %sum_1 : f32[16] = call_function[target=aten.sum.dim_IntList](args = (%exp, [0]), kwargs = {})
    return (%sum, %sum_1))");
  EXPECT_FALSE(localize_buffers(loops.schedule, {}));
}

TEST(LocalizeBuffers, KeepsInMemoryWhatIsTooLargeForAnIteration) {
  Loops loops = loops_before("localize_buffers", R"(graph():
    %x : f32[4, 1000] = placeholder[target=x]
    %s : f32[4, 1000] = call_function[target=aten._softmax.default](args = (%x, -1, false), kwargs = {})
    return (%s,))");
  EXPECT_TRUE(localize_buffers(loops.schedule, {.local_bytes = 1000}));
  EXPECT_NE(to_string(loops.schedule).find("buffer exp : f32[4, 1000] temporary"), std::string::npos);
}

}  // namespace
}  // namespace sinter::fusion
