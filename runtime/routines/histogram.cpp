// Counts of elements by range (histc, histogram) and by value (bincount).

#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/routines/indices.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>
#include <cmath>

namespace sinter::runtime::routines {

namespace {

struct Range {
  double low = 0, high = 0;
};

void check_finite(const OpArgs& args, Range range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high))
    args.fail(ErrorKind::argument, fmt::format("range [{}, {}] is not finite", range.low, range.high));
  if (range.low > range.high)
    args.fail(ErrorKind::argument, fmt::format("min {} is greater than max {}", range.low, range.high));
}

Range range_of(const Tensor& values) { return {amin(values).item<double>(), amax(values).item<double>()}; }

// As arithmetic on that type rounds.
struct Rounding {
  DType dtype;
  double operator()(double value) const {
    switch (dtype) {
      case DType::f16: return static_cast<float>(Half(static_cast<float>(value)));
      case DType::bf16: return static_cast<float>(BFloat16(static_cast<float>(value)));
      case DType::f32: return static_cast<float>(value);
      default: return value;
    }
  }
};

// Which of `bins` equal parts of the range a value in it falls into, found by a division in the type's arithmetic.
int64_t bin_by_division(double value, Range range, int64_t bins, Rounding rounded) {
  double scaled = rounded(rounded(value - range.low) * rounded(static_cast<double>(bins)));
  return std::min(static_cast<int64_t>(rounded(scaled / rounded(range.high - range.low))), bins - 1);
}

// The last edge in [begin, end) that is not greater.
int64_t last_edge_below(const double* edges, int64_t begin, int64_t end, double value) {
  return std::upper_bound(edges + begin, edges + end, value) - edges - 1;
}

// Adds the weight (or 1) of each value in the range to its bin.
template <class Find>
std::vector<double> count_bins(const Tensor& values, const Tensor& weight, Range range, int64_t bins, Rounding rounded,
                               const Find& bin_of) {
  std::vector<double> counts(bins, 0);
  const double* data = values.data_ptr<double>();
  const double* weights = weight.defined() ? weight.data_ptr<double>() : nullptr;
  for (int64_t i = 0, count = count_of(values); i < count; ++i) {
    if (!(data[i] >= range.low && data[i] <= range.high)) continue;
    double& bin = counts[bin_of(data[i])];
    bin = weights ? rounded(bin + weights[i]) : bin + 1;
  }
  return counts;
}

Tensor tensor_of(const std::vector<double>& values) {
  Tensor result = new_tensor(DType::f64, {static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), result.data_ptr<double>());
  return result;
}

// Counts over their sum and the widths of the bins.
void make_density(std::vector<double>& counts, const double* edges, Rounding rounded) {
  double total = 0;
  for (double count : counts) total += count;
  total = rounded(total);
  for (size_t i = 0; i < counts.size(); ++i)
    counts[i] = rounded(rounded(counts[i] / total) / rounded(edges[i + 1] - edges[i]));
}

Tensor wide_weight(const OpArgs& args) {
  return args["weight"].is_none() ? Tensor() : dense(args["weight"].tensor(), DType::f64);
}

Range histogram_range(const OpArgs& args, const Tensor& values) {
  Range range{0, 1};
  if (!args["range"].is_none()) {
    const Value::List& list = args["range"].list();
    range = {list[0].scalar().to_double(), list[1].scalar().to_double()};
  } else if (count_of(values) > 0) {
    range = range_of(values);
  }
  check_finite(args, range);
  if (range.low == range.high) range = {range.low - 0.5, range.high + 0.5};
  return range;
}

}  // namespace

SINTER_ROUTINE(histc_default) {
  const Tensor& self = args[0].tensor();
  Tensor values = dense(self, DType::f64);
  Range range{args.number("min"), args.number("max")};
  if (range.low == range.high && count_of(values) > 0) range = range_of(values);
  if (range.low == range.high) range = {range.low - 1, range.high + 1};
  check_finite(args, range);
  Rounding rounded{self.dtype()};
  range = {rounded(range.low), rounded(range.high)};
  int64_t bins = args.integer("bins");
  results[0].copy_(tensor_of(count_bins(values, {}, range, bins, rounded,
                                        [&](double value) { return bin_by_division(value, range, bins, rounded); })));
}

