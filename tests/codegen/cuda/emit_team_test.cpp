// Kernels with reductions as CUDA: teams of threads for each row or column, and segments of long ones.

#include "support/expect_cuda.h"
#include "support/loops_of.h"
#include "support/make_schedule.h"

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

namespace sinter::test {

namespace {

codegen::Program program_of(std::string_view text) {
  return cuda_program(scheduled(text, codegen::fusion_limits(codegen::CudaTarget{})).schedule);
}

// All in one program.
void expect_graphs(const std::vector<std::string>& texts, double tolerance = 1e-5) {
  std::vector<Loops> graphs;
  std::vector<Schedule> schedules;
  for (const std::string& text : texts) {
    graphs.push_back(scheduled(text, codegen::fusion_limits(codegen::CudaTarget{})));
    schedules.push_back(graphs.back().schedule);
  }
  expect_cuda(joined(schedules), tolerance);
}

std::string softmax(int rows, int columns, std::string_view dtype = "f32", int dim = 1) {
  return fmt::format(R"(graph():
    %x : {2}[{0}, {1}] = placeholder[target=x]
    %softmax : {2}[{0}, {1}] = call_function[target=aten._softmax.default](args = (%x, {3}, false), kwargs = {{}})
    return (%softmax,))",
                     rows, columns, dtype, dim);
}

std::string reduction(std::string_view op, int rows, int columns, int dim) {
  return fmt::format(R"(graph():
    %x : f32[{0}, {1}] = placeholder[target=x]
    %r : f32[{2}] = call_function[target=aten.{3}](args = (%x, [{4}]), kwargs = {{}})
    return (%r,))",
                     rows, columns, dim == 0 ? columns : rows, op, dim);
}

TEST(CudaTeams, RunSoftmaxOfAnyRow) {
  std::vector<std::string> graphs;
  for (int columns : {1, 3, 7, 32, 100, 1000, 1001, 4096}) graphs.push_back(softmax(5, columns));
  graphs.push_back(softmax(300, 8));
  for (int dim : {0, 1}) graphs.push_back(softmax(50, 70, "f32", dim));
  expect_graphs(graphs);
  expect_graphs({softmax(37, 64, "bf16"), softmax(2, 16, "f16", 0)}, 1e-2);
}

TEST(CudaTeams, KeepSoftmaxInOneLaunch) {
  codegen::Program program = program_of(softmax(16384, 4096));
  ASSERT_EQ(program.kernels.size(), 1u);
  ASSERT_EQ(program.kernels[0].launches.size(), 1u);
  EXPECT_EQ(program.kernels[0].launches[0].grid[0], 16384);
  EXPECT_EQ(program.kernels[0].partial_bytes, 0);
}

// What is stored once a row says nothing of how the row is read.
TEST(CudaTeams, GiveRowsToTeamsThatStoreOneNumber) {
  for (std::string_view op : {"sum.dim_IntList", "amax.default", "var.dim"})
    EXPECT_EQ(program_of(reduction(op, 16384, 4096, 1)).kernels[0].launches[0].grid[0], 16384) << op;
  EXPECT_LT(program_of(reduction("sum.dim_IntList", 4096, 16384, 0)).kernels[0].launches[0].grid[0], 1024);
}

// The row is read once: what a nest loads or computes stays in its thread's registers for the next.
TEST(CudaTeams, KeepRowsInRegisters) {
  codegen::Program program = program_of(softmax(16384, 4096));
  const std::string& text = program.kernels[0].text;
  EXPECT_NE(text.find("Pack<float, 4> row_x_0[4];"), std::string::npos) << text;
  size_t first = text.find("load_pack_n<4>(in_x");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("load_pack_n<4>(in_x", first + 1), std::string::npos) << text;
  EXPECT_LT(program.kernels[0].launches[0].shared_bytes, 100);
}

TEST(CudaTeams, ReduceRowsAndColumns) {
  std::vector<std::string> sums, extremes;
  for (int dim : {0, 1}) {
    for (auto [rows, columns] : {std::pair(3, 5), {100, 40}, {64, 1024}, {1000, 33}, {1, 70}, {70, 1}})
      sums.push_back(reduction("sum.dim_IntList", rows, columns, dim));
    sums.push_back(reduction("mean.dim", 48, 200, dim));
    sums.push_back(reduction("var.dim", 48, 200, dim));
    extremes.push_back(reduction("amax.default", 48, 200, dim));
    extremes.push_back(reduction("amin.default", 200, 7, dim));
  }
  expect_graphs(sums);
  expect_graphs(extremes, 0);
}

// Mean and variance of columns take one pass; the mean may lie far off.
TEST(CudaTeams, TakeDeviationsWithTheirMean) {
  std::string text = R"(graph():
    %x : f32[300, 40] = placeholder[target=x]
    %far : f32[300, 40] = call_function[target=aten.add.Scalar](args = (%x, 1000.0), kwargs = {})
    %r : (f32[40], f32[40]) = call_function[target=aten.var_mean.dim](args = (%far, [0]), kwargs = {})
    return (%r,))";
  codegen::Program program = program_of(text);
  const std::string& source = program.kernels[0].text;
  size_t first = source.find("load_splat(in_x");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(source.find("load_splat(in_x", first + 1), std::string::npos) << source;
  expect_graphs({text}, 1e-4);
}

