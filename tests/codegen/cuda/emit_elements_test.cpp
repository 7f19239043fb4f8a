// Pointwise kernels as CUDA: which accesses are packs, and their results.

#include "support/expect_cuda.h"
#include "support/loops_of.h"
#include "support/make_schedule.h"

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

namespace sinter::test {

namespace {

Loops cuda_loops(std::string_view text) { return scheduled(text, codegen::fusion_limits(codegen::CudaTarget{})); }

std::string body_of(const codegen::KernelSource& kernel) {
  return kernel.text.substr(kernel.text.find("extern \"C\""));
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string::npos; }

// out = (x + y) * 3 over one axis.
Schedule flat(DType dtype, int64_t size) {
  Schedule s;
  int x = add_buffer(s, "x", dtype, {size}, BufferKind::input),
      y = add_buffer(s, "y", dtype, {size}, BufferKind::input);
  int out = add_buffer(s, "mul", dtype, {size}, BufferKind::output);
  NestMaker m(s, "mul", {size});
  DType work = compute_type(dtype);
  ScalarExpr a = m.builder.convert(m.load(x, {axis(0)}), work), b = m.builder.convert(m.load(y, {axis(0)}), work);
  ScalarExpr sum = m.builder.convert(m.builder.convert(a + b, dtype), work);
  m.store(out, {axis(0)}, dtype == boolean ? sum : sum * Scalar(3));
  add_nest(add_kernel(s, 1, 1), m, 0);
  return s;
}

TEST(CudaElements, RunEveryTypeAndLength) {
  std::vector<Schedule> schedules;
  for (DType dtype : all_dtypes) {
    for (int64_t size : {1, 3, 4, 7, 8, 64, 65, 1000, 1003}) schedules.push_back(flat(dtype, size));
  }
  expect_cuda(joined(schedules));
}

TEST(CudaElements, MoveSixteenBytesAThread) {
  for (auto [dtype, count] : {std::pair(f32, 4), {f64, 2}, {bf16, 8}, {i8, 8}}) {
    codegen::Program program = cuda_program(flat(dtype, 4096));
    std::string body = body_of(program.kernels[0]);
    EXPECT_TRUE(contains(body, fmt::format("load_pack_n<{0}>(in_x + i0_begin, {0})", count))) << body;
    EXPECT_TRUE(contains(body, "store_pack(out_mul + i0_begin, pack_mul_0);")) << body;
    EXPECT_EQ(program.kernels[0].launches.size(), 1u);
    EXPECT_EQ(program.kernels[0].launches[0].grid[0], 4096 / count / 256);
    EXPECT_EQ(program.kernels[0].launches[0].block, 256);
  }
}

TEST(CudaElements, IndexInSixtyFourBitsWhereNeeded) {
  Schedule s = flat(f32, int64_t{1} << 31);
  EXPECT_TRUE(contains(body_of(cuda_program(s).kernels[0]), "const long at = (long)blockIdx.x * 256"));
  EXPECT_TRUE(contains(body_of(cuda_program(flat(f32, 1 << 20)).kernels[0]), "const int at = (int)blockIdx.x * 256"));
}

TEST(CudaElements, BroadcastAndStride) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {5, 6, 20}, BufferKind::input), y = add_buffer(s, "y", f32, {6}, BufferKind::input);
  int z = add_buffer(s, "z", f32, {20}, BufferKind::input), one = add_buffer(s, "one", f32, {}, BufferKind::input);
  int out = add_buffer(s, "out", f32, {5, 6, 20}, BufferKind::output);
  int half = add_buffer(s, "half", bf16, {5, 6, 20}, BufferKind::output);
  int strided = add_strided(s, "strided", f32, {{5, 6, 20}, {300, 41, 2}, 7}, BufferKind::input);
  NestMaker m(s, "add", {5, 6, 20});
  ScalarExpr value = m.load(x, {axis(0), axis(1), axis(2)}) * m.load(y, {axis(1)}) + m.load(z, {axis(2)});
  value = value + m.load(strided, {axis(0), axis(1), axis(2)});
  m.store(out, {axis(0), axis(1), axis(2)}, value + m.load(one, {}));
  m.store(half, {axis(0), axis(1), axis(2)}, value);
  add_nest(add_kernel(s, 3, 3), m, 2);
  expect_cuda(s);
}

