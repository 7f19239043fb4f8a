// Sizes that only data tell: compiled results equal eager ones at every count, and one compile serves all counts.

#include <sinter/sinter.h>

#include <random>
#include <thread>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

const std::vector<int64_t> all_counts = {5, 0, 1, 2, 12, 11, 3, 0, 7};

// Twelve rows of four; the first `count` of some order are chosen.
Tensor rows() {
  std::vector<double> values;
  for (int i = 0; i < 48; ++i) values.push_back((i * 37 % 48 - 20) / 4.0);
  return tensor_of(values, {12, 4});
}
Tensor column() { return rows().select(1, 2).contiguous(); }
Tensor mask_of(int64_t count, int64_t length = 12) {
  std::vector<double> values(length, 0);
  for (int64_t i = 0; i < count; ++i) values[i * 5 % length] = 1;
  return tensor_of(values, {length}, boolean);
}

// Calls one compiled function of (tensor, mask) at each count, compares with eager calls, and gives the compiles.
template <class F>
int64_t compiles_over_counts(F function, const Tensor& x, const std::vector<int64_t>& counts = all_counts,
                             Options options = {}) {
  auto fast = compile(function, options);
  for (int64_t count : counts) {
    Tensor mask = mask_of(count);
    MemoryCopies eager_memory, compiled_memory;
    std::vector<Tensor> expected = tensors_of(function(eager_memory.copy(x), mask));
    std::vector<Tensor> actual = tensors_of(fast(compiled_memory.copy(x), mask));
    EXPECT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < std::min(actual.size(), expected.size()); ++i)
      expect_same_bits(actual[i], expected[i], fmt::format("count {}, result {}", count, i));
  }
  return fast.stats().compiles;
}
#define EXPECT_ONE_COMPILE(...) EXPECT_EQ(compiles_over_counts(__VA_ARGS__), 1)

class DataSizes : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_device().is_cpu()) GTEST_SKIP() << "sizes that only data tell run op by op on a GPU";
  }
};

// --- The ops ----------------------------------------------------------------------------------------------------

TEST_F(DataSizes, MaskedSelectThenArithmetic) {
  auto f = [](const Tensor& x, const Tensor& mask) { return relu(masked_select(x * 2, mask) - 1) * 3; };
  EXPECT_ONE_COMPILE(f, column());
  EXPECT_EQ(library_call_count(f, column(), mask_of(3)), 1);
  EXPECT_EQ(kernel_count(f, column(), mask_of(3)), 2);  // before and after
}

TEST_F(DataSizes, Nonzero) {
  EXPECT_ONE_COMPILE([](const Tensor&, const Tensor& mask) { return nonzero(mask) * 2 + 1; }, column());
  EXPECT_ONE_COMPILE([](const Tensor& x, const Tensor& mask) { return nonzero(x * mask.unsqueeze(1)); }, rows());
}

TEST_F(DataSizes, NonzeroAsTuple) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    std::vector<Tensor> columns;
    for (const Value& column : ops("aten::nonzero_numpy")(x * mask.unsqueeze(1)))
      columns.push_back(column.tensor() + 1);
    return columns;
  };
  EXPECT_ONE_COMPILE(f, rows());
}

TEST_F(DataSizes, AMaskAsAnIndex) {
  EXPECT_ONE_COMPILE([](const Tensor& x, const Tensor& mask) { return index(x, {mask}) * 2; }, rows());
  EXPECT_ONE_COMPILE([](const Tensor& x, const Tensor& mask) { return index(x.t(), {Tensor(), mask}) + 1; }, rows());
  auto both = [](const Tensor& x, const Tensor& mask) {
    return index(x, {mask.unsqueeze(1).expand({12, 4}).contiguous()}) + 1;
  };
  EXPECT_ONE_COMPILE(both, rows());
}

TEST_F(DataSizes, WritesThroughAMask) {
  auto put = [](const Tensor& x, const Tensor& mask) { return index_put(x, {mask}, masked_select(x, mask) * 10); };
  EXPECT_ONE_COMPILE(put, column());
  auto fill = [](const Tensor& x, const Tensor& mask) { return index_put(x, {mask}, zeros({})); };
  EXPECT_ONE_COMPILE(fill, column());
}

