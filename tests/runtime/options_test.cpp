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

TEST(Options, DeclarationsThatNoSizeFitsAreErrors) {
  auto message = [](Dim dim) -> std::string {
    dim.argument = "x";
    try {
      check_options({.dims = {dim}}, Here::current());
    } catch (const Error& error) {
      return error.message();
    }
    return "fine";
  };
  EXPECT_EQ(message({}), "fine");
  EXPECT_EQ(message({.min = 7, .max = 14, .multiple_of = 7}), "fine");
  EXPECT_EQ(message({.multiple_of = 0}), "compile: the size of dim 0 of x is declared a multiple of 0");
  EXPECT_EQ(message({.dim = 1, .min = 9, .max = 3}),
            "compile: the size of dim 1 of x is declared from 9 to 3, a multiple of 1");
  EXPECT_EQ(message({.min = 8, .max = 13, .multiple_of = 7}),
            "compile: the size of dim 0 of x is declared from 8 to 13, a multiple of 7");
}

}  // namespace

}  // namespace sinter::runtime
