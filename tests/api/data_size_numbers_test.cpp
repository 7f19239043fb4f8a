// Numbers that only data tell, as what operators take: each compiled call agrees with the plain one, or fails in the
// same words.

#include <sinter/sinter.h>

#include "support/compiled.h"
#include "support/log_lines.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

// The first `count` of twelve.
Tensor mask_of(int64_t count) {
  std::vector<double> values(12, 0);
  std::fill_n(values.begin(), count, 1);
  return tensor_of(values, {12}, boolean);
}

class DataSizeNumbers : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_device().is_cpu()) GTEST_SKIP() << "sizes that only data tell run op by op on a GPU";
  }
};

struct Outcome {
  std::vector<Tensor> results;
  std::string error;
};

template <class F>
Outcome outcome_of(F& function, int64_t count) {
  try {
    return {tensors_of(function(mask_of(count))), ""};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

using Function = Tensor (*)(const Tensor& mask);
SymInt count_in(const Tensor& mask) { return sum(mask).item().size(); }

void expect_agreement_at_all_counts(Function function, int which) {
  auto fast = compile(function);
  for (int64_t count : {3, 1, 0, 7, 12, 2}) {
    SCOPED_TRACE(fmt::format("function {}, count {}", which, count));
    Outcome expected = outcome_of(function, count), actual = outcome_of(fast, count);
    EXPECT_EQ(actual.error, expected.error);
    ASSERT_EQ(actual.results.size(), expected.results.size());
    for (size_t i = 0; i < expected.results.size(); ++i) expect_same_bits(actual.results[i], expected.results[i]);
  }
  EXPECT_EQ(fast.stats().compiles, 1) << "function " << which;
}

TEST_F(DataSizeNumbers, AsIndicesCountsAndSizes) {
  constexpr Function functions[] = {
      [](const Tensor& m) { return arange(12).select(0, count_in(m)) + 1; },
      [](const Tensor& m) { return arange(12).select(0, -count_in(m)) + 1; },
      [](const Tensor& m) { return narrow(arange(12), 0, count_in(m), 2) * 2; },
      [](const Tensor& m) { return arange(12).slice(0, count_in(m) - 3) * 2; },
      [](const Tensor& m) { return arange(12).slice(0, 0, count_in(m) - 3) * 2; },
      [](const Tensor& m) { return zeros({count_in(m) - 3}); },
      [](const Tensor& m) { return repeat(arange(3), {count_in(m)}); },
      [](const Tensor& m) { return arange(count_in(m), 5); },
      [](const Tensor& m) { return pad(arange(3), {count_in(m), 2}); },
      [](const Tensor& m) { return pad(arange(5), {-count_in(m), 2}); },
      [](const Tensor& m) { return std::get<0>(topk(arange(5), count_in(m))); },
      [](const Tensor& m) { return std::get<0>(kthvalue(arange(5), count_in(m))); },
      [](const Tensor& m) { return as_strided(arange(30), {count_in(m), 2}, {2, 1}) + 1; },
      [](const Tensor& m) { return select_scatter(arange(12), full({}, 5, i64), 0, count_in(m)); },
      [](const Tensor& m) { return split_with_sizes(arange(12), {count_in(m), 12 - count_in(m)})[1] + 1; },
  };
  for (size_t i = 0; i < std::size(functions); ++i) expect_agreement_at_all_counts(functions[i], static_cast<int>(i));
}

TEST_F(DataSizeNumbers, InViews) {
  constexpr Function functions[] = {
      [](const Tensor& m) { return ones({12}).view({count_in(m), -1}); },
      [](const Tensor& m) { return ones({12, 4}).view({-1}).slice(0, 0, count_in(m) * 4).view({count_in(m), 4}) + 1; },
      [](const Tensor& m) { return ones({12}).expand({count_in(m), 12}).reshape({-1, 3}); },
      [](const Tensor& m) { return unflatten(arange(36).slice(0, 0, count_in(m) * 3), 0, {count_in(m), 3}) + 1; },
  };
  for (size_t i = 0; i < std::size(functions); ++i) expect_agreement_at_all_counts(functions[i], static_cast<int>(i));
}

// What has another shape, another formula or no result for few rows.
TEST_F(DataSizeNumbers, SizesOfRowsThatAreNotTheUsualOnes) {
  constexpr Function functions[] = {
      [](const Tensor& m) { return nonzero(m).squeeze() + 1; },
      [](const Tensor& m) { return nonzero(m).slice(0, 0, 1).squeeze(0) + 1; },
      [](const Tensor& m) { return einsum("ij,kj->ik", {nonzero(m).to(f32), ones({5, 1})}) * 2; },
      [](const Tensor& m) { return cdist(nonzero(m).to(f32), ones({5, 1})); },
      [](const Tensor& m) { return amax(nonzero(m), {0}); },
      [](const Tensor& m) { return argmax(nonzero(m)); },
      [](const Tensor& m) { return nonzero(m)[0] + 1; },
      [](const Tensor& m) { return nonzero(m) + nonzero(logical_not(m)); },
      [](const Tensor& m) { return max_pool1d(nonzero(m).to(f32).t().unsqueeze(0), {2}); },
  };
  for (size_t i = 0; i < std::size(functions); ++i) expect_agreement_at_all_counts(functions[i], static_cast<int>(i));
}

TEST_F(DataSizeNumbers, WritesThroughSlicesOfUnknownRows) {
  constexpr Function functions[] = {
      [](const Tensor& m) {
        Tensor rows = nonzero(m) * 1;
        rows.slice(0, 1).add_(10);
        return rows;
      },
      [](const Tensor& m) {
        Tensor rows = nonzero(m).to(f32) * ones({3});
        rows.slice(0, 2, std::nullopt, 2).select(1, 1).fill_(7);
        rows.slice(0, 0, -1).slice(1, 1).mul_(2);
        return rows + 1;
      },
      [](const Tensor& m) {
        Tensor columns = (nonzero(m).to(f32) * ones({3})).t() * 2;
        columns.slice(1, 1).add_(1);
        columns.t().slice(0, 3).zero_();
        return columns;
      },
  };
  for (size_t i = 0; i < std::size(functions); ++i) expect_agreement_at_all_counts(functions[i], static_cast<int>(i));
}

TEST_F(DataSizeNumbers, ACallThatRunsUncompiledIsLogged) {
  auto fast = compile([](const Tensor& m) { return nonzero(m).squeeze(0) + 1; }, {.name = "f"});
  fast(mask_of(3));
  LogLines log("recompiles");
  fast(mask_of(1));
  EXPECT_EQ(
      log.count("f: this call runs uncompiled: sizes that data tell do not fit here: u0 != 1 does not hold: 1 != 1"), 1)
      << log.text;
}

TEST_F(DataSizeNumbers, ANumberIsComparedByNobody) {
  auto fast = compile([](const Tensor& m) { return sum(m).item() == 3 ? m + 1 : m + 2; });
  EXPECT_THROW(fast(mask_of(3)), Error);
}

}  // namespace
}  // namespace sinter::test