TEST_F(DataSizes, UniqueElements) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    Values all = ops("aten::_unique2")(x * mask, true, true, true);
    return std::vector<Tensor>{all[0].tensor() * 2, all[1].tensor() + 1, all[2].tensor() - 1};
  };
  EXPECT_ONE_COMPILE(f, column());
}

TEST_F(DataSizes, UniqueSlices) {
  for (const char* op : {"aten::unique_dim", "aten::unique_dim_consecutive"}) {
    auto f = [&](const Tensor& x, const Tensor& mask) {
      Value same(false), dim(int64_t{0});
      Values all = std::string_view(op) == "aten::unique_dim"
                       ? ops(op)(x * mask.unsqueeze(1), int64_t{0}, true, true, true)
                       : ops(op)(x * mask.unsqueeze(1), int64_t{0}, true, true);
      return std::vector<Tensor>{all[0].tensor() * 2, all[1].tensor() + 1, all[2].tensor() - 1};
    };
    EXPECT_ONE_COMPILE(f, rows());
  }
  auto columns = [](const Tensor& x, const Tensor& mask) {
    Values all = ops("aten::unique_dim")(x.t() * mask, int64_t{1}, true, true, true);
    return std::vector<Tensor>{all[0].tensor() * 2, all[1].tensor(), all[2].tensor()};
  };
  EXPECT_ONE_COMPILE(columns, rows());
}

TEST_F(DataSizes, UniqueNeighbours) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    Values all = ops("aten::unique_consecutive")(x * mask, true, true);
    return std::vector<Tensor>{all[0].tensor() * 2, all[1].tensor() + 1, all[2].tensor() - 1};
  };
  EXPECT_ONE_COMPILE(f, column());
}

TEST_F(DataSizes, RepeatsFromATensor) {
  auto f = [](const Tensor& x, const Tensor& mask) { return repeat_interleave(x, mask.to(i64) * 3, 0) + 1; };
  EXPECT_ONE_COMPILE(f, rows());
}

TEST_F(DataSizes, Bincount) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    Tensor bins = (abs(x) * mask).to(i64);
    return std::vector<Tensor>{bincount(bins) * 2, bincount(bins, {}, 9) + 1, bincount(bins, x) * 3};
  };
  EXPECT_ONE_COMPILE(f, column());
}

TEST_F(DataSizes, ANumberAsASize) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    SymInt count = mask.sum().item().size();
    return std::vector<Tensor>{arange(count) * 2, zeros({count, 3}) + 1, x.slice(0, 0, 3) * count};
  };
  EXPECT_ONE_COMPILE(f, column());
}

TEST_F(DataSizes, OneHotCountsItsClasses) {
  auto f = [](const Tensor& x, const Tensor& mask) { return one_hot((abs(x) * mask).to(i64)) + 1; };
  EXPECT_ONE_COMPILE(f, column());
}

// --- Arithmetic on sizes ----------------------------------------------------------------------------------------

TEST_F(DataSizes, ArithmeticOnACount) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    SymInt count = nonzero(mask).size(0);
    return std::vector<Tensor>{arange(count * 2 + 1), zeros({count, 2}), full({3, count}, 2), x * count,
                               arange(count, i64) * 3};
  };
  EXPECT_ONE_COMPILE(f, column());
}

TEST_F(DataSizes, NumbersOfTheResult) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    Tensor chosen = masked_select(x, mask);
    return std::tuple(chosen.size(0) * 2 + 1, chosen * 2, mask.sum().item().size());
  };
  auto fast = compile(f);
  for (int64_t count : all_counts) {
    auto [size, chosen, sum] = fast(column(), mask_of(count));
    EXPECT_EQ(size.constant(), count * 2 + 1);
    EXPECT_EQ(sum.constant(), count);
    expect_same_bits(chosen, std::get<1>(f(column(), mask_of(count))));
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST_F(DataSizes, WhatTheSameDataSelectHasOneSize) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    return index(x, {mask}) * index(x * 3, {mask}) + masked_select(column(), mask).unsqueeze(1);
  };
  EXPECT_ONE_COMPILE(f, rows());
}

