// The text of programs.

#include <gtest/gtest.h>
#include <sinter/codegen/generate_program.h>

#include "support/loops_of.h"

namespace sinter::codegen {
namespace {

TEST(PrintProgram, ShowsBuffersStepsAndResults) {
  test::Loops loops = test::scheduled(R"(graph():
    %x : f32[4, 8] = placeholder[target=x]
    %w : f32[8, 2] = placeholder[target=w]
    %exp : f32[4, 8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %mm : f32[4, 2] = call_function[target=aten.mm.default](args = (%exp, %w), kwargs = {})
    return (%mm, None))");
  EXPECT_EQ("\n" + to_string(generate_program(loops.schedule, CppTarget{})), R"(
program: 1 kernels, arena of 128 bytes
  buffer x : f32[4, 8] input 0
  buffer w : f32[8, 2] input 1
  buffer exp : f32[4, 8] temporary, 128 bytes at 0
  buffer mm : f32[4, 2] output, 32 bytes
  cpp_fused_exp_0(x, exp) range 32
  aten::mm.default(exp, w) -> mm
  return mm
  return none
)");
}

}  // namespace
}  // namespace sinter::codegen
