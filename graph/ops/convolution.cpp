// Convolutions: one op is the library's, the others prepare its arguments.

#include <sinter/graph/ops/convolution.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/convolution.h>
#include <sinter/graph/ops/memory_format.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/windows.h>

namespace sinter {

namespace {

// The numbers of a convolution, one for each spatial dim.
struct Steps {
  Dims stride, padding, dilation, output_padding;
};

Steps steps_of(const OpArgs& args, int64_t rank) {
  Steps steps = {spatial_numbers(args, "stride", rank, 1), spatial_numbers(args, "padding", rank, 0),
                 spatial_numbers(args, "dilation", rank, 1), Dims(static_cast<size_t>(rank), int64_t(0))};
  if (args.flag("transposed")) steps.output_padding = spatial_numbers(args, "output_padding", rank, 0);
  return steps;
}

void check_ranks(const OpArgs& args, const Layout& input, const Layout& weight) {
  if (input.rank() < 3 || input.rank() > 5)
    args.fail(ErrorKind::shape, fmt::format("an input of {} dims", input.rank()),
              "need [batch, channels] and 1 to 3 spatial dims");
  if (weight.rank() != input.rank())
    args.fail(ErrorKind::shape, fmt::format("a weight of {} dims for an input of {}", weight.rank(), input.rank()),
              "need as many dims");
}

void check_channels(const OpArgs& args, const Layout& input, const Layout& weight, bool transposed, int64_t groups) {
  if (groups < 1) args.fail(ErrorKind::argument, fmt::format("{} groups", groups), "need at least one");
  if (!(mod(weight.sizes[0], groups) == 0) || weight.sizes[0] < groups)
    args.fail(ErrorKind::shape,
              fmt::format("{} groups do not divide the weight's {} rows", groups, to_string(weight.sizes[0])));
  SymInt wanted = transposed ? weight.sizes[0] : weight.sizes[1] * SymInt(groups);
  if (!(input.sizes[1] == wanted))
    args.fail(ErrorKind::shape, fmt::format("the input has {} channels, the weight wants {}", to_string(input.sizes[1]),
                                            to_string(wanted)));
}

void check_bias(const OpArgs& args, int slot, SymInt filters) {
  if (!args.has(slot)) return;
  TensorMeta bias = args.meta(slot);
  if (bias.layout.rank() != 1 || !(bias.layout.sizes[0] == filters))
    args.fail(ErrorKind::shape,
              fmt::format("a bias of sizes {} for {} channels", to_string(bias.layout.sizes), to_string(filters)));
  check_same_dtype(args, 0, slot);
}

// A pixel of the result stands for the window that starts there.
SymInt window_count(const OpArgs& args, SymInt size, SymInt kernel, const Steps& steps, int64_t dim) {
  SymInt reach = (kernel - 1) * steps.dilation[dim] + 1, padded = size + 2 * steps.padding[dim];
  if (kernel < 1) args.fail(ErrorKind::shape, "the weight has an empty kernel");
  if (reach > padded)
    args.fail(
        ErrorKind::shape,
        fmt::format("the kernel reaches over {} pixels, the padded input has {}", to_string(reach), to_string(padded)),
        "need a kernel within the padded input");
  return floor_div(padded - reach, steps.stride[dim]) + 1;
}

SymInt spread_size(const OpArgs& args, SymInt size, SymInt kernel, const Steps& steps, int64_t dim) {
  int64_t more = steps.output_padding[dim];
  if (more >= steps.stride[dim] && more >= steps.dilation[dim])
    args.fail(
        ErrorKind::argument,
        fmt::format("output_padding {} with stride {} and dilation {}", more, steps.stride[dim], steps.dilation[dim]),
        "need an output_padding below one of them");
  SymInt result =
      (size - 1) * steps.stride[dim] - 2 * steps.padding[dim] + (kernel - 1) * steps.dilation[dim] + more + 1;
  if (result < 1)
    args.fail(ErrorKind::shape, fmt::format("dim {} of the result would have size {}", dim + 2, to_string(result)));
  return result;
}

Layout result_layout(const Layout& input, const Layout& weight, const SymDims& sizes) {
  bool is_last = is_channels_last(input) || is_channels_last(weight);
  return is_last ? channels_last_layout(sizes) : contiguous_layout(sizes);
}

Metas convolution_meta(const OpArgs& args) {
  TensorMeta input = args.meta(0), weight = args.meta(1);
  check_ranks(args, input.layout, weight.layout);
  check_same_dtype(args, 0, 1);
  if (input.dtype == DType::boolean) fail_for_type(args, input.dtype);
  int64_t rank = input.layout.rank() - 2, groups = args.integer("groups");
  bool transposed = args.flag("transposed");
  check_channels(args, input.layout, weight.layout, transposed, groups);
  SymInt filters = transposed ? weight.layout.sizes[1] * SymInt(groups) : weight.layout.sizes[0];
  check_bias(args, 2, filters);
  Steps steps = steps_of(args, rank);
  SymDims sizes = {input.layout.sizes[0], filters};
  for (int64_t dim = 0; dim < rank; ++dim) {
    SymInt size = input.layout.sizes[dim + 2], kernel = weight.layout.sizes[dim + 2];
    sizes.push_back(transposed ? spread_size(args, size, kernel, steps, dim)
                               : window_count(args, size, kernel, steps, dim));
  }
  return {{input.dtype, input.device, result_layout(input.layout, weight.layout, sizes)}};
}

Values run_inner_convolution(const OpArgs& args) {
  return apply(op_defs::convolution_default,
               {args[0], args[1], args[2], args["stride"], args["padding"], args["dilation"], args["transposed"],
                args["output_padding"], args["groups"]},
               args.here());
}

// --- One name for each number of spatial dims -------------------------------------------------------------------

// "conv2d" is of rank 2.
int64_t rank_in_name(const OpArgs& args) {
  const std::string& name = args.op().schema().name;
  return name[name.size() - 2] - '0';
}

// Calls convolve(input) on an input with a batch, of the rank that the op's name says.
template <class Convolve>
Values with_batch(const OpArgs& args, Convolve&& convolve) {
  Tensor input = args.tensor(0);
  int64_t rank = rank_in_name(args);
  if (input.dim() != rank + 1 && input.dim() != rank + 2)
    args.fail(ErrorKind::shape, fmt::format("an input of {} dims", input.dim()),
              fmt::format("need {} dims, or {} with a batch", rank + 1, rank + 2));
  if (input.dim() == rank + 2) return {convolve(input)};
  return {convolve(input.unsqueeze(0, args.here())).squeeze(0, args.here())};
}

Tensor convolved(const OpArgs& args, const Tensor& input, const Dims& padding) {
  int64_t rank = input.dim() - 2;
  return apply_one(
      op_defs::convolution_default,
      {input, args[1], args[2], spatial_numbers(args, "stride", rank), padding, spatial_numbers(args, "dilation", rank),
       false, Dims(static_cast<size_t>(rank), int64_t(0)), args["groups"]},
      args.here());
}

Values run_conv(const OpArgs& args) {
  return with_batch(args, [&](const Tensor& input) {
    return convolved(args, input, spatial_numbers(args, "padding", input.dim() - 2));
  });
}

Values run_conv_transpose(const OpArgs& args) {
  int64_t rank = rank_in_name(args);
  return with_batch(args, [&](const Tensor& input) {
    return apply_one(
        op_defs::convolution_default,
        {input, args[1], args[2], spatial_numbers(args, "stride", rank), spatial_numbers(args, "padding", rank),
         spatial_numbers(args, "dilation", rank), true, spatial_numbers(args, "output_padding", rank), args["groups"]},
        args.here());
  });
}

// --- Padding by name --------------------------------------------------------------------------------------------

// One more column of zeros at the end of a dim.
Tensor longer_by(const Tensor& input, int64_t dim, int64_t count, Here here) {
  SymDims sizes = input.sizes();
  sizes[dim] = count;
  return cat({input, zeros(sizes, input.dtype(), here)}, dim, here);
}

Tensor convolved_same(const OpArgs& args, Tensor input) {
  int64_t rank = input.dim() - 2;
  Tensor weight = args.tensor(1);
  if (weight.dim() != input.dim())
    args.fail(ErrorKind::shape, fmt::format("a weight of {} dims for an input of {}", weight.dim(), input.dim()),
              "need as many dims");
  for (int64_t stride : spatial_numbers(args, "stride", rank))
    if (stride != 1)
      args.fail(ErrorKind::argument, fmt::format("padding 'same' with stride {}", stride), "need stride 1");
  Dims dilation = spatial_numbers(args, "dilation", rank, 1), padding;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t total = dilation[dim] * (weight.sizes()[dim + 2].constant() - 1);
    padding.push_back(total / 2);
    if (total % 2 != 0) input = longer_by(input, dim + 2, 1, args.here());
  }
  return convolved(args, input, padding);
}

Tensor convolved_by_name(const OpArgs& args, const Tensor& input) {
  const std::string& padding = args["padding"].string();
  if (padding == "same") return convolved_same(args, input);
  if (padding != "valid")
    args.fail(ErrorKind::argument, fmt::format("padding '{}'", padding), "need 'same' or 'valid'");
  return convolved(args, input, Dims(static_cast<size_t>(input.dim() - 2), int64_t(0)));
}

Values run_conv_padding(const OpArgs& args) {
  return with_batch(args, [&](const Tensor& input) { return convolved_by_name(args, input); });
}
Values run_convolution_mode(const OpArgs& args) { return {convolved_by_name(args, args.tensor(0))}; }

// [time, batch, channels] with a weight of [kernel, in, out].
Values run_conv_tbc(const OpArgs& args) {
  Tensor self = args.tensor(0), weight = args.tensor(1);
  if (self.dim() != 3 || weight.dim() != 3)
    args.fail(ErrorKind::shape, fmt::format("an input of {} dims and a weight of {}", self.dim(), weight.dim()),
              "need 3 dims each");
  Tensor result = apply_one(op_defs::convolution_default,
                            {self.permute({1, 2, 0}, args.here()), weight.permute({2, 1, 0}, args.here()), args[2],
                             Dims{1}, Dims{args.integer("pad")}, Dims{1}, false, Dims{0}, 1},
                            args.here());
  return {contiguous(result.permute({2, 0, 1}, args.here()), args.here())};
}

// --- Gradients --------------------------------------------------------------------------------------------------

// (x, gradient of the convolution's result) -> gradient of its weight, which has x's channels of one group in dim 1.
Metas weight_gradient_meta(const OpArgs& args) {
  TensorMeta x = args.meta(0), gradient = args.meta(1);
  if (!is_floating(x.dtype)) fail_for_type(args, x.dtype);
  check_same_dtype(args, 0, 1);
  return {{x.dtype, x.device, contiguous_layout(args.sizes("weight_size"))}};
}

// The gradient of the input is a convolution of the other direction with the same weight.
Tensor input_gradient(const OpArgs& args, const Tensor& gradient, const Steps& steps) {
  Tensor input = args.tensor(1), weight = args.tensor(2);
  bool transposed = args.flag("transposed");
  Dims missing;  // what the other direction's size falls short of the input's
  for (int64_t dim = 0; dim < input.dim() - 2; ++dim) {
    int64_t reach = steps.dilation[dim] * (weight.sizes()[dim + 2].constant() - 1) + 1;
    int64_t size = (gradient.sizes()[dim + 2].constant() - 1) * steps.stride[dim] - 2 * steps.padding[dim] + reach;
    missing.push_back(transposed ? 0 : input.sizes()[dim + 2].constant() - size);
  }
  return apply_one(
      op_defs::convolution_default,
      {gradient, weight, Value(), steps.stride, steps.padding, steps.dilation, !transposed, missing, args["groups"]},
      args.here());
}

Tensor bias_gradient(const Tensor& gradient, Here here) {
  Dims dims;
  for (int64_t i = 0; i < gradient.dim(); ++i)
    if (i != 1) dims.push_back(i);
  return sum(gradient, dims, false, {}, here);
}

void check_gradient(const OpArgs& args) {
  TensorMeta gradient = args.meta(0);
  Values forward = {args[1],
                    args[2],
                    Value(),
                    args["stride"],
                    args["padding"],
                    args["dilation"],
                    args["transposed"],
                    args["output_padding"],
                    args["groups"]};
  TensorMeta result = convolution_meta(OpArgs(op_defs::convolution_default, forward, args.here()))[0];
  if (!(result.layout.sizes == gradient.layout.sizes))
    args.fail(ErrorKind::shape, fmt::format("a gradient of sizes {} for a result of {}",
                                            to_string(gradient.layout.sizes), to_string(result.layout.sizes)));
  check_same_dtype(args, 1, 0);
}

// Gradients that are not asked for are absent.
Values run_convolution_backward(const OpArgs& args) {
  check_gradient(args);
  Tensor gradient = args.tensor(0), input = args.tensor(1), weight = args.tensor(2);
  Steps steps = steps_of(args, input.dim() - 2);
  bool transposed = args.flag("transposed");
  const Value::List& wanted = args["output_mask"].list();
  auto placed = [&](const Tensor& result) {
    return laid_out(result, result_layout(input.layout(), weight.layout(), result.sizes()), args.here());
  };
  Values results(3);
  if (wanted[0].scalar().to_bool()) results[0] = placed(input_gradient(args, gradient, steps));
  if (wanted[1].scalar().to_bool())
    results[1] = placed(apply_one(op_defs::convolution_weight_gradient_default,
                                  {transposed ? gradient : input, transposed ? input : gradient, weight.sizes(),
                                   steps.stride, steps.padding, steps.dilation, args["groups"]},
                                  args.here()));
  if (wanted[2].scalar().to_bool()) results[2] = bias_gradient(gradient, args.here());
  return results;
}

}  // namespace

