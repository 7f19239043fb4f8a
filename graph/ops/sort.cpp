// Sorting.

#include <sinter/graph/ops/sort.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

// Values in self's memory order, and their positions.
Metas sort_meta(const OpArgs& args) {
  TensorMeta values = args.meta(0);
  wrap_dim(args, args.integer("dim"), values.layout.rank());
  values.layout = {values.layout.sizes, preserved_strides(values.layout), 0};
  TensorMeta indices = values;
  indices.dtype = i64;
  return {values, indices};
}

Values run_sort(const OpArgs& args) {
  return apply(op_defs::sort_stable, {args[0], false, args["dim"], args["descending"]}, args.here());
}

}  // namespace

namespace op_defs {

constinit const OpDef sort_stable = routine(
    "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor "
    "indices)",
    sort_meta);
constinit const OpDef sort_default = decomposed(
    "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", run_sort);

}  // namespace op_defs

}  // namespace sinter
