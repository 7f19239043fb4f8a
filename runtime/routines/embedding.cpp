// embedding_bag and the gradients of tables of rows. f16 and bf16 are summed in f32.

#include <sinter/graph/ops/embedding.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/routines/indices.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>
#include <cmath>

namespace sinter::runtime::routines {

namespace {

enum Mode : int64_t { sum_of_bag, mean_of_bag, maximum_of_bag };

std::vector<int64_t> integers_of(const Tensor& tensor) {
  Tensor wide = dense(tensor, DType::i64);
  const int64_t* data = wide.data_ptr<int64_t>();
  return std::vector<int64_t>(data, data + count_of(wide));
}

// Converts to i32 or i64 as the result is.
void write_integers(const std::vector<int64_t>& values, const Tensor& result) {
  Tensor made = new_tensor(DType::i64, sizes_of(result));
  std::copy(values.begin(), values.end(), made.data_ptr<int64_t>());
  result.copy_(made);
}

// Where each bag starts, and where the last one ends.
std::vector<int64_t> bag_starts(const OpArgs& args, int64_t index_count, bool has_last) {
  std::vector<int64_t> starts = integers_of(args["offsets"].tensor());
  if (!starts.empty() && starts[0] != 0)
    args.fail(ErrorKind::argument, fmt::format("the first offset is {}", starts[0]), "need 0");
  if (!has_last) starts.push_back(index_count);
  for (size_t i = 1; i < starts.size(); ++i)
    if (starts[i] < starts[i - 1] || starts[i] > index_count)
      args.fail(ErrorKind::argument,
                fmt::format("offset {} is out of order, or beyond {} indices", starts[i], index_count));
  return starts;
}

std::vector<int64_t> bag_of_each_index(const std::vector<int64_t>& starts, int64_t index_count) {
  std::vector<int64_t> bags(index_count, 0);
  for (size_t bag = 0; bag + 1 < starts.size(); ++bag)
    for (int64_t i = starts[bag]; i < starts[bag + 1]; ++i) bags[i] = static_cast<int64_t>(bag);
  return bags;
}

// --- Forward ----------------------------------------------------------------------------------------------------

template <class T>
struct BagReader {
  const T* table;
  int64_t width;
  const std::vector<int64_t>& indices;
  const T* sample_weights;
  int64_t padding;
  int64_t mode;

  // Writes the bag's row and returns how many of its indices count.
  int64_t read(int64_t begin, int64_t end, T* out, int64_t* picked) const {
    int64_t used = 0;
    std::fill(out, out + width, T{0});
    for (int64_t i = begin; i < end; ++i) {
      if (indices[i] == padding) continue;
      const T* row = table + indices[i] * width;
      if (mode == maximum_of_bag)
        keep_greater(row, indices[i], used == 0, out, picked);
      else
        for (int64_t k = 0; k < width; ++k) out[k] += sample_weights ? row[k] * sample_weights[i] : row[k];
      ++used;
    }
    if (mode == mean_of_bag && used > 0)
      for (int64_t k = 0; k < width; ++k) out[k] /= static_cast<T>(used);
    return used;
  }

  void keep_greater(const T* row, int64_t index, bool is_first, T* out, int64_t* picked) const {
    for (int64_t k = 0; k < width; ++k)
      if (is_first || row[k] > out[k]) out[k] = row[k], picked[k] = index;
  }
};

void run_embedding_bag(const OpArgs& args, Results results) {
  const Tensor& weight = args[0].tensor();
  DType wide = compute_type(weight.dtype());
  int64_t rows = weight.sizes()[0].constant(), width = weight.sizes()[1].constant(), mode = args.integer("mode");
  std::vector<int64_t> indices = integers_of(checked_indices(args, args[1].tensor(), 0, rows, Negative::is_refused));
  std::vector<int64_t> starts =
      bag_starts(args, static_cast<int64_t>(indices.size()), args.flag("include_last_offset"));
  Tensor sums = new_tensor(wide, sizes_of(results[0]));
  Tensor samples = args["per_sample_weights"].is_none() ? Tensor() : dense(args["per_sample_weights"].tensor(), wide);
  Tensor table = dense(weight, wide);
  std::vector<int64_t> used, picked(count_of(results[0]), 0);
  visit_floating(wide, [&](auto zero) {
    using T = decltype(zero);
    BagReader<T> reader{
        table.data_ptr<T>(),         width, indices, samples.defined() ? samples.data_ptr<T>() : nullptr,
        args.integer("padding_idx"), mode};
    for (size_t bag = 0; bag + 1 < starts.size(); ++bag)
      used.push_back(
          reader.read(starts[bag], starts[bag + 1], sums.data_ptr<T>() + bag * width, picked.data() + bag * width));
  });
  results[0].copy_(sums);
  if (count_of(results[1]) > 0)
    write_integers(bag_of_each_index(starts, static_cast<int64_t>(indices.size())), results[1]);
  if (mode == sum_of_bag) used.assign(count_of(results[2]), 0);  // ATen does not count for sums
  write_integers(used, results[2]);
  write_integers(mode == maximum_of_bag ? picked : used, results[3]);
}

// --- Backward ---------------------------------------------------------------------------------------------------

std::vector<int64_t> frequencies(const std::vector<int64_t>& indices, int64_t rows) {
  std::vector<int64_t> counts(rows, 0);
  for (int64_t index : indices) ++counts[index];
  return counts;
}

// out[indices[i]] += grad[source_of(i)] * factor(i), for all i but those of the padding row.
template <class T, class Source, class Factor>
void add_rows(const std::vector<int64_t>& indices, int64_t padding, int64_t width, const T* grad, T* out,
              const Source& source_of, const Factor& factor) {
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] == padding) continue;
    const T* from = grad + source_of(i) * width;
    T *to = out + indices[i] * width, scale = factor(i);
    for (int64_t k = 0; k < width; ++k) to[k] += from[k] * scale;
  }
}

