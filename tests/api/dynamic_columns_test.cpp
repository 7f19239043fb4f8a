// Column sums of any number of rows and columns: strips as long as the levels of so many blocks leave room for.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {

namespace {

Tensor numbers(std::vector<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i * 2654435761 % 1999) / 7 - 140);
  return tensor_of(values, sizes);
}

TEST(DynamicColumns, AnyNumberOfRowsAndColumns) {
  auto f = [](const Tensor& x) { return sum(x * 2, {0}); };
  auto fast = compile(f, {.dynamic = Dynamic::always});
  for (auto [rows, columns] :
       {std::pair<int64_t, int64_t>{66, 5003}, {64, 5003}, {5, 300}, {700, 4096}, {130, 17}, {1, 5003}, {4100, 40}})
    expect_same_bits(fast(numbers({rows, columns})), f(numbers({rows, columns})),
                     fmt::format("{} rows of {}", rows, columns));
  EXPECT_EQ(fast.stats().compiles, 1);
}

// So many blocks have more levels than a strip of all vectors has room for.
TEST(DynamicColumns, StripsOfLongColumnsAreShorter) {
  auto f = [](const Tensor& x) { return sum(x, {0}); };
  auto fast = compile(f, {.dynamic = Dynamic::always});
  Tensor row = numbers({1, 4500});
  for (int64_t rows : {70000, 66001}) {
    Tensor same_rows = row.expand({rows, 4500});
    expect_same_bits(fast(same_rows), f(same_rows), fmt::format("{} rows", rows));
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

}  // namespace
}  // namespace sinter::test
