// Rows are made neighbours in memory, ordered, and written where the results are.

#include <sinter/runtime/cuda/order.h>

#include <sinter/graph/ops/all_ops.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/order_rows.h>
#include <sinter/runtime/cuda/own_kernel.h>

#include <functional>
#include <limits>
#include <unordered_map>

namespace sinter::runtime {

namespace {

constexpr int64_t longest_row = std::numeric_limits<int32_t>::max();

// A tensor as rows along one dim, and the way back.
struct RowsAlong {
  int64_t dim = 0, rank = 0;
  SymDims sizes;  // with `dim` last
  Tensor rows;    // contiguous [count, length]

  RowsAlong(const OpArgs& args, const Tensor& self, int64_t along) : dim(along), rank(self.dim()) {
    Tensor moved = rank == 0 ? self.reshape({1}, args.here()) : self;
    if (rank > 0 && dim != rank - 1) moved = moved.transpose(dim, rank - 1, args.here());
    sizes = moved.sizes();
    int64_t length = sizes[sizes.size() - 1].constant();
    int64_t count = length == 0 ? 0 : moved.numel().constant() / length;
    rows = moved.contiguous(args.here()).reshape({count, length}, args.here());
  }
  int64_t length() const { return rows.sizes()[1].constant(); }
  int64_t count() const { return rows.sizes()[0].constant(); }

  // A tensor for `kept` elements of each row, and its way into a result that has the dim or not.
  Tensor fresh(DType dtype, int64_t kept) const { return new_device_tensor(rows.device(), dtype, {count(), kept}); }
  void place(const Tensor& made, const Tensor& result, Here here) const {
    SymDims shape = sizes;
    shape[shape.size() - 1] = made.sizes()[1];
    Tensor shaped = made.reshape(shape, here);
    if (rank > 0 && dim != rank - 1) shaped = shaped.transpose(dim, rank - 1, here);
    result.copy_(shaped.reshape(result.sizes(), here), here);
  }
  // Whether the kernels may write a result of `kept` a row themselves.
  bool is_direct(const Tensor& result) const { return (rank == 0 || dim == rank - 1) && result.is_contiguous(); }
};

// Calls write(values, positions), either into the results or beside them.
template <class Write>
void write_rows(const OpArgs& args, const RowsAlong& along, std::span<const Tensor> outputs, int64_t kept,
                const Write& write) {
  bool is_direct = true;
  for (const Tensor& output : outputs) is_direct = is_direct && along.is_direct(output);
  if (is_direct) return write(outputs[0], outputs.size() > 1 ? outputs[1] : Tensor());
  Tensor values = along.fresh(outputs[0].dtype(), kept), positions = along.fresh(DType::i64, kept);
  write(values, positions);
  along.place(values, outputs[0], args.here());
  if (outputs.size() > 1) along.place(positions, outputs[1], args.here());
}

int64_t dim_of(const OpArgs& args) { return wrap_dim(args, args.integer("dim"), args[0].tensor().dim()); }

void sort(const OpArgs& args, std::span<const Tensor> outputs) {
  RowsAlong along(args, args[0].tensor(), dim_of(args));
  OrderedRows ordered(along.rows, args.flag("descending"), along.length());
  write_rows(args, along, outputs, along.length(), [&](const Tensor& values, const Tensor& positions) {
    ordered.write(values, positions, 0, along.length());
  });
}

void topk(const OpArgs& args, std::span<const Tensor> outputs) {
  int64_t k = args[0].tensor().dim() == 0 ? 1 : args.integer("k");
  if (outputs[0].numel() == 0) return;
  RowsAlong along(args, args[0].tensor(), dim_of(args));
  OrderedRows ordered(along.rows, args.flag("largest"), k);
  write_rows(args, along, outputs, k,
             [&](const Tensor& values, const Tensor& positions) { ordered.write(values, positions, 0, k); });
}

void kthvalue(const OpArgs& args, std::span<const Tensor> outputs) {
  int64_t k = args.integer("k");
  if (outputs[0].numel() == 0) return;
  RowsAlong along(args, args[0].tensor(), dim_of(args));
  OrderedRows ordered(along.rows, false, k);
  write_rows(args, along, outputs, 1,
             [&](const Tensor& values, const Tensor& positions) { ordered.write(values, positions, k - 1, 1); });
}

// Along a dim, or of the whole tensor.
RowsAlong reduced_rows(const OpArgs& args) {
  const Tensor& self = args[0].tensor();
  int slot = args.op().schema().find("dim");
  if (slot < 0 || args[slot].is_none())
    return RowsAlong(args, self.contiguous(args.here()).reshape({self.numel()}, args.here()), 0);
  return RowsAlong(args, self, dim_of(args));
}

void median(const OpArgs& args, std::span<const Tensor> outputs, bool skips_nan) {
  if (outputs[0].numel() == 0) return;
  RowsAlong along = reduced_rows(args);
  OrderedRows ordered(along.rows, false, along.length());
  write_rows(args, along, outputs, 1, [&](const Tensor& values, const Tensor& positions) {
    ordered.write_medians(values, positions, skips_nan);
  });
}
void median_of_all(const OpArgs& args, std::span<const Tensor> outputs) { median(args, outputs, false); }
void nanmedian(const OpArgs& args, std::span<const Tensor> outputs) { median(args, outputs, true); }

void mode(const OpArgs& args, std::span<const Tensor> outputs) {
  if (outputs[0].numel() == 0) return;
  RowsAlong along = reduced_rows(args);
  OrderedRows ordered(along.rows, false, along.length());
  write_rows(args, along, outputs, 1,
             [&](const Tensor& values, const Tensor& positions) { ordered.write_modes(values, positions); });
}

using Ordering = void (*)(const OpArgs&, std::span<const Tensor>);

const std::unordered_map<const OpDef*, Ordering>& orderings() {
  namespace d = op_defs;
  static const auto& table = *new std::unordered_map<const OpDef*, Ordering>{
      {&d::sort_stable, sort},          {&d::topk_default, topk},
      {&d::kthvalue_default, kthvalue}, {&d::median_default, median_of_all},
      {&d::median_dim, median_of_all},  {&d::nanmedian_default, nanmedian},
      {&d::nanmedian_dim, nanmedian},   {&d::mode_default, mode},
  };
  return table;
}

}  // namespace

bool order_on_cuda(const OpArgs& args, std::span<const Tensor> outputs) {
  auto found = orderings().find(&args.op());
  if (found == orderings().end()) return false;
  int64_t count = args[0].tensor().numel().constant();
  bool is_of_nothing = count == 0 && !(outputs[0].numel() == 0);  // the median of no elements
  if (is_of_nothing || count > longest_row) return false;
  found->second(args, outputs);
  return true;
}

}  // namespace sinter::runtime
