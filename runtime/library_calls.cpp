// Dispatch of ops on whole buffers.

#include <sinter/runtime/library_calls.h>

#include <sinter/graph/ops/all_ops.h>
#include <sinter/runtime/cpu/matrix_product.h>
#include <sinter/runtime/random.h>

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

void call_library(const OpDef& op, const std::vector<graph::Argument>& args, std::span<const Tensor> inputs,
                  std::span<const Tensor> outputs, Here where) {
  if (op.library == Library::mm || op.library == Library::bmm)
    return multiply(matrix_of(inputs[0]), matrix_of(inputs[1]), matrix_of(outputs[0]));
  if (&op == &op_defs::manual_seed_default)
    return default_generator().seed(static_cast<uint64_t>(args[0].value().scalar().to_int()));
  if (op.structured == Structured::random) return fill_random(op, args, outputs[0]);
  throw Error(ErrorKind::unsupported, where, fmt::format("{}: no library does this on the CPU", op.name()));
}

}  // namespace sinter::runtime
