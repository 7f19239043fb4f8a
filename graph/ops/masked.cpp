// Ops that do something where a mask is true.

#include <sinter/graph/ops/masked.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

PointwiseTypes types_masked_fill(const OpArgs& args) {
  check_bool_mask(args, "mask");
  DType dtype = args.meta(0).dtype;
  PointwiseTypes types;
  types.inputs = {dtype, boolean};
  types.result = dtype;
  if (args.op().schema().parameters[2].type == ArgType::tensor)
    types.inputs.push_back(dtype);
  else
    check_fills(args, args.scalar("value"), dtype);
  return types;
}

// Row-major over the broadcast sizes.
Metas masked_fill_meta(const OpArgs& args) {
  if (args[2].is_tensor() && args.meta(2).layout.rank() != 0)
    args.fail(ErrorKind::argument, fmt::format("value has rank {}", args.meta(2).layout.rank()),
              "need a zero-dim value");
  TensorMeta result = pointwise_meta(args, types_masked_fill(args).result);
  result.layout = contiguous_layout(result.layout.sizes);
  return {result};
}

Metas masked_select_meta(const OpArgs& args) {
  check_bool_mask(args, "mask");
  return {fresh_meta(args, args.meta(0).dtype, {count_from_data(args, numel(broadcast_with_mask(args)))})};
}

ScalarExpr fill_with_number(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return select(x[1], s.constant(args.scalar("value"), x[0].dtype()), x[0]);
}
ScalarExpr fill_with_tensor(ScalarBuilder&, const OpArgs&, Inputs x) { return select(x[1], x[2], x[0]); }

Metas masked_scatter_meta(const OpArgs& args) {
  check_bool_mask(args, "mask");
  check_same_type(args, "source");
  return {fresh_meta(args, args.meta(0).dtype, broadcast_with_mask(args))};
}

Metas masked_scatter_backward_meta(const OpArgs& args) {
  check_bool_mask(args, "mask");
  broadcast_with_mask(args);
  return {fresh_meta(args, args.meta(0).dtype, args.sizes("sizes"))};
}

// The gradient goes to where the mask is true.
Values run_masked_select_backward(const OpArgs& args) {
  Tensor zeros = zeros_like(args.tensor(1), {}, args.here());
  return apply(op_defs::masked_scatter_default, {zeros, args[2], args[0]}, args.here());
}

}  // namespace

namespace op_defs {

constinit const OpDef masked_fill_scalar =
    pointwise("aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor", types_masked_fill,
              fill_with_number, masked_fill_meta);
constinit const OpDef masked_fill_inplace_scalar =
    inplace("aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)", masked_fill_scalar);
constinit const OpDef masked_fill_tensor =
    pointwise("aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor", types_masked_fill,
              fill_with_tensor, masked_fill_meta);
constinit const OpDef masked_fill_inplace_tensor =
    inplace("aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)", masked_fill_tensor);

constinit const OpDef masked_select_default =
    sized_by_data("aten::masked_select(Tensor self, Tensor mask) -> Tensor", masked_select_meta);
constinit const OpDef masked_select_backward_default = decomposed(
    "aten::masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor", run_masked_select_backward);
constinit const OpDef masked_scatter_default =
    routine("aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", masked_scatter_meta);
constinit const OpDef masked_scatter_inplace_default =
    inplace("aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)", masked_scatter_default);
constinit const OpDef masked_scatter_backward_default =
    routine("aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor",
            masked_scatter_backward_meta);

}  // namespace op_defs

}  // namespace sinter
