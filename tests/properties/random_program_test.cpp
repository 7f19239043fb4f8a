// Random programs: eager equals a naive reference, compiled equals eager bit for bit for every instruction set and
// number of threads, and graph text reads back.
//
// SINTER_PROPERTY_COUNT and SINTER_PROPERTY_SEED choose how many programs, and the first one's seed; with
// SINTER_TEST_SHORT=1 there are a tenth as many.

#include <gtest/gtest.h>

#include <cstdlib>

#include "properties/check_program.h"

namespace sinter::test {
namespace {

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

constexpr int most_failures = 3;

// Runs the check on `count` programs (each `share`-th of those asked for), and prints a shrunk one where it fails.
template <class Check>
void check_programs(uint64_t count, uint64_t share, const Check& check, ProgramSize size = ProgramSize::small) {
  uint64_t first = from_environment("SINTER_PROPERTY_SEED", 1);
  uint64_t usual = from_environment("SINTER_TEST_SHORT", 0) == 1 ? count * share / 10 : count * share;
  count = from_environment("SINTER_PROPERTY_COUNT", usual) / share;
  int failures = 0;
  for (uint64_t seed = first; seed < first + std::max<uint64_t>(count, 1) && failures < most_failures; ++seed) {
    RandomProgram program = random_program(seed, size);
    std::string difference = check(program);
    if (difference.empty()) continue;
    ++failures;
    RandomProgram small = shrink(program, check);
    ADD_FAILURE() << check(small) << "\n" << describe(small);
  }
}

TEST(RandomPrograms, EagerAgreesWithTheNaiveReference) {
  int compared = 0;
  check_programs(600, 1, [&](const RandomProgram& program) { return difference_from_reference(program, &compared); });
  EXPECT_GT(compared, 0);
}

TEST(RandomPrograms, CompiledEqualsEagerBitForBit) {
  check_programs(300, 2, [](const RandomProgram& program) { return difference_from_eager(program, {}, 1); });
}

TEST(RandomPrograms, TwoThreadsGiveTheSameBits) {
  check_programs(60, 10, [](const RandomProgram& program) { return difference_from_eager(program, {}, 2); });
}

TEST(RandomPrograms, LargeOnesGiveTheSameBitsOnOneTwoAndThreeThreads) {
  for (int threads : {1, 2, 3})
    check_programs(
        40, 15, [&](const RandomProgram& program) { return difference_from_eager(program, {}, threads); },
        ProgramSize::large);
}

TEST(RandomPrograms, LargeOnesAgreeWithTheNaiveReference) {
  check_programs(
      20, 30, [](const RandomProgram& program) { return difference_from_reference(program); }, ProgramSize::large);
}

TEST(RandomPrograms, EveryInstructionSetGivesTheSameBits) {
  for (runtime::Isa isa : {runtime::Isa::sse42, runtime::Isa::avx2, runtime::Isa::avx512}) {
    if (!runtime::is_supported(isa)) continue;
    SCOPED_TRACE(name(isa));
    check_programs(50, 12,
                   [&](const RandomProgram& program) { return difference_from_eager(program, {.isa = isa}, 1); });
  }
}

TEST(RandomPrograms, GraphTextReadsBack) { check_programs(600, 1, difference_after_parsing); }

}  // namespace
}  // namespace sinter::test
