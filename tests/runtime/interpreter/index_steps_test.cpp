// Quotients by steps against quotients by division, over boxes of one, two and no axes.

#include <sinter/runtime/interpreter/index_steps.h>

#include <gtest/gtest.h>

#include <vector>

namespace sinter::runtime {
namespace {

using fusion::QuotientKind;

TEST(IndexSteps, AgreeWithDivisionAtEveryPoint) {
  const int64_t extents[] = {5, 17};
  for (QuotientKind kind : {QuotientKind::floor_div, QuotientKind::mod, QuotientKind::clamp, QuotientKind::mirror})
    for (int64_t divisor : {1, 2, 5, 7})
      for (int64_t start : {0, -9, 23})
        for (int64_t row : {0, 17, -3})
          for (int64_t step : {0, 1, -1, 3, -8}) {
            const int64_t strides[] = {row, step};
            std::vector<int64_t> out(5 * 17, 100);
            add_quotients(out.data(), kind, 2, divisor, start, extents, strides);
            for (int64_t i = 0; i < 5; ++i)
              for (int64_t j = 0; j < 17; ++j)
                ASSERT_EQ(out[i * 17 + j], 100 + 2 * evaluate(kind, start + i * row + j * step, divisor))
                    << static_cast<int>(kind) << " by " << divisor;
          }
}

TEST(IndexSteps, APointIsABoxWithoutAxes) {
  int64_t out = 1;
  add_quotients(&out, QuotientKind::mod, 10, 4, 7, {}, {});
  EXPECT_EQ(out, 31);
}

}  // namespace
}  // namespace sinter::runtime
