// Dispatch of ops on whole buffers of a CUDA device.

#include <sinter/runtime/cuda/library_calls.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/log.h>
#include <sinter/graph/ops/check_range.h>
#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/cuda/attention.h>
#include <sinter/runtime/cuda/convolution.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/cuda/data_sizes.h>
#include <sinter/runtime/cuda/embedding_bag.h>
#include <sinter/runtime/cuda/linear_algebra.h>
#include <sinter/runtime/cuda/matrix_product.h>
#include <sinter/runtime/cuda/order.h>
#include <sinter/runtime/cuda/pending_checks.h>
#include <sinter/runtime/cuda/pool.h>
#include <sinter/runtime/cuda/random.h>
#include <sinter/runtime/cuda/resample.h>
#include <sinter/runtime/cuda/scatter.h>
#include <sinter/runtime/cuda/search.h>
#include <sinter/runtime/library_calls.h>
#include <sinter/runtime/routines/routine.h>

#include <mutex>
#include <set>

namespace sinter::runtime {

namespace {

Value on_device(const Value& value, Device device) {
  if (value.is_tensor()) return moved(value.tensor(), device);
  if (!value.is_list()) return value;
  Value::List list;
  for (const Value& element : value.list()) list.push_back(on_device(element, device));
  return list;
}

Values all_on(const OpArgs& args, Device device) {
  Values values;
  for (const Value& value : args.values()) values.push_back(on_device(value, device));
  return values;
}

// A host tensor of the same layout, offset apart.
Tensor host_like(const Tensor& tensor) {
  TensorMeta meta = tensor.meta();
  meta.device = cpu;
  meta.layout.offset = 0;
  int64_t bytes = extent_end(meta.layout).constant() * byte_size(meta.dtype);
  return Tensor(std::move(meta), new_host_storage(bytes));
}

void log_detour(const OpDef& op) {
  static std::mutex& mutex = *new std::mutex;
  static std::set<const OpDef*>& said = *new std::set<const OpDef*>;
  if (!logs(LogTopic::fusion)) return;
  std::lock_guard lock(mutex);
  if (said.insert(&op).second)
    log(LogTopic::fusion, "{} has no CUDA form: its tensors go to the host and back", op.name());
}

// Runs the op if it has a form on the device.
bool has_kernels(const OpArgs& args, std::span<const Tensor> outputs) {
  return attend_on_cuda(args, outputs) || convolve_on_cuda(args, outputs) || factorise_on_cuda(args, outputs) ||
         resample_on_cuda(args, outputs) || order_on_cuda(args, outputs) || scatter_on_cuda(args, outputs) ||
         place_true_on_cuda(args, outputs) || pool_on_cuda(args, outputs) || search_on_cuda(args, outputs) ||
         embed_bags_on_cuda(args, outputs);
}

}  // namespace

void call_cuda_library(const OpArgs& args, std::span<const Tensor> outputs) {
  const OpDef& op = args.op();
  if ((op.library == Library::mm || op.library == Library::bmm) && multiplies_on_cuda(args[0].tensor().dtype()))
    return multiply_on_cuda(args[0].tensor(), args[1].tensor(), outputs[0], args.here());
  if (&op == &op_defs::check_range_default) return check_range_later(args);
  if (op.structured == Structured::random) return fill_random_on_cuda(args, outputs[0]);
  Values here = all_on(args, device_of(args));
  if (has_kernels(OpArgs(op, here, args.here()), outputs)) return;
  log_detour(op);
  graph::InheritDevice inherit_device(cpu);
  Values values = all_on(args, cpu);
  std::vector<Tensor> results;
  for (const Tensor& output : outputs) results.push_back(host_like(output));
  call_library(OpArgs(op, values, args.here()), results);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Layout& layout = outputs[i].layout();
    int64_t bytes = (extent_end(layout).constant() - layout.offset.constant()) * byte_size(outputs[i].dtype());
    copy_bytes(outputs[i].data_ptr(), outputs[i].device(), results[i].data_ptr(), cpu, bytes);
  }
}

std::vector<Tensor> call_sizing_on_cuda(const OpArgs& args) {
  Device device = device_of(args);
  Values here = all_on(args, device);
  if (auto made = make_on_cuda(OpArgs(args.op(), here, args.here()))) return *std::move(made);
  log_detour(args.op());
  graph::InheritDevice inherit_device(cpu);
  Values values = all_on(args, cpu);
  std::vector<Tensor> results;
  for (const Tensor& result : find_sizing_routine(args.op())(OpArgs(args.op(), values, args.here())))
    results.push_back(moved(result, device));
  return results;
}

}  // namespace sinter::runtime
