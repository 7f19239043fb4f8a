// median, mode and quantile of lines: each line is gathered, then ordered as far as needed.

#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/routines/lines.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace sinter::runtime::routines {

namespace {

constexpr int64_t elements_per_task = 1 << 12;

template <class T>
struct Element {
  T value;  // halves widened
  int64_t index;
};

// NaN is above all numbers; of equal values the first is the lower.
struct ByValueThenIndex {
  template <class T>
  bool operator()(const Element<T>& a, const Element<T>& b) const {
    if (is_nan_value(a.value) != is_nan_value(b.value)) return is_nan_value(b.value);
    if (a.value < b.value || b.value < a.value) return a.value < b.value;
    return a.index < b.index;
  }
};

// Calls body(line, its elements, the original elements' offset) for each line.
template <class T, class Body>
void for_gathered_lines(const Lines& lines, const Body& body) {
  using Number = decltype(as_number(T{}));
  const T* in = lines.held.data_ptr<T>();
  int64_t grain = std::max<int64_t>(1, elements_per_task / std::max<int64_t>(1, lines.count));
  parallel_for(0, lines.lines(), grain, [&](int64_t begin, int64_t end) {
    std::vector<Element<Number>> elements(lines.count);
    for (int64_t line = begin; line < end; ++line) {
      const T* first = in + lines.start(line);
      for (int64_t k = 0; k < lines.count; ++k) elements[k] = {as_number(first[k * lines.inner]), k};
      body(line, elements);
    }
  });
}

Lines reduced_lines(const OpArgs& args) {
  const Tensor& self = args[0].tensor();
  int slot = args.op().schema().find("dim");
  if (slot < 0 || args[slot].is_none()) return lines_along(self, -1);
  return lines_along(self, wrap_dim(args, args[slot].sym_int().constant(), self.dim()));
}

// --- median -----------------------------------------------------------------------------------------------------

// The lower middle of the elements; a NaN, unless they are skipped and there is a number.
template <class T>
Element<T> median_of(std::vector<Element<T>>& elements, bool skips_nan) {
  int64_t nans = std::count_if(elements.begin(), elements.end(), [](const auto& e) { return is_nan_value(e.value); });
  int64_t count = static_cast<int64_t>(elements.size());
  if (nans == count || (nans > 0 && !skips_nan))
    return *std::find_if(elements.begin(), elements.end(), [](const auto& e) { return is_nan_value(e.value); });
  auto middle = elements.begin() + (count - nans - 1) / 2;
  std::nth_element(elements.begin(), middle, elements.end(), ByValueThenIndex());
  return *middle;
}

// NaN, as x86 converts it to integers.
template <class T>
T no_value() {
  if constexpr (std::is_integral_v<T>)
    return sizeof(T) >= 4 ? std::numeric_limits<T>::min() : T(0);
  else
    return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
}

void write_median(const OpArgs& args, Results results, bool skips_nan) {
  Lines lines = reduced_lines(args);
  visit(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_same_v<T, bool>) {
      T* values = results[0].data_ptr<T>();
      int64_t* indices = results.size() > 1 ? results[1].data_ptr<int64_t>() : nullptr;
      if (lines.count == 0) {  // only for a whole tensor
        values[0] = no_value<T>();
        return;
      }
      for_gathered_lines<T>(lines, [&](int64_t line, auto& elements) {
        auto found = median_of(elements, skips_nan);
        values[line] = static_cast<T>(found.value);
        if (indices) indices[line] = found.index;
      });
    }
  });
}

// --- mode -------------------------------------------------------------------------------------------------------

// By value alone: which of equal elements is found is left to the sort, as in ATen (with few elements, the last one).
template <class T>
Element<T> mode_of(std::vector<Element<T>>& elements) {
  std::sort(elements.begin(), elements.end(), [](const Element<T>& a, const Element<T>& b) {
    return a.value < b.value || (is_nan_value(b.value) && !is_nan_value(a.value));
  });
  auto best = elements.begin();
  int64_t best_count = 0, run = 0;
  for (auto e = elements.begin(); e != elements.end(); ++e) {
    ++run;
    bool is_last_of_run = e + 1 == elements.end() || !(e->value == (e + 1)->value);
    if (!is_last_of_run) continue;
    if (run > best_count) {
      best = e;
      best_count = run;
    }
    run = 0;
  }
  return *best;
}