// A bin found by division may be its neighbour's; the edges decide.
SINTER_ROUTINE(histogram_bin_ct) {
  const Tensor& self = args[0].tensor();
  Tensor values = dense(self, DType::f64);
  Range range = histogram_range(args, values);
  int64_t bins = args.integer("bins");
  results[1].copy_(linspace(range.low, range.high, bins + 1, self.dtype()));
  Tensor wide_edges = dense(results[1], DType::f64);
  const double* edges = wide_edges.data_ptr<double>();
  Rounding rounded{self.dtype()};
  range = {edges[0], edges[bins]};
  std::vector<double> counts = count_bins(values, wide_weight(args), range, bins, rounded, [&](double value) {
    int64_t near = bin_by_division(value, range, bins, rounded);
    int64_t bin = last_edge_below(edges, std::max<int64_t>(near - 1, 0), std::min(near + 2, bins + 1), value);
    return std::min(bin, bins - 1);
  });
  if (args.flag("density")) make_density(counts, edges, rounded);
  results[0].copy_(tensor_of(counts));
}

SINTER_ROUTINE(histogram_bins_tensor) {
  const Tensor& self = args[0].tensor();
  results[1].copy_(args[1].tensor());
  Tensor wide_edges = dense(results[1], DType::f64);
  const double* edges = wide_edges.data_ptr<double>();
  int64_t bins = count_of(results[0]);
  Rounding rounded{self.dtype()};
  std::vector<double> counts =
      count_bins(dense(self, DType::f64), wide_weight(args), {edges[0], edges[bins]}, bins, rounded,
                 [&](double value) { return std::min(last_edge_below(edges, 0, bins + 1, value), bins - 1); });
  if (args.flag("density")) make_density(counts, edges, rounded);
  results[0].copy_(tensor_of(counts));
}

namespace {

void check_bincount(const OpArgs& args) {
  const Tensor& self = args[0].tensor();
  if (!is_integer(self.dtype()))
    args.fail(ErrorKind::dtype, fmt::format("is not implemented for {}", name(self.dtype())), "need integers");
  if (self.dim() != 1 && count_of(self) > 0)
    args.fail(ErrorKind::shape, fmt::format("self has rank {}", self.dim()), "need a vector");
  if (args.integer("minlength") < 0)
    args.fail(ErrorKind::argument, fmt::format("minlength {} is negative", args.integer("minlength")));
  if (!args["weights"].is_none() && !(args["weights"].tensor().sizes() == self.sizes()))
    args.fail(ErrorKind::shape, fmt::format("weights has sizes {}, self {}",
                                            to_string(args["weights"].tensor().sizes()), to_string(self.sizes())));
}

template <class T>
void add_weights(const Tensor& values, const T* weights, T* bins) {
  const int64_t* data = values.data_ptr<int64_t>();
  for (int64_t i = 0, count = count_of(values); i < count; ++i) bins[data[i]] += weights ? weights[i] : T{1};
}

}  // namespace

SINTER_SIZING_ROUTINE(bincount_default) {
  check_bincount(args);
  Tensor values = dense(args[0].tensor(), DType::i64);
  const int64_t* data = values.data_ptr<int64_t>();
  int64_t count = count_of(values), length = args.integer("minlength");
  for (int64_t i = 0; i < count; ++i) {
    if (data[i] < 0) args.fail(ErrorKind::argument, fmt::format("the value {} is negative", data[i]));
    length = std::max(length, data[i] + 1);
  }
  Tensor weights = args["weights"].is_none() ? Tensor() : args["weights"].tensor();
  if (!weights.defined() || count == 0) {
    Tensor result = zeros({length}, DType::i64);
    add_weights<int64_t>(values, nullptr, result.data_ptr<int64_t>());
    return {result};
  }
  DType dtype = weights.dtype() == DType::f32 ? DType::f32 : DType::f64;
  Tensor result = zeros({length}, dtype), wide = dense(weights, dtype);
  if (dtype == DType::f32)
    add_weights(values, wide.data_ptr<float>(), result.data_ptr<float>());
  else
    add_weights(values, wide.data_ptr<double>(), result.data_ptr<double>());
  return {result};
}

}  // namespace sinter::runtime::routines