TEST(CudaTeams, CutLongReductionsIntoSegments) {
  std::string text = R"(graph():
    %x : f32[600000] = placeholder[target=x]
    %mul : f32[600000] = call_function[target=aten.mul.Tensor](args = (%x, %x), kwargs = {})
    %sum : f32[] = call_function[target=aten.sum.default](args = (%mul,), kwargs = {})
    %sqrt : f32[] = call_function[target=aten.sqrt.default](args = (%sum,), kwargs = {})
    return (%sqrt,))";
  codegen::Program program = program_of(text);
  ASSERT_EQ(program.kernels.size(), 1u);
  EXPECT_EQ(program.kernels[0].launches.size(), 2u);
  EXPECT_GT(program.kernels[0].launches[0].grid[0], 50);
  EXPECT_EQ(program.kernels[0].launches[1].grid[0], 1);
  EXPECT_GT(program.kernels[0].partial_bytes, 0);
  expect_graphs({text, reduction("sum.dim_IntList", 2, 200000, 1), reduction("sum.dim_IntList", 100000, 3, 0),
                 reduction("amax.default", 2, 200001, 1)});
}

// What depends on the mean of everything comes in launches of its own.
TEST(CudaTeams, LaunchNestsOfOneLongItemSeparately) {
  std::string text = R"(graph():
    %x : f32[300000] = placeholder[target=x]
    %mean : f32[] = call_function[target=aten.mean.default](args = (%x,), kwargs = {})
    %sub : f32[300000] = call_function[target=aten.sub.Tensor](args = (%x, %mean), kwargs = {})
    %amax : f32[] = call_function[target=aten.amax.default](args = (%sub,), kwargs = {})
    return (%sub, %amax))";
  expect_graphs({text});
}

TEST(CudaTeams, RunGraphs) {
  expect_graphs({R"(graph():
    %x : f32[40, 96] = placeholder[target=x]
    %r : f32[40, 96] = placeholder[target=r]
    %w : f32[96] = placeholder[target=w]
    %b : f32[96] = placeholder[target=b]
    %add : f32[40, 96] = call_function[target=aten.add.Tensor](args = (%x, %r), kwargs = {})
    %norm : (f32[40, 96], f32[40, 1], f32[40, 1]) = call_function[target=aten.native_layer_norm.default](args = (%add, [96], %w, %b, 1e-05), kwargs = {})
    return (%norm, %add))",
                 R"(graph():
    %x : f32[4, 6, 50] = placeholder[target=x]
    %sum : f32[6] = call_function[target=aten.sum.dim_IntList](args = (%x, [0, 2]), kwargs = {})
    %max : f32[4, 50] = call_function[target=aten.amax.default](args = (%x, [1]), kwargs = {})
    return (%sum, %max))"});
  expect_graphs({R"(graph():
    %x : f32[40, 96] = placeholder[target=x]
    %argmax : i64[40] = call_function[target=aten.argmax.default](args = (%x, 1), kwargs = {})
    return (%argmax,))",
                 R"(graph():
    %x : i32[7, 50] = placeholder[target=x]
    %gt : bool[7, 50] = call_function[target=aten.gt.Scalar](args = (%x, 3), kwargs = {})
    %any : bool[7] = call_function[target=aten.any.dim](args = (%gt, 1), kwargs = {})
    %all : bool[] = call_function[target=aten.all.default](args = (%gt,), kwargs = {})
    %sum : i64[7] = call_function[target=aten.sum.dim_IntList](args = (%x, [1]), kwargs = {})
    return (%any, %all, %sum))",
                 R"(graph():
    %x : f32[5, 0] = placeholder[target=x]
    %sum : f32[5] = call_function[target=aten.sum.dim_IntList](args = (%x, [1]), kwargs = {})
    return (%sum,))"},
                0);
}

// x.t() + y goes through tiles.
TEST(CudaTiles, TransposeThroughSharedMemory) {
  std::string text = R"(graph():
    %x : f32[100, 70] = placeholder[target=x]
    %y : f32[70, 100] = placeholder[target=y]
    %t : f32[70, 100] strides=[1, 70] = call_function[target=aten.permute.default](args = (%x, [1, 0]), kwargs = {})
    %add : f32[70, 100] = call_function[target=aten.add.Tensor](args = (%y, %t), kwargs = {})
    return (%add,))";
  codegen::Program program = program_of(text);
  EXPECT_NE(program.kernels[0].text.find("__shared__ float tile_x_0[32][33];"), std::string::npos);
  EXPECT_EQ(program.kernels[0].launches[0].grid[0], 12);
  expect_graphs({text}, 0);
}

}  // namespace

}  // namespace sinter::test
