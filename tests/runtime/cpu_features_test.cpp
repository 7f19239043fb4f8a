// What the machine is said to have is sane, and names go both ways.

#include <gtest/gtest.h>
#include <sinter/graph/error.h>
#include <sinter/runtime/cpu_features.h>

#include <thread>

namespace sinter::runtime {
namespace {

TEST(CpuFeatures, NamesAndParsesEveryInstructionSet) {
  for (Isa isa : {Isa::generic, Isa::sse42, Isa::avx2, Isa::avx512}) EXPECT_EQ(parse_isa(name(isa)), isa);
}

TEST(CpuFeatures, AnUnknownInstructionSetIsAnErrorThatListsTheKnown) {
  try {
    parse_isa("mmx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::argument);
    EXPECT_EQ(error.message(), "isa: there is no instruction set 'mmx'");
    EXPECT_EQ(error.need(), "one of generic, sse42, avx2, avx512");
  }
}

TEST(CpuFeatures, TheBestInstructionSetIsSupported) {
  EXPECT_TRUE(is_supported(Isa::generic));
  EXPECT_TRUE(is_supported(detect_isa()));
}

TEST(CpuFeatures, VectorsGrowWithTheInstructionSet) {
  EXPECT_EQ(vector_bytes(Isa::sse42), 16);
  EXPECT_EQ(vector_bytes(Isa::avx2), 32);
  EXPECT_EQ(vector_bytes(Isa::avx512), 64);
}

TEST(CpuFeatures, SizesAreOfARealMachine) {
  EXPECT_GE(cache_sizes().level1_data, 8 << 10);
  EXPECT_GT(cache_sizes().level2, cache_sizes().level1_data);
  EXPECT_GE(available_cores(), 1);
  EXPECT_LE(available_cores(), static_cast<int>(std::thread::hardware_concurrency()));
  EXPECT_FALSE(cpu_name().empty());
}

}  // namespace
}  // namespace sinter::runtime
