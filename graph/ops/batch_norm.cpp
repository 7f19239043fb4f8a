// batch_norm and instance_norm: values of a channel less their mean, over their spread.
//
// The pure part is one decomposed op, which also gives the running statistics as they become; the ops that write them
// are composites of it and of copies.

#include <sinter/graph/ops/batch_norm.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/normalization.h>
#include <sinter/graph/ops/moments.h>
#include <sinter/graph/ops/norm_parts.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>

namespace sinter {

namespace {

// --- Arguments --------------------------------------------------------------------------------------------------

constexpr std::string_view parameters[] = {"weight", "bias", "running_mean", "running_var"};

void check_channels(const OpArgs& args) {
  TensorMeta input = args.meta(0);
  if (input.layout.rank() < 2)
    args.fail(ErrorKind::shape, fmt::format("an input of rank {} has no channels", input.layout.rank()),
              "need at least 2 dims");
  if (!is_floating(input.dtype)) fail_for_type(args, input.dtype);
  if (numel(input.layout.sizes) == 0)
    args.fail(ErrorKind::argument, "the input is empty: its channels have no statistics", "need elements");
  for (std::string_view parameter : parameters)
    if (args.op().schema().find(parameter) >= 0) check_per_channel(args, parameter, input.layout.sizes[1]);
}

// Dim 1 kept, the others of size 1.
SymDims channel_sizes(const Tensor& input) {
  SymDims sizes(input.dim(), SymInt(1));
  sizes[1] = input.sizes()[1];
  return sizes;
}

Dims dims_beside_channels(const Tensor& input) {
  Dims dims = {0};
  for (int64_t i = 2; i < input.dim(); ++i) dims.push_back(i);
  return dims;
}

SymInt count_per_channel(const Tensor& input) { return reduced_count(input.sizes(), dims_beside_channels(input)); }

// --- Metas ------------------------------------------------------------------------------------------------------

TensorMeta result_meta(const OpArgs& args) {
  TensorMeta input = args.meta(0);
  return {input.dtype, input.device, {input.layout.sizes, image_strides(input.layout), 0}};
}

TensorMeta per_channel_meta(const OpArgs& args, DType dtype, SymInt channels) {
  return {dtype, args.meta(0).device, contiguous_layout({channels})};
}

// Statistics are of the parameters' type if halves stand beside f32 parameters.
DType batch_statistics_type(const OpArgs& args) {
  for (std::string_view parameter : parameters) {
    if (args.op().schema().find(parameter) < 0) continue;
    Tensor tensor = optional_tensor(args, parameter);
    if (tensor.defined()) return statistics_type(args.meta(0).dtype, tensor);
  }
  return args.meta(0).dtype;
}

Metas trained_meta(const OpArgs& args) {
  check_channels(args);
  check_parameter_types(args, parameters);
  TensorMeta statistics = per_channel_meta(args, batch_statistics_type(args), args.meta(0).layout.sizes[1]);
  return {result_meta(args), statistics, statistics};
}

Metas inferred_meta(const OpArgs& args) {
  check_channels(args);
  check_parameter_types(args, parameters);
  TensorMeta nothing = per_channel_meta(args, batch_statistics_type(args), 0);
  return {result_meta(args), nothing, nothing};
}

Metas functional_meta(const OpArgs& args) {
  Metas metas = args.flag("training") ? trained_meta(args) : inferred_meta(args);
  for (std::string_view parameter : {"running_mean", "running_var"})
    metas.push_back(per_channel_meta(args, args[parameter].tensor().dtype(), args.meta(0).layout.sizes[1]));
  return metas;
}

// --- Computing --------------------------------------------------------------------------------------------------

Tensor finished_result(const OpArgs& args, const Tensor& normalized) {
  Tensor input = args.tensor(0);
  Tensor result = scaled_and_shifted(normalized, optional_tensor(args, "weight"), optional_tensor(args, "bias"),
                                     channel_sizes(input), args.here());
  return in_image_strides(result.to(input.dtype(), args.here()), image_strides(input.layout()), args.here());
}

struct BatchMoments {
  Tensor centred;   // of the input's sizes
  Tensor mean;      // of channel_sizes
  Tensor variance;  // the sum of squares over their number
  Tensor squares;   // their sum
};

BatchMoments batch_moments(const OpArgs& args) {
  Here here = args.here();
  Tensor input = args.tensor(0);
  Dims dims = dims_beside_channels(input);
  Tensor wide = widened(input, here);
  BatchMoments m;
  Moments found = moments(wide, dims, here);
  m.mean = found.mean;
  m.centred = wide - m.mean;
  m.squares = found.squares;
  m.variance = m.squares / floating_count(count_per_channel(input));
  return m;
}

Values normalize_by(const OpArgs& args, const BatchMoments& m) {
  Here here = args.here();
  Tensor rstd = rsqrt(m.variance + Scalar(args.number("eps")), here);
  DType dtype = batch_statistics_type(args);
  SymDims channels = {args.tensor(0).sizes()[1]};
  return {finished_result(args, m.centred * rstd), m.mean.view(channels, here).to(dtype, here),
          rstd.view(channels, here).to(dtype, here)};
}

Values run_trained(const OpArgs& args) { return normalize_by(args, batch_moments(args)); }

Values run_inferred(const OpArgs& args) {
  Here here = args.here();
  Tensor input = args.tensor(0);
  SymDims channels = channel_sizes(input);
  Tensor wide = widened(input, here);
  Tensor average = args["running_mean"].tensor().to(wide.dtype(), here).view(channels, here);
  Tensor variance = args["running_var"].tensor().to(wide.dtype(), here).view(channels, here);
  Tensor rstd = rsqrt(variance + Scalar(args.number("eps")), here);
  DType dtype = batch_statistics_type(args);
  return {finished_result(args, (wide - average) * rstd), empty({0}, dtype, here), empty({0}, dtype, here)};
}

// The running statistic after a batch whose own is `now`, of channel_sizes.
Tensor moved(const OpArgs& args, std::string_view parameter, const Tensor& now) {
  Here here = args.here();
  Tensor running = args[parameter].tensor();
  double momentum = args.number("momentum");
  Tensor before = running.to(now.dtype(), here);
  Tensor after = now.view({args.tensor(0).sizes()[1]}, here) * Scalar(momentum) + before * Scalar(1 - momentum);
  return after.to(running.dtype(), here);
}

Values run_functional(const OpArgs& args) {
  Here here = args.here();
  if (!args.flag("training")) {
    Values results = run_inferred(args);
    for (std::string_view parameter : {"running_mean", "running_var"})
      results.push_back(clone_contiguous(args[parameter].tensor(), here));
    return results;
  }
  BatchMoments m = batch_moments(args);
  Values results = normalize_by(args, m);
  results.push_back(moved(args, "running_mean", m.mean));
  results.push_back(moved(args, "running_var", m.squares / floating_count(count_per_channel(args.tensor(0)) - 1)));
  return results;
}

// --- Ops that write the running statistics ----------------------------------------------------------------------

Values normalize_and_update(const OpArgs& args) {
  Here here = args.here();
  check_channels(args);
  check_parameter_types(args, parameters);
  Tensor running_mean = optional_tensor(args, "running_mean"), running_var = optional_tensor(args, "running_var");
  if (!running_mean.defined() && !running_var.defined())
    return apply(op_defs::native_batch_norm_legit_no_stats,
                 {args[0], args[1], args[2], true, args["momentum"], args["eps"]}, here);
  if (!running_mean.defined() || !running_var.defined())
    args.fail(ErrorKind::argument, "of running_mean and running_var one is missing", "pass both or neither");
  Values results =
      apply(op_defs::native_batch_norm_legit_functional_default,
            {args[0], args[1], args[2], running_mean, running_var, true, args["momentum"], args["eps"]}, here);
  running_mean.copy_(results[3].tensor(), here);
  running_var.copy_(results[4].tensor(), here);
  results.resize(3);
  return results;
}

Values normalize_by_running(const OpArgs& args) {
  if (args["running_mean"].is_none() || args["running_var"].is_none())
    args.fail(ErrorKind::argument, "running statistics are missing", "pass running_mean and running_var, or train");
  return apply(op_defs::native_batch_norm_legit_no_training_default,
               {args[0], args[1], args[2], args["running_mean"], args["running_var"], args["momentum"], args["eps"]},
               args.here());
}

Values run_native_batch_norm(const OpArgs& args) {
  return args.flag("training") ? normalize_and_update(args) : normalize_by_running(args);
}

// Without running statistics the batch's own are used in any case.
Values run_legit_no_stats(const OpArgs& args) { return run_trained(args); }

Value no_reserve(const OpArgs& args) { return empty({0}, DType::u8, args.here()); }

Values run_with_update(const OpArgs& args) {
  Values results = normalize_and_update(args);
  results.push_back(no_reserve(args));
  return results;
}

Values run_no_update(const OpArgs& args) {
  Values results = normalize_by_running(args);
  results.push_back(no_reserve(args));
  return results;
}

Values run_with_update_functional(const OpArgs& args) {
  Values results =
      apply(op_defs::native_batch_norm_legit_functional_default,
            {args[0], args[1], args[2], args[3], args[4], true, args["momentum"], args["eps"]}, args.here());
  results.insert(results.begin() + 3, no_reserve(args));
  return results;
}

// Of nothing, which has no statistics, it is nothing.
Values run_batch_norm(const OpArgs& args) {
  if (args.meta(0).layout.sizes.empty() || numel(args.meta(0).layout.sizes) != 0)
    return {run_native_batch_norm(args)[0]};
  return {clone(args.tensor(0), args.here())};
}

// --- instance_norm ----------------------------------------------------------------------------------------------

// The running statistic takes the mean over the batch of what each sample would make of it.
void update_by_samples(const OpArgs& args, std::string_view parameter, const Tensor& per_sample) {
  Tensor running = optional_tensor(args, parameter);
  if (!running.defined()) return;
  running.copy_(moved(args, parameter, mean(per_sample, {0}, true, {}, args.here())), args.here());
}

Values run_instance_norm(const OpArgs& args) {
  check_channels(args);
  check_parameter_types(args, std::span(parameters).first(2));  // the running ones are converted
  Here here = args.here();
  if (!args.flag("use_input_stats")) return {normalize_by_running(args)[0]};
  Tensor input = args.tensor(0);
  // A sample of one value for each channel has one place.
  Tensor wide = widened(input.dim() == 2 ? input.unsqueeze(2, here) : input, here);
  Dims dims;
  for (int64_t i = 2; i < wide.dim(); ++i) dims.push_back(i);
  SymInt count = reduced_count(wide.sizes(), dims);
  auto [average, squares] = moments(wide, dims, here);
  Tensor centred = wide - average;
  Tensor rstd = rsqrt(squares / floating_count(count) + Scalar(args.number("eps")), here);
  update_by_samples(args, "running_mean", average);
  update_by_samples(args, "running_var", squares / floating_count(count - 1));
  Tensor result = scaled_and_shifted(centred * rstd, optional_tensor(args, "weight"), optional_tensor(args, "bias"),
                                     channel_sizes(wide), here);
  return {contiguous(result.to(input.dtype(), here), here).view(input.sizes(), here)};
}

}  // namespace

namespace op_defs {

#define SINTER_BATCH_NORM_INPUT "Tensor input, Tensor? weight, Tensor? bias, "

constinit const OpDef native_batch_norm_legit_no_stats =
    decomposed("aten::_native_batch_norm_legit.no_stats(" SINTER_BATCH_NORM_INPUT
               "bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
               run_legit_no_stats, trained_meta);
constinit const OpDef native_batch_norm_legit_no_training_default =
    decomposed("aten::_native_batch_norm_legit_no_training(" SINTER_BATCH_NORM_INPUT
               "Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
               run_inferred, inferred_meta);
constinit const OpDef native_batch_norm_legit_functional_default =
    decomposed("aten::_native_batch_norm_legit_functional(" SINTER_BATCH_NORM_INPUT
               "Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) -> "
               "(Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)",
               run_functional, functional_meta);

constinit const OpDef native_batch_norm_legit_default =
    composite("aten::_native_batch_norm_legit(" SINTER_BATCH_NORM_INPUT
              "Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, float eps) -> "
              "(Tensor, Tensor, Tensor)",
              run_native_batch_norm);
constinit const OpDef native_batch_norm_default = composite(
    "aten::native_batch_norm(" SINTER_BATCH_NORM_INPUT
    "Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
    run_native_batch_norm);
constinit const OpDef batch_norm_with_update_default = composite(
    "aten::_batch_norm_with_update(" SINTER_BATCH_NORM_INPUT
    "Tensor(a!) running_mean, Tensor(b!) running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)",
    run_with_update);
constinit const OpDef batch_norm_with_update_functional_default =
    composite("aten::_batch_norm_with_update_functional(" SINTER_BATCH_NORM_INPUT
              "Tensor running_mean, Tensor running_var, float momentum, float eps) -> "
              "(Tensor, Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)",
              run_with_update_functional);
constinit const OpDef batch_norm_no_update_default = composite(
    "aten::_batch_norm_no_update(" SINTER_BATCH_NORM_INPUT
    "Tensor? running_mean, Tensor? running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)",
    run_no_update);
constinit const OpDef batch_norm_default = composite("aten::batch_norm(" SINTER_BATCH_NORM_INPUT
                                                     "Tensor? running_mean, Tensor? running_var, bool training, float "
                                                     "momentum, float eps, bool cudnn_enabled) -> Tensor",
                                                     run_batch_norm);
constinit const OpDef instance_norm_default = composite(
    "aten::instance_norm(" SINTER_BATCH_NORM_INPUT
    "Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) "
    "-> Tensor",
    run_instance_norm);

}  // namespace op_defs

Tensor batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                  const Tensor& running_var, bool training, double momentum, double eps, Here here) {
  return apply_one(op_defs::batch_norm_default,
                   {x, weight, bias, running_mean, running_var, training, momentum, eps, true}, here);
}
Tensor instance_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                     const Tensor& running_var, bool use_input_stats, double momentum, double eps, Here here) {
  return apply_one(op_defs::instance_norm_default,
                   {x, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, true}, here);
}

}  // namespace sinter
