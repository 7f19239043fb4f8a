// Dispatch of ops on whole buffers.

#include <sinter/runtime/library_calls.h>

#include <sinter/graph/custom/definition.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/random.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/cpu/matrix_product.h>
#include <sinter/runtime/cuda/library_calls.h>
#include <sinter/runtime/custom/custom_call.h>
#include <sinter/runtime/random.h>
#include <sinter/runtime/routines/routine.h>

#include <cstring>

namespace sinter::runtime {

namespace {

MatrixBatch matrix_of(const Tensor& tensor) {
  const Layout& layout = tensor.layout();
  size_t rank = layout.sizes.size();
  MatrixBatch m;
  m.data = tensor.data_ptr();
  m.dtype = tensor.dtype();
  m.rows = layout.sizes[rank - 2].constant();
  m.columns = layout.sizes[rank - 1].constant();
  m.row_stride = layout.strides[rank - 2].constant();
  m.column_stride = layout.strides[rank - 1].constant();
  if (rank == 3) {
    m.count = layout.sizes[0].constant();
    m.batch_stride = layout.strides[0].constant();
  }
  return m;
}

}  // namespace

void call_library(const OpArgs& args, std::span<const Tensor> outputs) {
  const OpDef& op = args.op();
  if (op.library == Library::custom) return call_custom(args, outputs);
  if (op.library == Library::launch) return launch_kernel(args, outputs);
  bool is_on_cuda = outputs.empty() ? !device_of(args).is_cpu() : !outputs[0].device().is_cpu();
  if (is_on_cuda) return call_cuda_library(args, outputs);
  if (op.library == Library::mm || op.library == Library::bmm)
    return multiply(matrix_of(args[0].tensor()), matrix_of(args[1].tensor()), matrix_of(outputs[0]));
  if (op.library == Library::routine) return find_routine(op)(args, outputs);
  if (&op == &op_defs::manual_seed_default)
    return default_generator().seed(static_cast<uint64_t>(args.scalar("seed").to_int()));
  if (op.structured == Structured::random) return fill_random(args, outputs[0]);
  throw Error(ErrorKind::unsupported, args.here(), fmt::format("{}: no library does this on the CPU", op.name()));
}

std::vector<Tensor> call_sizing_library(const OpArgs& args) {
  graph::ActivateTrace nothing(nullptr);
  return args.op().library == Library::custom ? make_custom(args) : find_sizing_routine(args.op())(args);
}

Storage storage_as(const OpArgs& args, size_t result, const Tensor& made, const TensorMeta& expected) {
  bool is_custom = args.op().library == Library::custom;
  Tensor tensor = made.dtype() == expected.dtype || is_custom ? made : made.to(expected.dtype, args.here());
  Layout placed = tensor.layout();
  placed.offset = 0;
  if (is_custom)
    graph::check_against_fake(args, result, tensor.meta(), expected);
  else
    SINTER_CHECK(same_layout(placed, expected.layout), "{} makes {} where {} was traced", args.op().name(),
                 to_string(tensor.meta()), to_string(expected));
  if (!is_custom && tensor.layout().offset.same(0)) return tensor.storage();
  int64_t bytes = extent_end(expected.layout).constant() * byte_size(expected.dtype);
  Storage storage = new_host_storage(bytes);
  if (!(numel(expected.layout.sizes) == 0)) std::memcpy(storage->data, tensor.data_ptr(), static_cast<size_t>(bytes));
  return storage;
}

}  // namespace sinter::runtime
