// True elements are counted and placed; equal elements are neighbours once they are sorted.

#include <sinter/runtime/cuda/data_sizes.h>

#include <sinter/graph/ops/all_ops.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/combine_at_keys.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/order_rows.h>
#include <sinter/runtime/cuda/own_kernel.h>
#include <sinter/runtime/cuda/true_elements.h>

#include <limits>
#include <unordered_map>

namespace sinter::runtime {

namespace {

using Made = std::vector<Tensor>;

Dims numbers_of(const SymDims& sizes) {
  Dims numbers;
  for (SymInt size : sizes) numbers.push_back(size.constant());
  return numbers;
}

Tensor dense_over(const Tensor& tensor, const SymDims& sizes, Here here) {
  return tensor.expand(sizes, here).contiguous(here);
}

// ATen lays the result out by columns.
Made nonzero(const OpArgs& args) {
  Tensor self = args[0].tensor().contiguous(args.here());
  TrueElements found(self);
  int64_t count = found.count(), rank = self.dim();
  Tensor made = new_device_tensor(self.device(), DType::i64, {rank, count});
  if (count > 0 && rank > 0) found.write_indices(numbers_of(self.sizes()), made, 1, count, count);
  Layout columns{{count, rank}, {1, std::max<int64_t>(count, 1)}, 0};
  return {Tensor({DType::i64, self.device(), columns}, made.storage())};
}

Made masked_select(const OpArgs& args) {
  const Tensor &self = args[0].tensor(), &mask = args[1].tensor();
  check_bool_mask(args, "mask");
  SymDims sizes = broadcast_with_mask(args);
  TrueElements found(dense_over(mask, sizes, args.here()));
  Tensor made = new_device_tensor(self.device(), self.dtype(), {found.count()});
  if (!(made.numel() == 0)) found.pack(dense_over(self, sizes, args.here()), made);
  return {made};
}

// --- Equal elements ---------------------------------------------------------------------------------------------

// In sorted order: where an element differs from the one before; what its group is; how many each group has.
constexpr const char* group_kernels = R"(
extern "C" __global__ void __launch_bounds__(256) mark_groups(const T* values, unsigned char* heads, const long count) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i < count) heads[i] = i == 0 || !(widen(values[i]) == widen(values[i - 1]));
}
)";
constexpr const char* spread_kernels = R"(
extern "C" __global__ void __launch_bounds__(256) spread_groups(const long long* groups, const long long* positions,
    long long* inverse, const long count) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i < count) inverse[positions ? positions[i] : i] = groups[i];
}
extern "C" __global__ void __launch_bounds__(256) count_groups(const long long* starts, const long long* unused,
    long long* counts, const long groups, const long count) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i < groups) counts[i] = (i + 1 < groups ? starts[i + 1] : count) - starts[i];
}
)";

Made unique(const OpArgs& args, bool sorts) {
  Tensor self = args[0].tensor().contiguous(args.here());
  Device device = self.device();
  int64_t count = self.numel().constant();
  Tensor flat = self.reshape({count}, args.here()), values = flat, positions;
  if (sorts) {
    values = new_device_tensor(device, self.dtype(), {count});
    positions = new_device_tensor(device, DType::i64, {count});
    OrderedRows(flat.reshape({1, count}, args.here()), false, count).write(values, positions, 0, count);
  }
  Tensor heads = new_device_tensor(device, DType::boolean, {count});
  run_own_kernel(device, "mark_groups", element_text(self.dtype()) + group_kernels,
                 {{"mark_groups", blocks_for(count)}}, {values.data_ptr(), heads.data_ptr()}, {count});
  TrueElements groups(heads);
  int64_t group_count = groups.count();
  Tensor kept = new_device_tensor(device, self.dtype(), {group_count});
  if (group_count > 0) groups.pack(values, kept);
  Tensor inverse = new_device_tensor(device, DType::i64, {0}), counts = inverse;
  if (args.flag("return_inverse")) {
    Tensor ranks = new_device_tensor(device, DType::i64, {count});
    groups.write_ranks(ranks);
    inverse = new_device_tensor(device, DType::i64, numbers_of(self.sizes()));
    run_own_kernel(device, "spread_groups", spread_kernels, {{"spread_groups", blocks_for(count)}},
                   {ranks.data_ptr(), positions.defined() ? positions.data_ptr() : nullptr, inverse.data_ptr()},
                   {count});
  }
  if (args.flag("return_counts")) {
    Tensor starts = new_device_tensor(device, DType::i64, {group_count});
    counts = new_device_tensor(device, DType::i64, {group_count});
    if (group_count > 0) groups.write_indices({count}, starts, 1, 1, group_count);
    run_own_kernel(device, "count_groups", spread_kernels, {{"count_groups", blocks_for(group_count)}},
                   {starts.data_ptr(), nullptr, counts.data_ptr()}, {group_count, count});
  }
  return {kept, inverse, counts};
}

