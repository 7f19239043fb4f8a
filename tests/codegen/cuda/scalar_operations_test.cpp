// Every scalar operation and conversion as CUDA gives the bits of the C++.

#include "support/expect_cuda.h"
#include "support/make_schedule.h"

#include "codegen/prelude_samples.h"

#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/print_prelude.h>

#include <gtest/gtest.h>

namespace sinter::test {

namespace {

constexpr DType compute_types[] = {boolean, u8, i8, i16, i32, i64, f32, f64};
constexpr int64_t count = 6000;

// Special values, each with each other in the first two operands, then random bits.
void fill(std::vector<std::byte>& bytes, DType dtype, unsigned operand) {
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values(count);
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      for (int64_t i = 0; i < count; ++i) values[size_t(i)].bits = uint16_t(i * 11);
    else if constexpr (std::is_same_v<T, bool>)
      for (int64_t i = 0; i < count; ++i) bytes[size_t(i)] = std::byte((i >> operand) % 2);
    else
      values = samples<T>(count, operand == 1, operand + 1);
    if constexpr (!std::is_same_v<T, bool>) std::memcpy(bytes.data(), values.data(), sizeof(T) * values.size());
  });
}

void expect_on_samples(const Schedule& schedule) {
  BufferBytes start = make_buffers(schedule, 1);
  for (size_t id = 0; id < start.size(); ++id)
    if (schedule.buffers[id].kind == BufferKind::input) fill(start[id], schedule.buffers[id].dtype, unsigned(id));
  expect_cuda(schedule, start, 0);
}

// One kernel of all operations whose operands have the type.
Schedule operations_on(DType dtype) {
  Schedule s;
  int operands[3];
  for (int k = 0; k < 3; ++k) operands[k] = add_buffer(s, fmt::format("x{}", k), dtype, {count}, BufferKind::input);
  int mask = add_buffer(s, "mask", boolean, {count}, BufferKind::input);
  NestMaker m(s, "all", {count});
  ScalarExpr x[3];
  for (int k = 0; k < 3; ++k) x[k] = m.load(operands[k], {axis(0)});
  ScalarExpr condition = m.load(mask, {axis(0)});
  for (const ScalarOpInfo& op : all_scalar_ops()) {
    bool is_leaf = op.operands == 0 || op.op == ScalarOp::convert || op.op == ScalarOp::load;
    if (is_leaf || !codegen::has_piece(codegen::operation_piece(op.op, dtype))) continue;
    ScalarExpr value = op.op == ScalarOp::select ? m.builder.apply(op.op, {condition, x[0], x[1]})
                       : op.operands == 1        ? m.builder.apply(op.op, {x[0]})
                       : op.operands == 2        ? m.builder.apply(op.op, {x[0], x[1]})
                                                 : m.builder.apply(op.op, {x[0], x[1], x[2]});
    int out = add_buffer(s, std::string(op.name), value.dtype(), {count}, BufferKind::output);
    m.store(out, {axis(0)}, value);
  }
  add_nest(add_kernel(s, 1, 1), m, 0);
  return s;
}

TEST(CudaScalarOperations, GiveTheBitsOfTheCpu) {
  for (DType dtype : compute_types) {
    SCOPED_TRACE(name(dtype));
    expect_on_samples(operations_on(dtype));
  }
}

TEST(CudaScalarOperations, ConvertBetweenAllTypes) {
  for (DType from : all_dtypes) {
    SCOPED_TRACE(name(from));
    Schedule s;
    int in = add_buffer(s, "x", from, {count}, BufferKind::input);
    NestMaker m(s, "convert", {count});
    ScalarExpr x = m.load(in, {axis(0)});
    for (DType to : all_dtypes) {
      int out = add_buffer(s, fmt::format("as_{}", name(to)), to, {count}, BufferKind::output);
      m.store(out, {axis(0)}, m.builder.convert(x, to));
    }
    add_nest(add_kernel(s, 1, 1), m, 0);
    expect_on_samples(s);
  }
}

}  // namespace

}  // namespace sinter::test
