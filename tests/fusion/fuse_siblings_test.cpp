// Which kernels run as one though they share no data.

#include <sinter/fusion/fuse_siblings.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernel_names;
using test::kernels_text;
using test::Loops;
using test::loops_before;

constexpr std::string_view two_and_one = R"(graph():
    %x : f32[8] = placeholder[target=x]
    %y : f32[8] = placeholder[target=y]
    %z : f32[9] = placeholder[target=z]
    %exp : f32[8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sin : f32[9] = call_function[target=aten.sin.default](args = (%z,), kwargs = {})
    %log : f32[8] = call_function[target=aten.log.default](args = (%y,), kwargs = {})
    return (%exp, %sin, %log))";

TEST(FuseSiblings, JoinsStrangersOfOneDomain) {
  Loops loops = loops_before("fuse_siblings", two_and_one);
  EXPECT_TRUE(fuse_siblings(loops.schedule, {}));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel exp outer 1 parallel 0
  nest exp [i0 < 8]
    x0 = load x[i0]
    store exp[i0] = exp(x0)
  nest log [i0 < 8]
    x0 = load y[i0]
    store log[i0] = log(x0)
kernel sin outer 1 parallel 0
  nest sin [i0 < 9]
    x0 = load z[i0]
    store sin[i0] = sin(x0)
)");
}

TEST(FuseSiblings, LeavesKernelsOfManyBuffersApart) {
  Loops loops = loops_before("fuse_siblings", two_and_one);
  EXPECT_FALSE(fuse_siblings(loops.schedule, {.max_buffers = 3}));
  EXPECT_EQ(loops.schedule.decisions.back(), "log beside exp -> no: 4 buffers are too many for one kernel");
}

TEST(FuseSiblings, LeavesLargeKernelsApart) {
  Loops loops = loops_before("fuse_siblings", R"(graph():
    %x : f32[100000] = placeholder[target=x]
    %y : f32[100000] = placeholder[target=y]
    %exp : f32[100000] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %log : f32[100000] = call_function[target=aten.log.default](args = (%y,), kwargs = {})
    return (%exp, %log))");
  EXPECT_FALSE(fuse_siblings(loops.schedule, {}));
}

// The sum stands between: what follows it cannot run before it.
TEST(FuseSiblings, KeepsAKernelBehindWhatItReads) {
  Loops loops = loops_before("fuse_siblings", R"(graph():
    %x : f32[8] = placeholder[target=x]
    %y : f32[4, 300] = placeholder[target=y]
    %z : f32[8] = placeholder[target=z]
    %exp : f32[8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sum : f32[] = call_function[target=aten.sum.default](args = (%y,), kwargs = {})
    %mul : f32[8] = call_function[target=aten.mul.Tensor](args = (%z, %sum), kwargs = {})
    return (%exp, %mul))");
  EXPECT_FALSE(fuse_siblings(loops.schedule, {}));
  EXPECT_EQ(kernel_names(loops.schedule), "exp; sum; mul");
}

TEST(FuseSiblings, KeepsAWriteOfAnArgumentBehindItsReaders) {
  Loops loops = loops_before("fuse_siblings", R"(graph():
    %x : f32[8] = placeholder[target=x]
    %y : f32[3, 8] = placeholder[target=y]
    %z : f32[8] = placeholder[target=z]
    %exp : f32[8] = call_function[target=aten.exp.default](args = (%z,), kwargs = {})
    %add : f32[3, 8] = call_function[target=aten.add.Tensor](args = (%y, %x), kwargs = {})
    %fill : f32[8] = call_function[target=aten.full.default](args = ([8], 1.0), kwargs = {dtype: f32})
    %write : f32[8] = call_function[target=aten.copy_.default](args = (%x, %fill), kwargs = {})
    return (%exp, %add))");
  EXPECT_FALSE(fuse_siblings(loops.schedule, {}));
}

}  // namespace
}  // namespace sinter::fusion
