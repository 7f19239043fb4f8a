// Views: layouts, shared memory, the in-place forms that change a handle, errors.

#include "support/op_checks.h"

namespace sinter::test {
namespace {

Tensor counted(std::vector<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i));
  return tensor_of(elements, sizes);
}

std::string full_layout(const Tensor& tensor) { return layout_of(tensor) + " " + to_string(tensor.storage_offset()); }

TEST(View, LayoutsOfViews) {
  Tensor x = counted({2, 3, 4});
  EXPECT_EQ(full_layout(x.view({6, -1})), "[6, 4] [4, 1] 0");
  EXPECT_EQ(full_layout(x.permute({2, 0, 1})), "[4, 2, 3] [1, 12, 4] 0");
  EXPECT_EQ(full_layout(x.transpose(0, -1)), "[4, 3, 2] [1, 4, 12] 0");
  EXPECT_EQ(full_layout(x.unsqueeze(1)), "[2, 1, 3, 4] [12, 12, 4, 1] 0");
  EXPECT_EQ(full_layout(x.unsqueeze(-1)), "[2, 3, 4, 1] [12, 4, 1, 1] 0");
  EXPECT_EQ(full_layout(x.select(1, -1)), "[2, 4] [12, 1] 8");
  EXPECT_EQ(full_layout(x.slice(2, 1, 100, 2)), "[2, 3, 2] [12, 4, 2] 1");
  EXPECT_EQ(full_layout(x.slice(0, -1)), "[1, 3, 4] [12, 4, 1] 12");
  EXPECT_EQ(full_layout(x[1][2]), "[4] [1] 20");
  EXPECT_EQ(full_layout(x.select(0, 0).unsqueeze(0).expand({5, -1, 4})), "[5, 3, 4] [0, 4, 1] 0");
  EXPECT_EQ(full_layout(x.slice(0, 0, 1).squeeze()), "[3, 4] [4, 1] 0");
  EXPECT_EQ(full_layout(narrow(x, 1, 1, 2)), "[2, 2, 4] [12, 4, 1] 4");
  EXPECT_EQ(full_layout(flatten(x, 1)), "[2, 12] [12, 1] 0");
  EXPECT_EQ(full_layout(as_strided(x, {2, 2}, {1, 3}, 5)), "[2, 2] [1, 3] 5");
}

TEST(View, ZeroDimTensorsTakeDimZero) {
  Tensor x = tensor_of({5}, {});
  EXPECT_EQ(full_layout(x.t()), "[] [] 0");
  EXPECT_EQ(full_layout(x.transpose(0, -1)), "[] [] 0");
  EXPECT_EQ(full_layout(x.unsqueeze(0)), "[1] [1] 0");
  EXPECT_EQ(full_layout(x.squeeze(0)), "[] [] 0");
  EXPECT_EQ(full_layout(x.view({1, 1})), "[1, 1] [1, 1] 0");
}

TEST(View, ViewsShareMemoryAndReshapeCopiesOnlyWhereItMust) {
  Tensor x = counted({2, 3});
  EXPECT_EQ(x.t().storage(), x.storage());
  EXPECT_EQ(x.reshape({3, 2}).storage(), x.storage());
  EXPECT_EQ(x.t().reshape({3, 2}).storage(), x.storage());
  EXPECT_FALSE(x.t().reshape({6}).storage() == x.storage());
  expect_elements([](const Tensors& x) { return x[0].t().reshape({6}); }, {x}, f32, {0, 3, 1, 4, 2, 5});
  x.t().select(0, 1).fill_(9);
  EXPECT_EQ(elements_of(x), (std::vector<double>{0, 9, 2, 3, 9, 5}));
}

TEST(View, EmptyTensorsHaveViews) {
  Tensor x = counted({2, 0, 3});
  EXPECT_EQ(to_string(x.view({0, 7}).sizes()), "[0, 7]");
  EXPECT_EQ(to_string(x.reshape({6, 0}).sizes()), "[6, 0]");
  EXPECT_EQ(to_string(x.slice(0, 5).sizes()), "[0, 0, 3]");
}

TEST(View, InPlaceFormsChangeTheHandle) {
  Tensor x = counted({2, 1, 3});
  ops("aten::transpose_")(x, 0, 2);
  EXPECT_EQ(full_layout(x), "[3, 1, 2] [1, 3, 3] 0");
  ops("aten::squeeze_.dim")(x, 1);
  EXPECT_EQ(full_layout(x), "[3, 2] [1, 3] 0");
  ops("aten::t_")(x);
  EXPECT_EQ(full_layout(x), "[2, 3] [3, 1] 0");
  ops("aten::unsqueeze_")(x, 0);
  EXPECT_EQ(full_layout(x), "[1, 2, 3] [6, 3, 1] 0");
}

TEST(View, ErrorsNameDimsAndSizes) {
  Tensors x = {counted({2, 3}), counted({2, 3, 4})};
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].view({4, -1}); }, x),
            "view: sizes [4, -1] do not hold 6 elements");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].view({-1, -1}); }, x), "view: more than one size is -1");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].t().view({6}); }, x),
            "view: sizes [6] are no view of strides [1, 3]");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].select(0, 2); }, x),
            "select: index 2 is out of range for dim 0 of size 2");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].transpose(0, 2); }, x),
            "transpose: dim 2 is out of range for a tensor of rank 2");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[1].t(); }, x), "t: a tensor of rank 3");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].permute({0, 0}); }, x), "permute: dim 0 is given twice");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].expand({4, 3}); }, x),
            "expand: sizes [2, 3] do not expand to [4, 3]");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].slice(0, 0, 2, 0); }, x), "slice: step 0");
}

}  // namespace
}  // namespace sinter::test
