// Tensors from nothing: constants, ranges, literals, foreign memory.

#include <sinter/graph/literal.h>

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(Creation, ConstantsOfAskedAndNaturalTypes) {
  expect_elements([](const Tensors&) { return zeros({2}); }, {}, f32, {0, 0});
  expect_elements([](const Tensors&) { return ones({2}, i16); }, {}, i16, {1, 1});
  expect_elements([](const Tensors&) { return full({2}, 3); }, {}, i64, {3, 3});
  expect_elements([](const Tensors&) { return full({1}, true); }, {}, boolean, {1});
  expect_elements([](const Tensors&) { return full({1}, 0.5); }, {}, f32, {0.5});
  expect_elements([](const Tensors&) { return full({}, 2, f16); }, {}, f16, {2});
  expect_elements([](const Tensors&) { return scalar_tensor(7); }, {}, f32, {7});
  EXPECT_EQ(to_string(empty({0, 3}).sizes()), "[0, 3]");
}

TEST(Creation, LikeFormsKeepTypeAndOrder) {
  Tensors x = {tensor_of({1, 2, 3, 4, 5, 6}, {2, 3}, i8).t()};
  expect_elements([](const Tensors& x) { return full_like(x[0], 5); }, x, i8, {5, 5, 5, 5, 5, 5});
  EXPECT_EQ(layout_of(zeros_like(x[0])), "[3, 2] [1, 3]");
  EXPECT_EQ(zeros_like(x[0], f64).dtype(), f64);
  EXPECT_EQ(layout_of(empty_like(x[0])), "[3, 2] [1, 3]");
}

TEST(Creation, Ranges) {
  expect_elements([](const Tensors&) { return arange(4); }, {}, i64, {0, 1, 2, 3});
  expect_elements([](const Tensors&) { return arange(2.5); }, {}, f32, {0, 1, 2});
  expect_elements([](const Tensors&) { return arange(5, 0, -2); }, {}, i64, {5, 3, 1});
  expect_elements([](const Tensors&) { return arange(0, 1, 0.25, f64); }, {}, f64, {0, 0.25, 0.5, 0.75});
  expect_elements([](const Tensors&) { return arange(3, 3); }, {}, i64, {});
  EXPECT_FALSE(std::signbit(elements_of(arange(0, -8, -4, f32))[0]));
  // Indices times the step leave 32 bits.
  expect_elements([](const Tensors&) { return arange(0, 3000000001, 1000000000); }, {}, i64, {0, 1e9, 2e9, 3e9});
  expect_elements([](const Tensors&) { return linspace(0, 1, 5); }, {}, f32, {0, 0.25, 0.5, 0.75, 1});
  expect_elements([](const Tensors&) { return linspace(3, 9, 1); }, {}, f32, {3});
  expect_elements([](const Tensors&) { return linspace(0, 10, 4, i32); }, {}, i32, {0, 3, 6, 10});
}

TEST(Creation, ErrorsNameTheNumbers) {
  EXPECT_EQ(message_of([](const Tensors&) { return zeros({-1}); }), "zeros: size -1 is negative");
  EXPECT_EQ(message_of([](const Tensors&) { return arange(0, 3, -1); }),
            "arange: a step of -1 does not lead from 0 to 3");
  EXPECT_EQ(message_of([](const Tensors&) { return arange(0, 3, 0); }), "arange: step 0");
  EXPECT_EQ(message_of([](const Tensors&) { return arange(std::numeric_limits<double>::infinity()); }),
            "arange: the range 0 to inf is not finite");
  EXPECT_EQ(message_of([](const Tensors&) { return linspace(0, 1, -1); }), "linspace: steps -1");
  EXPECT_EQ(message_of([](const Tensors&) { return full({1}, 300, u8); }), "full: the number 300 does not fit into u8");
}

// The tensor that says of what type a result is has any sizes.
TEST(Creation, NewTensorsNeedNotResembleTheirModel) {
  for (const Tensor& model : {zeros({3, 0, 2, 9}, i16), zeros({5, 2}, i16), zeros({}, i16), zeros({2, 3}, i16).t()}) {
    expect_elements([](const Tensors& x) { return ops("aten::new_full")(x[0], Dims{4}, 7)[0].tensor(); }, {model}, i16,
                    {7, 7, 7, 7});
    expect_elements([](const Tensors& x) { return ops("aten::new_ones")(x[0], Dims{})[0].tensor() + 1; }, {model}, i16,
                    {2});
    expect_elements([](const Tensors& x) { return ops("aten::new_zeros")(x[0], Dims{2, 1})[0].tensor(); }, {model}, i16,
                    {0, 0});
  }
}

TEST(Creation, LiteralsNestAndTakeTheTypeOfTheirNumbers) {
  expect_same_bits(tensor({{1, 2}, {3, 4}}), tensor_of({1, 2, 3, 4}, {2, 2}, i64));
  expect_same_bits(tensor({0.5, 2}), tensor_of({0.5, 2}, {2}));
  expect_same_bits(tensor({true, false}), tensor_of({1, 0}, {2}, boolean));
  expect_same_bits(tensor(3, f16), tensor_of({3}, {}, f16));
  expect_same_bits(tensor(std::vector<double>{0.1, 0.2}, f64), tensor_of({0.1, 0.2}, {2}, f64));
  EXPECT_EQ(message_of([](const Tensors&) { return tensor({{1, 2}, {3}}); }),
            "tensor: a list of sizes [1] stands beside one of sizes [2]");
}

TEST(Creation, ForeignMemoryIsReleasedWithItsLastTensor) {
  float memory[] = {0, 1, 2, 3, 4, 5};
  int released = 0;
  Tensor x = from_blob(memory, {2, 2}, {1, 2}, [&](void* data) { released += data == memory; });
  EXPECT_EQ(elements_of(x), (std::vector<double>{0, 2, 1, 3}));
  Tensor row = x.select(0, 0);
  row.fill_(9);
  x = {};
  EXPECT_EQ(released, 0);
  row = {};
  EXPECT_EQ(released, 1);
  EXPECT_EQ(memory[0], 9);
  EXPECT_EQ(memory[2], 9);
}

}  // namespace
}  // namespace sinter::test
