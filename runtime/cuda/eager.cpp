// One way to run an op for each way to define it, and the cache of programs of one op.

#include <sinter/runtime/cuda/eager.h>

#include <sinter/graph/custom/user_kernel.h>
#include <sinter/graph/infer_meta.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/pick.h>
#include <sinter/graph/ops/scan.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/cuda/cuda_backend.h>
#include <sinter/runtime/cuda/library_calls.h>
#include <sinter/runtime/library_calls.h>
#include <sinter/runtime/plan_cache.h>

namespace sinter::runtime {

namespace {

class CudaEagerPlan {
 public:
  CudaEagerPlan(const OpArgs& args, const EagerCall& call) : key_(call.key) {
    OneOpGraph one = trace_one_op(args, call);
    inputs_ = std::move(one.inputs);
    result_count_ = one.graph.results.size();
    InputOrder order(one.graph);
    Stages stages;
    program_ = build_cuda_program(std::move(one.graph), order, cuda_device(device_of(args)), stages);
  }

  bool is_for(const EagerCall& call) const { return key_ == call.key; }

  Values run(const OpArgs& args, const EagerCall& call) const {
    SmallVector<const Tensor*, 16> inputs;
    for (int input : inputs_) inputs.push_back(call.tensors[input]);
    std::vector<Tensor> results(result_count_);
    program_->run(inputs, results);
    if (args.op().inplace_of) return {args[0]};
    return Values(results.begin(), results.end());
  }

 private:
  SmallVector<uint64_t, 48> key_;
  std::vector<int> inputs_;  // of each input of the program: which tensor of the call
  size_t result_count_;
  std::unique_ptr<CudaProgram> program_;
};

PlanCache<CudaEagerPlan>& plans() {
  thread_local auto cache = std::make_unique<PlanCache<CudaEagerPlan>>();
  return *cache;
}

std::vector<Tensor> allocate(const OpArgs& args) {
  std::vector<Tensor> results;
  for (TensorMeta& meta : infer_meta(args)) {
    int64_t bytes = extent_end(meta.layout).constant() * byte_size(meta.dtype);
    Storage storage = new_storage(meta.device, bytes);
    results.emplace_back(std::move(meta), std::move(storage));
  }
  return results;
}

Values to_values(std::vector<Tensor> tensors) { return Values(tensors.begin(), tensors.end()); }

Values decompose_and_run(const OpArgs& args) {
  graph::InheritDevice inherit_device(args);
  return run_decomposition(args);
}

// In place by way of the functional op, for those that no loop nest expresses.
Values run_then_copy(const OpArgs& args, Device device) {
  infer_meta(args);
  Values values = run_on_cuda(OpArgs(*args.op().inplace_of, args.values(), args.here()), device);
  apply(op_defs::copy_inplace_default, {args[0], values[0]}, args.here());
  return {args[0]};
}

// Gathers, scans and the user's kernels are programs of one op here, as they are in compiled code.
bool is_program(const OpDef& op) {
  return &op == &op_defs::pick_default || op.library == Library::launch || &op == &op_defs::cumsum_default ||
         &op == &op_defs::cumprod_default || &op == &op_defs::cummax_default || &op == &op_defs::cummin_default;
}
bool is_call(const OpDef& op) {
  return !is_program(op) && (op.library != Library::none || op.structured == Structured::random);
}

// The user's kernel writes fresh results, which then go where it would have written.
Values run_user_kernel(const OpArgs& args, Device device) {
  Values results = run_on_cuda(OpArgs(op_defs::launch_default, args.values(), args.here()), device);
  std::vector<Tensor> tensors = args.tensors("tensors");
  size_t pointer = 0, result = 0;
  for (const KernelParameter& parameter : graph::kernel_of(args).parameters) {
    if (!parameter.is_pointer) continue;
    if (parameter.is_written) tensors[pointer].copy_(results[result++].tensor(), args.here());
    ++pointer;
  }
  return {};
}

// The device parameter of aten::_to_copy names another one than self's.
std::optional<Device> copy_target(const OpArgs& args) {
  if (&args.op() != &op_defs::to_copy_default || args["device"].is_none()) return {};
  Device target = args["device"].device();
  if (target == args[0].tensor().device()) return {};
  return target;
}

Values run_call(const OpArgs& args) {
  if (args.op().library == Library::sizing_routine) return to_values(call_sizing_on_cuda(args));
  std::vector<Tensor> outputs = allocate(args);
  call_library(args, outputs);
  return to_values(std::move(outputs));
}

}  // namespace

Values run_on_cuda(const OpArgs& args, Device device) {
  graph::InheritLocation inherit(args.here());
  const OpDef& op = args.op();
  if (auto target = copy_target(args)) return {copy_to_device(args, *target)};
  if (&op == &op_defs::copy_inplace_default && args[1].is_tensor() &&
      !(args[0].tensor().device() == args[1].tensor().device())) {
    infer_meta(args);
    copy_between_devices(args[0].tensor(), args[1].tensor(), args.here());
    return {args[0]};
  }
  if (&op == &op_defs::launch_inplace_default) return run_user_kernel(args, device);
  if (op.decompose) return decompose_and_run(args);
  if (op.inplace_of && (op.inplace_of->decompose || is_call(*op.inplace_of))) return run_then_copy(args, device);
  if (op.structured == Structured::empty) return to_values(allocate(args));
  if (is_call(op)) return run_call(args);
  EagerCall call(args);
  return plans().find_or_make(args, call)->run(args, call);
}

}  // namespace sinter::runtime
