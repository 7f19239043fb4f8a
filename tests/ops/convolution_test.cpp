// Convolutions, their transposes and gradients.

#include <sinter/graph/ops/functions/convolution.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/random.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

// Small whole numbers, so that all sums are exact.
Tensor ramp(std::vector<int64_t> sizes, DType dtype = f32) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i * 5 % 7 - 3));
  return tensor_of(elements, sizes, dtype);
}

TEST(Convolution, OfKnownRows) {
  auto plain = [](const Tensors& x) { return conv1d(x[0], x[1]); };
  Tensors x = {tensor_of({1, 2, 3, 4}, {1, 1, 4}), tensor_of({1, 10}, {1, 1, 2})};
  expect_elements(plain, x, f32, {21, 32, 43});
  auto padded = [](const Tensors& x) { return conv1d(x[0], x[1], {}, {2}, {1}); };
  expect_elements(padded, x, f32, {10, 32, 4});
  auto apart = [](const Tensors& x) { return conv1d(x[0], x[1], {}, {1}, {0}, {2}); };
  expect_elements(apart, x, f32, {31, 42});
}

TEST(Convolution, TransposedSpreadsWhatTheOtherGathers) {
  auto spread = [](const Tensors& x) { return conv_transpose1d(x[0], x[1], x[2], {2}, {0}, {1}); };
  Tensors x = {tensor_of({1, 2}, {1, 1, 2}), tensor_of({1, 10}, {1, 1, 2}), tensor_of({100}, {1})};
  expect_elements(spread, x, f32, {101, 110, 102, 120, 100});
}

TEST(Convolution, AllTypesAgree) {
  auto wide = [](const Tensors& x) { return conv2d(x[0], x[1], x[2], {2, 1}, {1, 0}, {1, 2}, 2); };
  auto spread = [](const Tensors& x) { return conv_transpose2d(x[0], x[3], x[2], {2, 1}, {1, 0}, {1, 0}, 2); };
  std::vector<double> want, want_spread;
  for (DType dtype : {i64, f64, f32, f16, bf16}) {
    Tensors x = {ramp({2, 4, 5, 6}, dtype), ramp({6, 2, 3, 2}, dtype), ramp({6}, dtype), ramp({4, 3, 3, 2}, dtype)};
    std::vector<double> got = elements_of(result_of(wide, x)), got_spread = elements_of(result_of(spread, x));
    if (want.empty()) want = got, want_spread = got_spread;
    EXPECT_EQ(got, want) << name(dtype);
    EXPECT_EQ(got_spread, want_spread) << name(dtype);
  }
}

TEST(Convolution, ChannelsStayLast) {
  auto conv = [](const Tensors& x) { return conv2d(x[0].permute({0, 3, 1, 2}), x[1]); };
  Tensors x = {ramp({2, 6, 6, 3}), ramp({4, 3, 3, 3})};
  Tensor result = result_of(conv, x);
  EXPECT_EQ(layout_of(result), "[2, 4, 4, 4] [64, 1, 16, 4]");
  Tensor same = conv2d(x[0].permute({0, 3, 1, 2}).contiguous(), x[1]);
  EXPECT_EQ(layout_of(same), "[2, 4, 4, 4] [64, 16, 4, 1]");
  EXPECT_EQ(elements_of(contiguous(result)), elements_of(same));
}

TEST(Convolution, PaddingByName) {
  auto same = [](const Tensors& x) { return conv1d(x[0], x[1], {}, {1}, Padding::same); };
  Tensors x = {tensor_of({1, 2, 3}, {1, 3}), tensor_of({1, 10}, {1, 1, 2})};
  expect_elements(same, x, f32, {21, 32, 3});
  EXPECT_EQ(message_of([](const Tensors& x) { return conv1d(x[0], x[1], {}, {2}, Padding::same); }, x),
            "conv1d: padding 'same' with stride 2");
}

TEST(Convolution, OfNothingIsTheBias) {
  auto conv = [](const Tensors& x) { return conv1d(x[0], x[1], x[2]); };
  Tensors none = {zeros({0, 2, 4}), ramp({3, 2, 2}), ramp({3})};
  EXPECT_EQ(layout_of(result_of(conv, none)), "[0, 3, 3] [9, 3, 1]");
  Tensors no_channels = {zeros({1, 0, 2}), zeros({2, 0, 2}), tensor_of({5, 6}, {2})};
  expect_elements(conv, no_channels, f32, {5, 6});
}

