// Runs the programs of README.md and compares what they print with the block that follows each there.

#include "support/run_command.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <vector>

namespace sinter::test {
namespace {

std::string readme() {
  std::ifstream file(SINTER_SOURCE_DIR "/README.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

// What follows each ```cpp block that has a main: the contents of the next block.
std::vector<std::string> promised_outputs() {
  std::vector<std::string> outputs;
  std::string text = readme();
  for (size_t at = text.find("```cpp\n"); at != std::string::npos; at = text.find("```cpp\n", at + 1)) {
    size_t end = text.find("\n```\n", at);
    if (text.substr(at, end - at).find("int main") == std::string::npos) continue;
    size_t begin = text.find('\n', text.find("```", end + 5)) + 1;
    outputs.push_back(text.substr(begin, text.find("```", begin) - begin));
  }
  return outputs;
}

TEST(Readme, ItsProgramsPrintWhatItSays) {
  std::vector<std::string> outputs = promised_outputs();
  ASSERT_EQ(outputs.size(), SINTER_README_PROGRAMS);
  ASSERT_GT(outputs.size(), 0u);
  for (size_t i = 0; i < outputs.size(); ++i) {
    CommandResult result = run_command(SINTER_BINARY_DIR "/docs/readme_" + std::to_string(i));
    EXPECT_EQ(result.status, 0);
    EXPECT_TRUE(shows(result.output, outputs[i])) << "program " << i << " prints\n" << result.output;
  }
}

// The kernel that it shows is the demo's.
TEST(Readme, ItsKernelIsWhatTheDemoPrints) {
  if (!SINTER_HAS_SAMPLES) GTEST_SKIP() << "built without samples";
  std::string text = readme();
  size_t begin = text.find("extern \"C\"");
  ASSERT_NE(begin, std::string::npos);
  std::string kernel = text.substr(begin, text.find("```", begin) - begin);
  std::string output = run_command(SINTER_BINARY_DIR "/samples/demo").output;
  EXPECT_NE(output.find(kernel), std::string::npos) << output;
}

TEST(Shows, ComparesLinesAndSkipsWhereDotsStand) {
  EXPECT_TRUE(shows("a\nb\nc\n", "a\nb\nc\n"));
  EXPECT_TRUE(shows("a\nb\nc\n", "a\n...\nc\n"));
  EXPECT_TRUE(shows("a\nb\nc\n", "...\nb\n...\n"));
  EXPECT_FALSE(shows("a\nb\nc\n", "a\nb\n"));
  EXPECT_FALSE(shows("a\nb\nc\n", "a\nc\n"));
  EXPECT_FALSE(shows("a\nb\nc\n", "...\nc\n...\nb\n...\n"));
}

}  // namespace
}  // namespace sinter::test
