// softmax, log_softmax and layer_norm of the reference, row by row in double.

#include "reference/evaluate.h"

#include <cmath>
#include <limits>

namespace sinter::reference {

namespace {

// Calls f with the flat indices of each line along a dim.
template <class F>
void for_each_line(const std::vector<int64_t>& sizes, int64_t dim, F f) {
  int64_t inner = 1;
  for (size_t d = dim + 1; d < sizes.size(); ++d) inner *= sizes[d];
  int64_t length = sizes.empty() ? 1 : sizes[dim], count = element_count(sizes);
  if (count == 0) return;
  for (int64_t line = 0; line < count / length; ++line) {
    std::vector<int64_t> flat;
    int64_t begin = line / inner * inner * length + line % inner;
    for (int64_t i = 0; i < length; ++i) flat.push_back(begin + i * inner);
    f(flat);
  }
}

Array softmax(const Array& x, int64_t dim, bool is_log) {
  Array out = x;
  out.error_units = 32;
  out.scales.assign(x.values.size(), 0);
  for_each_line(x.sizes, wrapped_dim(dim, x.rank()), [&](const std::vector<int64_t>& line) {
    double greatest = -std::numeric_limits<double>::infinity();
    long double total = 0;
    for (int64_t i : line) greatest = std::isnan(x.values[i].f) ? x.values[i].f : std::max(greatest, x.values[i].f);
    for (int64_t i : line) total += std::exp(x.values[i].f - greatest);
    for (int64_t i : line) {
      double shifted = x.values[i].f - greatest;
      double value =
          is_log ? shifted - std::log(static_cast<double>(total)) : std::exp(shifted) / static_cast<double>(total);
      out.values[i] = {round_float(out.dtype, value), 0};
      // exp turns the error of its argument into one of its value.
      out.scales[i] = is_log ? std::fabs(greatest) + 1 : std::fabs(value) * std::max(1.0, std::fabs(shifted));
    }
  });
  return out;
}

std::vector<Array> layer_norm(const Arguments& arguments) {
  const Array& x = array(arguments[0]);
  auto axes = static_cast<int64_t>(integers(arguments[1]).size());
  double eps = std::get<Value>(arguments[4]).scalar().to_double();
  int64_t length = 1;
  for (int64_t dim = x.rank() - axes; dim < x.rank(); ++dim) length *= x.sizes[dim];
  Array out = x;
  out.error_units = 64;
  out.scales.assign(x.values.size(), 0);
  for (int64_t row = 0; length > 0 && row < static_cast<int64_t>(x.values.size()) / length; ++row) {
    const Number* in = &x.values[row * length];
    double mean = 0, variance = 0, greatest = 0;
    for (int64_t i = 0; i < length; ++i) mean += in[i].f / static_cast<double>(length);
    for (int64_t i = 0; i < length; ++i) variance += (in[i].f - mean) * (in[i].f - mean) / static_cast<double>(length);
    for (int64_t i = 0; i < length; ++i) greatest = std::max(greatest, std::fabs(in[i].f));
    double scale = 1 / std::sqrt(variance + eps);
    for (int64_t i = 0; i < length; ++i) {
      double weight = is_none(arguments[2]) ? 1 : array(arguments[2]).values[i].f;
      double bias = is_none(arguments[3]) ? 0 : array(arguments[3]).values[i].f;
      double value = (in[i].f - mean) * scale * weight + bias;
      out.values[row * length + i] = {round_float(out.dtype, value), 0};
      // Squares that overflow in f32 may give anything.
      bool overflows = out.dtype != DType::f64 && greatest > 1e15;
      out.scales[row * length + i] =
          overflows ? std::numeric_limits<double>::infinity() : std::fabs(greatest * scale * weight) + std::fabs(bias);
    }
  }
  return {out};
}

}  // namespace

std::optional<std::vector<Array>> evaluate_norm(std::string_view name, const Arguments& arguments) {
  if (name == "softmax" || name == "log_softmax") {
    Array x = array(arguments[0]);
    if (!is_none(arguments[2])) x = convert(x, std::get<Value>(arguments[2]).dtype());
    return {{softmax(x, std::get<Value>(arguments[1]).scalar().to_int(), name == "log_softmax")}};
  }
  if (name == "layer_norm") return layer_norm(arguments);
  return std::nullopt;
}

}  // namespace sinter::reference
