// group_norm and rms_norm: rows of values made alike in spread.

#include <sinter/graph/ops/group_norm.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/normalization.h>
#include <sinter/graph/ops/moments.h>
#include <sinter/graph/ops/norm_parts.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>

#include <array>
#include <limits>

namespace sinter {

namespace {

// --- group_norm -------------------------------------------------------------------------------------------------

void check_groups(const OpArgs& args, int64_t groups) {
  const SymDims& sizes = args.meta(0).layout.sizes;
  if (sizes.size() < 2)
    args.fail(ErrorKind::shape, fmt::format("an input of rank {} has no channels", sizes.size()),
              "need at least 2 dims");
  SymInt channels = sizes[1];
  if (groups <= 0 || channels == 0 || !(channels == floor_div(channels, groups) * groups))
    args.fail(ErrorKind::shape, fmt::format("{} channels do not make {} groups", to_string(channels), groups),
              "need a number of channels that is a multiple of the number of groups");
  check_per_channel(args, "weight", channels);
  check_per_channel(args, "bias", channels);
}

Metas native_group_norm_meta(const OpArgs& args) {
  TensorMeta input = args.meta(0);
  int64_t groups = args.integer("group");
  check_groups(args, groups);
  if (!is_floating(input.dtype)) fail_for_type(args, input.dtype);
  check_parameter_types(args, std::array<std::string_view, 2>{"weight", "bias"});
  const SymDims& sizes = input.layout.sizes;
  if (!(sizes[0] == args.size("N") && sizes[1] == args.size("C")) ||
      !(numel(sizes) == args.size("N") * args.size("C") * args.size("HxW")))
    args.fail(ErrorKind::shape,
              fmt::format("N, C and HxW are {}, {} and {}", to_string(args.size("N")), to_string(args.size("C")),
                          to_string(args.size("HxW"))),
              "need the input's sizes");
  TensorMeta statistics{statistics_type(input.dtype, optional_tensor(args, "weight")), input.device,
                        contiguous_layout({sizes[0], groups})};
  input.layout = {sizes, image_strides(input.layout), 0};
  return {input, statistics, statistics};
}

Values run_native_group_norm(const OpArgs& args) {
  Here here = args.here();
  Tensor input = args.tensor(0);
  SymInt groups = args.integer("group"), channels = input.sizes()[1], batch = input.sizes()[0];
  SymInt group_size = floor_div(channels, groups);
  SymDims grouped = {batch, groups, group_size}, per_channel = {1, groups, group_size};
  Dims dims = {2};
  for (int64_t i = 2; i < input.dim(); ++i) {
    grouped.push_back(input.sizes()[i]);
    per_channel.push_back(1);
    dims.push_back(i + 1);
  }
  Tensor wide = widened(input, here).view(grouped, here);
  auto [average, squares] = moments(wide, dims, here);
  Tensor centred = wide - average;
  Tensor variance = squares / floating_count(reduced_count(wide.sizes(), dims));
  Tensor rstd = rsqrt(variance + Scalar(args.number("eps")), here);
  Tensor result = scaled_and_shifted(centred * rstd, optional_tensor(args, "weight"), optional_tensor(args, "bias"),
                                     per_channel, here);
  SymDims strides = image_strides(input.layout());
  result = result.to(input.dtype(), here);
  if (!is_contiguous(input.layout()) && strides == contiguous_strides(input.sizes())) result = contiguous(result, here);
  result = in_image_strides(result.reshape(input.sizes(), here), strides, here);
  DType statistics = statistics_type(input.dtype(), optional_tensor(args, "weight"));
  return {result, average.view({batch, groups}, here).to(statistics, here),
          rstd.view({batch, groups}, here).to(statistics, here)};
}

Values run_group_norm(const OpArgs& args) {
  int64_t groups = args.integer("num_groups");
  check_groups(args, groups);
  const SymDims& sizes = args.meta(0).layout.sizes;
  SymInt places = 1;
  for (size_t i = 2; i < sizes.size(); ++i) places *= sizes[i];
  Values results =
      apply(op_defs::native_group_norm_default,
            {args[0], args["weight"], args["bias"], sizes[0], sizes[1], places, groups, args["eps"]}, args.here());
  return {results[0]};
}

// --- rms_norm ---------------------------------------------------------------------------------------------------

int64_t checked_axis(const OpArgs& args) {
  int64_t axis = normalized_axis(args);
  check_normalized(args, "weight");
  return axis;
}

// The smallest step above 1 of the type that is computed in.
double default_eps(DType dtype) {
  return compute_type(dtype) == DType::f64 ? std::numeric_limits<double>::epsilon()
                                           : static_cast<double>(std::numeric_limits<float>::epsilon());
}

Metas fused_rms_norm_meta(const OpArgs& args) {
  TensorMeta input = args.meta(0);
  int64_t axis = checked_axis(args);
  if (!is_floating(input.dtype)) fail_for_type(args, input.dtype);
  TensorMeta statistics = input;
  statistics.dtype = compute_type(input.dtype);
  for (int64_t i = axis; i < input.layout.rank(); ++i) statistics.layout.sizes[i] = 1;
  statistics.layout = contiguous_layout(statistics.layout.sizes);
  input.layout = contiguous_layout(input.layout.sizes);
  return {input, statistics};
}

Values run_fused_rms_norm(const OpArgs& args) {
  Here here = args.here();
  Tensor input = args.tensor(0);
  Dims dims;
  for (int64_t i = checked_axis(args); i < input.dim(); ++i) dims.push_back(i);
  double eps = args["eps"].is_none() ? default_eps(input.dtype()) : args.number("eps");
  Tensor wide = widened(input, here);
  Tensor rstd = rsqrt(mean(wide * wide, dims, true, {}, here) + Scalar(eps), here);
  Tensor result =
      scaled_and_shifted(wide * rstd, optional_tensor(args, "weight"), {}, args.sizes("normalized_shape"), here);
  return {contiguous(result.to(input.dtype(), here), here), rstd};
}

Values run_rms_norm(const OpArgs& args) {
  return {apply(op_defs::fused_rms_norm_default, {args[0], args[1], args["weight"], args["eps"]}, args.here())[0]};
}

}  // namespace

namespace op_defs {

constinit const OpDef native_group_norm_default = decomposed(
    "aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, "
    "float eps) -> (Tensor, Tensor, Tensor)",
    run_native_group_norm, native_group_norm_meta);
constinit const OpDef group_norm_default = composite(
    "aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, "
    "bool cudnn_enabled=True) -> Tensor",
    run_group_norm);

constinit const OpDef fused_rms_norm_default = decomposed(
    "aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> (Tensor, Tensor)",
    run_fused_rms_norm, fused_rms_norm_meta);
constinit const OpDef rms_norm_default =
    composite("aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor",
              run_rms_norm);

}  // namespace op_defs

Tensor group_norm(const Tensor& x, int64_t num_groups, const Tensor& weight, const Tensor& bias, double eps,
                  Here here) {
  return apply_one(op_defs::group_norm_default, {x, num_groups, weight, bias, eps}, here);
}
Tensor rms_norm(const Tensor& x, SymDims normalized_shape, const Tensor& weight, std::optional<double> eps, Here here) {
  return apply_one(op_defs::rms_norm_default, {x, normalized_shape, weight, eps ? Value(*eps) : Value()}, here);
}

}  // namespace sinter
