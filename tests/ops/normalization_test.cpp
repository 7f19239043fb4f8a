// Batch, group, instance and rms norm; the gradients of norms.

#include <sinter/graph/ops/functions/normalization.h>

#include <cmath>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

void expect_near(const Tensor& tensor, const std::vector<double>& elements, double tolerance) {
  std::vector<double> actual = elements_of(tensor);
  ASSERT_EQ(actual.size(), elements.size());
  for (size_t i = 0; i < elements.size(); ++i) EXPECT_NEAR(actual[i], elements[i], tolerance) << i;
}

Tensor channels_last(const Tensor& x) { return ops("aten::contiguous")(x, MemoryFormat::channels_last)[0].tensor(); }

// --- batch_norm -------------------------------------------------------------------------------------------------

TEST(BatchNorm, InferenceUsesTheRunningStatistics) {
  auto plain = [](const Tensors& x) { return batch_norm(x[0], {}, {}, x[1], x[2], false, 0.1, 0); };
  expect_elements(plain, {tensor_of({3, 10, 5, 30}, {2, 2}), tensor_of({1, 10}, {2}), tensor_of({4, 100}, {2})}, f32,
                  {1, 0, 2, 2});
  auto block = [](const Tensor& x, const Tensor& w, const Tensor& m, const Tensor& v) {
    return batch_norm(x + 1.0, w, w, m, v, false) * 2.0;
  };
  EXPECT_EQ(kernel_count(block, randn({2, 4, 5, 5}), ones({4}), ones({4}), ones({4})), 1);
  EXPECT_EQ(message_of([](const Tensors& x) { return batch_norm(x[0], {}, {}, {}, {}, false); }, {ones({2, 2})}),
            "batch_norm: running statistics are missing");
}

TEST(BatchNorm, TrainingUsesTheBatchAndMovesTheRunningStatistics) {
  auto train = [](const Tensors& x) { return batch_norm(x[0], x[1], x[1], x[2], x[3], true, 0.5, 0); };
  Tensors x = {tensor_of({1, 3, 2, 6}, {2, 1, 2}), tensor_of({2}, {1}), tensor_of({1}, {1}), tensor_of({0}, {1})};
  double rstd = 1 / std::sqrt(3.5);
  expect_near(result_of(train, x), {2 - 4 * rstd, 2, 2 - 2 * rstd, 2 + 6 * rstd}, 1e-5);
  train(x);
  expect_near(x[2], {2}, 0);
  expect_near(x[3], {0.5 * 14 / 3}, 1e-6);  // the unbiased variance
}

TEST(BatchNorm, KeepsChannelsLast) {
  auto block = [](const Tensors& x) { return batch_norm(x[0], {}, {}, {}, {}, true); };
  EXPECT_EQ(layout_of(result_of(block, {channels_last(randn({2, 3, 4, 5}))})), "[2, 3, 4, 5] [60, 1, 15, 3]");
  EXPECT_EQ(layout_of(result_of(block, {randn({2, 4, 3}).transpose(1, 2)})), "[2, 3, 4] [12, 4, 1]");
}

TEST(BatchNorm, SavesStatisticsInF32BesideHalves) {
  Values results =
      ops("aten::native_batch_norm")(ones({2, 3}, f16), ones({3}), Value(), Value(), Value(), true, 0.1, 1e-5);
  EXPECT_EQ(results[0].tensor().dtype(), f16);
  EXPECT_EQ(results[1].tensor().dtype(), f32);
}

TEST(BatchNorm, InstanceNormTakesEachSampleAlone) {
  auto norm = [](const Tensors& x) { return instance_norm(x[0], {}, {}, {}, {}, true, 0.1, 0); };
  expect_elements(norm, {tensor_of({1, 3, -5, 5, 7, 7.5, 0, 2}, {2, 2, 2})}, f32, {-1, 1, -1, 1, -1, 1, -1, 1});
  EXPECT_EQ(kernel_count([](const Tensor& x) { return instance_norm(x * 2.0); }, randn({2, 3, 8, 8})), 1);
}