// Sizes of two masks are taken to be equal; a call where they are not runs uncompiled.
TEST_F(DataSizes, SizesOfTwoMasksAreChecked) {
  auto f = [](const Tensor& x, const Tensor& mask, const Tensor& other) {
    Tensor chosen = masked_select(x, mask);
    return chosen + masked_select(x, other);
  };
  auto fast = compile(f);
  for (int64_t count : {4, 1, 0, 12}) {
    Tensor other = mask_of(count).to(f32).to(boolean);
    expect_same_bits(fast(column(), mask_of(count), other), f(column(), mask_of(count), other));
  }
  expect_same_bits(fast(column(), mask_of(3), mask_of(1)), f(column(), mask_of(3), mask_of(1)), "one broadcasts");
  try {
    fast(column(), mask_of(3), mask_of(4));
    FAIL() << "3 and 4 elements do not fit";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::shape);
    EXPECT_EQ(error.message(), "add: sizes do not broadcast ([3] vs [4])") << "as uncompiled";
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST_F(DataSizes, ACountThatMustBeANumber) {
  auto f = [](const Tensor& x, const Tensor& mask) { return masked_select(x, mask) + ones({5}); };
  auto fast = compile(f);
  expect_same_bits(fast(column(), mask_of(5)), f(column(), mask_of(5)));
  EXPECT_THROW(fast(column(), mask_of(6)), Error);
  expect_same_bits(fast(column(), mask_of(5)), f(column(), mask_of(5)));
  EXPECT_EQ(fast.stats().compiles, 1);
}

// --- Beside other symbols ---------------------------------------------------------------------------------------

TEST_F(DataSizes, BesideASizeThatVaries) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    Tensor chosen = index(x, {mask});
    return std::vector<Tensor>{chosen * 2, cat({chosen, x}) + 1, sum(chosen, {0}) + sum(x, {0})};
  };
  auto fast = compile(f);
  for (int64_t length : {12, 7, 30, 1, 8})
    for (int64_t count : {int64_t{0}, int64_t{1}, length / 2, length}) {
      Tensor x = cat({rows(), rows() * 2, rows() + 1}).slice(0, 0, length).contiguous(), mask = mask_of(count, length);
      std::vector<Tensor> expected = f(x, mask), actual = fast(x, mask);
      for (size_t i = 0; i < expected.size(); ++i)
        expect_same_bits(actual[i], expected[i], fmt::format("length {}, count {}, result {}", length, count, i));
    }
  EXPECT_EQ(fast.stats().compiles, 2);
}

TEST_F(DataSizes, NoGuardNamesThem) {
  auto f = [](const Tensor& x, const Tensor& mask) { return masked_select(x, mask) + 1; };
  Explanation explanation = compile(f).explain(column(), mask_of(3));
  EXPECT_EQ(to_string(explanation).find("u0 =="), std::string::npos);
  EXPECT_NE(explanation.graph.find("graph(u0 = "), std::string::npos) << explanation.graph;
}

// --- Stating what is known --------------------------------------------------------------------------------------

TEST_F(DataSizes, AStatedRangeAnswersAndIsChecked) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    Tensor chosen = masked_select(x, mask);
    check_size(chosen.size(0), 2, 7);
    if (chosen.size(0) > 1) chosen = chosen * 2;
    return chosen;
  };
  auto fast = compile(f);
  for (int64_t count : {2, 5, 7}) expect_same_bits(fast(column(), mask_of(count)), f(column(), mask_of(count)));
  for (int64_t count : {0, 1, 8, 12}) EXPECT_THROW(fast(column(), mask_of(count)), Error) << count;
  EXPECT_EQ(fast.stats().compiles, 1);
}

// --- Everything else about a program ----------------------------------------------------------------------------

