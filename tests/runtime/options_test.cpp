// Options and environment variables.

#include <sinter/runtime/options.h>

#include <gtest/gtest.h>
#include <sinter/graph/error.h>

namespace sinter::runtime {

namespace {

TEST(Options, TheInstructionSetIsTheMachinesUnlessChosen) {
  EXPECT_EQ(chosen_isa({}), environment().isa.value_or(detect_isa()));
  EXPECT_EQ(chosen_isa({.isa = Isa::generic}), Isa::generic);
}

TEST(Options, AnInstructionSetThatTheMachineLacksIsAnError) {
  for (Isa isa : {Isa::sse42, Isa::avx2, Isa::avx512}) {
    if (is_supported(isa)) continue;
    try {
      chosen_isa({.isa = isa});
      ADD_FAILURE() << name(isa);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::environment);
    }
  }
}

}  // namespace

}  // namespace sinter::runtime