// --- group_norm, rms_norm ---------------------------------------------------------------------------------------

TEST(GroupNorm, OfKnownGroups) {
  auto norm = [](const Tensors& x) { return group_norm(x[0], 2, x[1], x[2], 0); };
  Tensors x = {tensor_of({1, 3, -5, 5}, {1, 4}), tensor_of({1, 2, 3, 4}, {4}), tensor_of({0, 0, 1, 1}, {4})};
  expect_elements(norm, x, f32, {-1, 2, -2, 5});
  EXPECT_EQ(message_of([](const Tensors& x) { return group_norm(x[0], 3); }, x),
            "group_norm: 4 channels do not make 3 groups");
}

TEST(GroupNorm, IsOneKernelInAnyMemoryOrder) {
  auto block = [](const Tensor& x, const Tensor& w) { return group_norm(x + 1.0, 4, w, w); };
  EXPECT_EQ(kernel_count(block, randn({2, 8, 6, 6}), ones({8})), 1);
  Tensor result = eager_and_compiled(block, channels_last(randn({2, 8, 6, 6})), ones({8}));
  EXPECT_EQ(layout_of(result), "[2, 8, 6, 6] [288, 1, 48, 8]");
}

TEST(GroupNorm, RmsNormOfKnownRows) {
  auto norm = [](const Tensors& x) { return rms_norm(x[0], {2}, x[1], 0.0); };
  expect_elements(norm, {tensor_of({1, 7, -5, 5}, {2, 2}), tensor_of({5, 10}, {2})}, f32, {1, 14, -5, 10});
  EXPECT_EQ(kernel_count([](const Tensor& x) { return rms_norm(x * 2.0, {300}); }, randn({8, 300})), 1);
  // eps is that of the type computed in: 1e-3 squared is of the size of f32's, far below f16's.
  expect_near(result_of([](const Tensors& x) { return rms_norm(x[0], {2}); }, {tensor_of({1e-3, 1e-3}, {2}, f16)}),
              {0.9453125, 0.9453125}, 0);
  EXPECT_EQ(message_of([](const Tensors& x) { return rms_norm(x[0], {3}); }, {ones({2, 2})}),
            "rms_norm: sizes [2, 2] do not end in normalized_shape [3]");
}

// --- Gradients --------------------------------------------------------------------------------------------------

// The sum over i of grad[i] * norm(x)[i], whose derivative by central differences the op must give.
template <class Norm>
void expect_derivative(Norm norm, const Tensor& x, const Tensor& grad, const Tensor& actual) {
  constexpr double step = 1e-5;
  auto loss = [&](const Tensor& at) { return sum(norm(at) * grad).template item<double>(); };
  std::vector<double> expected;
  for (int64_t i = 0; i < x.numel().constant(); ++i) {
    Tensor before = x.clone(), after = x.clone();
    before.data_ptr<double>()[i] -= step;
    after.data_ptr<double>()[i] += step;
    expected.push_back((loss(after) - loss(before)) / (2 * step));
  }
  expect_near(actual, expected, 1e-7);
}

Tensor some(std::vector<int64_t> sizes, double seed) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(std::sin(seed * static_cast<double>(i + 1)));
  return tensor_of(elements, sizes, f64);
}

const Value::List all_three = {true, true, true};

TEST(NormBackward, OfLayerNorm) {
  Tensor x = some({3, 4}, 1.3), grad = some({3, 4}, 2.1), weight = some({4}, 0.7), bias = some({4}, 0.2);
  Values saved = ops("aten::native_layer_norm")(x, Dims{4}, weight, bias, 1e-5);
  Values results =
      ops("aten::native_layer_norm_backward")(grad, x, Dims{4}, saved[1], saved[2], weight, bias, all_three);
  expect_derivative([&](const Tensor& x) { return layer_norm(x, {4}, weight, bias); }, x, grad, results[0].tensor());
  expect_derivative([&](const Tensor& w) { return layer_norm(x, {4}, w, bias); }, weight, grad, results[1].tensor());
  expect_derivative([&](const Tensor& b) { return layer_norm(x, {4}, weight, b); }, bias, grad, results[2].tensor());
}

