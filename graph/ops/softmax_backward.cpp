// Derivatives of softmax and log_softmax from their results, and the softmax that takes fully masked rows.

#include <sinter/graph/ops/softmax_backward.h>

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>

#include <limits>

namespace sinter {

namespace {

Metas softmax_backward_meta(const OpArgs& args) {
  TensorMeta grad = args.meta(0), output = args.meta(1);
  if (!is_floating(grad.dtype)) fail_for_type(args, grad.dtype);
  if (grad.dtype != output.dtype)
    args.fail(ErrorKind::dtype,
              fmt::format("the gradient is {} and the result {}", name(grad.dtype), name(output.dtype)),
              "need one type");
  if (!(grad.layout.sizes == output.layout.sizes))
    args.fail(ErrorKind::shape, fmt::format("the gradient has sizes {} and the result {}", to_string(grad.layout.sizes),
                                            to_string(output.layout.sizes)));
  if (args["input_dtype"].dtype() != grad.dtype)
    args.fail(ErrorKind::unsupported, "an input of another type is for CUDA tensors", "convert the result");
  wrap_dim(args, args.integer("dim"), grad.layout.rank());
  grad.layout = contiguous_layout(grad.layout.sizes);
  return {grad};
}

struct Operands {
  Tensor grad, output;  // in compute type
  Dims dims;
};

Operands operands_of(const OpArgs& args) {
  DType wide = compute_type(args.meta(0).dtype);
  return {
      args.tensor(0).to(wide), args.tensor(1).to(wide), {wrap_dim(args, args.integer("dim"), args.tensor(0).dim())}};
}

Values finished(const OpArgs& args, const Tensor& result) { return {contiguous(result.to(args.meta(0).dtype))}; }

// output * (grad - sum(output * grad))
Values run_softmax_backward(const OpArgs& args) {
  auto [grad, output, dims] = operands_of(args);
  return finished(args, (grad - sum(grad * output, dims, true)) * output);
}

// grad - exp(output) * sum(grad)
Values run_log_softmax_backward(const OpArgs& args) {
  auto [grad, output, dims] = operands_of(args);
  return finished(args, grad - exp(output) * sum(grad, dims, true));
}

// A row of nothing but -inf gives zeros.
Values run_safe_softmax(const OpArgs& args) {
  Tensor self = args.tensor(0);
  int64_t dim = args.integer("dim");
  std::optional<DType> dtype;
  if (!args["dtype"].is_none()) dtype = args["dtype"].dtype();
  Tensor result = softmax(self, dim, dtype);
  if (is_known_to_be(self.numel(), 0)) return {result};
  return {where(all(self == -std::numeric_limits<double>::infinity(), dim, true), 0.0, result)};
}

}  // namespace

namespace op_defs {

constinit const OpDef inner_softmax_backward_data_default = decomposed(
    "aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor",
    run_softmax_backward, softmax_backward_meta);
constinit const OpDef inner_log_softmax_backward_data_default = decomposed(
    "aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor",
    run_log_softmax_backward, softmax_backward_meta);
constinit const OpDef inner_safe_softmax_default =
    decomposed("aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", run_safe_softmax);

}  // namespace op_defs

}  // namespace sinter
