// segment_reduce: runs of elements along an axis, each reduced to one; and repeat_interleave's positions.

#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/routines/combine.h>
#include <sinter/runtime/routines/indices.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>
#include <cmath>

namespace sinter::runtime::routines {

namespace {

// Data as [outer, axis, inner], cut along axis into segments for each outer position.
struct Segments {
  int64_t outer = 1, axis = 1, inner = 1, per_row = 0;
  std::vector<int64_t> starts;  // [outer, per_row + 1]

  int64_t start(int64_t row, int64_t segment) const { return starts[row * (per_row + 1) + segment]; }
  int64_t length(int64_t row, int64_t segment) const { return start(row, segment + 1) - start(row, segment); }
};

std::vector<int64_t> starts_of_lengths(const OpArgs& args, const Tensor& lengths, const Segments& segments) {
  std::vector<int64_t> starts;
  const int64_t* data = lengths.data_ptr<int64_t>();
  for (int64_t row = 0; row < segments.outer; ++row) {
    int64_t at = 0;
    starts.push_back(at);
    for (int64_t i = 0; i < segments.per_row; ++i) {
      int64_t length = data[row * segments.per_row + i];
      if (length < 0) args.fail(ErrorKind::argument, fmt::format("length {} is negative", length));
      starts.push_back(at += length);
    }
    bool may_end_early = args.op().schema().find("unsafe") < 0 || args.flag("unsafe");
    if (at > segments.axis || (at < segments.axis && !may_end_early))
      args.fail(ErrorKind::argument, fmt::format("the lengths sum to {} along an axis of size {}", at, segments.axis));
  }
  return starts;
}

std::vector<int64_t> checked_starts(const OpArgs& args, const Tensor& offsets, const Segments& segments) {
  const int64_t* data = offsets.data_ptr<int64_t>();
  std::vector<int64_t> starts(data, data + count_of(offsets));
  for (int64_t row = 0; row < segments.outer; ++row) {
    int64_t before = 0;
    for (int64_t i = 0; i <= segments.per_row; ++i) {
      int64_t start = starts[row * (segments.per_row + 1) + i];
      if (start < before || start > segments.axis)
        args.fail(ErrorKind::argument,
                  fmt::format("offset {} is out of order, or out of an axis of size {}", start, segments.axis));
      before = start;
    }
  }
  return starts;
}

Segments segments_of(const OpArgs& args, const Tensor& data) {
  Segments segments;
  int64_t axis = wrap_dim(args, args.integer("axis"), data.dim());
  for (int64_t i = 0; i < data.dim(); ++i)
    (i < axis ? segments.outer : i == axis ? segments.axis : segments.inner) *= data.sizes()[i].constant();
  bool by_length = !args["lengths"].is_none();
  Tensor given = dense(by_length ? args["lengths"].tensor() : args["offsets"].tensor(), DType::i64);
  segments.per_row = given.sizes()[axis].constant() - (by_length ? 0 : 1);
  segments.starts = by_length ? starts_of_lengths(args, given, segments) : checked_starts(args, given, segments);
  return segments;
}

struct SegmentRule {
  Combine how = Combine::add;
  bool is_mean = false;
  std::optional<double> initial;
};

SegmentRule asked_rule(const OpArgs& args) {
  SegmentRule rule;
  const std::string& name = args["reduce"].string();
  if (name == "prod") rule.how = Combine::multiply;
  if (name == "max") rule.how = Combine::maximum;
  if (name == "min") rule.how = Combine::minimum;
  rule.is_mean = name == "mean";
  if (!args["initial"].is_none()) rule.initial = args.number("initial");
  return rule;
}

template <class T>
T combined(Combine how, T a, T b) {
  switch (how) {
    case Combine::multiply: return a * b;
    case Combine::maximum: return greater_of(a, b);
    case Combine::minimum: return smaller_of(a, b);
    default: return a + b;
  }
}

template <class T>
T reduced(const SegmentRule& rule, const T* data, int64_t length, int64_t stride) {
  T value = static_cast<T>(rule.initial.value_or(identity(rule.how, dtype_of<T>).to_double()));
  for (int64_t i = 0; i < length; ++i) value = combined(rule.how, value, data[i * stride]);
  if (!rule.is_mean) return value;
  if (length == 0) return rule.initial ? value : std::numeric_limits<T>::quiet_NaN();
  return value / static_cast<T>(length);
}

// The product of a segment without element `skipped`.
template <class T>
T product_without(T value, const T* data, int64_t length, int64_t stride, int64_t skipped) {
  for (int64_t i = 0; i < length; ++i)
    if (i != skipped) value *= data[i * stride];
  return value;
}

// What a segment's elements get of the gradient of its reduction.
template <class T>
void spread_gradient(const SegmentRule& rule, T grad, T result, const T* data, int64_t length, int64_t stride, T* out) {
  if (rule.how == Combine::add) {
    T share = rule.is_mean ? grad / static_cast<T>(length) : grad;
    for (int64_t i = 0; i < length; ++i) out[i * stride] = share;
  } else if (rule.how == Combine::multiply) {
    T first = static_cast<T>(rule.initial.value_or(1));
    for (int64_t i = 0; i < length; ++i) {
      T x = data[i * stride];
      bool divides = !std::isnan(x) && x != 0;
      out[i * stride] = divides ? grad * result / x : grad * product_without(first, data, length, stride, i);
    }
  } else {
    int64_t ties = 0;
    auto is_picked = [&](T x) { return std::isnan(x) || x == result; };
    for (int64_t i = 0; i < length; ++i) ties += is_picked(data[i * stride]);
    for (int64_t i = 0; i < length; ++i)
      if (is_picked(data[i * stride])) out[i * stride] = grad / static_cast<T>(ties);
  }
}

template <class Body>
void for_each_segment(const Segments& segments, const Body& body) {
  for (int64_t row = 0; row < segments.outer; ++row)
    for (int64_t segment = 0; segment < segments.per_row; ++segment)
      for (int64_t i = 0; i < segments.inner; ++i) {
        int64_t reduced_at = (row * segments.per_row + segment) * segments.inner + i;
        int64_t data_at = (row * segments.axis + segments.start(row, segment)) * segments.inner + i;
        body(reduced_at, data_at, segments.length(row, segment));
      }
}

}  // namespace

SINTER_ROUTINE(segment_reduce_default) {
  DType wide = compute_type(args.meta(0).dtype);
  Tensor data = dense(args[0].tensor(), wide), reductions = new_tensor(wide, sizes_of(results[0]));
  Segments segments = segments_of(args, data);
  SegmentRule rule = asked_rule(args);
  visit_floating(wide, [&](auto zero) {
    using T = decltype(zero);
    const T* from = data.data_ptr<T>();
    T* to = reductions.data_ptr<T>();
    for_each_segment(segments, [&](int64_t reduced_at, int64_t data_at, int64_t length) {
      to[reduced_at] = reduced(rule, from + data_at, length, segments.inner);
    });
  });
  results[0].copy_(reductions);
}

SINTER_ROUTINE(segment_reduce_backward_default) {
  DType wide = compute_type(args.meta(2).dtype);
  Tensor grad = dense(args[0].tensor(), wide), output = dense(args[1].tensor(), wide);
  Tensor data = dense(args[2].tensor(), wide), gradient = zeros(results[0].sizes(), wide);
  Segments segments = segments_of(args, data);
  SegmentRule rule = asked_rule(args);
  visit_floating(wide, [&](auto zero) {
    using T = decltype(zero);
    for_each_segment(segments, [&](int64_t reduced_at, int64_t data_at, int64_t length) {
      spread_gradient(rule, grad.data_ptr<T>()[reduced_at], output.data_ptr<T>()[reduced_at],
                      data.data_ptr<T>() + data_at, length, segments.inner, gradient.data_ptr<T>() + data_at);
    });
  });
  results[0].copy_(gradient);
}

SINTER_SIZING_ROUTINE(repeat_interleave_tensor) {
  const Tensor& given = args[0].tensor();
  if (is_floating(given.dtype()) || given.dtype() == DType::boolean)
    args.fail(ErrorKind::dtype, fmt::format("`repeats` is {}", name(given.dtype())), "need integers");
  if (given.dim() != 1) args.fail(ErrorKind::shape, fmt::format("repeats has rank {}", given.dim()), "need a vector");
  Tensor repeats = dense(given, DType::i64);
  const int64_t* data = repeats.data_ptr<int64_t>();
  std::vector<int64_t> positions;
  for (int64_t i = 0, count = count_of(repeats); i < count; ++i) {
    if (data[i] < 0) args.fail(ErrorKind::argument, fmt::format("repeats has the negative number {}", data[i]));
    positions.insert(positions.end(), data[i], i);
  }
  int64_t total = static_cast<int64_t>(positions.size());
  if (!args["output_size"].is_none() && total != args.integer("output_size"))
    args.fail(ErrorKind::argument,
              fmt::format("repeats sum to {}, output_size is {}", total, args.integer("output_size")));
  Tensor made = new_tensor(DType::i64, {total});
  std::copy(positions.begin(), positions.end(), made.data_ptr<int64_t>());
  return {made.to(given.dtype())};
}

}  // namespace sinter::runtime::routines
