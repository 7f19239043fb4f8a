// Parts of normalisations.

#include <sinter/graph/ops/norm_parts.h>

#include <sinter/graph/ops/ops.h>

#include <numeric>
#include <optional>

namespace sinter {

Tensor optional_tensor(const OpArgs& args, std::string_view parameter) {
  const Value& value = args[parameter];
  return value.is_none() ? Tensor() : value.tensor();
}

void check_per_channel(const OpArgs& args, std::string_view parameter, const SymInt& channels) {
  Tensor tensor = optional_tensor(args, parameter);
  if (tensor.defined() && !(tensor.sizes() == SymDims{channels}))
    args.fail(ErrorKind::shape, fmt::format("{} has sizes {}, there are {} channels", parameter,
                                            to_string(tensor.sizes()), to_string(channels)));
}

int64_t normalized_axis(const OpArgs& args) {
  SymDims wanted = args.sizes("normalized_shape");
  const SymDims& sizes = args.meta(0).layout.sizes;
  if (wanted.empty())
    args.fail(ErrorKind::shape, "normalized_shape is empty", "need at least one dim to normalise over");
  int64_t axis = static_cast<int64_t>(sizes.size()) - static_cast<int64_t>(wanted.size());
  bool fits = axis >= 0;
  for (size_t i = 0; fits && i < wanted.size(); ++i) fits = sizes[axis + i] == wanted[i];
  if (!fits)
    args.fail(ErrorKind::shape,
              fmt::format("sizes {} do not end in normalized_shape {}", to_string(sizes), to_string(wanted)));
  return axis;
}

void check_normalized(const OpArgs& args, std::string_view parameter) {
  Tensor tensor = optional_tensor(args, parameter);
  SymDims wanted = args.sizes("normalized_shape");
  if (tensor.defined() && !(tensor.sizes() == wanted))
    args.fail(ErrorKind::shape, fmt::format("{} has sizes {}, normalized_shape is {}", parameter,
                                            to_string(tensor.sizes()), to_string(wanted)));
}

void check_parameter_types(const OpArgs& args, std::span<const std::string_view> parameters) {
  DType input = args.meta(0).dtype;
  std::optional<DType> wanted;
  for (std::string_view parameter : parameters) {
    Tensor tensor = args.op().schema().find(parameter) < 0 ? Tensor() : optional_tensor(args, parameter);
    if (!tensor.defined()) continue;
    if (!wanted) wanted = statistics_type(input, tensor);
    if (tensor.dtype() != *wanted)
      args.fail(ErrorKind::dtype, fmt::format("{} is {}, the input {}", parameter, name(tensor.dtype()), name(input)),
                is_half(input) ? "need parameters of the input's type, or all of f32"
                               : "need parameters of the input's type");
  }
}

DType statistics_type(DType input, const Tensor& parameter) {
  bool is_mixed = is_half(input) && parameter.defined() && parameter.dtype() == DType::f32;
  return is_mixed ? DType::f32 : input;
}

Tensor scaled_and_shifted(Tensor values, const Tensor& weight, const Tensor& bias, const SymDims& sizes, Here here) {
  if (weight.defined()) values = values * weight.to(values.dtype(), here).view(sizes, here);
  if (bias.defined()) values = values + bias.to(values.dtype(), here).view(sizes, here);
  return values;
}

namespace {

// Batch, then places, then channels.
Dims channels_last_order(int64_t rank) {
  Dims order(rank, 1);
  order[0] = 0;
  std::iota(order.begin() + 1, order.end() - 1, 2);
  return order;
}

}  // namespace

SymDims image_strides(const Layout& input) {
  bool is_image = input.rank() == 4 || input.rank() == 5;
  if (!is_image || is_contiguous(input)) return contiguous_strides(input.sizes);
  SymDims last = strides_in_order(input.sizes, channels_last_order(input.rank()));
  Layout candidate{input.sizes, last, input.offset};
  return same_layout(input, candidate) ? last : contiguous_strides(input.sizes);
}

Tensor in_image_strides(const Tensor& x, const SymDims& strides, Here here) {
  Layout wanted{x.sizes(), strides, x.layout().offset};
  if (same_layout(x.layout(), wanted)) return x;
  if (is_contiguous(wanted)) return contiguous(x, here);
  Dims order = channels_last_order(x.dim()), back(x.dim(), 0);
  for (int64_t i = 0; i < x.dim(); ++i) back[order[i]] = i;
  return contiguous(x.permute(order, here), here).permute(back, here);
}

Tensor gradient_through_norm(const Tensor& grad, const Tensor& normalized, const Tensor& rstd, const Dims& dims,
                             bool is_centred, Here here) {
  Tensor along = mean(grad * normalized, dims, true, {}, here);
  Tensor rest = is_centred ? grad - mean(grad, dims, true, {}, here) : grad;
  return (rest - normalized * along) * rstd;
}

}  // namespace sinter