namespace op_defs {

constinit const OpDef convolution_default = total_routine(
    "aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] "
    "dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor",
    convolution_meta);
constinit const OpDef inner_convolution_default = decomposed(
    "aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] "
    "dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool "
    "cudnn_enabled, bool allow_tf32) -> Tensor",
    run_inner_convolution);
constinit const OpDef inner_convolution_mode_default = decomposed(
    "aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str padding, SymInt[] "
    "dilation, SymInt groups) -> Tensor",
    run_convolution_mode);

constinit const OpDef conv1d_default = decomposed(
    "aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1] "
    "dilation=1, SymInt groups=1) -> Tensor",
    run_conv);
constinit const OpDef conv2d_default = decomposed(
    "aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] "
    "dilation=1, SymInt groups=1) -> Tensor",
    run_conv);
constinit const OpDef conv3d_default = decomposed(
    "aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] "
    "dilation=1, SymInt groups=1) -> Tensor",
    run_conv);
constinit const OpDef conv1d_padding = decomposed(
    "aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, str padding='valid', "
    "SymInt[1] dilation=1, SymInt groups=1) -> Tensor",
    run_conv_padding);
constinit const OpDef conv2d_padding = decomposed(
    "aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, str padding='valid', "
    "SymInt[2] dilation=1, SymInt groups=1) -> Tensor",
    run_conv_padding);
constinit const OpDef conv3d_padding = decomposed(
    "aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, str padding='valid', "
    "SymInt[3] dilation=1, SymInt groups=1) -> Tensor",
    run_conv_padding);
constinit const OpDef conv_transpose1d_default = decomposed(
    "aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] "
    "padding=0, SymInt[1] output_padding=0, SymInt groups=1, SymInt[1] dilation=1) -> Tensor",
    run_conv_transpose);
constinit const OpDef conv_transpose2d_input = decomposed(
    "aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] "
    "padding=0, SymInt[2] output_padding=0, SymInt groups=1, SymInt[2] dilation=1) -> Tensor",
    run_conv_transpose);
constinit const OpDef conv_transpose3d_input = decomposed(
    "aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] "
    "padding=0, SymInt[3] output_padding=0, SymInt groups=1, SymInt[3] dilation=1) -> Tensor",
    run_conv_transpose);
constinit const OpDef conv_tbc_default =
    decomposed("aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor", run_conv_tbc);

constinit const OpDef convolution_backward_default = composite(
    "aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] "
    "stride, "
    "SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] "
    "output_mask) "
    "-> (Tensor, Tensor, Tensor)",
    run_convolution_backward);
constinit const OpDef convolution_weight_gradient_default = total_routine(
    "sinter::convolution_weight_gradient(Tensor input, Tensor grad_output, SymInt[] weight_size, SymInt[] stride, "
    "SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor",
    weight_gradient_meta);

}  // namespace op_defs

