// A thread for each element of a bag's row, which goes through the bag's indices in their order, as the CPU does.

#include <sinter/runtime/cuda/embedding_bag.h>

#include <sinter/graph/ops/all_ops.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/index_keys.h>
#include <sinter/runtime/cuda/own_kernel.h>

namespace sinter::runtime {

namespace {

constexpr int64_t maximum_of_bag = 2;

constexpr const char* bag_kernels = R"(
#define PARAMETERS const T* table, const K* indices, const long long* starts, const A* weights, T* out, \
    long long* used, long long* picked, long long* bag_of, const long bags, const long width, const long count, \
    const long padding, const long mode

extern "C" __global__ void __launch_bounds__(256) read_bags(PARAMETERS) {
  long at = (long)blockIdx.x * 256 + threadIdx.x;
  if (at >= bags * width) return;
  long bag = at / width, k = at % width, best = 0, counted = 0;
  A sum = 0;
  for (long i = starts[bag]; i < starts[bag + 1]; ++i) {
    if (indices[i] == padding) continue;
    A value = widen(table[(long)indices[i] * width + k]);
    if (mode == 2) {
      if (counted == 0 || value > sum) { sum = value; best = indices[i]; }
    } else {
      sum += weights ? value * weights[i] : value;
    }
    ++counted;
  }
  if (mode == 1 && counted > 0) sum /= (A)counted;
  out[at] = narrow(sum);
  picked[at] = best;
  if (k == 0) used[bag] = counted;
}
extern "C" __global__ void __launch_bounds__(256) find_bags(PARAMETERS) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  long low = 0, high = bags;  // the last bag that begins no later, unless it is over
  while (low < high) {
    long middle = (low + high) / 2;
    if (starts[middle] <= i) low = middle + 1;
    else high = middle;
  }
  bag_of[i] = low > 0 && i < starts[low] ? low - 1 : 0;
}
)";

// Where each bag starts, and where the last one ends; refused as on the CPU.
std::vector<int64_t> checked_starts(const OpArgs& args, int64_t index_count) {
  Tensor offsets = args["offsets"].tensor().to(DType::i64, args.here()).contiguous(args.here()).to(cpu, args.here());
  const int64_t* data = offsets.data_ptr<int64_t>();
  std::vector<int64_t> starts(data, data + offsets.numel().constant());
  if (!starts.empty() && starts[0] != 0)
    args.fail(ErrorKind::argument, fmt::format("the first offset is {}", starts[0]), "need 0");
  if (!args.flag("include_last_offset")) starts.push_back(index_count);
  for (size_t i = 1; i < starts.size(); ++i)
    if (starts[i] < starts[i - 1] || starts[i] > index_count)
      args.fail(ErrorKind::argument,
                fmt::format("offset {} is out of order, or beyond {} indices", starts[i], index_count));
  return starts;
}

}  // namespace

bool embed_bags_on_cuda(const OpArgs& args, std::span<const Tensor> outputs) {
  if (&args.op() != &op_defs::inner_embedding_bag_default && &args.op() != &op_defs::embedding_bag_forward_only_default)
    return false;
  const Tensor& weight = args[0].tensor();
  if (!is_floating(weight.dtype()) || !outputs[0].is_contiguous()) return false;
  Here here = args.here();
  Device device = weight.device();
  int64_t rows = weight.sizes()[0].constant(), width = weight.sizes()[1].constant(), mode = args.integer("mode");
  int64_t count = args[1].tensor().numel().constant();
  if (rows == 0) return false;
  std::vector<int64_t> starts = checked_starts(args, count);
  int64_t bags = static_cast<int64_t>(starts.size()) - 1;
  if (bags <= 0 || width == 0) return false;
  IndexKeys keys(device, count, rows);
  keys.add(args, args[1].tensor(), rows, 1, false,
           fmt::format("index {{}} is out of range for dim 0 of size {}", rows));
  Tensor bounds = new_device_tensor(device, DType::i64, {bags + 1});
  copy_bytes(bounds.data_ptr(), device, starts.data(), cpu, (bags + 1) * int64_t{sizeof(int64_t)});
  Tensor table = weight.contiguous(here), samples;
  if (!args["per_sample_weights"].is_none())
    samples = args["per_sample_weights"].tensor().to(compute_type(weight.dtype()), here).contiguous(here);
  Tensor used = new_device_tensor(device, DType::i64, {bags}),
         picked = new_device_tensor(device, DType::i64, {bags, width});
  Tensor bag_of = new_device_tensor(device, DType::i64, {count});
  bool wants_bags = !(outputs[1].numel() == 0);
  run_own_kernel(
      device, "embedding_bag",
      element_text(weight.dtype()) +
          fmt::format("typedef {} K;\n", keys.keys().dtype() == DType::i32 ? "int" : "long long") + bag_kernels,
      {{"read_bags", blocks_for(bags * width)}, {"find_bags", wants_bags ? blocks_for(count) : 0}},
      {table.data_ptr(), keys.keys().data_ptr(), bounds.data_ptr(), samples.defined() ? samples.data_ptr() : nullptr,
       outputs[0].data_ptr(), used.data_ptr(), picked.data_ptr(), bag_of.data_ptr()},
      {bags, width, count, args.integer("padding_idx"), mode});
  if (wants_bags) outputs[1].copy_(bag_of, here);
  // ATen does not count for sums, and may have one bag more.
  auto put = [&](const Tensor& numbers, const Tensor& output) {
    output.zero_(here);
    if (mode != 0) output.slice(0, SymInt(0), SymInt(bags), 1, here).copy_(numbers, here);
  };
  put(used, outputs[2]);
  put(mode == maximum_of_bag ? picked : used, outputs[3]);
  return true;
}

}  // namespace sinter::runtime
