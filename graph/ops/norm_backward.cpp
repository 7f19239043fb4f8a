// Gradients of the normalisations, in terms of the statistics that the forward op saved.
//
// Composites: a gradient that the output_mask leaves out is no tensor.

#include <sinter/graph/ops/norm_backward.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/norm_parts.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>

#include <numeric>

namespace sinter {

namespace {

bool is_wanted(const OpArgs& args, int output) { return args["output_mask"].list()[output].scalar().to_bool(); }

void check_gradient(const OpArgs& args) {
  TensorMeta grad = args.meta(0), input = args.meta(1);
  if (!(grad.layout.sizes == input.layout.sizes))
    args.fail(ErrorKind::shape, fmt::format("the gradient has sizes {}, the input {}", to_string(grad.layout.sizes),
                                            to_string(input.layout.sizes)));
  if (!is_floating(input.dtype)) fail_for_type(args, input.dtype);
}

// The operands in compute type, viewed so that `dims` are those that the statistics are of and `others` those that the
// parameters are shared over.
struct Backward {
  Here here;
  Tensor grad, normalized, rstd;
  Dims dims, others;
  Tensor weight;  // broadcasts; undefined if there is none
  bool is_centred = true;

  Tensor input_gradient() const {
    Tensor scaled = weight.defined() ? grad * weight : grad;
    return gradient_through_norm(scaled, normalized, rstd, dims, is_centred, here);
  }
  Tensor summed(const Tensor& x) const { return others.empty() ? x : sum(x, others, true, {}, here); }
  Tensor weight_gradient(DType dtype, const SymDims& sizes) const {
    return contiguous(summed(grad * normalized).reshape(sizes, here).to(dtype, here), here);
  }
  Tensor bias_gradient(DType dtype, const SymDims& sizes) const {
    return contiguous(summed(grad).reshape(sizes, here).to(dtype, here), here);
  }
};

// A parameter in compute type, viewed with the sizes; undefined if there is none.
Tensor viewed(const OpArgs& args, std::string_view parameter, const SymDims& sizes, DType dtype) {
  Tensor tensor = optional_tensor(args, parameter);
  return tensor.defined() ? tensor.to(dtype, args.here()).reshape(sizes, args.here()) : tensor;
}

DType parameter_type(const OpArgs& args, std::string_view parameter) {
  Tensor tensor = optional_tensor(args, parameter);
  return tensor.defined() ? tensor.dtype() : args.meta(1).dtype;
}

// --- layer_norm and rms_norm ------------------------------------------------------------------------------------

Backward backward_of_rows(const OpArgs& args, bool is_centred) {
  check_gradient(args);
  Backward b{args.here()};
  b.is_centred = is_centred;
  Tensor input = widened(args.tensor(1), b.here);
  b.grad = widened(args.tensor(0), b.here);
  SymDims shape = args.sizes("normalized_shape"), statistics = input.sizes();
  int64_t axis = input.dim() - static_cast<int64_t>(shape.size());
  if (axis < 0 || !std::equal(shape.begin(), shape.end(), input.sizes().begin() + axis))
    args.fail(ErrorKind::shape,
              fmt::format("sizes {} do not end in normalized_shape {}", to_string(input.sizes()), to_string(shape)));
  for (int64_t i = 0; i < input.dim(); ++i) (i < axis ? b.others : b.dims).push_back(i);
  for (int64_t dim : b.dims) statistics[dim] = 1;
  b.rstd = viewed(args, "rstd", statistics, input.dtype());
  if (is_centred) input = input - viewed(args, "mean", statistics, input.dtype());
  b.normalized = input * b.rstd;
  b.weight = viewed(args, "weight", shape, input.dtype());
  return b;
}

Values run_layer_norm_backward(const OpArgs& args) {
  Backward b = backward_of_rows(args, true);
  SymDims shape = args.sizes("normalized_shape");
  Values results(3);
  if (is_wanted(args, 0)) results[0] = contiguous(b.input_gradient().to(args.meta(1).dtype, b.here), b.here);
  if (is_wanted(args, 1)) results[1] = b.weight_gradient(parameter_type(args, "weight"), shape);
  if (is_wanted(args, 2)) results[2] = b.bias_gradient(parameter_type(args, "bias"), shape);
  return results;
}

Values run_rms_norm_backward(const OpArgs& args) {
  Backward b = backward_of_rows(args, false);
  Values results(2);
  if (is_wanted(args, 0)) results[0] = contiguous(b.input_gradient().to(args.meta(1).dtype, b.here), b.here);
  if (is_wanted(args, 1))
    results[1] = b.weight_gradient(parameter_type(args, "weight"), args.sizes("normalized_shape"));
  return results;
}

// --- group_norm -------------------------------------------------------------------------------------------------

// Channels in groups, the rest as in the input: [N, group, C / group, places ...].
Backward backward_of_groups(const OpArgs& args) {
  check_gradient(args);
  Backward b{args.here()};
  Tensor input = widened(args.tensor(1), b.here);
  SymInt batch = args.size("N"), channels = args.size("C"), groups = args.integer("group");
  if (input.dim() < 2 || !(numel(input.sizes()) == batch * channels * args.size("HxW")) ||
      !(input.sizes()[1] == channels) || groups.constant() <= 0 || channels.constant() % groups.constant() != 0)
    args.fail(ErrorKind::shape, "N, C, HxW and group do not fit the input");
  SymInt group_size = channels.constant() / groups.constant();
  SymDims grouped = {batch, groups, group_size}, statistics = {batch, groups, 1}, parameters = {1, groups, group_size};
  b.dims = {2};
  b.others = {0};
  for (int64_t i = 2; i < input.dim(); ++i) {
    grouped.push_back(input.sizes()[i]);
    statistics.push_back(1);
    parameters.push_back(1);
    b.dims.push_back(i + 1);
    b.others.push_back(i + 1);
  }
  b.grad = widened(args.tensor(0), b.here).view(grouped, b.here);
  b.rstd = viewed(args, "rstd", statistics, input.dtype());
  b.normalized = (input.view(grouped, b.here) - viewed(args, "mean", statistics, input.dtype())) * b.rstd;
  b.weight = viewed(args, "weight", parameters, input.dtype());
  return b;
}

Values run_group_norm_backward(const OpArgs& args) {
  Backward b = backward_of_groups(args);
  const TensorMeta input = args.meta(1);
  SymDims channels = {args.size("C")};
  Values results(3);
  if (is_wanted(args, 0)) {
    Tensor gradient = b.input_gradient().to(input.dtype, b.here).reshape(input.layout.sizes, b.here);
    results[0] = in_image_strides(gradient, image_strides(input.layout), b.here);
  }
  if (is_wanted(args, 1)) results[1] = b.weight_gradient(parameter_type(args, "weight"), channels);
  if (is_wanted(args, 2)) results[2] = b.bias_gradient(parameter_type(args, "weight"), channels);
  return results;
}

// --- batch_norm -------------------------------------------------------------------------------------------------

Tensor needed(const OpArgs& args, std::string_view parameter, const SymDims& sizes, DType dtype) {
  Tensor tensor = viewed(args, parameter, sizes, dtype);
  if (!tensor.defined()) args.fail(ErrorKind::argument, fmt::format("{} is missing", parameter));
  return tensor;
}

Values batch_norm_gradients(const OpArgs& args, bool is_training, std::string_view saved_rstd) {
  check_gradient(args);
  Backward b{args.here()};
  Tensor input = widened(args.tensor(1), b.here);
  if (input.dim() < 2) args.fail(ErrorKind::shape, fmt::format("an input of rank {} has no channels", input.dim()));
  SymDims channels(input.dim(), SymInt(1));
  channels[1] = input.sizes()[1];
  for (int64_t i = 0; i < input.dim(); ++i)
    if (i != 1) b.dims.push_back(i);
  b.others = b.dims;
  b.grad = widened(args.tensor(0), b.here);
  b.rstd = is_training
               ? needed(args, saved_rstd, channels, input.dtype())
               : rsqrt(needed(args, "running_var", channels, input.dtype()) + Scalar(args.number("eps")), b.here);
  b.normalized = (input - needed(args, is_training ? "save_mean" : "running_mean", channels, input.dtype())) * b.rstd;
  b.weight = viewed(args, "weight", channels, input.dtype());
  Values results(3);
  if (is_wanted(args, 0)) {
    Tensor scaled = b.weight.defined() ? b.grad * b.weight : b.grad;
    Tensor gradient = is_training ? b.input_gradient() : scaled * b.rstd;
    results[0] = in_image_strides(gradient.to(args.meta(1).dtype, b.here), image_strides(args.meta(1).layout), b.here);
  }
  if (is_wanted(args, 1)) results[1] = b.weight_gradient(parameter_type(args, "weight"), {input.sizes()[1]});
  if (is_wanted(args, 2)) results[2] = b.bias_gradient(parameter_type(args, "weight"), {input.sizes()[1]});
  return results;
}

Values run_native_batch_norm_backward(const OpArgs& args) {
  return batch_norm_gradients(args, args.flag("train"), "save_invstd");
}
Values run_batch_norm_backward(const OpArgs& args) {
  return batch_norm_gradients(args, args.flag("update"), "save_var");
}

}  // namespace

namespace op_defs {

constinit const OpDef native_layer_norm_backward_default = composite(
    "aten::native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, "
    "Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
    run_layer_norm_backward);
constinit const OpDef fused_rms_norm_backward_default = composite(
    "aten::_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor rstd, "
    "Tensor? weight, bool[2] output_mask) -> (Tensor, Tensor)",
    run_rms_norm_backward);
constinit const OpDef native_group_norm_backward_default = composite(
    "aten::native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, "
    "SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
    run_group_norm_backward);
constinit const OpDef native_batch_norm_backward_default = composite(
    "aten::native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, "
    "Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask) -> "
    "(Tensor, Tensor, Tensor)",
    run_native_batch_norm_backward);
constinit const OpDef batch_norm_backward_default = composite(
    "aten::batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? running_mean, "
    "Tensor? running_var, Tensor? save_mean, Tensor? save_var, bool update, float eps, bool[3] output_mask, "
    "Tensor reserve) -> (Tensor, Tensor, Tensor)",
    run_batch_norm_backward);

}  // namespace op_defs

}  // namespace sinter
