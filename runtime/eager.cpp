// One way to run an op for each way to define it, and the cache of plans.

#include <sinter/runtime/eager.h>

#include <sinter/graph/called_op.h>
#include <sinter/graph/custom/definition.h>
#include <sinter/graph/infer_meta.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/cuda/eager.h>
#include <sinter/runtime/custom/custom_call.h>
#include <sinter/runtime/eager_plan.h>
#include <sinter/runtime/kept_by_thread.h>
#include <sinter/runtime/library_calls.h>
#include <sinter/runtime/plan_cache.h>
#include <sinter/runtime/routines/routine.h>

#include <memory>

namespace sinter::runtime {

namespace {

PlanCache<EagerPlan>& plans() { return kept_by_thread<PlanCache<EagerPlan>>(); }

std::vector<Tensor> allocate(const OpArgs& args) {
  std::vector<Tensor> results;
  for (TensorMeta& meta : infer_meta(args)) {
    int64_t bytes = extent_end(meta.layout).constant() * byte_size(meta.dtype);
    results.emplace_back(std::move(meta), new_host_storage(bytes));
  }
  return results;
}

Values to_values(std::vector<Tensor> tensors) { return Values(tensors.begin(), tensors.end()); }

Values run_view(const OpArgs& args) {
  const Tensor& self = args[0].tensor();
  TensorMeta meta = self.meta();
  meta.layout = args.op().view(args, self.layout());
  check_addressable(args, meta);
  return {Tensor(std::move(meta), self.storage())};
}

Values decompose_and_run(const OpArgs& args) {
  graph::InheritLocation inherit(args.here());
  graph::InheritDevice inherit_device(args);
  graph::NameCalledOp called(args.op().schema().name);
  return run_decomposition(args);
}

// In place by way of the functional op, for those that no loop nest expresses.
Values run_then_copy(const OpArgs& args) {
  infer_meta(args);
  graph::InheritLocation inherit(args.here());
  graph::NameCalledOp called(args.op().schema().name);
  Values values = run_eagerly(OpArgs(*args.op().inplace_of, args.values(), args.here()));
  apply(op_defs::copy_inplace_default, {args[0], values[0]}, args.here());
  return {args[0]};
}

Values run_call(const OpArgs& args) {
  if (args.op().library == Library::sizing_routine) return to_values(find_sizing_routine(args.op())(args));
  std::vector<Tensor> outputs = allocate(args);
  graph::NameOpItself itself;
  call_library(args, outputs);
  return to_values(std::move(outputs));
}

bool is_call(const OpDef& op) { return op.library != Library::none || op.structured == Structured::random; }

}  // namespace

Values run_eagerly(const OpArgs& args) {
  graph::InheritLocation inherit(args.here());  // memory may run out anywhere below
  const OpDef& op = args.op();
  if (!op.pointwise.formula && graph::custom_of(op)) return run_custom(args);
  if (op.view) return run_view(args);
  if (Device device = device_of(args); !device.is_cpu()) [[unlikely]]
    return run_on_cuda(args, device);
  if (op.decompose) return decompose_and_run(args);
  if (op.inplace_of && (op.inplace_of->decompose || is_call(*op.inplace_of))) return run_then_copy(args);
  if (op.structured == Structured::empty) return to_values(allocate(args));
  if (is_call(op)) return run_call(args);
  EagerCall call(args);
  return plans().find_or_make(args, call)->run(args, call);
}

int64_t eager_plan_count() { return plans().size(); }

namespace {

[[maybe_unused]] const bool is_installed = [] {
  install_executor(run_eagerly);
  return true;
}();

}  // namespace

}  // namespace sinter::runtime
