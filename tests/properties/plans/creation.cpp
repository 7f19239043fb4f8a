// Tensors from nothing, and random ones.

#include "properties/plans/plans.h"

namespace sinter::test {

namespace {

Sizes dense_strides(const Sizes& sizes) {
  Sizes strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(sizes[i], 1);
  }
  return strides;
}

void plan_sized(Draw& draw) {
  Sizes sizes = draw.small_sizes(0, 4, 6);
  draw.set("size", sizes);
  if (draw.has("stride")) {
    Sizes strides = dense_strides(sizes);
    int64_t gap = draw.random.between(1, 2);
    for (int64_t& stride : strides) stride *= gap;
    draw.set("stride", strides);
  }
  if (draw.has("physical_layout")) {
    Sizes order = draw.distinct_dims(static_cast<int64_t>(sizes.size()), 9);
    for (int64_t& dim : order)
      if (dim < 0) dim += static_cast<int64_t>(sizes.size());
    draw.set("physical_layout", order);
  }
  int64_t low = draw.random.between(-5, 5);
  draw.set("low", Value(low));
  draw.set("high", Value(std::max<int64_t>(draw.has("low") ? low : 0, 0) + draw.random.between(1, 100)));
  draw.set("fill_value", draw.number());
}

void plan_drawn(Draw& draw) {
  plan_sized(draw);
  bool are_integers = draw.op.schema().name.starts_with("randint");
  if (draw.has("self")) draw.set("self", draw.any(are_integers ? Types::decimal : Types::floating));
  if (draw.flag())
    draw.set("dtype", Value(draw.dtype(are_integers ? Types::decimal : Types::floating)));
  else
    draw.set("dtype", Value());
}

void plan_range(Draw& draw) {
  int64_t start = draw.random.between(-5, 5), length = draw.random.between(0, 40);
  bool counts_down = draw.has("step") && draw.flag();
  draw.set("start", Value(start));
  int64_t end = (draw.has("start") ? start : 0) + (counts_down ? -length : length);
  draw.set("end", draw.flag() ? Value(end) : Value(static_cast<double>(end)));
  Value steps[] = {Value(1), Value(3), Value(0.5), Value(0.3)}, backwards[] = {Value(-1), Value(-2), Value(-0.75)};
  draw.set("step", counts_down ? backwards[draw.random.below(3)] : steps[draw.random.below(4)]);
  if (draw.random.chance(0.4))
    draw.set("dtype", Value(draw.dtype(Types::decimal)));
  else
    draw.set("dtype", Value());
}

void plan_points(Draw& draw) {
  for (const char* name : {"start", "end"}) {
    double value = draw.random.pick({-3.0, 0.0, 0.5, 1.0, 2.5, 4.0});
    if (draw.parameter(name).type == ArgType::tensor)
      draw.set(name, draw.tensor(draw.random.chance(0.8) ? f32 : f64, {}, std::vector<double>{value}));
    else
      draw.set(name, Value(value));
  }
  draw.set("steps", Value(draw.random.between(0, 40)));
  draw.set("base", Value(draw.random.pick({10.0, 2.0, 0.5})));
  if (draw.random.chance(0.4))
    draw.set("dtype", Value(draw.dtype(Types::decimal)));
  else
    draw.set("dtype", Value());
}

void plan_triangle_indices(Draw& draw) {
  draw.set("row", Value(draw.random.between(0, 6)));
  draw.set("col", Value(draw.random.between(0, 6)));
  draw.set("offset", Value(draw.random.between(-3, 3)));
  if (draw.flag())
    draw.set("dtype", Value(draw.flag() ? i64 : i32));
  else
    draw.set("dtype", Value());
}

void plan_eye(Draw& draw) {
  draw.set("n", Value(draw.random.between(0, 7)));
  draw.set("m", Value(draw.random.between(0, 7)));
}

void plan_seed(Draw& draw) { draw.set("seed", Value(draw.random.between(0, 1000))); }

void plan_dropout(Draw& draw) {
  draw.set_first(draw.any(Types::floating, draw.op.schema().name.starts_with("feature") ? 2 : 0));
  draw.set("p", Value(draw.random.pick({0.0, 0.25, 0.5, 1.0})));
}

constexpr PlanEntry plans[] = {
    {"zeros ones full empty new_zeros new_ones new_full new_empty new_empty_strided empty_strided empty_permuted",
     plan_sized},
    {"rand randn randint rand_like randn_like", plan_drawn},
    {"arange", plan_range},
    {"linspace logspace", plan_points},
    {"tril_indices triu_indices", plan_triangle_indices},
    {"eye", plan_eye},
    {"manual_seed", plan_seed},
    {"dropout native_dropout feature_dropout alpha_dropout", plan_dropout},
};

}  // namespace

std::span<const PlanEntry> creation_plans() { return plans; }

}  // namespace sinter::test
