// Images in other sizes, samples of images, attention.

#include "properties/plans/plans.h"

namespace sinter::test {

namespace {

int64_t spatial_rank(const Draw& draw) {
  const std::string& name = draw.op.schema().name;
  return name.find("1d") != std::string::npos ? 1 : name.find("3d") != std::string::npos ? 3 : 2;
}

void plan_upsample(Draw& draw) {
  int64_t rank = spatial_rank(draw);
  Sizes input = {draw.random.between(1, 2), draw.random.between(1, 3)}, output;
  for (int64_t i = 0; i < rank; ++i) {
    input.push_back(draw.random.between(1, 6));
    output.push_back(draw.random.between(1, 8));
  }
  draw.set("self", draw.tensor(draw.dtype(Types::floating), input));
  draw.set("input", draw.tensor(draw.dtype(Types::floating), input));
  draw.set("output_size", output);
  if (draw.has("scale_factors")) {
    if (draw.flag()) {
      Value::List factors;
      for (int64_t i = 0; i < rank; ++i) factors.emplace_back(draw.random.pick({1.0, 2.0, 1.5, 2.5}));
      draw.set("scale_factors", Value(factors));
      draw.set("output_size", Value());
    } else {
      draw.set("scale_factors", Value());
    }
  }
  for (const char* scale : {"scales", "scales_d", "scales_h", "scales_w"}) draw.set(scale, Value());
  if (!draw.has("grad_output")) return;
  draw.set("input_size", input);
  Sizes gradient = {input[0], input[1]};
  gradient.insert(gradient.end(), output.begin(), output.end());
  draw.set("grad_output", draw.tensor(draw.dtype(Types::floating), gradient));
}

void plan_grid(Draw& draw) {
  int64_t rank = draw.op.schema().name.find("3d") != std::string::npos ? 3 : 2;
  DType dtype = draw.dtype(Types::matrix);
  Sizes input = {draw.random.between(1, 2), draw.random.between(1, 3)}, grid = {input[0]}, output = input;
  for (int64_t i = 0; i < rank; ++i) {
    input.push_back(draw.random.between(1, 5));
    grid.push_back(draw.random.between(1, 4));
    output.push_back(grid.back());
  }
  grid.push_back(rank);
  draw.set("input", draw.tensor(dtype, input));
  draw.set("grid", draw.tensor(dtype, grid, [&] { return draw.random.unit() * 2.4 - 1.2; }));
  draw.set("grad_output", draw.tensor(dtype, output));
  draw.set("interpolation_mode", Value(draw.random.between(0, rank == 3 ? 1 : 2)));
  draw.set("padding_mode", Value(draw.random.between(0, 2)));
}

void plan_attention(Draw& draw) {
  DType dtype = draw.dtype(Types::floating);
  bool is_flash = draw.op.schema().name.starts_with("_");
  Sizes batch = is_flash ? Sizes{draw.random.between(1, 2), draw.random.between(1, 3)} : draw.small_sizes(0, 2, 3);
  int64_t queries = draw.random.between(1, 9), keys = draw.random.between(1, 9), width = draw.random.between(1, 8);
  int64_t value_width = is_flash ? width : draw.random.between(1, 8);
  bool is_causal = draw.random.chance(0.3);
  auto stack = [&](int64_t rows, int64_t columns) {
    Sizes sizes = batch;
    sizes.insert(sizes.end(), {rows, columns});
    return draw.tensor(dtype, sizes);
  };
  Known query = stack(queries, width), key = stack(keys, width), value = stack(keys, value_width);
  draw.set("query", query);
  draw.set("key", key);
  draw.set("value", value);
  draw.set("dropout_p", Value(0.0));
  draw.set("is_causal", Value(is_causal));
  draw.set("enable_gqa", Value(false));
  draw.set("scale", Value());
  if (!is_causal && draw.flag())
    draw.set("attn_mask", draw.flag() ? draw.tensor(boolean, {queries, keys}, [&] { return draw.random.chance(0.7); })
                                      : draw.tensor(dtype, {queries, keys}));
  else
    draw.set("attn_mask", Value());
  if (!draw.has("grad_out")) return;
  draw.set("attn_mask", Value());
  auto results = draw.call("aten::_scaled_dot_product_flash_attention_for_cpu",
                           {query.operand, key.operand, value.operand, operand(Value(0.0)), operand(is_causal)});
  draw.set("out", results[0]);
  draw.set("logsumexp", results[1]);
  draw.set("grad_out", draw.tensor(dtype, results[0].sizes()));
}

constexpr PlanEntry plans[] = {
    {"upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_nearest1d_backward upsample_nearest2d_backward "
     "upsample_nearest3d_backward _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d "
     "_upsample_nearest_exact1d_backward _upsample_nearest_exact2d_backward _upsample_nearest_exact3d_backward "
     "upsample_linear1d upsample_bilinear2d upsample_trilinear3d upsample_bicubic2d upsample_linear1d_backward "
     "upsample_bilinear2d_backward upsample_trilinear3d_backward upsample_bicubic2d_backward _upsample_bilinear2d_aa "
     "_upsample_bicubic2d_aa _upsample_bilinear2d_aa_backward _upsample_bicubic2d_aa_backward",
     plan_upsample},
    {"grid_sampler grid_sampler_2d grid_sampler_3d grid_sampler_2d_backward grid_sampler_3d_backward", plan_grid},
    {"scaled_dot_product_attention _scaled_dot_product_flash_attention_for_cpu "
     "_scaled_dot_product_flash_attention_for_cpu_backward",
     plan_attention},
};

}  // namespace

std::span<const PlanEntry> resample_plans() { return plans; }

}  // namespace sinter::test
