// A copy of a tensor with what a view would show replaced: the _scatter forms; on zeros, the gradients of views.

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/diagonal.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/view.h>
#include <sinter/graph/ops/view_scatter.h>

#include <algorithm>

namespace sinter {

namespace {

// `base` with `source` in place of what `view` shows.
Tensor scattered(const OpArgs& args, Tensor base, const Tensor& source, const OpDef& view,
                 std::initializer_list<Value> view_arguments) {
  if (overlaps_itself(base.layout())) base = clone_contiguous(base, args.here());
  Values all = {base};
  all.insert(all.end(), view_arguments.begin(), view_arguments.end());
  Layout window = apply(view, all, {}, args.here())[0].tensor().layout();
  if (!std::ranges::equal(source.sizes(), window.sizes, [](SymInt x, SymInt y) { return must_equal(x, y); }))
    args.fail(
        ErrorKind::shape,
        fmt::format("the view has sizes {}, what replaces it {}", to_string(window.sizes), to_string(source.sizes())),
        "need equal sizes");
  return apply_one(op_defs::as_strided_scatter_default, {base, source, window.sizes, window.strides, window.offset},
                   args.here());
}

Values run_select_scatter(const OpArgs& args) {
  return {scattered(args, args.tensor(0), args.tensor(1), op_defs::select_int, {args["dim"], args["index"]})};
}
Values run_slice_scatter(const OpArgs& args) {
  return {scattered(args, args.tensor(0), args.tensor(1), op_defs::slice_tensor,
                    {args["dim"], args["start"], args["end"], args["step"]})};
}
Values run_diagonal_scatter(const OpArgs& args) {
  return {scattered(args, args.tensor(0), args.tensor(1), op_defs::diagonal_default,
                    {args["offset"], args["dim1"], args["dim2"]})};
}

Tensor no_gradient(const OpArgs& args) {
  for (SymInt size : args.sizes("input_sizes"))
    if (size < 0) args.fail(ErrorKind::shape, fmt::format("size {} is negative", to_string(size)));
  return zeros(args.sizes("input_sizes"), args.meta(0).dtype, args.here());
}

Values run_select_backward(const OpArgs& args) {
  return {scattered(args, no_gradient(args), args.tensor(0), op_defs::select_int, {args["dim"], args["index"]})};
}
Values run_slice_backward(const OpArgs& args) {
  return {scattered(args, no_gradient(args), args.tensor(0), op_defs::slice_tensor,
                    {args["dim"], args["start"], args["end"], args["step"]})};
}
Values run_diagonal_backward(const OpArgs& args) {
  return {scattered(args, no_gradient(args), args.tensor(0), op_defs::diagonal_default,
                    {args["offset"], args["dim1"], args["dim2"]})};
}

// Windows may overlap: a sum for each element.
Metas unfold_backward_meta(const OpArgs& args) {
  TensorMeta gradient = args.meta(0);
  if (!is_floating(gradient.dtype)) fail_for_type(args, gradient.dtype);
  SymDims sizes = args.sizes("input_sizes"), unfolded = sizes;
  int64_t rank = static_cast<int64_t>(sizes.size()), dim = wrap_dim(args, args.integer("dim"), rank);
  int64_t size = args.integer("size"), step = args.integer("step");
  if (step <= 0) args.fail(ErrorKind::argument, fmt::format("step {}", step), "need a positive step");
  if (rank > 0) unfolded[dim] = floor_div(sizes[dim] - size, step) + 1;
  unfolded.push_back(size);
  if (!(gradient.layout.sizes == unfolded))
    args.fail(ErrorKind::shape,
              fmt::format("the gradient has sizes {}, not {}", to_string(gradient.layout.sizes), to_string(unfolded)));
  return {{gradient.dtype, gradient.device, contiguous_layout(sizes)}};
}

}  // namespace

namespace op_defs {

constinit const OpDef select_scatter_default =
    decomposed("aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor", run_select_scatter);
constinit const OpDef slice_scatter_default = decomposed(
    "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> "
    "Tensor",
    run_slice_scatter);
constinit const OpDef diagonal_scatter_default =
    decomposed("aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
               run_diagonal_scatter);

constinit const OpDef select_backward_default =
    decomposed("aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor",
               run_select_backward);
constinit const OpDef slice_backward_default = decomposed(
    "aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> "
    "Tensor",
    run_slice_backward);
constinit const OpDef diagonal_backward_default = decomposed(
    "aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor",
    run_diagonal_backward);
constinit const OpDef unfold_backward_default =
    routine("aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor",
            unfold_backward_meta);

}  // namespace op_defs

}  // namespace sinter
