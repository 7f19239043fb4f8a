// Dropout and rrelu: what is kept, how often, and that compiled draws what eager draws.

#include <sinter/graph/ops/functions/dropout.h>
#include <sinter/runtime/random.h>

#include <algorithm>
#include <cmath>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(Dropout, OutsideOfTrainingIsTheArgumentItself) {
  Tensor x = ones({8});
  EXPECT_TRUE(dropout(x, 0.5, false).is_same(x));
  EXPECT_TRUE(alpha_dropout(x, 0, true).is_same(x));
  EXPECT_EQ(message_of([](const Tensors&) { return dropout(ones({8}), 1.5, true); }), "dropout: p is 1.5");
}

TEST(Dropout, KeepsAndScalesInProportion) {
  manual_seed(1);
  for (DType dtype : {f32, f64, bf16}) {
    std::vector<double> kept = elements_of(dropout(ones({10000}, dtype), 0.75, true));
    EXPECT_NEAR(double(std::ranges::count(kept, 4.0)), 2500, 200);
    EXPECT_EQ(std::ranges::count(kept, 4.0) + std::ranges::count(kept, 0.0), 10000);
  }
  expect_same_bits(dropout(ones({3}), 1, true), zeros({3}));
  std::vector<double> channels = elements_of(feature_dropout(ones({50, 4, 10}), 0.5, true));
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(channels[i], channels[i - i % 10]);
}

TEST(Dropout, AlphaDropoutKeepsMeanAndVariance) {
  manual_seed(2);
  Tensor x = randn({100000});
  Tensor y = alpha_dropout(x, 0.3, true);
  EXPECT_NEAR(elements_of(mean(y))[0], 0, 0.02);
  EXPECT_NEAR(elements_of(mean(y * y))[0], 1, 0.03);
}

TEST(Dropout, CompiledDrawsWhatEagerDraws) {
  auto layer = [](const Tensor& x) {
    Values both = ops("aten::native_dropout")(x, 0.25, true);
    return std::vector<Tensor>{dropout(relu(x), 0.5, true) + 1, both[0].tensor(), both[1].tensor()};
  };
  Tensor x = tensor_of({1, -2, 3, -4, 5, -6, 7, 8}, {2, 4});
  auto compiled = compile(layer);
  compiled(x);
  manual_seed(3);
  std::vector<Tensor> eager_results = layer(x);
  manual_seed(3);
  std::vector<Tensor> compiled_results = compiled(x);
  for (int i = 0; i < 3; ++i) expect_same_bits(compiled_results[i], eager_results[i]);
}

TEST(Dropout, WritesInPlace) {
  auto write = [](const Tensor& x) {
    Tensor y = x + 0;
    ops("aten::dropout_")(y, 0.5, true);
    ops("aten::rrelu_")(y, 0.1, 0.2, true);
    return y;
  };
  manual_seed(4);
  std::vector<double> dropped = elements_of(write(ones({100}) * -1));
  for (double value : dropped) EXPECT_TRUE(value == 0 || (value < -0.2 + 1e-6 && value > -0.4 - 1e-6)) << value;
}

}  // namespace
}  // namespace sinter::test
