// Running sums, products, log-sum-exps and extrema, from the first element to the last in that order.
//
// Neighbouring lines go together, so that memory is read in its own order whichever dim is scanned; sums of rows of f32
// by a primitive.

#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/primitives/primitive_table.h>
#include <sinter/runtime/routines/lines.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>
#include <limits>

namespace sinter::runtime::routines {

namespace {

// Lines beside each other in memory, and lines one after the other: few of these, for their rows compete for the cache.
constexpr int64_t columns_together = 64;
constexpr int64_t rows_together = 4;
constexpr int64_t elements_per_task = 1 << 15;
constexpr int64_t least_streamed_elements = 1 << 21;  // of f32: what is larger goes past the caches

// Lines that are scanned together, which overlaps the steps of one with those of the others.
struct LineGroup {
  int64_t offset;  // of the first element
  int64_t width;   // number of lines
  int64_t line_step, element_step;
};

// Calls body(group) for groups of at most columns_together lines, or `most_rows` rows, that make up all lines.
template <class Body>
void for_line_groups(const Lines& lines, int64_t most_rows, const Body& body) {
  if (lines.lines() == 0 || lines.count == 0) return;
  bool is_rows = lines.inner == 1;
  int64_t across = is_rows ? lines.outer : lines.inner;
  int64_t width = std::min(across, is_rows ? most_rows : columns_together);
  int64_t groups_across = (across + width - 1) / width;
  int64_t grain = std::max<int64_t>(1, elements_per_task / (lines.count * width));
  int64_t line_step = is_rows ? lines.count : 1;
  parallel_for(0, is_rows ? groups_across : lines.outer * groups_across, grain, [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      int64_t first = group % groups_across * width;
      int64_t offset = group / groups_across * lines.count * lines.inner + first * line_step;
      body(LineGroup{offset, std::min(width, across - first), line_step, lines.inner});
    }
  });
}

// What a running value is held in, as in ATen: one step wider than the elements.
template <class T>
using Accumulator = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float,
                                       std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>>;

template <class T, class A, class Step, class Width>
void scan_group(const T* in, T* out, const LineGroup& group, int64_t count, A initial, Step step, Width width) {
  A running[columns_together];
  std::fill(running, running + width, initial);
  for (int64_t k = 0, at = group.offset; k < count; ++k, at += group.element_step)
    for (int64_t j = 0; j < width; ++j) {
      running[j] = step(running[j], static_cast<A>(as_number(in[at + j * group.line_step])));
      out[at + j * group.line_step] = static_cast<T>(running[j]);
    }
}

// From the first_row-th of the outer rows on.
template <class T, class A, class Step>
void scan_lines(const Lines& from, const Tensor& to, A initial, Step step, int64_t first_row = 0) {
  const T* in = from.held.data_ptr<T>() + first_row * from.count * from.inner;
  T* out = to.data_ptr<T>() + first_row * from.count * from.inner;
  Lines rest = from;
  rest.outer -= first_row;
  for_line_groups(rest, rows_together, [&](const LineGroup& group) {
    // A constant width keeps the running values in registers.
    if (group.width == rows_together)
      scan_group(in, out, group, from.count, initial, step, std::integral_constant<int64_t, rows_together>());
    else
      scan_group(in, out, group, from.count, initial, step, group.width);
  });
}

// Whole groups of rows; gives how many rows these are.
int64_t sum_row_groups(const Lines& from, const Tensor& to) {
  static const RunningSums& sums = primitives(detect_isa()).running_sums;
  int64_t groups = from.outer / sums.rows, group_elements = sums.rows * from.count;
  bool streams = from.lines() * from.count >= least_streamed_elements;
  const float* in = from.held.data_ptr<float>();
  float* out = to.data_ptr<float>();
  int64_t grain = std::max<int64_t>(1, elements_per_task / std::max<int64_t>(group_elements, 1));
  parallel_for(0, groups, grain, [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group)
      sums.run(in + group * group_elements, out + group * group_elements, from.count, from.count, streams);
  });
  return groups * sums.rows;
}

Lines scanned_lines(const OpArgs& args, DType dtype) {
  const Tensor& self = args[0].tensor();
  return lines_along(self.to(dtype, args.here()), wrap_dim(args, args.integer("dim"), self.dim()));
}

