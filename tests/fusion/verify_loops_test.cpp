// Loop nests that are broken in one way each.

#include <sinter/fusion/verify_loops.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"
#include "support/make_schedule.h"

namespace sinter::fusion {
namespace {

using namespace test;

// sums[i0] = sum over i1 of exp(x[i0, i1])
Schedule sound_schedule() {
  Schedule s;
  int x = add_buffer(s, "x", f32, {4, 8}, BufferKind::input);
  int out = add_buffer(s, "sums", f32, {4}, BufferKind::output);
  NestMaker m(s, "sum", {4}, {8});
  m.reduce(out, {axis(0)}, exp(m.load(x, {axis(0), axis(1)})), ReductionKind::sum, /*wide=*/true);
  add_nest(add_kernel(s, 1, 1), m, 1);
  s.results = {{out, s.buffers[out].layout}};
  return s;
}

// The first line of the message after the schedule is broken so, or nothing.
std::string fault_of(void (*break_loops)(Schedule&, Nest&)) {
  Schedule schedule = sound_schedule();
  break_loops(schedule, schedule.kernels[0].nests[0]);
  try {
    verify(schedule);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    return error.message().substr(0, error.message().find('\n'));
  }
  return {};
}

TEST(VerifyLoops, AcceptsSoundLoops) {
  EXPECT_EQ(fault_of([](Schedule&, Nest&) {}), "");
}

TEST(VerifyLoops, ShowsTheTextOfTheNest) {
  Schedule schedule = sound_schedule();
  schedule.kernels[0].nests[0].body.dag.nodes[1].operands[0] = 5;
  try {
    verify(schedule);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), R"(internal: verify_loops: nest sum: an operand comes later than its use
nest sum [i0 < 4, i1 < 8 reduce vector]
  reduce sums[i0] = sum (lanes 64) of exp(?)
)");
  }
}

TEST(VerifyLoops, RefusesWrongAxes) {
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) { std::swap(nest.axes[0], nest.axes[1]); }),
            "internal: verify_loops: nest sum: a shared axis is reduced");
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) { nest.stores[0].reduction = ReductionKind::none; }),
            "internal: verify_loops: nest sum: it has reduction axes and no reduction");
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) { nest.vector_axis = 2; }),
            "internal: verify_loops: nest sum: its vector axis is none of its axes");
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) { nest.axes.clear(); }),
            "internal: verify_loops: nest sum: it lacks a shared axis");
}

TEST(VerifyLoops, RefusesWrongTypes) {
  EXPECT_EQ(fault_of([](Schedule& s, Nest&) { s.buffers[0].dtype = f64; }),
            "internal: verify_loops: nest sum: a load has another type than its buffer");
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) {
              auto& nodes = nest.body.dag.nodes;
              nodes.push_back({ScalarOp::constant, f64});
              nodes.push_back({ScalarOp::add, f32, {1, 2, -1}});
            }),
            "internal: verify_loops: nest sum: operands differ in type");
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) { nest.body.dag.nodes.push_back({ScalarOp::add, f64, {0, 1, -1}}); }),
            "internal: verify_loops: nest sum: a value has another type than its operands");
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) { nest.body.dag.nodes.push_back({ScalarOp::add, f32, {0, -1, -1}}); }),
            "internal: verify_loops: nest sum: an operand is missing");
}

TEST(VerifyLoops, RefusesAccessesOutsideOfABuffer) {
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) { nest.stores[0].index = {axis(0) + IndexExpr(1)}; }),
            "internal: verify_loops: nest sum: a store leaves its buffer");
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) { nest.body.loads[0].index[1] = axis(1) - IndexExpr(1); }),
            "internal: verify_loops: nest sum: a load leaves its buffer");
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) { nest.body.loads[0].index.pop_back(); }),
            "internal: verify_loops: nest sum: an index has not as many parts as its buffer has dims");
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) { nest.stores[0].buffer = 9; }),
            "internal: verify_loops: nest sum: an access names no buffer");
}

TEST(VerifyLoops, LetsAMaskedLoadLeaveItsBuffer) {
  EXPECT_EQ(fault_of([](Schedule&, Nest& nest) {
              auto& nodes = nest.body.dag.nodes;
              ScalarNode load = nodes[0];
              nodes[0] = {ScalarOp::constant, boolean};
              load.operands[0] = 0;
              nodes[1] = load;
              nest.body.loads[0].index[1] = axis(1) + IndexExpr(3);
            }),
            "");
}

// The passes' own results, with a cat (masks), a transpose, a softmax and a library call in them.
TEST(VerifyLoops, AcceptsWhatThePassesMake) {
  for (std::string_view text : {R"(graph():
    %x : f32[4, 8] = placeholder[target=x]
    %y : f32[8, 4] = placeholder[target=y]
    %t : f32[4, 8] strides=[1, 4] = call_function[target=aten.t.default](args = (%y,), kwargs = {})
    %cat : f32[8, 8] = call_function[target=aten.cat.default](args = ([%x, %t],), kwargs = {})
    %s : f32[8, 8] = call_function[target=aten._softmax.default](args = (%cat, -1, false), kwargs = {})
    return (%s,))",
                                R"(graph():
    %x : bf16[4, 8] = placeholder[target=x]
    %w : bf16[2, 8] = placeholder[target=w]
    %b : bf16[2] = placeholder[target=b]
    %l : bf16[4, 2] = call_function[target=aten.linear.default](args = (%x, %w, %b), kwargs = {})
    %gelu : bf16[4, 2] = call_function[target=aten.gelu.default](args = (%l,), kwargs = {})
    %lt : bool[4, 2] = call_function[target=aten.lt.Scalar](args = (%gelu, 0), kwargs = {})
    %where : bf16[4, 2] = call_function[target=aten.where.self](args = (%lt, %l, %gelu), kwargs = {})
    return (%where,))"})
    EXPECT_NO_THROW(verify(scheduled(text).schedule));
}

}  // namespace
}  // namespace sinter::fusion
