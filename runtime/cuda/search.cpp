// A thread for each value bisects its sequence. Numbers are compared in the common type of both sides, as i64 or f64,
// which hold all others exactly.

#include <sinter/runtime/cuda/search.h>

#include <sinter/graph/ops/all_ops.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/types.h>
#include <sinter/runtime/cuda/index_keys.h>
#include <sinter/runtime/cuda/order_rows.h>
#include <sinter/runtime/cuda/own_kernel.h>

namespace sinter::runtime {

namespace {

// The first position whose element is not before the value: not less (left), or greater (right). A NaN is after all.
constexpr const char* searching = R"(
extern "C" __global__ void __launch_bounds__(256) search(const N* among, const N* values, const K* order, P* positions,
    const long count, const long size, const long per_sequence, const long right) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  long start = i / per_sequence * size, low = 0, high = size;
  N value = values[i];
  while (low < high) {
    long middle = low + (high - low) / 2;
    N there = among[start + (order ? (long)order[start + middle] : middle)];
    bool is_after = right ? there > value : there >= value;
    if (is_after) high = middle;
    else low = middle + 1;
  }
  positions[i] = (P)low;
}
)";

// Among sorted numbers, behind which NaNs may stand.
constexpr const char* looking_up = R"(
extern "C" __global__ void __launch_bounds__(256) look_up(const N* among, const N* values, unsigned char* found,
    const long count, const long size, const long invert) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  long low = 0, high = size;
  N value = values[i];
  while (low < high) {
    long middle = low + (high - low) / 2;
    if (among[middle] < value) low = middle + 1;
    else high = middle;
  }
  bool is_there = low < size && among[low] == value;
  found[i] = is_there != (invert != 0);
}
)";

DType exact_type(DType dtype) { return is_floating(dtype) ? DType::f64 : DType::i64; }
DType common_type_of(const OpArgs& args) {
  TypedOperand operands[] = {args.typed(0), args.typed(1)};
  return result_type(operands);
}
std::string number_text(DType exact) {
  return fmt::format("typedef {} N;\n", exact == DType::f64 ? "double" : "long long");
}
const char* integer_name(DType dtype) { return dtype == DType::i32 ? "int" : "long long"; }

Tensor dense(const Tensor& tensor, DType dtype, Here here) { return tensor.to(dtype, here).contiguous(here); }

// sequences: one, or as many rows as values have.
void search(const OpArgs& args, const Tensor& sequences, const Tensor& values, const Tensor& sorter, bool right,
            const Tensor& result) {
  int64_t count = values.numel().constant();
  if (count == 0) return;
  int64_t size = sequences.sizes()[sequences.dim() - 1].constant();
  int64_t per_sequence = sequences.dim() == 1 ? count : values.sizes()[values.dim() - 1].constant();
  DType common = common_type_of(args), exact = exact_type(common);
  Here here = args.here();
  Tensor among = dense(sequences.to(common, here), exact, here), wanted = dense(values.to(common, here), exact, here);
  Tensor order;
  if (sorter.defined()) {
    IndexKeys keys(result.device(), sorter.numel().constant(), size);
    keys.add(args, sorter, size, 1, false, fmt::format("the sorter has index {{}} for a sequence of size {}", size));
    order = keys.keys();
  }
  std::string types = number_text(exact) + fmt::format("typedef {} K;\ntypedef {} P;\n",
                                                       integer_name(order.defined() ? order.dtype() : DType::i32),
                                                       integer_name(result.dtype()));
  run_own_kernel(result.device(), "search", types + searching, {{"search", blocks_for(count)}},
                 {among.data_ptr(), wanted.data_ptr(), order.defined() ? order.data_ptr() : nullptr, result.data_ptr()},
                 {count, size, per_sequence, right ? 1 : 0});
}

void look_up(const OpArgs& args, const Tensor& result) {
  DType common = common_type_of(args), exact = exact_type(common);
  Here here = args.here();
  Tensor wanted = dense(args.tensor(0).to(common, here), exact, here);
  Tensor among = dense(args.tensor(1).to(common, here), exact, here);
  int64_t size = among.numel().constant(), count = wanted.numel().constant();
  Tensor sorted = new_device_tensor(result.device(), exact, {size});
  OrderedRows(among.reshape({1, size}, here), false, size).write(sorted, Tensor(), 0, size);
  run_own_kernel(result.device(), "look_up", number_text(exact) + looking_up, {{"look_up", blocks_for(count)}},
                 {sorted.data_ptr(), wanted.data_ptr(), result.data_ptr()}, {count, size, args.flag("invert") ? 1 : 0});
}

}  // namespace

bool search_on_cuda(const OpArgs& args, std::span<const Tensor> outputs) {
  const OpDef& op = args.op();
  bool is_known =
      &op == &op_defs::searchsorted_tensor || &op == &op_defs::bucketize_tensor || &op == &op_defs::isin_tensor_tensor;
  if (!is_known || !outputs[0].is_contiguous()) return false;
  if (&op == &op_defs::searchsorted_tensor) {
    bool right = args.flag("right") || (!args["side"].is_none() && args["side"].string() == "right");
    Tensor sorter = args["sorter"].is_none() ? Tensor() : args["sorter"].tensor();
    search(args, args.tensor(0), args.tensor(1), sorter, right, outputs[0]);
  } else if (&op == &op_defs::bucketize_tensor) {
    search(args, args.tensor(1), args.tensor(0), {}, args.flag("right"), outputs[0]);
  } else {
    look_up(args, outputs[0]);
  }
  return true;
}

}  // namespace sinter::runtime
