// Convolutions and pools of small images, and what rearranges images.

#include "properties/plans/plans.h"

#include <algorithm>

namespace sinter::test {

namespace {

// The 1, 2 or 3 of conv2d; any where the name has none.
int64_t spatial_rank(Draw& draw) {
  const std::string& name = draw.op.schema().name;
  for (int64_t rank : {1, 2, 3})
    if (name.find(fmt::format("{}d", rank)) != std::string::npos) return rank;
  return draw.random.between(1, 3);
}

Sizes each(Draw& draw, int64_t rank, int64_t low, int64_t high) {
  Sizes sizes(rank);
  for (int64_t& size : sizes) size = draw.random.between(low, high);
  return sizes;
}

Sizes joined(Sizes front, const Sizes& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

struct Convolution {
  int64_t rank, groups;
  bool transposed;
  Sizes input, weight, stride, padding, dilation, output_padding;
  int64_t outputs;
};

Convolution random_convolution(Draw& draw) {
  Convolution c;
  c.rank = spatial_rank(draw);
  const std::string& name = draw.op.schema().name;
  c.transposed = name.find("transpose") != std::string::npos || (draw.has("transposed") && draw.random.chance(0.3));
  c.groups = draw.random.pick({1, 1, 1, 2, 3});
  int64_t in_each = draw.random.between(1, 4), out_each = draw.random.between(1, 4);
  c.outputs = out_each * c.groups;
  Sizes kernel = each(draw, c.rank, 1, 3);
  c.stride = each(draw, c.rank, 1, 2);
  c.padding = each(draw, c.rank, 0, 2);
  c.dilation = each(draw, c.rank, 1, 2);
  c.output_padding = Sizes(c.rank, 0);
  if (c.transposed)
    for (int64_t i = 0; i < c.rank; ++i) c.output_padding[i] = draw.random.below(std::max(c.stride[i], c.dilation[i]));
  Sizes places = each(draw, c.rank, 5, c.rank == 3 ? 6 : 9);
  c.input = joined({draw.random.between(1, 3), in_each * c.groups}, places);
  c.weight = joined(c.transposed ? Sizes{in_each * c.groups, out_each} : Sizes{c.outputs, in_each}, kernel);
  return c;
}

void set_windows(Draw& draw, const Convolution& c) {
  draw.set("stride", c.stride);
  draw.set("dilation", c.dilation);
  draw.set("output_padding", c.output_padding);
  draw.set("groups", Value(c.groups));
  draw.set("transposed", Value(c.transposed));
  if (!draw.has("padding")) return;
  if (draw.parameter("padding").type != ArgType::string) return draw.set("padding", c.padding);
  bool is_same = draw.flag();
  draw.set("padding", Value(is_same ? "same" : "valid"));
  if (is_same) draw.set("stride", Sizes(c.rank, 1));
}

void plan_convolution(Draw& draw) {
  Convolution c = random_convolution(draw);
  DType dtype = draw.dtype(Types::floating);
  Sizes input = c.input;
  bool may_lack_batch =
      draw.op.schema().name.starts_with("conv") && draw.op.schema().name.find("convolution") == std::string::npos;
  if (may_lack_batch && draw.random.chance(0.15)) input.erase(input.begin());
  draw.set("input", draw.tensor(dtype, input));
  draw.set("weight", draw.tensor(dtype, c.weight));
  if (draw.flag())
    draw.set("bias", draw.tensor(dtype, {c.outputs}));
  else
    draw.set("bias", Value());
  set_windows(draw, c);
}

void plan_convolution_gradient(Draw& draw) {
  Convolution c = random_convolution(draw);
  DType dtype = draw.dtype(Types::matrix);
  Known input = draw.tensor(dtype, c.input), weight = draw.tensor(dtype, c.weight);
  Known output = draw.call("aten::convolution", {input.operand, weight.operand, operand(Value()), operand(c.stride),
                                                 operand(c.padding), operand(c.dilation), operand(c.transposed),
                                                 operand(c.output_padding), operand(c.groups)})[0];
  draw.set("grad_output", draw.tensor(dtype, output.sizes()));
  draw.set("input", input);
  draw.set("weight", weight);
  draw.set("bias_sizes", Sizes{c.outputs});
  set_windows(draw, c);
}

void plan_convolution_of_time(Draw& draw) {
  DType dtype = draw.dtype(Types::matrix);
  int64_t inputs = draw.random.between(1, 4), outputs = draw.random.between(1, 4);
  draw.set("self", draw.tensor(dtype, {draw.random.between(4, 8), draw.random.between(1, 3), inputs}));
  draw.set("weight", draw.tensor(dtype, {draw.random.between(1, 3), inputs, outputs}));
  draw.set("bias", draw.tensor(dtype, {outputs}));
  draw.set("pad", Value(draw.random.between(0, 2)));
}

Sizes image(Draw& draw, int64_t rank, int64_t least = 5) {
  Sizes sizes =
      joined({draw.random.between(1, 3), draw.random.between(1, 4)}, each(draw, rank, least, rank == 3 ? 6 : 9));
  if (draw.random.chance(0.2)) sizes.erase(sizes.begin());
  return sizes;
}

struct Window {
  Sizes kernel, stride, padding, dilation;
  bool ceil_mode;
};

Window random_pool(Draw& draw, int64_t rank, bool dilates) {
  Window pool = {each(draw, rank, 1, 3), each(draw, rank, 1, 2), Sizes(rank, 0), Sizes(rank, 1), draw.flag()};
  for (int64_t i = 0; i < rank; ++i) {
    pool.padding[i] = draw.random.between(0, pool.kernel[i] / 2);
    if (dilates && draw.random.chance(0.3)) pool.dilation[i] = 2;
  }
  return pool;
}

void set_pool(Draw& draw, const Window& pool) {
  draw.set("kernel_size", pool.kernel);
  draw.set("stride", pool.stride);
  draw.set("padding", pool.padding);
  draw.set("dilation", pool.dilation);
  draw.set("ceil_mode", Value(pool.ceil_mode));
  draw.set("divisor_override", draw.random.chance(0.8) ? Value() : Value(draw.random.between(1, 5)));
}

void plan_pool(Draw& draw) {
  int64_t rank = spatial_rank(draw);
  Window pool = random_pool(draw, rank, draw.has("dilation"));
  Known self = draw.tensor(draw.dtype(Types::floating), image(draw, rank));
  draw.set_first(self);
  set_pool(draw, pool);
  if (draw.random.chance(0.1)) draw.set("stride", Sizes{});
}

void plan_max_pool_gradient(Draw& draw) {
  int64_t rank = spatial_rank(draw);
  Window pool = random_pool(draw, rank, true);
  Known self = draw.tensor(draw.dtype(Types::floating), image(draw, rank));
  auto results = draw.call(fmt::format("aten::max_pool{}d_with_indices", rank),
                           {self.operand, operand(pool.kernel), operand(pool.stride), operand(pool.padding),
                            operand(pool.dilation), operand(pool.ceil_mode)});
  draw.set("grad_output", draw.tensor(self.dtype(), results[0].sizes()));
  draw.set("self", self);
  draw.set("indices", results[1]);
  set_pool(draw, pool);
}

void plan_mean_pool_gradient(Draw& draw) {
  int64_t rank = spatial_rank(draw);
  Window pool = random_pool(draw, rank, false);
  Known self = draw.tensor(draw.dtype(Types::floating), image(draw, rank));
  auto results = draw.call(
      fmt::format("aten::avg_pool{}d", rank),
      {self.operand, operand(pool.kernel), operand(pool.stride), operand(pool.padding), operand(pool.ceil_mode)});
  draw.set("grad_output", draw.tensor(self.dtype(), results[0].sizes()));
  draw.set("self", self);
  set_pool(draw, pool);
}

void plan_adaptive(Draw& draw) {
  int64_t rank = spatial_rank(draw);
  draw.set_first(draw.tensor(draw.dtype(Types::floating), image(draw, rank, 1)));
  draw.set("output_size", each(draw, rank, 1, 5));
}

void plan_adaptive_gradient(Draw& draw) {
  int64_t rank = spatial_rank(draw);
  bool is_maximum = draw.has("indices");
  Known self = draw.tensor(draw.dtype(Types::floating), image(draw, rank, 1));
  auto results = draw.call(fmt::format("aten::adaptive_{}_pool{}d", is_maximum ? "max" : "avg", rank),
                           {self.operand, operand(each(draw, rank, 1, 4))});
  draw.set("grad_output", draw.tensor(self.dtype(), results[0].sizes()));
  draw.set("self", self);
  if (is_maximum) draw.set("indices", results[1]);
}

void plan_fractional(Draw& draw) {
  int64_t rank = spatial_rank(draw);
  Sizes kernel = each(draw, rank, 1, 2), output = each(draw, rank, 1, 3);
  Known self = draw.tensor(draw.dtype(Types::matrix),
                           joined({draw.random.between(1, 2), draw.random.between(1, 3)}, each(draw, rank, 5, 7)));
  Known samples =
      draw.tensor(self.dtype(), {self.size(0), self.size(1), rank}, [&] { return draw.random.unit() * 0.99; });
  draw.set("self", self);
  draw.set("kernel_size", kernel);
  draw.set("output_size", output);
  draw.set("random_samples", samples);
  if (!draw.has("grad_output")) return;
  auto results = draw.call(fmt::format("aten::fractional_max_pool{}d", rank),
                           {self.operand, operand(kernel), operand(output), samples.operand});
  draw.set("grad_output", draw.tensor(self.dtype(), results[0].sizes()));
  draw.set("indices", results[1]);
}

void plan_unpool(Draw& draw) {
  int64_t rank = spatial_rank(draw);
  Known self = draw.tensor(draw.dtype(Types::floating),
                           joined({draw.random.between(1, 2), draw.random.between(1, 3)}, Sizes(rank, 6)));
  Sizes kernel(rank, 2), zero(rank, 0);
  auto results =
      draw.call(fmt::format("aten::max_pool{}d_with_indices", rank), {self.operand, operand(kernel), operand(kernel)});
  draw.set("self", results[0]);
  draw.set("indices", results[1]);
  draw.set("output_size", Sizes(rank, 6));
  draw.set("stride", kernel);
  draw.set("padding", zero);
}

void plan_columns(Draw& draw) {
  Sizes kernel = each(draw, 2, 1, 3), dilation = each(draw, 2, 1, 2), padding = each(draw, 2, 0, 2),
        stride = each(draw, 2, 1, 2);
  Sizes places = each(draw, 2, 5, 8);
  int64_t batch = draw.random.between(1, 3), channels = draw.random.between(1, 3);
  draw.set("kernel_size", kernel);
  draw.set("dilation", dilation);
  draw.set("padding", padding);
  draw.set("stride", stride);
  DType dtype = draw.dtype(Types::floating);
  if (!draw.has("output_size")) return draw.set("self", draw.tensor(dtype, joined({batch, channels}, places)));
  int64_t blocks = 1;
  for (int i : {0, 1}) blocks *= (places[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) / stride[i] + 1;
  draw.set("output_size", places);
  draw.set("self", draw.tensor(dtype, {batch, channels * kernel[0] * kernel[1], blocks}));
}

void plan_pixels(Draw& draw) {
  int64_t factor = draw.random.between(1, 3);
  bool gathers = draw.has("downscale_factor");
  int64_t channels = draw.random.between(1, 3), scale = gathers ? factor : 1;
  Sizes sizes = {gathers ? channels : channels * factor * factor, scale * draw.random.between(1, 4),
                 scale * draw.random.between(1, 4)};
  if (draw.flag()) sizes.insert(sizes.begin(), 2);
  draw.set("self", draw.tensor(draw.dtype(Types::any), sizes));
  draw.set("upscale_factor", Value(factor));
  draw.set("downscale_factor", Value(factor));
}

void plan_channels(Draw& draw) {
  int64_t groups = draw.random.between(1, 3);
  draw.set("self", draw.tensor(draw.dtype(Types::any), {2, groups * draw.random.between(1, 3), 3, 4}));
  draw.set("groups", Value(groups));
}

constexpr PlanEntry plans[] = {
    {"convolution _convolution _convolution_mode conv1d conv2d conv3d conv_transpose1d conv_transpose2d "
     "conv_transpose3d",
     plan_convolution},
    {"convolution_backward", plan_convolution_gradient},
    {"conv_tbc", plan_convolution_of_time},
    {"max_pool1d max_pool2d max_pool3d max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices "
     "avg_pool1d avg_pool2d avg_pool3d",
     plan_pool},
    {"max_pool2d_with_indices_backward max_pool3d_with_indices_backward", plan_max_pool_gradient},
    {"avg_pool2d_backward avg_pool3d_backward", plan_mean_pool_gradient},
    {"adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d _adaptive_avg_pool2d _adaptive_avg_pool3d "
     "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d",
     plan_adaptive},
    {"_adaptive_avg_pool2d_backward _adaptive_avg_pool3d_backward adaptive_max_pool2d_backward "
     "adaptive_max_pool3d_backward",
     plan_adaptive_gradient},
    {"fractional_max_pool2d fractional_max_pool3d fractional_max_pool2d_backward fractional_max_pool3d_backward",
     plan_fractional},
    {"max_unpool2d max_unpool3d", plan_unpool},
    {"im2col col2im", plan_columns},
    {"pixel_shuffle pixel_unshuffle", plan_pixels},
    {"channel_shuffle native_channel_shuffle", plan_channels},
};

}  // namespace

std::span<const PlanEntry> window_plans() { return plans; }

}  // namespace sinter::test
