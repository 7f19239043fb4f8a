// Short forms of operations: where they are used, and that no bit of a result tells.

#include <sinter/codegen/cuda/quick_operations.h>

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "codegen/prelude_samples.h"
#include "support/expect_cuda.h"
#include "support/make_schedule.h"

namespace sinter::test {

namespace {

using Formula = std::function<ScalarExpr(NestMaker&, std::span<const ScalarExpr>)>;

// out = formula(x0, x1, ...) on elements of one type.
Schedule pointwise(DType dtype, int64_t size, int operands, const Formula& formula) {
  Schedule s;
  std::vector<int> inputs;
  for (int k = 0; k < operands; ++k)
    inputs.push_back(add_buffer(s, fmt::format("x{}", k), dtype, {size}, BufferKind::input));
  int out = add_buffer(s, "out", dtype, {size}, BufferKind::output);
  NestMaker m(s, "formula", {size});
  std::vector<ScalarExpr> x;
  for (int input : inputs) x.push_back(m.builder.convert(m.load(input, {axis(0)}), compute_type(dtype)));
  m.store(out, {axis(0)}, m.builder.convert(formula(m, x), dtype));
  add_nest(add_kernel(s, 1, 1), m, 0);
  return s;
}

ScalarExpr silu(NestMaker& m, std::span<const ScalarExpr> x) {
  return x[0] / (m.builder.constant(Scalar(1.0), f32) + exp(-x[0]));
}

bool has(const Schedule& schedule, std::string_view text) {
  return cuda_program(schedule).kernels[0].text.find(text) != std::string::npos;
}

BufferBytes starting_with(const Schedule& schedule, const std::function<uint32_t(size_t, size_t)>& bits) {
  BufferBytes start = make_buffers(schedule, 1);
  for (size_t id = 0; id + 1 < start.size(); ++id) {
    size_t size = size_t(byte_size(schedule.buffers[id].dtype));
    for (size_t i = 0; i < start[id].size() / size; ++i) {
      uint32_t element = bits(id, i);
      std::memcpy(&start[id][i * size], &element, size);
    }
  }
  return start;
}

// Each special value over each, then random bits.
uint32_t special_or_random(size_t operand, size_t i) {
  static const std::vector<float> first = samples<float>(1 << 16, false, 7), second = samples<float>(1 << 16, true, 8);
  return std::bit_cast<uint32_t>((operand == 0 ? first : second)[i]);
}

TEST(CudaQuickOperations, DivideTakeRootsAndLogarithmsAsTheCpu) {
  Schedule s = pointwise(
      f32, 1 << 16, 2, [](NestMaker&, std::span<const ScalarExpr> x) { return x[0] / x[1] + sqrt(x[0]) * log(x[1]); });
  for (const char* function : {"quick_div(", "quick_sqrt(", "quick_log("}) EXPECT_TRUE(has(s, function)) << function;
  expect_cuda(s, starting_with(s, special_or_random), 0);
  for (auto formula : {+[](std::span<const ScalarExpr> x) { return x[0] / x[1]; },
                       +[](std::span<const ScalarExpr> x) { return sqrt(x[0]); },
                       +[](std::span<const ScalarExpr> x) { return log(x[1]); }}) {
    Schedule alone = pointwise(f32, 1 << 16, 2, [&](NestMaker&, std::span<const ScalarExpr> x) { return formula(x); });
    expect_cuda(alone, starting_with(alone, special_or_random), 0);
  }
}

TEST(CudaQuickOperations, ExpHasItsBitsWhereItEnds) {
  Schedule s = pointwise(f32, 1 << 18, 1, [](NestMaker&, std::span<const ScalarExpr> x) { return exp(x[0]); });
  // Around zero, the subnormal results and overflow; then all exponents.
  auto bits = [](size_t, size_t i) {
    uint32_t k = uint32_t(i) & 0xffff;
    if (i >> 16 == 0) return std::bit_cast<uint32_t>(-86.0f - float(k) * 0x1p-11f);
    if (i >> 16 == 1) return std::bit_cast<uint32_t>(87.0f + float(k) * 0x1p-15f);
    return uint32_t(i) << 15;
  };
  expect_cuda(s, starting_with(s, bits), 0);
}

TEST(CudaQuickOperations, RoughValuesRoundToTheSameBf16) {
  std::vector<Schedule> schedules;
  schedules.push_back(
      pointwise(bf16, 1 << 16, 1, [](NestMaker&, std::span<const ScalarExpr> x) { return sigmoid(x[0]); }));
  schedules.push_back(pointwise(bf16, 1 << 16, 1, silu));
  schedules.push_back(pointwise(bf16, 1 << 16, 1, [](NestMaker&, std::span<const ScalarExpr> x) { return exp(x[0]); }));
  EXPECT_TRUE(has(schedules[0], "rough_sigmoid("));
  EXPECT_TRUE(has(schedules[1], "rough_exp("));
  EXPECT_TRUE(has(schedules[1], "rough_div("));
  EXPECT_TRUE(has(schedules[1], "to_bf16(watched("));
  for (const Schedule& s : schedules) expect_cuda(s, starting_with(s, [](size_t, size_t i) { return uint32_t(i); }), 0);
  Schedule quotient =
      pointwise(bf16, 1 << 18, 2, [](NestMaker&, std::span<const ScalarExpr> x) { return x[0] / x[1]; });
  EXPECT_TRUE(has(quotient, "rough_div("));
  std::mt19937 random(3);
  expect_cuda(quotient, starting_with(quotient, [&](size_t, size_t) { return random(); }), 0);
}

TEST(CudaQuickOperations, StayExactWhereAnythingElseUsesThem) {
  auto twice = [](NestMaker& m, std::span<const ScalarExpr> x) {
    ScalarExpr y = sigmoid(x[0]);
    return y + (y - m.builder.constant(Scalar(0.5), f32));
  };
  EXPECT_FALSE(has(pointwise(bf16, 1 << 12, 1, twice), "rough_sigmoid("));
  EXPECT_FALSE(has(pointwise(f16, 1 << 12, 1, silu), "rough_exp("));
  EXPECT_FALSE(has(pointwise(f32, 1 << 12, 1, silu), "rough_exp("));
}

// What a kernel overwrites can't be read again.
TEST(CudaQuickOperations, AreLeftOutInPlace) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {4096}, BufferKind::input);
  NestMaker m(s, "sqrt", {4096});
  m.store(x, {axis(0)}, sqrt(m.load(x, {axis(0)})));
  add_nest(add_kernel(s, 1, 1), m, 0);
  EXPECT_FALSE(has(s, "quick_sqrt("));
  expect_cuda(s);
}

}  // namespace

}  // namespace sinter::test
