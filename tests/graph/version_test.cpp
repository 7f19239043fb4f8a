// The version is the one that the build declares.

#include <gtest/gtest.h>
#include <sinter/graph/version.h>

namespace sinter {
namespace {

TEST(Version, HasThreeNumbers) {
  int dots = 0;
  for (char c : version()) dots += c == '.';
  EXPECT_EQ(dots, 2);
}

}  // namespace
}  // namespace sinter