static const char* text_of(Padding padding) { return padding == Padding::same ? "same" : "valid"; }

#define SINTER_CONV_FUNCTION(n)                                                                                  \
  Tensor conv##n##d(const Tensor& x, const Tensor& weight, const Tensor& bias, Dims stride, Dims padding,        \
                    Dims dilation, int64_t groups, Here here) {                                                  \
    return apply_one(op_defs::conv##n##d_default, {x, weight, bias, stride, padding, dilation, groups}, here);   \
  }                                                                                                              \
  Tensor conv##n##d(const Tensor& x, const Tensor& weight, const Tensor& bias, Dims stride, Padding padding,     \
                    Dims dilation, int64_t groups, Here here) {                                                  \
    return apply_one(op_defs::conv##n##d_padding, {x, weight, bias, stride, text_of(padding), dilation, groups}, \
                     here);                                                                                      \
  }
SINTER_CONV_FUNCTION(1)
SINTER_CONV_FUNCTION(2)
SINTER_CONV_FUNCTION(3)
#undef SINTER_CONV_FUNCTION

#define SINTER_CONV_TRANSPOSE_FUNCTION(n, overload)                                                                 \
  Tensor conv_transpose##n##d(const Tensor& x, const Tensor& weight, const Tensor& bias, Dims stride, Dims padding, \
                              Dims output_padding, int64_t groups, Dims dilation, Here here) {                      \
    return apply_one(op_defs::conv_transpose##n##d_##overload,                                                      \
                     {x, weight, bias, stride, padding, output_padding, groups, dilation}, here);                   \
  }
SINTER_CONV_TRANSPOSE_FUNCTION(1, default)
SINTER_CONV_TRANSPOSE_FUNCTION(2, input)
SINTER_CONV_TRANSPOSE_FUNCTION(3, input)
#undef SINTER_CONV_TRANSPOSE_FUNCTION

}  // namespace sinter