// --- quantile ---------------------------------------------------------------------------------------------------

enum class Interpolation { linear, lower, higher, midpoint, nearest };

Interpolation interpolation_of(const OpArgs& args) {
  const std::string& name = args["interpolation"].string();
  if (name == "linear") return Interpolation::linear;
  if (name == "lower") return Interpolation::lower;
  if (name == "higher") return Interpolation::higher;
  return name == "midpoint" ? Interpolation::midpoint : Interpolation::nearest;
}

// Between two values, exact at both ends.
template <class T>
T mixed(T a, T b, T weight) {
  return weight < T(0.5) ? a + weight * (b - a) : b - (b - a) * (1 - weight);
}

// `count` sorted elements; the rank that the quantile falls on is a fraction.
template <class T>
T quantile_of(const std::vector<Element<T>>& sorted, int64_t count, T q, Interpolation interpolation) {
  T rank = q * static_cast<T>(count - 1);
  if (interpolation == Interpolation::lower) rank = std::floor(rank);
  if (interpolation == Interpolation::higher) rank = std::ceil(rank);
  if (interpolation == Interpolation::nearest) rank = std::nearbyint(rank);
  T below = std::floor(rank), above = std::ceil(rank);
  T weight = interpolation == Interpolation::midpoint ? T(0.5) : rank - below;
  T low = sorted[static_cast<int64_t>(below)].value, high = sorted[static_cast<int64_t>(above)].value;
  return mixed(low, high, weight);
}

template <class T>
std::vector<T> fractions(const OpArgs& args) {
  if (!args[1].is_tensor()) return {static_cast<T>(args[1].scalar().to_double())};
  Tensor row = args[1].tensor().contiguous();
  std::vector<T> fractions(row.data_ptr<T>(), row.data_ptr<T>() + row.numel().constant());
  for (T q : fractions)
    if (!(q >= 0 && q <= 1)) args.fail(ErrorKind::argument, fmt::format("q holds {}", q), "need 0 <= q <= 1");
  return fractions;
}

template <class T>
void write_quantiles(const OpArgs& args, const Tensor& result, bool skips_nan) {
  Lines lines = reduced_lines(args);
  std::vector<T> wanted = fractions<T>(args);
  Interpolation interpolation = interpolation_of(args);
  T* out = result.data_ptr<T>();
  for_gathered_lines<T>(lines, [&](int64_t line, auto& elements) {
    std::sort(elements.begin(), elements.end(), ByValueThenIndex());
    int64_t count = lines.count;
    while (count > 0 && std::isnan(elements[count - 1].value)) --count;
    bool is_nan = skips_nan ? count == 0 : count < lines.count;
    for (size_t i = 0; i < wanted.size(); ++i)
      out[line * static_cast<int64_t>(wanted.size()) + static_cast<int64_t>(i)] =
          is_nan ? std::numeric_limits<T>::quiet_NaN() : quantile_of<T>(elements, count, wanted[i], interpolation);
  });
}

void write_quantiles(const OpArgs& args, Results results, bool skips_nan) {
  if (results[0].dtype() == DType::f64) return write_quantiles<double>(args, results[0], skips_nan);
  write_quantiles<float>(args, results[0], skips_nan);
}

}  // namespace

SINTER_ROUTINE(median_default) { write_median(args, results, false); }
SINTER_ROUTINE(median_dim) { write_median(args, results, false); }
SINTER_ROUTINE(nanmedian_default) { write_median(args, results, true); }
SINTER_ROUTINE(nanmedian_dim) { write_median(args, results, true); }

SINTER_ROUTINE(mode_default) {
  Lines lines = reduced_lines(args);
  visit(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* values = results[0].data_ptr<T>();
    int64_t* indices = results[1].data_ptr<int64_t>();
    for_gathered_lines<T>(lines, [&](int64_t line, auto& elements) {
      auto found = mode_of(elements);
      values[line] = static_cast<T>(found.value);
      indices[line] = found.index;
    });
  });
}

SINTER_ROUTINE(quantile_default) { write_quantiles(args, results, false); }
SINTER_ROUTINE(quantile_scalar) { write_quantiles(args, results, false); }
SINTER_ROUTINE(nanquantile_default) { write_quantiles(args, results, true); }
SINTER_ROUTINE(nanquantile_scalar) { write_quantiles(args, results, true); }

}  // namespace sinter::runtime::routines