TEST_F(DataSizes, EveryBackend) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    Tensor chosen = index(x, {mask});
    return std::vector<Tensor>{softmax(chosen, 1), arange(chosen.size(0)) * 2, sum(chosen, {0})};
  };
  for (const char* backend : {"eager", "debug_eager", "native"})
    EXPECT_EQ(compiles_over_counts(f, rows(), all_counts, {.backend = backend}), 1) << backend;
}

TEST_F(DataSizes, AGraphReadsBack) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    Tensor chosen = masked_select(x, mask);
    check_size(chosen.size(0), 1, 9);
    return std::vector<Tensor>{chosen * 2, arange(mask.sum().item().size())};
  };
  Explanation explanation = compile(f).explain(column(), mask_of(3));
  graph::Graph read = graph::parse_graph(explanation.graph);
  EXPECT_EQ(graph::to_string(read), explanation.graph);
  EXPECT_EQ(graph::to_string(graph::graph_from_json(graph::to_json(read))), explanation.graph);
}

TEST_F(DataSizes, ArgumentsAreWritten) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    x.add_(1);
    Tensor first = masked_select(x, mask);
    x.mul_(2);
    Tensor second = masked_select(x, mask);
    return std::vector<Tensor>{first, second, x};
  };
  EXPECT_ONE_COMPILE(f, column());
}

TEST_F(DataSizes, ManyThreadsWithCountsOfTheirOwn) {
  auto f = [](const Tensor& x, const Tensor& mask) { return index(x, {mask}) * 2 + 1; };
  auto fast = compile(f);
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int64_t thread = 0; thread < 8; ++thread)
      threads.emplace_back([&, thread] {
        for (int64_t round = 0; round < 50; ++round) {
          Tensor mask = mask_of((thread * 3 + round) % 13);
          wrong += elements_of(fast(rows(), mask)) != elements_of(f(rows(), mask));
        }
      });
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST_F(DataSizes, EveryTypeOfElement) {
  auto f = [](const Tensor& x, const Tensor& mask) { return masked_select(x, mask); };
  for (DType dtype : {boolean, u8, i8, i16, i32, i64, f16, bf16, f32, f64}) {
    EXPECT_ONE_COMPILE(f, column().to(dtype));
    auto with_kernels = [](const Tensor& x, const Tensor& mask) { return masked_select(x + x, mask) * 2; };
    EXPECT_ONE_COMPILE(with_kernels, column().to(dtype));
  }
}

// Random masks of random densities over random sizes, broadcast and not.
TEST_F(DataSizes, RandomMasks) {
  auto f = [](const Tensor& x, const Tensor& mask) {
    Tensor chosen = masked_select(x * 2, mask), at = nonzero(mask);
    return std::vector<Tensor>{chosen - 1, sum(chosen), at + 1, cat({chosen, chosen * 2}), tanh(chosen).unsqueeze(0)};
  };
  auto fast = compile(f, {.dynamic = Dynamic::always});
  std::mt19937 random(20261130);
  auto below = [&](int64_t limit) { return static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); };
  for (int round = 0; round < 200; ++round) {
    int64_t height = 1 + below(40), width = 1 + below(40), density = below(11);
    std::vector<double> values, flags;
    for (int64_t i = 0; i < height * width; ++i) {
      values.push_back(static_cast<double>(below(2000) - 1000) / 8);
      flags.push_back(below(10) < density);
    }
    Tensor x = tensor_of(values, {height, width}), mask = tensor_of(flags, {height, width}, boolean);
    if (round % 3 == 1) mask = mask.select(0, 0).contiguous();
    std::vector<Tensor> expected = f(x, mask), actual = fast(x, mask);
    for (size_t i = 0; i < expected.size(); ++i)
      expect_same_bits(actual[i], expected[i],
                       fmt::format("{} x {}, density {}, result {}", height, width, density, i));
  }
  EXPECT_LE(fast.stats().compiles, 8);  // ranks, and sizes of 1
}

}  // namespace
}  // namespace sinter::test
