// Symbolic sizes at large results, which are stored past the caches in whole lines wherever their rows begin, and at
// long columns.

#include <sinter/graph/inherit_device.h>
#include <sinter/sinter.h>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

Tensor some(int64_t rows, int64_t columns) {
  graph::InheritDevice inherit(cpu);
  Tensor x = empty({rows, columns});
  float* data = x.data_ptr<float>();
  uint32_t state = 12345;
  for (int64_t i = 0; i < rows * columns; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = static_cast<float>(state >> 8) * 0x1p-22f - 2.0f;
  }
  return on_device(x, placement());
}

// Beyond the size from which on results are streamed: rows that begin at lines and elsewhere, short ones, one alone.
const std::pair<int64_t, int64_t> large_sizes[] = {{2100, 1024}, {2100, 1001}, {2099, 1003}, {130, 16501},
                                                   {1, 2200003}, {150000, 15}, {17000, 127}, {16900, 128}};

template <class F>
void expect_same_at_all_sizes(F function) {
  auto fast = compile(function, {.dynamic = Dynamic::always});
  fast(some(5, 300));
  for (auto [rows, columns] : large_sizes) {
    Tensor x = some(rows, columns);
    expect_same_bits(fast(x), function(x), fmt::format("{} x {}", rows, columns));
  }
  EXPECT_LE(fast.stats().compiles, 2) << "one row alone may have an entry of its own";
}

TEST(DynamicRows, Pointwise) {
  expect_same_at_all_sizes([](const Tensor& x) { return relu(x * 0.5 + x.select(1, 0).unsqueeze(1)) - 1.0; });
}

TEST(DynamicRows, Softmax) {
  expect_same_at_all_sizes([](const Tensor& x) { return softmax(x, 1); });
}

TEST(DynamicRows, NeighbourRows) {
  expect_same_at_all_sizes([](const Tensor& x) {
    Tensor padded = cat({x, x, x}, 0);
    SymInt rows = x.size(0);
    return padded.slice(0, rows - 1, rows * 2 - 1) + padded.slice(0, rows, rows * 2) * 2 +
           padded.slice(0, rows + 1, rows * 2 + 1);
  });
}

// Results that go past the caches tile by tile, where each row begins at a line, and others.
TEST(DynamicRows, TransposedOperands) {
  auto f = [](const Tensor& x, const Tensor& y) { return x.t() + y; };
  auto fast = compile(f, {.dynamic = Dynamic::always});
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{200, 300},
                               {2048, 1040},
                               {1040, 2050},
                               {1027, 2064},
                               {1504, 1488},
                               {1501, 1503},
                               {4096, 600}}) {
    Tensor x = some(columns, rows), y = some(rows, columns);
    expect_same_bits(fast(x, y), f(x, y), fmt::format("{} x {}", rows, columns));
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(DynamicRows, TheKernelAsksForRowsThatBeginAtLines) {
  SINTER_NEEDS_CPU("it is about the CPU's stores");
  auto fast = compile([](const Tensor& x, const Tensor& y) { return x.t() + y; }, {.dynamic = Dynamic::always});
  std::string source = fast.explain(some(300, 200), some(200, 300)).kernels[0].source;
  EXPECT_NE(source.find(" >= 8388608 && s0 % "), std::string::npos) << source;
  EXPECT_NE(source.find("stream(out_add"), std::string::npos);
}

TEST(DynamicRows, TheKernelAsksForLongRows) {
  SINTER_NEEDS_CPU("it is about the CPU's stores");
  auto fast = compile([](const Tensor& x) { return softmax(x, 1); }, {.dynamic = Dynamic::always});
  std::string source = fast.explain(some(5, 300)).kernels[0].source;
  EXPECT_NE(source.find(" >= 8388608 && s0 >= "), std::string::npos) << source;
  EXPECT_NE(source.find("stream(out_mul"), std::string::npos);
  EXPECT_EQ(source.find("}\n  stream_fence();\n}"), std::string::npos) << "only what streams waits for its stores";
}

TEST(DynamicRows, LongColumns) {
  auto f = [](const Tensor& x) { return std::pair(sum(x, {0}), amax(x, {0})); };
  auto fast = compile(f, {.dynamic = Dynamic::always});
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{7, 300}, {64, 2000}, {65, 1030}, {4099, 513}, {20000, 40}}) {
    Tensor x = some(rows, columns);
    auto [sums, most] = fast(x);
    expect_same_bits(sums, f(x).first, fmt::format("sums of {} x {}", rows, columns));
    expect_same_bits(most, f(x).second, fmt::format("maxima of {} x {}", rows, columns));
  }
}

}  // namespace
}  // namespace sinter::test
