// Splits: sizes of the pieces, shared memory, copies, errors.

#include <sinter/graph/ops/functions/view.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

std::string sizes_of(const Tensors& pieces) {
  std::string text;
  for (const Tensor& piece : pieces) text += to_string(piece.sizes());
  return text;
}

TEST(Split, PiecesHaveAtensSizes) {
  Tensor x = zeros({7});
  EXPECT_EQ(sizes_of(split(x, 3)), "[3][3][1]");
  EXPECT_EQ(sizes_of(split(zeros({0}), 3)), "[0]");
  EXPECT_EQ(sizes_of(split_with_sizes(x, {2, 0, 5})), "[2][0][5]");
  EXPECT_EQ(sizes_of(chunk(zeros({6}), 4)), "[2][2][2]");
  EXPECT_EQ(sizes_of(chunk(zeros({0}), 2)), "[0][0]");
  EXPECT_EQ(sizes_of(tensor_split(x, 3)), "[3][2][2]");
  EXPECT_EQ(sizes_of(tensor_split(x, Dims{1, 9, 3})), "[1][6][0][4]");
  EXPECT_EQ(sizes_of(unbind(zeros({2, 3}))), "[3][3]");
  EXPECT_EQ(sizes_of(unbind(zeros({0, 3}))), "");
}

TEST(Split, PiecesAreViewsAndCopiesAreNot) {
  Tensor x = zeros({4});
  split(x, 2)[1].fill_(1);
  EXPECT_EQ(elements_of(x), (std::vector<double>{0, 0, 1, 1}));
  Tensor copy = ops("aten::split_copy.Tensor")(x, 2)[0].tensor();
  EXPECT_FALSE(copy.storage() == x.storage());
}

TEST(Split, PiecesJoinAgainInOneKernel) {
  auto turned = [](const Tensor& x) {
    Tensors parts = split_with_sizes(x * 2.0, {2, 2, 3});
    return cat({parts[1], parts[0], parts[2]});
  };
  Tensor x = tensor_of({0, 1, 2, 3, 4, 5, 6}, {7});
  EXPECT_EQ(kernel_count(turned, x), 1);
  EXPECT_EQ(elements_of(eager_and_compiled(turned, x)), (std::vector<double>{4, 6, 0, 2, 8, 10, 12}));
}

TEST(Split, ErrorsNameTheSizes) {
  auto message = [](auto f) { return message_of([f](const Tensors& x) { return f(x[0])[0]; }, {zeros({5})}); };
  EXPECT_EQ(message([](const Tensor& x) { return split(x, 0); }), "split: pieces of size 0 of a dim of size 5");
  EXPECT_EQ(message([](const Tensor& x) { return split_with_sizes(x, {2, 2}); }),
            "split_with_sizes: the sizes add up to 4, but dim 0 has size 5");
  EXPECT_EQ(message([](const Tensor& x) { return chunk(x, 0); }), "chunk: 0 chunks");
  EXPECT_EQ(message([](const Tensor& x) { return unbind(x[0]); }), "unbind: a zero-dim tensor cannot be split");
}

}  // namespace
}  // namespace sinter::test
