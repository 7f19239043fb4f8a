// Pools with windows of random places, their inverse, and the gradients of pools.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/pool.h>
#include <sinter/graph/ops/windows.h>

namespace sinter {

namespace {

int64_t rank_in_name(const OpArgs& args) {
  const std::string& name = args.op().schema().name;
  return name[name.find_first_of("123")] - '0';
}

// --- Fractional pools and unpooling -----------------------------------------------------------------------------

void check_samples(const OpArgs& args, int64_t rank) {
  TensorMeta self = args.meta(0), samples = args.meta(3);
  check_same_dtype(args, 0, 3);
  const SymDims &sizes = self.layout.sizes, &given = samples.layout.sizes;
  bool has_batch = self.layout.rank() == rank + 2;
  bool fits = given.size() == 3 && given[2] == rank && given[0] == (has_batch ? sizes[0] : SymInt(1)) &&
              given[1] == sizes[has_batch];
  if (!fits)
    args.fail(ErrorKind::shape, fmt::format("random_samples of sizes {}", to_string(given)),
              fmt::format("need [batch, channels, {}]", rank));
}

Metas fractional_meta(const OpArgs& args) {
  int64_t rank = rank_in_name(args);
  TensorMeta values = args.meta(0);
  check_planes(args, 0, rank);
  Dims kernel = spatial_numbers(args, "kernel_size", rank, 1), output = spatial_numbers(args, "output_size", rank, 1);
  Dims size = spatial_sizes(values.layout.sizes, rank);
  for (int64_t i = 0; i < rank; ++i)
    if (output[i] + kernel[i] - 1 > size[i])
      args.fail(ErrorKind::shape, fmt::format("{} windows of {} over {} elements", output[i], kernel[i], size[i]),
                "need output_size + kernel_size - 1 to be at most the size");
  if (!is_floating(values.dtype)) fail_for_type(args, values.dtype);
  check_samples(args, rank);
  values.layout = contiguous_layout(with_spatial(values.layout.sizes, output));
  TensorMeta indices = values;
  indices.dtype = i64;
  return {values, indices};
}

void check_indices(const OpArgs& args, std::string_view parameter, const SymDims& sizes) {
  TensorMeta indices = args[parameter].tensor().meta();
  if (indices.dtype != i64)
    args.fail(ErrorKind::dtype, fmt::format("{} are {}", parameter, name(indices.dtype)), "need i64");
  if (!(indices.layout.sizes == sizes))
    args.fail(ErrorKind::shape, fmt::format("{} have sizes {}, the values {}", parameter,
                                            to_string(indices.layout.sizes), to_string(sizes)));
}

Metas unpool_meta(const OpArgs& args) {
  int64_t rank = rank_in_name(args);
  TensorMeta self = args.meta(0);
  check_indices(args, "indices", self.layout.sizes);
  check_planes(args, 0, rank);
  Dims output = args.dims("output_size");
  if (static_cast<int64_t>(output.size()) != rank)
    args.fail(ErrorKind::argument, fmt::format("output_size has {} numbers", output.size()),
              fmt::format("need {}", rank));
  for (int64_t size : output)
    if (size < 1) args.fail(ErrorKind::argument, fmt::format("output_size has {}", size), "need sizes of at least 1");
  if (rank == 3) {
    spatial_numbers(args, "stride", rank, 1);
    spatial_numbers(args, "padding", rank);
  }
  if (self.dtype == DType::boolean) fail_for_type(args, self.dtype);
  SymDims sizes = with_spatial(self.layout.sizes, output);
  self.layout = rank == 2 ? layout_beside(self.layout, sizes) : contiguous_layout(sizes);
  return {self};
}

// --- Gradients --------------------------------------------------------------------------------------------------

void check_gradient(const OpArgs& args, const SymDims& sizes) {
  TensorMeta gradient = args.meta(0);
  check_same_dtype(args, 1, 0);
  if (!(gradient.layout.sizes == sizes))
    args.fail(ErrorKind::shape, fmt::format("a gradient of sizes {} for a result of {}",
                                            to_string(gradient.layout.sizes), to_string(sizes)));
}

Metas like_self(const OpArgs& args) {
  TensorMeta self = args.meta(1);
  if (!is_floating(self.dtype)) fail_for_type(args, self.dtype);
  self.layout = layout_beside(self.layout, self.layout.sizes);
  return {self};
}

Metas max_backward_meta(const OpArgs& args) {
  Windows windows = pool_windows(args, rank_in_name(args), 1);
  check_gradient(args, with_spatial(args.meta(1).layout.sizes, windows.output));
  check_indices(args, "indices", args.meta(0).layout.sizes);
  return like_self(args);
}

Metas avg_backward_meta(const OpArgs& args) {
  Windows windows = pool_windows(args, rank_in_name(args), 1);
  if (!args["divisor_override"].is_none() && args.integer("divisor_override") == 0)
    args.fail(ErrorKind::argument, "divisor_override is 0");
  check_gradient(args, with_spatial(args.meta(1).layout.sizes, windows.output));
  return like_self(args);
}

void check_adaptive_gradient(const OpArgs& args) {
  int64_t rank = rank_in_name(args);
  check_planes(args, 1, rank);
  TensorMeta gradient = args.meta(0), self = args.meta(1);
  if (gradient.layout.rank() != self.layout.rank())
    args.fail(ErrorKind::shape,
              fmt::format("a gradient of {} dims for an input of {}", gradient.layout.rank(), self.layout.rank()));
  check_gradient(args, with_spatial(self.layout.sizes, spatial_sizes(gradient.layout.sizes, rank)));
}

Metas adaptive_avg_backward_meta(const OpArgs& args) {
  check_adaptive_gradient(args);
  return like_self(args);
}
Metas adaptive_max_backward_meta(const OpArgs& args) {
  check_adaptive_gradient(args);
  check_indices(args, "indices", args.meta(0).layout.sizes);
  return like_self(args);
}

Metas fractional_backward_meta(const OpArgs& args) {
  int64_t rank = rank_in_name(args);
  check_planes(args, 1, rank);
  TensorMeta self = args.meta(1);
  check_gradient(args, with_spatial(self.layout.sizes, spatial_numbers(args, "output_size", rank, 1)));
  check_indices(args, "indices", args.meta(0).layout.sizes);
  Metas result = like_self(args);
  result[0].layout = contiguous_layout(self.layout.sizes);
  return result;
}

}  // namespace

namespace op_defs {

constinit const OpDef fractional_max_pool2d_default = total_routine(
    "aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> "
    "(Tensor, Tensor)",
    fractional_meta);
constinit const OpDef fractional_max_pool3d_default = total_routine(
    "aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> "
    "(Tensor, Tensor)",
    fractional_meta);
constinit const OpDef max_unpool2d_default =
    routine("aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor", unpool_meta);
constinit const OpDef max_unpool3d_default = routine(
    "aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding) -> Tensor",
    unpool_meta);

constinit const OpDef max_pool2d_with_indices_backward_default = routine(
    "aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] "
    "padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor",
    max_backward_meta);
constinit const OpDef adaptive_max_pool2d_backward_default =
    routine("aten::adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor",
            adaptive_max_backward_meta);
constinit const OpDef fractional_max_pool2d_backward_default = routine(
    "aten::fractional_max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] output_size, "
    "Tensor indices) -> Tensor",
    fractional_backward_meta);
constinit const OpDef avg_pool2d_backward_default = total_routine(
    "aten::avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, "
    "bool "
    "ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
    avg_backward_meta);
constinit const OpDef inner_adaptive_avg_pool2d_backward_default = total_routine(
    "aten::_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor", adaptive_avg_backward_meta);
constinit const OpDef max_pool3d_with_indices_backward_default = routine(
    "aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] "
    "padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor",
    max_backward_meta);
constinit const OpDef adaptive_max_pool3d_backward_default =
    routine("aten::adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor",
            adaptive_max_backward_meta);
constinit const OpDef fractional_max_pool3d_backward_default = routine(
    "aten::fractional_max_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] output_size, "
    "Tensor indices) -> Tensor",
    fractional_backward_meta);
constinit const OpDef avg_pool3d_backward_default = total_routine(
    "aten::avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, "
    "bool "
    "ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
    avg_backward_meta);
constinit const OpDef inner_adaptive_avg_pool3d_backward_default = total_routine(
    "aten::_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor", adaptive_avg_backward_meta);

}  // namespace op_defs

}  // namespace sinter