struct Add {
  template <class A>
  A operator()(A running, A value) const {
    return running + value;
  }
};
struct Multiply {
  template <class A>
  A operator()(A running, A value) const {
    return running * value;
  }
};
// running[j] = log(exp(running[j]) + exp(values[j])) by the operations that log_add_exp of the prelude has, one block
// after the other: compiled code gives the same bits.
template <class A>
void add_exponentials(A* running, const A* values, int64_t width) {
  static const PrimitiveTable& table = primitives(detect_isa());
  constexpr int type = static_cast<int>(dtype_of<A>);
  A sums[columns_together], highest[columns_together];
  auto step = [&](ScalarOp op, A* to, const A* a, const A* b) {
    table.scalar[static_cast<int>(op)][type](to, a, b, nullptr, width);
  };
  step(ScalarOp::sub, sums, running, values);
  for (ScalarOp op : {ScalarOp::abs, ScalarOp::neg, ScalarOp::exp, ScalarOp::log1p}) step(op, sums, sums, nullptr);
  step(ScalarOp::maximum, highest, running, values);
  step(ScalarOp::add, sums, highest, sums);
  for (int64_t j = 0; j < width; ++j)
    running[j] = std::isinf(running[j]) && running[j] == values[j] ? running[j] : sums[j];
}

template <class T, class A>
void scan_exponentials(const Lines& from, const Tensor& to) {
  const T* in = from.held.data_ptr<T>();
  T* out = to.data_ptr<T>();
  for_line_groups(from, columns_together, [&](const LineGroup& group) {
    A running[columns_together], values[columns_together];
    std::fill(running, running + group.width, -std::numeric_limits<A>::infinity());
    for (int64_t k = 0, at = group.offset; k < from.count; ++k, at += group.element_step) {
      for (int64_t j = 0; j < group.width; ++j) values[j] = static_cast<A>(as_number(in[at + j * group.line_step]));
      add_exponentials(running, values, group.width);
      for (int64_t j = 0; j < group.width; ++j) out[at + j * group.line_step] = static_cast<T>(running[j]);
    }
  });
}

template <class Step>
void scan_numbers(const OpArgs& args, Results results, int initial, Step step) {
  DType dtype = results[0].dtype();
  Lines lines = scanned_lines(args, dtype);
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    int64_t done = 0;
    if constexpr (std::is_same_v<T, float> && std::is_same_v<Step, Add>)
      if (lines.inner == 1) done = sum_row_groups(lines, results[0]);
    if constexpr (!std::is_same_v<T, bool>)
      scan_lines<T>(lines, results[0], static_cast<Accumulator<T>>(initial), step, done);
  });
}

// The last of equal values is kept, and the last NaN.
template <class T, class IsBeyond>
void scan_extrema(const Lines& from, const Tensor& values, const Tensor& indices, IsBeyond is_beyond) {
  const T* in = from.held.data_ptr<T>();
  T* value_out = values.data_ptr<T>();
  int64_t* index_out = indices.data_ptr<int64_t>();
  for_line_groups(from, rows_together, [&](const LineGroup& group) {
    T best[columns_together];
    int64_t place[columns_together] = {};
    for (int64_t j = 0; j < group.width; ++j) best[j] = in[group.offset + j * group.line_step];
    for (int64_t k = 0; k < from.count; ++k)
      for (int64_t j = 0; j < group.width; ++j) {
        int64_t at = group.offset + k * group.element_step + j * group.line_step;
        T value = in[at];
        if (is_nan_value(value) || (!is_nan_value(best[j]) && is_beyond(as_number(value), as_number(best[j])))) {
          best[j] = value;
          place[j] = k;
        }
        value_out[at] = best[j];
        index_out[at] = place[j];
      }
  });
}

}  // namespace

SINTER_ROUTINE(cumsum_default) { scan_numbers(args, results, 0, Add()); }
SINTER_ROUTINE(cumprod_default) { scan_numbers(args, results, 1, Multiply()); }

SINTER_ROUTINE(logcumsumexp_default) {
  DType dtype = results[0].dtype();
  Lines lines = scanned_lines(args, dtype);
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    using A = Accumulator<T>;
    if constexpr (std::is_floating_point_v<A>) scan_exponentials<T, A>(lines, results[0]);
  });
}

SINTER_ROUTINE(cummax_default) {
  Lines lines = scanned_lines(args, results[0].dtype());
  visit(results[0].dtype(), [&](auto zero) {
    scan_extrema<decltype(zero)>(lines, results[0], results[1], [](auto a, auto b) { return a >= b; });
  });
}
SINTER_ROUTINE(cummin_default) {
  Lines lines = scanned_lines(args, results[0].dtype());
  visit(results[0].dtype(), [&](auto zero) {
    scan_extrema<decltype(zero)>(lines, results[0], results[1], [](auto a, auto b) { return a <= b; });
  });
}

}  // namespace sinter::runtime::routines
