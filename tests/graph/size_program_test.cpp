// Expressions as instructions: the same numbers as substitution gives.

#include <sinter/graph/size_program.h>
#include <sinter/graph/sym_expr.h>

#include <gtest/gtest.h>

namespace sinter::graph {
namespace {

TEST(SizeProgram, ComputesWhatTheExpressionsSay) {
  SymInt a = SymInt::symbol(0, 10), b = SymInt::symbol(1, 3);
  std::vector<SymInt> values = {
      a, 7, a * b * 4 - 5, floor_div(a - 20, 4), mod(a - 20, 4) + min(a, b), max(a - b, 0) * floor_div(a + 63, 64)};
  SizeProgram program(2);
  std::vector<int> slots;
  for (SymInt value : values) slots.push_back(program.slot_of(value));
  EXPECT_EQ(program.slot_of(a * b * 4 - 5), slots[2]) << "each expression once";
  for (auto [x, y] : {std::pair<int64_t, int64_t>{10, 3}, {1, 1}, {64, 100}}) {
    std::vector<int64_t> numbers(program.slots());
    numbers[0] = x;
    numbers[1] = y;
    program.run(numbers);
    std::vector<SymInt> symbols = {x, y};
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(numbers[slots[i]], substitute(values[i], symbols).constant()) << to_string(values[i]);
  }
}

TEST(SizeProgram, AnUnknownSymbolIsAnError) { EXPECT_THROW(SizeProgram(1).slot_of(SymInt::symbol(1, 2)), Error); }

}  // namespace
}  // namespace sinter::graph
