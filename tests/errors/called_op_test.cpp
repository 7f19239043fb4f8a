// Errors name the op that the user called, not one that it is made of.

#include <sinter/graph/ops/functions/convolution.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(CalledOp, IsNamedWhateverItIsMadeOf) {
  Tensors x = {ones({2, 3}), ones({1, 2, 4}), ones({2, 3, 3})};
  EXPECT_EQ(message_of([](const Tensors& x) { return softmax(x[0], 2); }, x),
            "softmax: dim 2 is out of range for a tensor of rank 2");
  EXPECT_EQ(message_of([](const Tensors& x) { return conv1d(x[1], x[2]); }, x),
            "conv1d: the input has 2 channels, the weight wants 3");
  EXPECT_EQ(message_of([](const Tensors& x) { return linear(x[0], x[0], x[2]); }, x),
            "linear: sizes do not broadcast ([2, 2] vs [2, 3, 3])");
}

// In place, it is the op with the underscore.
TEST(CalledOp, IsTheOneThatWrites) {
  Tensors x = {ones({2, 3}), ones({2, 2})};
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].add_(x[1]); }, x),
            "add_: sizes do not broadcast ([2, 3] vs [2, 2])");
}

// After an error the next call is named by itself.
TEST(CalledOp, IsForgottenAfterAnError) {
  Tensors x = {ones({2, 3}), ones({4})};
  EXPECT_EQ(message_of([](const Tensors& x) { return softmax(x[0], 2); }, x).substr(0, 8), "softmax:");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0] + x[1]; }, x), "add: sizes do not broadcast ([2, 3] vs [4])");
}

}  // namespace
}  // namespace sinter::test
