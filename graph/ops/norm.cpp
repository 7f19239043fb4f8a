// softmax, log_softmax and layer_norm, made of reductions and formulas; f16 and bf16 work in f32 and are rounded once.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/norm.h>
#include <sinter/graph/ops/norm_parts.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/shape_facts.h>

#include <array>

namespace sinter {

namespace {

Values run_softmax(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (!args["dtype"].is_none()) self = self.to(args["dtype"].dtype(), args.here());
  const OpDef& inner =
      args.op().schema().name == "softmax" ? op_defs::inner_softmax_default : op_defs::inner_log_softmax_default;
  return {apply_one(inner, {self, args["dim"], false}, args.here())};
}

Metas softmax_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  if (!is_floating(self.dtype)) fail_for_type(args, self.dtype);
  wrap_dim(args, args.integer("dim"), self.layout.rank());
  if (args.flag("half_to_float"))
    args.fail(ErrorKind::unsupported, "half_to_float is for CUDA tensors", "convert the result with to(f32)");
  self.layout = contiguous_layout(self.layout.sizes);
  return {self};
}

struct Shifted {
  Tensor x;  // in compute type, less its maximum
  Dims dims;
};

Shifted shift_by_maximum(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Tensor wide = self.to(compute_type(self.dtype()), args.here());
  Dims dims = {wrap_dim(args, args.integer("dim"), self.dim())};
  graph::AnswerGenerally asks_nothing;  // rows of no element have no maximum, and nobody looks at it
  Tensor greatest = amax(wide, dims, true, args.here());
  return {wide - greatest, dims};
}

Values finished(const OpArgs& args, const Tensor& result) {
  return {contiguous(result.to(args.meta(0).dtype, args.here()), args.here())};
}

Values nothing_to_do(const OpArgs& args) { return {clone_contiguous(args.tensor(0), args.here())}; }

Values run_inner_softmax(const OpArgs& args) {
  if (is_known_to_be(args.tensor(0).numel(), 0)) return nothing_to_do(args);
  Shifted shifted = shift_by_maximum(args);
  Tensor e = exp(shifted.x, args.here());
  // One reciprocal a row: a division an element would cost as much as the exponential.
  return finished(args, e * reciprocal(sum(e, shifted.dims, true, {}, args.here()), args.here()));
}

Values run_inner_log_softmax(const OpArgs& args) {
  if (is_known_to_be(args.tensor(0).numel(), 0)) return nothing_to_do(args);
  Shifted shifted = shift_by_maximum(args);
  Tensor total = sum(exp(shifted.x, args.here()), shifted.dims, true, {}, args.here());
  return finished(args, shifted.x - log(total, args.here()));
}

// --- layer_norm -------------------------------------------------------------------------------------------------

int64_t checked_axis(const OpArgs& args) {
  int64_t axis = normalized_axis(args);
  check_normalized(args, "weight");
  check_normalized(args, "bias");
  return axis;
}

Metas native_layer_norm_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  int64_t axis = checked_axis(args);
  if (!is_floating(self.dtype)) fail_for_type(args, self.dtype);
  check_parameter_types(args, std::array<std::string_view, 2>{"weight", "bias"});
  TensorMeta statistics = self;
  statistics.dtype = statistics_type(args.meta(0).dtype, optional_tensor(args, "weight"));
  for (int64_t i = axis; i < self.layout.rank(); ++i) statistics.layout.sizes[i] = 1;
  statistics.layout = contiguous_layout(statistics.layout.sizes);
  self.layout = contiguous_layout(self.layout.sizes);
  return {self, statistics, statistics};
}

Values run_native_layer_norm(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Here here = args.here();
  Dims dims;
  for (int64_t i = checked_axis(args); i < self.dim(); ++i) dims.push_back(i);
  Tensor wide = self.to(compute_type(self.dtype()), here);
  Tensor average = mean(wide, dims, true, {}, here);
  Tensor centred = wide - average;
  Tensor rstd = rsqrt(mean(centred * centred, dims, true, {}, here) + Scalar(args.number("eps")), here);
  Tensor result = centred * rstd;
  for (std::string_view parameter : {"weight", "bias"}) {
    if (args[parameter].is_none()) continue;
    Tensor factor = args[parameter].tensor().to(wide.dtype(), here);
    result = parameter == "weight" ? result * factor : result + factor;
  }
  DType statistics = statistics_type(args.meta(0).dtype, optional_tensor(args, "weight"));
  return {contiguous(result.to(self.dtype(), here), here), average.to(statistics, here), rstd.to(statistics, here)};
}

Values run_layer_norm(const OpArgs& args) {
  Values results = apply(op_defs::native_layer_norm_default,
                         {args[0], args["normalized_shape"], args["weight"], args["bias"], args["eps"]}, args.here());
  return {results[0]};
}

}  // namespace

namespace op_defs {

constinit const OpDef softmax_int =
    composite("aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", run_softmax);
constinit const OpDef inner_softmax_default =
    decomposed("aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", run_inner_softmax, softmax_meta);
constinit const OpDef log_softmax_int =
    composite("aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", run_softmax);
constinit const OpDef inner_log_softmax_default = decomposed(
    "aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", run_inner_log_softmax, softmax_meta);
constinit const OpDef layer_norm_default = composite(
    "aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1e-05, bool cudnn_enable=True) -> Tensor",
    run_layer_norm);
constinit const OpDef native_layer_norm_default = decomposed(
    "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> "
    "(Tensor, Tensor, Tensor)",
    run_native_layer_norm, native_layer_norm_meta);

}  // namespace op_defs

Tensor softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::softmax_int, {x, dim, dtype}, here);
}
Tensor log_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::log_softmax_int, {x, dim, dtype}, here);
}
Tensor layer_norm(const Tensor& x, SymDims normalized_shape, const Tensor& weight, const Tensor& bias, double eps,
                  Here here) {
  return apply_one(op_defs::layer_norm_default, {x, normalized_shape, weight, bias, eps}, here);
}

}  // namespace sinter