TEST(CudaElements, ReadQuotientsAndMasks) {
  Schedule s;
  int x = add_strided(s, "x", f32, {{37}, {3}, 5}, BufferKind::input);
  int y = add_buffer(s, "y", f32, {7, 6}, BufferKind::input);
  int out = add_strided(s, "out", f32, {{37}, {2}, 1}, BufferKind::output);
  SymDims extents{37};
  NestMaker m(s, "add", {37});
  ScalarExpr position = m.index(axis(0) - 3);
  ScalarExpr mask = m.builder.apply(ScalarOp::ge, {position, m.builder.constant(Scalar(0), i64)});
  ScalarExpr value = m.load(x, {axis(0)}) + m.load(y, {floor_div(axis(0), 6, extents), mod(axis(0), 6, extents)}) +
                     m.load(y, {mod(axis(0), 7, extents), 2}) + m.load(x, {axis(0) - 3}, mask.id) +
                     m.load(x, {mirror(axis(0) - 5, 20, extents)}) + m.load(x, {clamp(axis(0) - 5, 20, extents)}) +
                     m.load(y, {mod(axis(0) - 40, 7, extents), 1});
  m.store(out, {axis(0)}, value);
  add_nest(add_kernel(s, 1, 1), m, 0);
  expect_cuda(s);
}

TEST(CudaElements, RunGraphs) {
  std::vector<Loops> graphs;
  std::vector<Schedule> schedules;
  for (std::string_view text : {
           R"(graph():
    %x : f32[64, 24] = placeholder[target=x]
    %y : f32[24] = placeholder[target=y]
    %add : f32[64, 24] = call_function[target=aten.add.Tensor](args = (%x, %y), kwargs = {})
    %relu : f32[64, 24] = call_function[target=aten.relu.default](args = (%add,), kwargs = {})
    %t : f32[24, 64] strides=[1, 24] = call_function[target=aten.permute.default](args = (%relu, [1, 0]), kwargs = {})
    %mul : f32[24, 64] strides=[1, 24] = call_function[target=aten.mul.Scalar](args = (%t, 2.0), kwargs = {})
    return (%relu, %mul))",
           R"(graph():
    %x : f32[64, 24] = placeholder[target=x]
    %y : f32[64, 8] = placeholder[target=y]
    %cat : f32[64, 32] = call_function[target=aten.cat.default](args = ([%x, %y], 1), kwargs = {})
    %exp : f32[64, 32] = call_function[target=aten.exp.default](args = (%cat,), kwargs = {})
    return (%exp,))",
           R"(graph():
    %x : f16[6, 40] = placeholder[target=x]
    %pad : f16[8, 44] = call_function[target=aten.constant_pad_nd.default](args = (%x, [1, 3, 2, 0], 1.5), kwargs = {})
    %gelu : f16[8, 44] = call_function[target=aten.gelu.default](args = (%pad,), kwargs = {})
    return (%gelu,))",
           R"(graph():
    %w : f32[50, 16] = placeholder[target=w]
    %i : i64[3, 5] = placeholder[target=i]
    %zero : i64[3, 5] = call_function[target=aten.mul.Scalar](args = (%i, 0), kwargs = {})
    %index : i64[3, 5] = call_function[target=aten.add.Scalar](args = (%zero, 7), kwargs = {})
    %embedding : f32[3, 5, 16] = call_function[target=aten.embedding.default](args = (%w, %index), kwargs = {})
    return (%embedding,))",
           R"(graph():
    %x : f32[0, 7] = placeholder[target=x]
    %exp : f32[0, 7] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    return (%exp,))",
       }) {
    graphs.push_back(cuda_loops(text));
    schedules.push_back(graphs.back().schedule);
  }
  expect_cuda(joined(schedules));
}

// The stretches of a joined row are one launch, each with blocks of its own.
TEST(CudaElements, GiveStretchesBlocksOfTheirOwn) {
  Loops loops = cuda_loops(R"(graph():
    %x : f32[64, 24] = placeholder[target=x]
    %y : f32[64, 8] = placeholder[target=y]
    %cat : f32[64, 32] = call_function[target=aten.cat.default](args = ([%x, %y], 1), kwargs = {})
    return (%cat,))");
  codegen::Program program = cuda_program(loops.schedule);
  ASSERT_EQ(program.kernels.size(), 1u);
  EXPECT_EQ(program.kernels[0].launches.size(), 1u);
  EXPECT_TRUE(contains(body_of(program.kernels[0]), "if (blockIdx.x >= 2 && blockIdx.x < 3) {"));
}

}  // namespace

}  // namespace sinter::test