Made unique_sorted(const OpArgs& args) { return unique(args, true); }
Made unique_consecutive(const OpArgs& args) { return unique(args, false); }

bool is_flat_unique(const OpArgs& args) {
  int slot = args.op().schema().find("dim");
  return slot < 0 || args[slot].is_none() || (args.integer("dim") == 0 && args[0].tensor().dim() == 1);
}

// --- Counts and runs --------------------------------------------------------------------------------------------

constexpr const char* count_kernel = R"(
extern "C" __global__ void __launch_bounds__(256) count_values(const K* keys, unsigned long long* counts,
    const long count) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i < count) atomicAdd(&counts[keys[i]], 1ull);
}
)";

// Nothing where something is to be refused: the CPU's routine says it.
std::optional<Made> bincount(const OpArgs& args) {
  const Tensor& self = args[0].tensor();
  bool has_weights = !args["weights"].is_none();
  int64_t count = self.numel().constant(), length = args.integer("minlength");
  bool is_plain = is_integer(self.dtype()) && self.dim() == 1 && count > 0 && length >= 0 &&
                  (!has_weights || args["weights"].tensor().sizes() == self.sizes());
  if (!is_plain || amin(self).item().to_int() < 0) return {};
  length = std::max(length, amax(self).item().to_int() + 1);
  IndexKeys keys(self.device(), count, length);
  keys.add(args, self, length, 1, false, "the value {} is out of range");
  if (!has_weights) {
    Tensor counts = new_device_tensor(self.device(), DType::i64, {length});
    counts.zero_(args.here());
    run_own_kernel(
        self.device(), "count_values",
        fmt::format("typedef {} K;\n", keys.keys().dtype() == DType::i32 ? "int" : "long long") + count_kernel,
        {{"count_values", blocks_for(count)}}, {keys.keys().data_ptr(), counts.data_ptr()}, {count});
    return Made{counts};
  }
  const Tensor& weights = args["weights"].tensor();
  DType dtype = weights.dtype() == DType::f32 ? DType::f32 : DType::f64;
  Tensor sums = new_device_tensor(self.device(), dtype, {length});
  sums.zero_(args.here());
  combine_at_keys(sums, keys, weights.to(dtype, args.here()).contiguous(args.here()), {}, Meeting::add);
  return Made{sums};
}

// Position i stands in the result from ends[i - 1] to ends[i].
constexpr const char* repeat_kernel = R"(
extern "C" __global__ void __launch_bounds__(256) repeat_positions(const long long* ends, long long* positions,
    const long total, const long count) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i >= total) return;
  long low = 0, high = count;
  while (low < high) {
    long middle = (low + high) / 2;
    if (ends[middle] <= i) low = middle + 1;
    else high = middle;
  }
  positions[i] = low;
}
)";

std::optional<Made> repeat_interleave(const OpArgs& args) {
  const Tensor& given = args[0].tensor();
  int64_t count = given.numel().constant();
  bool is_plain = (given.dtype() == DType::i32 || given.dtype() == DType::i64) && given.dim() == 1 && count > 0;
  if (!is_plain || amin(given).item().to_int() < 0) return {};
  Tensor ends = apply_one(op_defs::cumsum_default, {given.to(DType::i64, args.here()), 0}, args.here());
  int64_t total = ends.select(0, count - 1, args.here()).item().to_int();
  if (!args["output_size"].is_none() && total != args.integer("output_size")) return {};
  Tensor made = new_device_tensor(given.device(), DType::i64, {total});
  run_own_kernel(given.device(), "repeat_positions", repeat_kernel, {{"repeat_positions", blocks_for(total)}},
                 {ends.data_ptr(), made.data_ptr()}, {total, count});
  return Made{made.to(given.dtype(), args.here())};
}

