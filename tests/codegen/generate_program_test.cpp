// Programs: kernels shared and named, buffers in the order of their steps, numbers for the caller.

#include <sinter/codegen/generate_program.h>

#include "support/expect_naive.h"
#include "support/make_schedule.h"

#include <gtest/gtest.h>

namespace sinter::test {

namespace {

const Here here = Here::current();

// A node as lowering would name it as the origin of a nest.
graph::Node node_of(const OpDef& op, std::string name) {
  graph::Node node;
  node.op = &op;
  node.name = std::move(name);
  node.where = here;
  return node;
}

constinit const OpDef add_def = {.signature =
                                     "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"};
constinit const OpDef relu_def = {.signature = "aten::relu(Tensor self) -> Tensor"};

// relu(x + y) of the buffers given, as the work of the two nodes.
void add_relu(Schedule& s, int x, int y, int out, const graph::Node& add, const graph::Node& relu) {
  NestMaker m(s, "relu", {100});
  ScalarExpr a = m.load(x, {axis(0)}), b = m.load(y, {axis(0)});
  ScalarExpr value = maximum(a + b, Scalar(0.0));
  m.store(out, {axis(0)}, value);
  m.nest.origins = {&add, &relu};
  m.nest.body.origins = {0, 0, 0, 1, 1};
  add_nest(add_kernel(s, 1, 1), m, 0);
}

TEST(GenerateProgram, WritesEqualKernelsOnce) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {100}, BufferKind::input),
      first = add_buffer(s, "relu", f32, {100}, BufferKind::temporary);
  int second = add_buffer(s, "relu_1", f32, {100}, BufferKind::output);
  graph::Node add = node_of(add_def, "add"), relu = node_of(relu_def, "relu");
  add_relu(s, x, x, first, add, relu);
  add_relu(s, first, first, second, add, relu);
  codegen::Program program = codegen::generate_program(s, codegen::CppTarget{});
  ASSERT_EQ(program.steps.size(), 2u);
  EXPECT_EQ(program.kernels.size(), 2u);  // names of buffers differ: x and relu
  add_relu(s, first, first, second, add, relu);
  program = codegen::generate_program(s, codegen::CppTarget{});
  EXPECT_EQ(program.kernels.size(), 2u);
  EXPECT_EQ(std::get<codegen::KernelStep>(program.steps[2].what).kernel, 1);
  EXPECT_EQ(std::get<codegen::KernelStep>(program.steps[2].what).buffers, (std::vector<int>{first, second}));
  expect_naive(s);
}

TEST(GenerateProgram, NamesKernelsAndLinesAfterOps) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {100}, BufferKind::input), y = add_buffer(s, "y", f32, {100}, BufferKind::input);
  int out = add_buffer(s, "relu", f32, {100}, BufferKind::output);
  graph::Node add = node_of(add_def, "add"), relu = node_of(relu_def, "relu");
  add_relu(s, x, y, out, add, relu);
  codegen::Program program = codegen::generate_program(s, codegen::CppTarget{});
  const codegen::KernelSource& kernel = program.kernels[0];
  EXPECT_EQ(kernel.name, "cpp_fused_add_relu_0");
  std::string line = fmt::format("generate_program_test.cpp:{}", here.line());
  std::string wanted = fmt::format(R"(
  long i0 = begin;
  for (; i0 + N <= end; i0 += N) {{
    f32v x_0 = load(in_x + i0);  // add {0}
    f32v y_0 = load(in_y + i0);  // add {0}
    f32v add_0 = add(x_0, y_0);  // add {0}
    f32v maximum_0 = maximum(add_0, splat_f32(0.0f));  // relu {0}
    store(out_relu + i0, maximum_0);  // relu {0}
  }}
)",
                                   line);
  EXPECT_NE(kernel.text.find(wanted), std::string::npos) << kernel.text;
}

TEST(GenerateProgram, SaysHowAKernelMayBeCut) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {1 << 20}, BufferKind::input),
      out = add_buffer(s, "neg", f32, {1 << 20}, BufferKind::output);
  NestMaker m(s, "neg", {1 << 20});
  m.store(out, {axis(0)}, -m.load(x, {axis(0)}));
  add_nest(add_kernel(s, 1, 1), m, 0);
  codegen::Program program = codegen::generate_program(s, codegen::CppTarget{32});
  EXPECT_EQ(program.kernels[0].range, 1 << 20);
  EXPECT_EQ(program.kernels[0].grain % 8, 0);
  EXPECT_GE(program.kernels[0].grain, 4096);
}

// More vectors at once fill the time in which a chain waits.
TEST(GenerateProgram, TakesWiderVectorsForLongChains) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {1000}, BufferKind::input),
      out = add_buffer(s, "out", f32, {1000}, BufferKind::output);
  NestMaker m(s, "chain", {1000});
  ScalarExpr value = m.load(x, {axis(0)});
  for (int i = 0; i < 100; ++i) value = i % 2 ? value * Scalar(0.99) : value + Scalar(0.01 * i);
  m.store(out, {axis(0)}, value);
  add_nest(add_kernel(s, 1, 1), m, 0);
  EXPECT_NE(codegen::generate_program(s, codegen::CppTarget{32}).kernels[0].text.find("enum { N = 32 }"),
            std::string::npos);
  expect_naive(s);
}

// Two arguments may be views of one storage: a write through one may change the other.
TEST(GenerateProgram, ExpectsArgumentsToShareMemory) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {64}, BufferKind::input), y = add_buffer(s, "y", f32, {64}, BufferKind::input);
  NestMaker m(s, "copy", {64});
  m.store(x, {axis(0)}, m.load(y, {axis(0)}));
  add_nest(add_kernel(s, 1, 1), m, 0);
  EXPECT_EQ(codegen::generate_program(s, codegen::CppTarget{}).kernels[0].text.find("__restrict"), std::string::npos);
}

}  // namespace

}  // namespace sinter::test
