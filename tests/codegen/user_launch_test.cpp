// The sources around a user's kernel, for both targets.

#include <sinter/codegen/generate_program.h>
#include <sinter/fusion/lower_to_loops.h>
#include <sinter/graph/custom/user_kernel.h>
#include <sinter/graph/text/parse_graph.h>

#include <gtest/gtest.h>

#include "support/nvrtc.h"

namespace sinter::test {
namespace {

Kernel scale() {
  return kernel("scale",
                {.cpu = "void scale(const float* x, float* y, float s, int64_t n, int64_t begin, int64_t end) {}",
                 .cuda = "extern \"C\" __global__ void scale(const float* x, float* y, float s, int64_t n) {}"});
}

constexpr const char* fresh_result = R"(graph():
    %x : f32[6] = placeholder[target=x]
    %part : f32[4] offset=2 = call_function[target=aten.slice.Tensor](args = (%x, 0, 2), kwargs = {})
    %empty : f32[4] = call_function[target=aten.empty_like.default](args = (%part,), kwargs = {})
    %launch : (f32[4],) = call_function[target=sinter.launch.default](args = ('scale', [3, 2, 1], 128, [%part, %empty], [0.5, 4]), kwargs = {})
    return (%launch,)
)";

constexpr const char* changed_result = R"(graph():
    %x : f32[4] = placeholder[target=x]
    %launch : (f32[4],) = call_function[target=sinter.launch.default](args = ('scale', [4, 1, 1], 128, [%x, %x], [0.5, 4]), kwargs = {})
    return (%launch,)
)";

template <class Target>
codegen::Program program_of(const char* text, const Target& target) {
  scale();
  static graph::Graph graph;  // the schedule names its nodes
  graph = graph::parse_graph(text);
  return codegen::generate_program(fusion::lower_to_loops(graph), target);
}

bool has(const codegen::KernelSource& source, std::string_view part) {
  return source.text.find(part) != std::string::npos;
}

TEST(UserLaunch, CallsTheKernelWithItsBuffersAndNumbers) {
  codegen::Program program = program_of(fresh_result, codegen::CppTarget{});
  ASSERT_EQ(program.kernels.size(), 1U);
  const codegen::KernelSource& source = program.kernels[0];
  EXPECT_EQ(source.name, "cpp_user_0_scale");
  EXPECT_EQ(source.range, 6);
  EXPECT_TRUE(
      has(source, "  scale((const float*)((char*)buffers[0] + 8), (float*)buffers[1], 0.5f, 4L, begin, end);\n"))
      << source.text;
  EXPECT_EQ(std::get<codegen::KernelStep>(program.steps[0].what).buffers.size(), 2U) << "%empty is no buffer of it";
}

TEST(UserLaunch, CopiesWhatTheKernelChangesFirst) {
  codegen::Program program = program_of(changed_result, codegen::CppTarget{});
  const codegen::KernelSource& source = program.kernels[0];
  EXPECT_EQ(source.range, 1);
  EXPECT_TRUE(has(source, "  __builtin_memcpy(buffers[2], (char*)buffers[1] + 0, 16);\n")) << source.text;
  EXPECT_TRUE(has(source, "(float*)buffers[2], 0.5f, 4L, 0, 4);\n")) << source.text;
}

TEST(UserLaunch, OnCudaIsAFunctionThatOursCalls) {
  codegen::Program program = program_of(fresh_result, codegen::CudaTarget{});
  const codegen::KernelSource& source = program.kernels[0];
  EXPECT_EQ(source.name, "cuda_user_0_scale");
  EXPECT_TRUE(has(source, "extern \"C\" __device__ void scale(const float* x")) << source.text;
  EXPECT_TRUE(has(source,
                  "extern \"C\" __global__ void cuda_user_0_scale(void* b0, void* b1) {\n"
                  "  scale((const float*)((char*)b0 + 8), (float*)b1, 0.5f, 4L);\n"))
      << source.text;
  ASSERT_EQ(source.launches.size(), 1U);
  for (auto [axis, blocks] : {std::pair(0, 3), {1, 2}, {2, 1}})
    EXPECT_EQ(source.launches[0].grid[size_t(axis)].constant(), blocks);
  EXPECT_EQ(source.launches[0].block, 128);
}

TEST(UserLaunch, OnCudaCopiesInALaunchOfItsOwn) {
  codegen::Program program = program_of(changed_result, codegen::CudaTarget{});
  const codegen::KernelSource& source = program.kernels[0];
  ASSERT_EQ(source.launches.size(), 2U);
  EXPECT_EQ(source.launches[0].function, "cuda_user_0_scale_copy");
  EXPECT_TRUE(has(source, "for (long i = first; i < 16; i += step) ((char*)b2)[i] = ((char*)b1 + 0)[i];"))
      << source.text;
}

TEST(UserLaunch, NvrtcTakesTheCudaSource) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  kernel("cuda_gelu", {.cuda = "#include <cstdint>\n"
                               "__global__ void cuda_gelu(const float* x, float* y, int64_t n) {\n"
                               "  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;\n"
                               "  if (i < n) y[i] = 0.5f * x[i] * (1 + erff(x[i] * 0.70710678f));\n"
                               "}\n"});
  for (const char* text : {fresh_result, changed_result, R"(graph():
    %x : f32[4] = placeholder[target=x]
    %empty : f32[4] = call_function[target=aten.empty_like.default](args = (%x,), kwargs = {})
    %launch : (f32[4],) = call_function[target=sinter.launch.default](args = ('cuda_gelu', [1, 1, 1], 128, [%x, %empty], [4]), kwargs = {})
    return (%launch,)
)"}) {
    codegen::Program program = program_of(text, codegen::CudaTarget{});
    NvrtcResult result = compile_with_nvrtc(program.kernels[0].text);
    EXPECT_TRUE(result.compiled) << result.log << "\n" << program.kernels[0].text;
  }
}

}  // namespace
}  // namespace sinter::test
