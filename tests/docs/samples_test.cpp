// Runs the samples and looks at what they print.

#include "support/run_command.h"

#include <gtest/gtest.h>

namespace sinter::test {
namespace {

CommandResult run_sample(const std::string& name_and_arguments) {
  return run_command(SINTER_BINARY_DIR "/samples/" + name_and_arguments);
}

class Samples : public testing::Test {
 protected:
  void SetUp() override {
    if (!SINTER_HAS_SAMPLES) GTEST_SKIP() << "built without samples";
  }
};

TEST_F(Samples, FuseThreeOps) {
  CommandResult result = run_sample("01_fuse_three_ops");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(shows(result.output, R"([[ 3.,  0.,  4.],
 [ 0., 12.,  0.]] f32[2, 3]

...
3 ops -> 1 kernel, cpp_fused_add_relu_mul_0
)")) << result.output;
}

TEST_F(Samples, Softmax) {
  CommandResult result = run_sample("02_softmax");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(shows(result.output, R"(sums of the rows are 1: 1
equal to softmax run op by op: 1
...
1 kernel, 16384000 bytes read, 16384000 written
)")) << result.output;
}

TEST_F(Samples, MlpBlock) {
  CommandResult result = run_sample("03_mlp_block");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(shows(result.output, R"(equal to the block run op by op: 1

library aten::mm.default: mm
kernel  cpp_fused_add_gelu_0: add gelu
library aten::mm.default: mm_1
...
)")) << result.output;
}

TEST_F(Samples, CustomOp) {
  CommandResult result = run_sample("05_custom_op");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(shows(result.output, R"(-- no fake function: it can't be traced
...
-- a fake function, but nothing that compiled code may call
...
-- the same on the eager backend: capture is right
[-0.3173,  0.6915,  3.9090] f32[3]

-- all of it
[-0.3173,  0.6915,  3.9090] f32[3]

call   mylib::gelu.default
kernel cpp_fused_mul_0

-- a formula: one kernel
[-0.3173,  0.6915,  3.9090] f32[3]

kernel cpp_fused_gelu_exact_mul_0

-- a formula as C++ text
[-0.5000,  1.0000,  4.0000] f32[3]

-- a loop kernel, between two of ours
[-0.3173,  0.6915,  3.9090] f32[3]

kernel cpp_fused_add_0
kernel cpp_user_1_gelu_loop
kernel cpp_fused_mul_2
...
)")) << result.output;
  EXPECT_NE(result.output.find("trace error: 05_custom_op.cpp:"), std::string::npos);
  EXPECT_NE(result.output.find("backend error: 05_custom_op.cpp:"), std::string::npos);
}

TEST_F(Samples, Cuda) {
  CommandResult result = run_sample("06_cuda");
  EXPECT_EQ(result.status, 0);
  bool ran =
      shows(result.output, "the GPU's result is on cuda:0; its largest difference from the CPU's is below 1e-5\n...");
  EXPECT_TRUE(ran || shows(result.output, "this machine has no CUDA device; the sample has nothing to show\n"))
      << result.output;
}

TEST_F(Samples, ExplainPrintsEveryStageOfEveryFunction) {
  for (const char* name : {"relu", "gelu", "softmax", "layer_norm", "columns", "linear"})
    for (const char* stage : {"trace", "graph", "loops", "fused", "source", "asm", "all", "json", "dot"}) {
      CommandResult result = run_sample(std::string("explain --emit=") + stage + " " + name);
      EXPECT_EQ(result.status, 0) << stage << " " << name;
      EXPECT_GT(result.output.size(), 50u) << stage << " " << name;
    }
}

TEST_F(Samples, ExplainShowsMachineCode) {
  EXPECT_NE(run_sample("explain --emit=asm relu").output.find("cpp_fused_add_relu_mul_0:"), std::string::npos);
}

TEST_F(Samples, ExplainNamesWhatItKnows) { EXPECT_EQ(run_sample("explain --emit=nothing relu 2>/dev/null").status, 1); }

TEST_F(Samples, DemoShowsTheWholeWay) {
  CommandResult result = run_sample("demo");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.find("DIFFER"), std::string::npos);
  for (const char* part : {"-- the captured graph", "-- fusion", "-- the generated C++", "extern \"C\" void cpp_fused",
                           "bit for bit", "loop by hand"})
    EXPECT_NE(result.output.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace sinter::test
