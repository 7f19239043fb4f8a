// Running sums, products, log-sum-exps and extrema, from the first element to the last in that order.
//
// Neighbouring lines go together, so that memory is read in its own order whichever dim is scanned.

#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/routines/lines.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>
#include <limits>

namespace sinter::runtime::routines {

namespace {

constexpr int64_t lines_together = 64;
constexpr int64_t elements_per_task = 1 << 15;

// Calls body(first line's offset, number of lines), for lines that lie beside each other.
template <class Body>
void for_line_groups(const Lines& lines, const Body& body) {
  if (lines.lines() == 0 || lines.count == 0) return;
  int64_t width = std::min(lines.inner, lines_together);
  int64_t groups_across = (lines.inner + width - 1) / width;
  int64_t grain = std::max<int64_t>(1, elements_per_task / (lines.count * width));
  parallel_for(0, lines.outer * groups_across, grain, [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      int64_t column = group % groups_across * width;
      body(group / groups_across * lines.count * lines.inner + column, std::min(width, lines.inner - column));
    }
  });
}

// What a running value is held in, as in ATen: one step wider than the elements.
template <class T>
using Accumulator = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float,
                                       std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>>;

template <class T, class A, class Step>
void scan_lines(const Lines& from, const Tensor& to, A initial, Step step) {
  const T* in = from.held.data_ptr<T>();
  T* out = to.data_ptr<T>();
  for_line_groups(from, [&](int64_t offset, int64_t width) {
    A running[lines_together];
    std::fill(running, running + width, initial);
    for (int64_t k = 0; k < from.count; ++k, offset += from.inner)
      for (int64_t j = 0; j < width; ++j) {
        running[j] = step(running[j], static_cast<A>(as_number(in[offset + j])));
        out[offset + j] = static_cast<T>(running[j]);
      }
  });
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
struct AddExponentials {
  template <class A>
  A operator()(A running, A value) const {
    A low = std::isnan(value) ? value : std::min(value, running),
      high = std::isnan(value) ? value : std::max(value, running);
    if (std::isnan(running)) return running;
    // Equal infinities would give inf - inf.
    return low != high || std::isfinite(low) ? high + std::log1p(std::exp(low - high)) : high;
  }
};

template <class Step>
void scan_numbers(const OpArgs& args, Results results, int initial, Step step) {
  DType dtype = results[0].dtype();
  Lines lines = scanned_lines(args, dtype);
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_same_v<T, bool>)
      scan_lines<T>(lines, results[0], static_cast<Accumulator<T>>(initial), step);
  });
}

// The last of equal values is kept, and the last NaN.
template <class T, class IsBeyond>
void scan_extrema(const Lines& from, const Tensor& values, const Tensor& indices, IsBeyond is_beyond) {
  const T* in = from.held.data_ptr<T>();
  T* value_out = values.data_ptr<T>();
  int64_t* index_out = indices.data_ptr<int64_t>();
  for_line_groups(from, [&](int64_t offset, int64_t width) {
    T best[lines_together];
    int64_t place[lines_together] = {};
    std::copy(in + offset, in + offset + width, best);
    for (int64_t k = 0; k < from.count; ++k, offset += from.inner)
      for (int64_t j = 0; j < width; ++j) {
        T value = in[offset + j];
        if (is_nan_value(value) || (!is_nan_value(best[j]) && is_beyond(as_number(value), as_number(best[j])))) {
          best[j] = value;
          place[j] = k;
        }
        value_out[offset + j] = best[j];
        index_out[offset + j] = place[j];
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
    if constexpr (std::is_floating_point_v<A>)
      scan_lines<T>(lines, results[0], -std::numeric_limits<A>::infinity(), AddExponentials());
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
