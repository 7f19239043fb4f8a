// Custom ops whose results have sizes that only their implementations tell.

#include <sinter/sinter.h>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

using Numbers = std::vector<double>;

Tensor greater(const Tensor& x, const Tensor& above) { return masked_select(x, gt(x, above)); }
Tensor six() { return tensor_of({1, 2, 3, 4, 5, 6}, {6}); }
Tensor number(double value) { return tensor_of({value}, {1}); }

class DataSizeCustomOps : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_device().is_cpu()) GTEST_SKIP() << "implementations for the CPU";
  }
};

CustomOp greater_op() {
  CustomOp op = custom_op("mylib::greater_than", "(Tensor x, Tensor above) -> Tensor", greater);
  op.register_fake([](const Tensor& x, const Tensor&) { return empty({new_unknown_size(0, 6)}, x.dtype()); });
  return op;
}

TEST_F(DataSizeCustomOps, OneCompileServesAllSizes) {
  CustomOp op = greater_op();
  auto f = compile([&](const Tensor& x, const Tensor& above) {
    Tensor chosen = op(x, above);
    return std::tuple(relu(chosen * 2 - 5), sum(chosen), arange(chosen.size(0)), chosen.size(0));
  });
  for (double above : {3.0, 6.0, 0.0, 5.0, 1.5}) {
    auto [scaled, total, positions, count] = f(six(), number(above));
    Tensor chosen = greater(six(), number(above));
    expect_same_bits(scaled, relu(chosen * 2 - 5));
    expect_same_bits(total, sum(chosen));
    expect_same_bits(positions, arange(chosen.size(0)));
    EXPECT_EQ(count.constant(), chosen.size(0).constant());
  }
  EXPECT_EQ(f.stats().compiles, 1);
}

TEST_F(DataSizeCustomOps, EveryBackend) {
  CustomOp op = greater_op();
  for (const char* backend : {"eager", "debug_eager", "native"}) {
    auto f = compile([&](const Tensor& x, const Tensor& above) { return op(x, above) + 1; }, {.backend = backend});
    EXPECT_EQ(elements_of(f(six(), number(4))), (Numbers{6, 7})) << backend;
    EXPECT_EQ(elements_of(f(six(), number(7))), (Numbers{})) << backend;
    EXPECT_EQ(f.stats().compiles, 1);
  }
}

// A call whose tensor nobody reads still tells the size.
TEST_F(DataSizeCustomOps, OnlyItsSizeIsUsed) {
  CustomOp op = greater_op();
  auto f = compile([&](const Tensor& x, const Tensor& above) { return zeros({op(x, above).size(0), 2}); });
  EXPECT_EQ(f(six(), number(4)).sizes()[0].constant(), 2);
  EXPECT_EQ(f(six(), number(0)).sizes()[0].constant(), 6);
}

TEST_F(DataSizeCustomOps, AResultThatIsKeptStaysAsItWas) {
  Tensor kept;
  CustomOp op = custom_op("mylib::kept", "(Tensor x, Tensor above) -> Tensor",
                          [&](const Tensor& x, const Tensor& above) { return kept = greater(x, above); });
  op.register_fake([](const Tensor& x, const Tensor&) { return empty({new_unknown_size()}, x.dtype()); });
  auto f = compile([&](const Tensor& x, const Tensor& above) { return tanh(op(x, above) * 2) * 4; });
  f(six(), number(4));
  EXPECT_EQ(elements_of(kept), (Numbers{5, 6}));
}

TEST_F(DataSizeCustomOps, SomeSizesAreKnown) {
  CustomOp op = custom_op("mylib::split_at", "(Tensor x, Tensor above) -> (Tensor, Tensor)",
                          [](const Tensor& x, const Tensor& above) { return std::tuple(greater(x, above), x * 2); });
  op.register_fake([](const Tensor& x, const Tensor&) {
    return std::tuple(empty({new_unknown_size(0, 6)}, x.dtype()), empty_like(x));
  });
  auto f = [&](const Tensor& x, const Tensor& above) {
    std::vector<Tensor> results;
    for (const Value& value : op.call({x, above})) results.push_back(value.tensor() + 1);
    return results;
  };
  auto fast = compile(f);
  for (double above : {3.0, 7.0}) {
    std::vector<Tensor> actual = fast(six(), number(above)), expected = f(six(), number(above));
    for (size_t i = 0; i < expected.size(); ++i) expect_same_bits(actual[i], expected[i]);
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

}  // namespace
}  // namespace sinter::test