struct BagGradient {
  std::vector<int64_t> indices, bags;
  int64_t rows, width, mode, padding;
};

template <class T>
void add_picked_rows(const BagGradient& bag, const std::vector<int64_t>& picked, const std::vector<int64_t>& used,
                     const T* grad, T* out) {
  for (size_t i = 0; i < picked.size(); ++i)
    if (used.empty() || used[i / bag.width] > 0) out[picked[i] * bag.width + i % bag.width] += grad[i];
}

void check_count(const OpArgs& args, std::string_view parameter, size_t count, int64_t needed) {
  if (static_cast<int64_t>(count) != needed)
    args.fail(ErrorKind::shape, fmt::format("{} has {} elements, not {}", parameter, count, needed));
}

void check_places(const OpArgs& args, std::string_view parameter, const std::vector<int64_t>& places, int64_t size) {
  for (int64_t place : places)
    if (place < 0 || place >= size)
      args.fail(ErrorKind::argument, fmt::format("{} holds {}, which is out of range for {}", parameter, place, size));
}

// The bag of each index: what the forward call said, or what the offsets say where it said nothing.
std::vector<int64_t> checked_bags(const OpArgs& args, int64_t index_count) {
  std::vector<int64_t> bags = integers_of(args["offset2bag"].tensor());
  bool is_missing = bags.empty() && index_count > 0 && args.op().schema().find("offsets") >= 0;
  if (is_missing) bags = bag_of_each_index(bag_starts(args, index_count, false), index_count);
  check_count(args, "offset2bag", bags.size(), index_count);
  check_places(args, "offset2bag", bags, args[0].tensor().sizes()[0].constant());
  return bags;
}

void check_what_bags_gave(const OpArgs& args, const BagGradient& bag, const std::vector<int64_t>& used) {
  int64_t bags = args[0].tensor().sizes()[0].constant();
  if (bag.mode == mean_of_bag) check_count(args, "bag_size", used.size(), bags);
  if (bag.mode != maximum_of_bag) return;
  if (!used.empty()) check_count(args, "bag_size", used.size(), bags);
  std::vector<int64_t> picked = integers_of(args["maximum_indices"].tensor());
  check_count(args, "maximum_indices", picked.size(), bags * bag.width);
  check_places(args, "maximum_indices", picked, bag.rows);
}

void run_bag_backward(const OpArgs& args, const Tensor& result) {
  DType wide = compute_type(result.dtype());
  BagGradient bag;
  bag.rows = args.integer("num_weights"), bag.width = result.sizes()[1].constant();
  bag.indices = integers_of(checked_indices(args, args[1].tensor(), 0, bag.rows, Negative::is_refused));
  bag.bags = checked_bags(args, static_cast<int64_t>(bag.indices.size()));
  bag.mode = args.integer("mode"), bag.padding = args.integer("padding_idx");
  std::vector<int64_t> used = integers_of(args["bag_size"].tensor());
  check_what_bags_gave(args, bag, used);
  std::vector<int64_t> counts = frequencies(bag.indices, bag.rows);
  bool by_frequency = args.flag("scale_grad_by_freq");
  Tensor grad = dense(args[0].tensor(), wide), sums = zeros(result.sizes(), wide);
  Tensor samples = args["per_sample_weights"].is_none() ? Tensor() : dense(args["per_sample_weights"].tensor(), wide);
  if (samples.defined())
    check_count(args, "per_sample_weights", count_of(samples), static_cast<int64_t>(bag.indices.size()));
  visit_floating(wide, [&](auto zero) {
    using T = decltype(zero);
    const T* from = grad.data_ptr<T>();
    T* to = sums.data_ptr<T>();
    if (bag.mode == maximum_of_bag)
      return add_picked_rows(bag, integers_of(args["maximum_indices"].tensor()), used, from, to);
    auto factor = [&](size_t i) {
      T scale = samples.defined() ? samples.data_ptr<T>()[i] : T{1};
      if (by_frequency) scale /= static_cast<T>(counts[bag.indices[i]]);
      if (bag.mode == mean_of_bag) scale /= static_cast<T>(std::max<int64_t>(used[bag.bags[i]], 1));
      return scale;
    };
    add_rows(bag.indices, bag.padding, bag.width, from, to, [&](size_t i) { return bag.bags[i]; }, factor);
  });
  result.copy_(sums);
}

}  // namespace