using Making = Made (*)(const OpArgs&);

Making making_of(const OpDef& op) {
  namespace d = op_defs;
  static const auto& table = *new std::unordered_map<const OpDef*, Making>{
      {&d::nonzero_default, nonzero},
      {&d::masked_select_default, masked_select},
      {&d::unique2_default, unique_sorted},
      {&d::unique_consecutive_default, unique_consecutive},
  };
  auto found = table.find(&op);
  return found == table.end() ? nullptr : found->second;
}

// --- Results of known sizes -------------------------------------------------------------------------------------

void nonzero_static(const OpArgs& args, const Tensor& result) {
  Tensor self = args[0].tensor().contiguous(args.here());
  int64_t rank = self.dim(), size = args.integer("size");
  result.fill_(args.integer("fill_value"), args.here());
  if (rank > 0) TrueElements(self).write_indices(numbers_of(self.sizes()), result, rank, 1, size);
}

void masked_scatter(const OpArgs& args, const Tensor& result) {
  const Tensor &self = args[0].tensor(), &source = args[2].tensor();
  TrueElements found(dense_over(args[1].tensor(), result.sizes(), args.here()));
  int64_t wanted = found.count(), have = source.numel().constant();
  if (have < wanted)
    args.fail(ErrorKind::argument, fmt::format("the mask is true {} times, source has {} elements", wanted, have));
  bool is_direct = result.is_contiguous();
  Tensor made = is_direct ? result : new_device_tensor(result.device(), result.dtype(), numbers_of(result.sizes()));
  made.copy_(self.expand(result.sizes(), args.here()), args.here());
  if (wanted > 0) found.unpack(source.contiguous(args.here()), made);
  if (!is_direct) result.copy_(made, args.here());
}

void masked_scatter_gradient(const OpArgs& args, const Tensor& result) {
  const Tensor &grad = args[0].tensor(), &mask = args[1].tensor();
  SymDims sizes = *broadcast_sizes(grad.sizes(), mask.sizes());
  TrueElements found(dense_over(mask, sizes, args.here()));
  int64_t taken = found.count();
  if (taken > result.numel().constant())
    args.fail(ErrorKind::shape,
              fmt::format("the mask is true {} times, source has {} elements", taken, result.numel().constant()));
  result.zero_(args.here());
  if (taken > 0) found.pack(dense_over(grad, sizes, args.here()), result);
}

bool fits_kernels(const OpArgs& args) {
  for (const Value& value : args.values())
    if (value.is_tensor() && (value.tensor().dim() > most_key_dims ||
                              value.tensor().numel().constant() > std::numeric_limits<int32_t>::max()))
      return false;
  return true;
}

}  // namespace

std::optional<Made> make_on_cuda(const OpArgs& args) {
  if (fits_kernels(args) && &args.op() == &op_defs::bincount_default) return bincount(args);
  if (fits_kernels(args) && &args.op() == &op_defs::repeat_interleave_tensor) return repeat_interleave(args);
  Making making = making_of(args.op());
  bool is_known = making && fits_kernels(args) && (making != unique_consecutive || is_flat_unique(args));
  if (!is_known) return {};
  return making(args);
}

bool place_true_on_cuda(const OpArgs& args, std::span<const Tensor> outputs) {
  const OpDef& op = args.op();
  bool is_known = &op == &op_defs::nonzero_static_default || &op == &op_defs::masked_scatter_default ||
                  &op == &op_defs::masked_scatter_backward_default;
  if (!is_known || !fits_kernels(args)) return false;
  const Tensor& result = outputs[0];
  if (&op == &op_defs::nonzero_static_default) {
    if (!result.is_contiguous()) return false;
    nonzero_static(args, result);
  } else if (&op == &op_defs::masked_scatter_default) {
    masked_scatter(args, result);
  } else {
    if (!result.is_contiguous()) return false;
    masked_scatter_gradient(args, result);
  }
  return true;
}

}  // namespace sinter::runtime
