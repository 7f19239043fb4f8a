// Norms of layers, groups and batches, softmax, and the gradients of all of them.

#include "properties/plans/plans.h"

namespace sinter::test {

namespace {

void set_or_none(Draw& draw, std::string_view parameter, DType dtype, const Sizes& sizes) {
  bool may_lack = draw.has(parameter) && draw.parameter(parameter).is_optional;
  if (may_lack && draw.flag())
    draw.set(parameter, Value());
  else if (draw.has(parameter))
    draw.set(parameter, draw.tensor(dtype, sizes));
}

double small_eps(Draw& draw) { return draw.random.pick({1e-5, 1e-3, 0.1}); }

void plan_layer(Draw& draw) {
  DType dtype = draw.dtype(Types::floating);
  Sizes sizes = draw.small_sizes(1, 4, 9);
  int64_t dims = draw.random.between(1, static_cast<int64_t>(sizes.size()));
  Sizes normalized(sizes.end() - dims, sizes.end());
  Known input = draw.tensor(dtype, sizes);
  draw.set("input", input);
  draw.set("normalized_shape", normalized);
  set_or_none(draw, "weight", dtype, normalized);
  set_or_none(draw, "bias", dtype, normalized);
  double eps = small_eps(draw);
  draw.set("eps", Value(eps));
  if (!draw.has("grad_out")) return;
  draw.set("grad_out", draw.tensor(dtype, sizes));
  Operand none = operand(Value());
  if (draw.has("mean")) {
    auto results =
        draw.call("aten::native_layer_norm", {input.operand, operand(normalized), none, none, operand(Value(eps))});
    draw.set("mean", results[1]);
    return draw.set("rstd", results[2]);
  }
  draw.set("rstd",
           draw.call("aten::_fused_rms_norm", {input.operand, operand(normalized), none, operand(Value(eps))})[1]);
}

void plan_groups(Draw& draw) {
  DType dtype = draw.dtype(Types::floating);
  int64_t groups = draw.random.between(1, 3), channels = groups * draw.random.between(1, 3),
          batch = draw.random.between(1, 3);
  Sizes sizes = draw.small_sizes(0, 2, 5);
  int64_t places = 1;
  for (int64_t size : sizes) places *= size;
  sizes.insert(sizes.begin(), {batch, channels});
  Known input = draw.tensor(dtype, sizes);
  draw.set("input", input);
  draw.set("num_groups", Value(groups));
  draw.set("group", Value(groups));
  draw.set("N", Value(batch));
  draw.set("C", Value(channels));
  draw.set("HxW", Value(places));
  set_or_none(draw, "weight", dtype, {channels});
  set_or_none(draw, "bias", dtype, {channels});
  double eps = small_eps(draw);
  draw.set("eps", Value(eps));
  if (!draw.has("grad_out")) return;
  Operand none = operand(Value());
  auto results = draw.call("aten::native_group_norm", {input.operand, none, none, operand(batch), operand(channels),
                                                       operand(places), operand(groups), operand(Value(eps))});
  draw.set("grad_out", draw.tensor(dtype, sizes));
  draw.set("mean", results[1]);
  draw.set("rstd", results[2]);
}

void plan_batch(Draw& draw) {
  DType dtype = draw.dtype(Types::floating);
  int64_t channels = draw.random.between(1, 4);
  Sizes sizes = draw.small_sizes(0, 2, 5);
  sizes.insert(sizes.begin(), {draw.random.between(2, 4), channels});
  DType statistics = is_half(dtype) && draw.flag() ? f32 : dtype;
  auto running = [&] { return draw.tensor(statistics, {channels}, [&] { return 0.5 + draw.random.unit(); }); };
  draw.set("input", draw.tensor(dtype, sizes));
  set_or_none(draw, "weight", statistics, {channels});
  set_or_none(draw, "bias", statistics, {channels});
  bool learns = draw.flag();
  draw.set("training", Value(learns));
  draw.set("use_input_stats", Value(learns));
  draw.set("running_mean", running());
  draw.set("running_var", running());
  draw.set("momentum", Value(draw.random.pick({0.1, 0.5, 0.0})));
  draw.set("eps", Value(small_eps(draw)));
  if (!draw.has("grad_out")) return;
  draw.set("grad_out", draw.tensor(dtype, sizes));
  draw.set("save_mean", draw.tensor(dtype == f64 ? f64 : f32, {channels}, [&] { return draw.random.unit(); }));
  for (const char* spread : {"save_invstd", "save_var"})
    if (draw.has(spread))
      draw.set(spread, draw.tensor(dtype == f64 ? f64 : f32, {channels}, [&] { return 0.5 + draw.random.unit(); }));
  draw.set("train", Value(learns));
  draw.set("update", Value(learns));
  if (draw.has("reserve")) draw.set("reserve", draw.tensor(u8, {0}, std::vector<double>{}));
}

void plan_softmax(Draw& draw) {
  Known self = draw.any(Types::floating);
  draw.set_first(self);
  draw.set("dim", Value(draw.dim(self.rank())));
  draw.set("half_to_float", Value(false));
  draw.set("dtype", draw.random.chance(0.7) ? Value() : Value(draw.dtype(Types::floating)));
}

void plan_softmax_gradient(Draw& draw) {
  Known self = draw.any(Types::floating);
  int64_t dim = draw.dim(self.rank());
  bool is_log = draw.op.schema().name.find("log") != std::string::npos;
  Known output =
      draw.call(is_log ? "aten::_log_softmax" : "aten::_softmax", {self.operand, operand(dim), operand(false)})[0];
  draw.set("grad_output", draw.tensor(self.dtype(), self.sizes()));
  draw.set("output", output);
  draw.set("dim", Value(dim));
  draw.set("input_dtype", Value(self.dtype()));
}

constexpr PlanEntry plans[] = {
    {"layer_norm native_layer_norm native_layer_norm_backward rms_norm _fused_rms_norm _fused_rms_norm_backward",
     plan_layer},
    {"group_norm native_group_norm native_group_norm_backward", plan_groups},
    {"batch_norm native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_no_training "
     "_native_batch_norm_legit_functional _batch_norm_with_update _batch_norm_with_update_functional "
     "_batch_norm_no_update instance_norm native_batch_norm_backward batch_norm_backward",
     plan_batch},
    {"softmax log_softmax _softmax _log_softmax _safe_softmax", plan_softmax},
    {"_softmax_backward_data _log_softmax_backward_data", plan_softmax_gradient},
};

}  // namespace

std::span<const PlanEntry> norm_plans() { return plans; }

}  // namespace sinter::test
