// Reductions of the reference: one loop over the input in row-major order, into one cell for each result element.

#include "reference/evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace sinter::reference {

namespace {

struct Cells {
  Array out;
  std::vector<std::vector<Number>> gathered;  // for each result element, what falls into it
};

// Groups the elements by their index outside of the reduced dims.
Cells gather(const Array& x, const std::vector<int64_t>& dims, bool keepdim, DType result) {
  std::set<int64_t> reduced;
  for (int64_t dim : dims) reduced.insert(wrapped_dim(dim, x.rank()));
  if (dims.empty())
    for (int64_t dim = 0; dim < x.rank(); ++dim) reduced.insert(dim);
  std::vector<int64_t> kept_sizes = x.sizes;
  Cells cells{{result, {}, {}, false, 0, {}}, {}};
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    bool is_reduced = reduced.contains(dim);
    if (is_reduced) kept_sizes[dim] = 1;
    if (!is_reduced || keepdim) cells.out.sizes.push_back(kept_sizes[dim]);
  }
  cells.gathered.resize(element_count(kept_sizes));
  if (element_count(x.sizes) == 0) return cells;
  std::vector<int64_t> index(x.sizes.size());
  for (const Number& value : x.values) {
    std::vector<int64_t> kept = index;
    for (int64_t dim : reduced)
      if (dim < x.rank()) kept[dim] = 0;
    cells.gathered[flat_index(kept, kept_sizes)].push_back(value);
    advance(index, x.sizes);
  }
  return cells;
}

// Wider than f64, so that the reference's own rounding does not count.
Number sum(const std::vector<Number>& values) {
  long double total = 0;
  uint64_t whole = 0;
  for (const Number& value : values) {
    total += value.f;
    whole += static_cast<uint64_t>(value.i);
  }
  return {static_cast<double>(total), static_cast<int64_t>(whole)};
}

Number product(const std::vector<Number>& values) {
  Number total{1, 1};
  for (const Number& value : values) {
    total.f *= value.f;
    total.i = static_cast<int64_t>(static_cast<uint64_t>(total.i) * static_cast<uint64_t>(value.i));
  }
  return total;
}

Number extreme(const std::vector<Number>& values, double sign) {
  Number best = values.front();
  for (const Number& value : values) {
    if (std::isnan(best.f) || std::isnan(value.f))
      best.f = std::numeric_limits<double>::quiet_NaN();
    else if (sign * value.f > sign * best.f)
      best.f = value.f;
    best.i = sign > 0 ? std::max(best.i, value.i) : std::min(best.i, value.i);
  }
  return best;
}

// Whether some order of the factors leaves the range of the type (f16 and bf16 compute in f32).
bool may_overflow(const std::vector<Number>& values, DType dtype) {
  double up = 1, down = 1, limit = dtype == DType::f64 ? 1e300 : 1e37;
  for (const Number& value : values) (std::fabs(value.f) > 1 ? up : down) *= value.f == 0 ? 1 : std::fabs(value.f);
  return is_floating(dtype) && !(up < limit && down > 1 / limit);
}

double magnitude(const std::vector<Number>& values) {
  double total = 0;
  for (const Number& value : values) total += std::fabs(value.f);
  return std::isfinite(total) ? total : 0;
}

Array finish_sum(Cells cells, bool is_mean) {
  for (const std::vector<Number>& values : cells.gathered) {
    Number total = sum(values);
    double count = is_mean ? static_cast<double>(values.size()) : 1;
    cells.out.values.push_back({round_float(cells.out.dtype, total.f / count), wrap_integer(cells.out.dtype, total.i)});
    cells.out.scales.push_back(magnitude(values) / std::max(count, 1.0));
  }
  cells.out.error_units = 16;
  return std::move(cells.out);
}

DType accumulated(DType dtype) { return is_floating(dtype) ? dtype : DType::i64; }

}  // namespace

std::optional<std::vector<Array>> evaluate_reduction(std::string_view name, const Arguments& arguments) {
  static const std::set<std::string_view> names = {"sum", "mean", "prod", "amax", "amin", "any", "all"};
  if (!names.contains(name)) return std::nullopt;
  const Array& x = array(arguments[0]);
  // (self, dim, keepdim, dtype), (self, dtype) or (self).
  bool has_dims = arguments.size() > 2;
  std::vector<int64_t> dims = has_dims ? integers(arguments[1]) : std::vector<int64_t>();
  bool keepdim = has_dims && std::get<Value>(arguments[2]).scalar().to_bool();
  const Argument* last = arguments.size() % 2 == 0 ? &arguments.back() : nullptr;
  std::optional<DType> asked;
  if (last && !is_none(*last)) asked = std::get<Value>(*last).dtype();
  if (name == "sum" || name == "mean") {
    DType type = asked.value_or(accumulated(x.dtype));
    return {{finish_sum(gather(convert(x, type), dims, keepdim, type), name == "mean")}};
  }
  if (name == "prod") {
    DType type = asked.value_or(accumulated(x.dtype));
    Cells cells = gather(convert(x, type), dims, keepdim, type);
    for (const std::vector<Number>& values : cells.gathered) {
      Number total = product(values);
      cells.out.values.push_back({round_float(type, total.f), wrap_integer(type, total.i)});
      cells.out.scales.push_back(may_overflow(values, type) ? std::numeric_limits<double>::infinity() : 0);
      cells.out.error_units = std::max(cells.out.error_units, 2.0 * static_cast<double>(values.size()) + 1);
    }
    return {{cells.out}};
  }
  if (name == "any" || name == "all") {
    Cells cells = gather(x, dims, keepdim, x.dtype == DType::u8 ? DType::u8 : DType::boolean);
    for (const std::vector<Number>& values : cells.gathered) {
      auto is_true = [&](const Number& value) { return convert(value, x.dtype, DType::boolean).i != 0; };
      bool answer = name == "any" ? std::any_of(values.begin(), values.end(), is_true)
                                  : std::all_of(values.begin(), values.end(), is_true);
      cells.out.values.push_back({0, answer});
    }
    return {{cells.out}};
  }
  Cells cells = gather(x, dims, keepdim, x.dtype);
  cells.out.error_units = 0.25;  // of two equal zeros either may be the greater
  for (const std::vector<Number>& values : cells.gathered)
    cells.out.values.push_back(extreme(values, name == "amax" ? 1 : -1));
  return {{cells.out}};
}

}  // namespace sinter::reference