SINTER_ROUTINE(inner_embedding_bag_default) { run_embedding_bag(args, results); }
SINTER_ROUTINE(embedding_bag_forward_only_default) { run_embedding_bag(args, results); }

SINTER_ROUTINE(embedding_bag_backward_default) { run_bag_backward(args, results[0]); }
SINTER_ROUTINE(embedding_bag_dense_backward_default) { run_bag_backward(args, results[0]); }

// The dot product of each index's row and its bag's gradient.
SINTER_ROUTINE(embedding_bag_per_sample_weights_backward_default) {
  const Tensor& weight = args[1].tensor();
  DType wide = compute_type(results[0].dtype());
  int64_t width = weight.sizes()[1].constant(), padding = args.integer("padding_idx");
  std::vector<int64_t> indices =
      integers_of(checked_indices(args, args[2].tensor(), 0, weight.sizes()[0].constant(), Negative::is_refused));
  std::vector<int64_t> bags = checked_bags(args, static_cast<int64_t>(indices.size()));
  Tensor grad = dense(args[0].tensor(), wide), table = dense(weight, wide), dots = zeros(results[0].sizes(), wide);
  visit_floating(wide, [&](auto zero) {
    using T = decltype(zero);
    for (size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] == padding) continue;
      const T *a = grad.data_ptr<T>() + bags[i] * width, *b = table.data_ptr<T>() + indices[i] * width;
      for (int64_t k = 0; k < width; ++k) dots.data_ptr<T>()[i] += a[k] * b[k];
    }
  });
  results[0].copy_(dots);
}

SINTER_ROUTINE(embedding_dense_backward_default) {
  const Tensor& result = results[0];
  DType wide = compute_type(result.dtype());
  int64_t rows = args.integer("num_weights"), width = result.sizes()[1].constant();
  std::vector<int64_t> indices = integers_of(checked_indices(args, args[1].tensor(), 0, rows, Negative::is_refused));
  std::vector<int64_t> counts = frequencies(indices, rows);
  bool by_frequency = args.flag("scale_grad_by_freq");
  Tensor grad = dense(args[0].tensor(), wide), sums = zeros(result.sizes(), wide);
  visit_floating(wide, [&](auto zero) {
    using T = decltype(zero);
    auto factor = [&](size_t i) { return by_frequency ? T{1} / static_cast<T>(counts[indices[i]]) : T{1}; };
    add_rows(
        indices, args.integer("padding_idx"), width, grad.data_ptr<T>(), sums.data_ptr<T>(), [](size_t i) { return i; },
        factor);
  });
  result.copy_(sums);
}

namespace {

// A norm is a result of the table's type.
double rounded_to(DType dtype, double value) {
  if (dtype == DType::f16) return static_cast<float>(Half(static_cast<float>(value)));
  if (dtype == DType::bf16) return static_cast<float>(BFloat16(static_cast<float>(value)));
  return dtype == DType::f32 ? static_cast<float>(value) : value;
}

}  // namespace

// Rows that are named and longer than max_norm are shortened to it.
SINTER_ROUTINE(embedding_renorm_default) {
  const Tensor& self = args[0].tensor();
  DType wide = compute_type(self.dtype());
  int64_t width = self.sizes()[1].constant();
  std::vector<int64_t> indices =
      integers_of(checked_indices(args, args[1].tensor(), 0, self.sizes()[0].constant(), Negative::is_refused));
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  double longest = args.number("max_norm"), power = args.number("norm_type");
  Tensor table = clone_contiguous(self.to(wide));
  visit_floating(wide, [&](auto zero) {
    using T = decltype(zero);
    for (int64_t index : indices) {
      T* row = table.data_ptr<T>() + index * width;
      double sum = 0, greatest = 0;
      for (int64_t k = 0; k < width; ++k) {
        greatest = std::max(greatest, std::abs(static_cast<double>(row[k])));
        sum += std::pow(std::abs(static_cast<double>(row[k])), power);
      }
      double norm = rounded_to(self.dtype(), std::isinf(power) ? greatest : std::pow(sum, 1 / power));
      if (!(norm > longest)) continue;
      for (int64_t k = 0; k < width; ++k) row[k] = static_cast<T>(row[k] * (longest / (norm + 1e-7)));
    }
  });
  results[0].copy_(table);
}

}  // namespace sinter::runtime::routines