TEST(Convolution, GradientsOfKnownRows) {
  Tensor gradient = tensor_of({1, 2, 3}, {1, 1, 3}), x = tensor_of({1, 2, 3, 4}, {1, 1, 4});
  Tensor weight = tensor_of({1, 10}, {1, 1, 2});
  Values results = ops("aten::convolution_backward")(gradient, x, weight, Dims{1}, Dims{1}, Dims{0}, Dims{1}, false,
                                                     Dims{0}, 1, Value::List{true, true, true});
  EXPECT_EQ(elements_of(results[0].tensor()), (std::vector<double>{1, 12, 23, 30}));
  EXPECT_EQ(elements_of(results[1].tensor()), (std::vector<double>{14, 20}));
  EXPECT_EQ(elements_of(results[2].tensor()), (std::vector<double>{6}));
  results = ops("aten::convolution_backward")(gradient, x, weight, Value(), Dims{1}, Dims{0}, Dims{1}, false, Dims{0},
                                              1, Value::List{false, true, false});
  EXPECT_TRUE(results[0].is_none());
  EXPECT_TRUE(results[2].is_none());
}

TEST(Convolution, GradientsAreTheSameForAnyNumberOfThreads) {
  Tensors x = {ramp({12, 4, 9, 9}), ramp({12, 3, 11, 11}) * 0.37, ramp({4, 3, 3, 3})};
  auto gradient = [&] {
    return ops("aten::convolution_backward")(x[0], x[1], x[2], Dims{4}, Dims{1, 1}, Dims{0, 0}, Dims{1, 1}, false,
                                             Dims{0, 0}, 1, Value::List{false, true, false})[1]
        .tensor();
  };
  Tensor all = gradient();
  int before = get_num_threads();
  set_num_threads(1);
  Tensor one = gradient();
  set_num_threads(before);
  expect_same_bits(all, one);
}

// Small and large, of one sample and of several, whole and in groups: oneDNN itself adds in another order on more
// threads.
TEST(Convolution, ForwardAndTransposedAreTheSameForAnyNumberOfThreads) {
  struct Case {
    SymDims x, w;
    int64_t groups;
  };
  int before = get_num_threads();
  for (const Case& c : {Case{{1, 4, 9}, {2, 4, 2}, 1}, Case{{2, 4, 9}, {4, 2, 2}, 2}, Case{{1, 40, 33}, {40, 40, 3}, 1},
                        Case{{1, 100, 300}, {100, 100, 5}, 1}, Case{{3, 64, 200}, {64, 64, 3}, 1},
                        Case{{19, 32, 40}, {32, 32, 3}, 1}}) {
    for (DType dtype : {f32, bf16, f16}) {
      manual_seed(1);
      Tensor x = randn(c.x, dtype), w = randn(c.w, dtype), bias = randn({c.w[0]}, dtype);
      Tensor turned = c.groups == 1 ? w.transpose(0, 1).contiguous() : w;
      auto results = [&](int threads) -> Tensors {
        set_num_threads(threads);
        return {conv1d(x, w, bias, Dims{2}, Dims{2}, Dims{1}, c.groups),
                ops("aten::conv_transpose1d")(x, turned, Value(), Dims{2}, Dims{1}, Dims{0}, c.groups)[0].tensor()};
      };
      Tensors one = results(1);
      for (int threads : {2, 3, 8}) {
        Tensors several = results(threads);
        expect_same_bits(several[0], one[0]);
        expect_same_bits(several[1], one[1]);
      }
    }
  }
  set_num_threads(before);
}

// Beyond the last window it may have more elements than a stride.
TEST(Convolution, OutputPaddingMayExceedTheStrideWhereTheDilationIsGreaterStill) {
  for (DType dtype : {f32, bf16, f64}) {
    Tensors x = {tensor_of({1, 2, 3, 4, 5, 6}, {1, 1, 2, 3}, dtype), tensor_of({1, 2}, {1, 1, 1, 2}, dtype),
                 tensor_of({0.5}, {1}, dtype)};
    auto spread = [](const Tensors& x) {
      return ops("aten::convolution")(x[0], x[1], x[2], Dims{1, 1}, Dims{0, 1}, Dims{2, 2}, true, Dims{1, 0}, 1)[0]
          .tensor();
    };
    expect_elements(spread, x, dtype, {2.5, 5.5, 4.5, 5.5, 14.5, 10.5, 0.5, 0.5, 0.5});
  }
}

TEST(Convolution, ErrorsNameTheSizes) {
  Tensors x = {ramp({1, 3, 4}), ramp({2, 2, 2}), ramp({2, 3, 9}), ramp({5}), ramp({2, 3, 2}, f64)};
  EXPECT_EQ(message_of([](const Tensors& x) { return conv1d(x[0], x[1]); }, x),
            "conv1d: the input has 3 channels, the weight wants 2");
  EXPECT_EQ(message_of([](const Tensors& x) { return conv1d(x[0], x[2]); }, x),
            "conv1d: the kernel reaches over 9 pixels, the padded input has 4");
  EXPECT_EQ(message_of([](const Tensors& x) { return conv1d(x[0], x[4]); }, x), "conv1d: dtypes differ (f32 vs f64)");
  EXPECT_EQ(message_of([](const Tensors& x) { return conv2d(x[3], x[1]); }, x), "conv2d: an input of 1 dims");
}

}  // namespace
}  // namespace sinter::test