TEST(NormBackward, OfGroupNorm) {
  Tensor x = some({2, 4, 3}, 1.3), grad = some({2, 4, 3}, 2.1), weight = some({4}, 0.7);
  Values saved = ops("aten::native_group_norm")(x, weight, Value(), 2, 4, 3, 2, 1e-5);
  Values results = ops("aten::native_group_norm_backward")(grad, x, saved[1], saved[2], weight, 2, 4, 3, 2,
                                                           Value::List{true, true, false});
  expect_derivative([&](const Tensor& x) { return group_norm(x, 2, weight); }, x, grad, results[0].tensor());
  expect_derivative([&](const Tensor& w) { return group_norm(x, 2, w); }, weight, grad, results[1].tensor());
  EXPECT_TRUE(results[2].is_none());
}

TEST(NormBackward, OfBatchNorm) {
  Tensor x = some({3, 2, 2}, 1.3), grad = some({3, 2, 2}, 2.1), weight = some({2}, 0.7);
  for (bool training : {true, false}) {
    Tensor mean = some({2}, 0.3), var = some({2}, 0.4);
    auto norm = [&](const Tensor& x, const Tensor& w) {
      return batch_norm(x, w, {}, mean.clone(), var.clone(), training, 0.1, 1e-5);
    };
    Values saved = ops("aten::native_batch_norm")(x, weight, Value(), mean.clone(), var.clone(), training, 0.1, 1e-5);
    Values results = ops("aten::native_batch_norm_backward")(grad, x, weight, mean, var, saved[1], saved[2], training,
                                                             1e-5, all_three);
    expect_derivative([&](const Tensor& x) { return norm(x, weight); }, x, grad, results[0].tensor());
    expect_derivative([&](const Tensor& w) { return norm(x, w); }, weight, grad, results[1].tensor());
  }
}

TEST(Norms, EmptyResultsHaveTheStridesOfTheirMeta) {
  auto norm = [](const Tensor& x) { return ops("aten::_fused_rms_norm")(x, Dims{0}, Value(), 1e-3)[0].tensor(); };
  Tensor x = as_strided(zeros({20}), {3, 6, 0}, {1, 6, 6}, 1);
  EXPECT_EQ(norm(x).strides(), (SymDims{6, 1, 1}));
  EXPECT_EQ(compile(norm)(x).strides(), (SymDims{6, 1, 1}));
}

TEST(Norms, DimsOfSizeOneHaveTheStridesOfTheirMeta) {
  auto softmax_of = [](const Tensor& x) { return softmax(x, 0).slice(1, 1, 1, 3); };
  Tensor x = as_strided(ones({4}), {2, 1}, {1, 2}, 0);
  for (const Tensor& rest : {softmax_of(x), compile(softmax_of)(x)}) {
    EXPECT_EQ(rest.strides(), (SymDims{1, 3}));
    EXPECT_EQ(rest.storage_offset(), 1);
  }
}

TEST(NormBackward, OfRmsNorm) {
  Tensor x = some({3, 4}, 1.3), grad = some({3, 4}, 2.1), weight = some({4}, 0.7);
  Values saved = ops("aten::_fused_rms_norm")(x, Dims{4}, weight, 1e-5);
  Values results = ops("aten::_fused_rms_norm_backward")(grad, x, Dims{4}, saved[1], weight, Value::List{true, true});
  expect_derivative([&](const Tensor& x) { return rms_norm(x, {4}, weight, 1e-5); }, x, grad, results[0].tensor());
  expect_derivative([&](const Tensor& w) { return rms_norm(x, {4}, w, 1e-5); }, weight, grad, results[1].tensor());
}

}  // namespace
}  // namespace sinter::test
