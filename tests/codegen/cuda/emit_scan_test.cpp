// Running values as CUDA: a team for each row, a thread for each line, with what stands before and behind them.

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

#include "support/expect_cuda.h"
#include "support/loops_of.h"

namespace sinter::test {

namespace {

Loops cuda_loops(const std::string& text) { return scheduled(text, codegen::fusion_limits(codegen::CudaTarget{})); }

std::string scan_of(const std::string& op, const std::string& type, int dim) {
  return fmt::format(R"(graph():
    %x : {1} = placeholder[target=x]
    %three : {1} = call_function[target=aten.mul.Scalar](args = (%x, 3), kwargs = {{}})
    %scan : {1} = call_function[target=aten.{0}.default](args = (%three, {2}), kwargs = {{}})
    %twice : {1} = call_function[target=aten.mul.Scalar](args = (%scan, 2), kwargs = {{}})
    return (%twice,))",
                     op, type, dim);
}

TEST(CudaScans, RunWithTheirNeighboursInOneKernel) {
  for (auto [type, tolerance] : {std::pair("f32", 1e-5), {"i64", 0.0}, {"bf16", 1e-2}}) {
    std::vector<Loops> graphs;
    std::vector<fusion::Schedule> schedules;
    for (const char* sizes : {"5, 3000", "70, 40", "3, 7", "2, 20000", "9, 1001"})
      for (int dim : {0, 1}) graphs.push_back(cuda_loops(scan_of("cumsum", fmt::format("{}[{}]", type, sizes), dim)));
    graphs.push_back(cuda_loops(scan_of("cumprod", fmt::format("{}[4, 6]", type), 1)));
    for (const Loops& loops : graphs) {
      codegen::Program program = cuda_program(loops.schedule);
      ASSERT_EQ(program.kernels.size(), 1u);
      EXPECT_EQ(program.kernels[0].launches.size(), 1u);
      schedules.push_back(loops.schedule);
    }
    expect_cuda(joined(schedules), tolerance);
  }
}

TEST(CudaScans, KeepTheLargestAndItsPlace) {
  std::vector<Loops> graphs;
  std::vector<fusion::Schedule> schedules;
  for (const char* sizes : {"5, 3000", "33, 17"})
    for (int dim : {0, 1})
      for (const char* op : {"cummax", "cummin"})
        graphs.push_back(cuda_loops(fmt::format(R"(graph():
    %x : f32[{0}] = placeholder[target=x]
    %scan : (f32[{0}], i64[{0}]) = call_function[target=aten.{1}.default](args = (%x, {2}), kwargs = {{}})
    return (%scan#0, %scan#1))",
                                                sizes, op, dim)));
  for (const Loops& loops : graphs) schedules.push_back(loops.schedule);
  expect_cuda(joined(schedules), 0);
}

}  // namespace

}  // namespace sinter::test
