// Pointwise ops that take fewer dtypes, or more than operands that broadcast.

#include "properties/plans/plans.h"

namespace sinter::test {

namespace {

void plan_floats(Draw& draw) { draw.set_first(draw.any(Types::floating)); }

// Two or three operands of one dtype.
void plan_same_type(Draw& draw) {
  Known first = draw.any(draw.random.chance(0.9) ? Types::floating : Types::any);
  bool is_first = true;
  for (const Parameter& parameter : draw.schema.parameters) {
    if (parameter.type != ArgType::tensor || parameter.is_list) continue;
    draw.set(parameter.name, is_first ? first : draw.tensor(first.dtype(), first.sizes()));
    is_first = false;
  }
}

void plan_integers(Draw& draw) {
  Known first = draw.any(draw.random.chance(0.8) ? Types::integral : Types::any);
  bool is_first = true;
  for (const Parameter& parameter : draw.schema.parameters) {
    if (parameter.type == ArgType::scalar) draw.set(parameter.name, Value(draw.random.between(-1, 9)));
    if (parameter.type != ArgType::tensor) continue;
    draw.set(parameter.name, is_first || draw.random.chance(0.3) ? (is_first ? first : draw.broadcasting(first, true))
                                                                 : draw.tensor(first.dtype(), first.sizes()));
    is_first = false;
  }
}

// Divisors that are not zero, mostly.
void plan_division(Draw& draw) {
  draw.set("rounding_mode", draw.random.chance(0.3) ? Value() : Value(draw.random.pick({"floor", "trunc"})));
  if (!draw.has("other")) return;
  const Parameter& other = draw.parameter("other");
  if (other.type == ArgType::scalar) return draw.set("other", Value(draw.random.pick({1.0, 2.0, -3.0, 0.5})));
  Known self = draw.any();
  if (draw.has("self") && draw.parameter("self").type == ArgType::tensor)
    draw.set("self", self);
  else
    draw.set("self", Value(draw.random.between(0, 9)));
  if (draw.random.chance(0.3)) return draw.set("other", draw.broadcasting(self, true));
  DType dtype = self.dtype() == boolean ? i32 : self.dtype();
  draw.set("other", draw.tensor(dtype, self.sizes(), [&] { return static_cast<double>(draw.random.between(1, 9)); }));
}

// The result is f64, and so is what it is written into.
void plan_float_power(Draw& draw) {
  if (!draw.schema.parameters[0].is_written) return;
  for (int tries = 0; tries < 5; ++tries) {
    Known self = draw.tensor(f64, draw.small_sizes(0, 3));
    if (!overlaps_itself(self.tensor.layout())) return draw.set("self", self);
  }
}

void plan_bounds(Draw& draw) {
  Known self = draw.any();
  draw.set("self", self);
  int64_t which = draw.random.below(3);
  for (const char* bound : {"min", "max"}) {
    bool is_left_out = (bound[1] == 'i' && which == 1) || (bound[1] == 'a' && which == 2);
    if (is_left_out)
      draw.set(bound, Value());
    else if (draw.parameter(bound).type == ArgType::scalar)
      draw.set(bound, draw.number());
    else
      draw.set(bound, draw.broadcasting(self, draw.schema.parameters[0].is_written));
  }
}

void plan_where(Draw& draw) {
  Known self = draw.any();
  draw.set("condition", draw.tensor(boolean, self.sizes()));
  for (const char* name : {"self", "other"}) {
    if (draw.parameter(name).type == ArgType::scalar)
      draw.set(name, draw.number());
    else
      draw.set(name, name[0] == 's' ? self : draw.broadcasting(self, false));
  }
}

void plan_halved(Draw& draw) {
  Sizes sizes = draw.small_sizes(1, 3, 6), half = sizes;
  int64_t dim = draw.random.below(static_cast<int64_t>(sizes.size()));
  sizes[dim] *= 2;
  DType dtype = draw.dtype(Types::floating);
  draw.set("self", draw.tensor(dtype, sizes));
  draw.set("grad_output", draw.tensor(dtype, half));
  draw.set("dim", Value(dim));
}

void plan_channel_slopes(Draw& draw) {
  Known self = draw.any(Types::floating, 1, 4);
  int64_t channels = self.rank() > 1 ? self.size(1) : 1;
  Sizes broadcast(self.rank(), 1);
  if (self.rank() > 1) broadcast[1] = channels;
  bool is_kernel = draw.op.schema().name.starts_with("_");
  draw.set("self", self);
  draw.set("grad_output", draw.tensor(self.dtype(), self.sizes()));
  draw.set("weight", draw.tensor(self.dtype(), is_kernel ? broadcast : draw.flag() ? Sizes{1} : Sizes{channels}));
}

void plan_dropout_gradient(Draw& draw) {
  Known gradient = draw.any(Types::floating);
  draw.set("grad_output", gradient);
  draw.set("mask", draw.tensor(boolean, gradient.sizes()));
}

void plan_log_gamma(Draw& draw) {
  Known self =
      draw.tensor(draw.dtype(Types::floating), draw.small_sizes(0, 3, 9), [&] { return 3 + 4 * draw.random.unit(); });
  draw.set_first(self);
  draw.set("p", Value(draw.random.between(1, 4)));
}

// Of a low degree: some recurrences take as many steps.
void plan_polynomial(Draw& draw) {
  Known x = draw.any(Types::matrix);
  draw.set("x", x);
  draw.set("n", draw.tensor(x.dtype(), x.sizes(), [&] { return static_cast<double>(draw.random.between(-1, 12)); }));
}

void plan_positive_pair(Draw& draw) {
  DType dtype = draw.dtype(draw.op.schema().name == "special_zeta" ? Types::matrix : Types::floating);
  Sizes sizes = draw.small_sizes(0, 3, 9);
  auto positive = [&] { return 4 * draw.random.unit() + (draw.random.chance(0.9) ? 0 : -2); };
  draw.set("self", draw.tensor(dtype, sizes, positive));
  draw.set("other", draw.tensor(dtype, sizes, positive));
}

void plan_order(Draw& draw) {
  draw.set("self", draw.any(Types::floating));
  draw.set("n", Value(draw.random.between(0, 4)));
}

void plan_log_sigmoid_gradient(Draw& draw) {
  Known self = draw.any(Types::floating);
  auto results = draw.call("aten::log_sigmoid_forward", {self.operand});
  draw.set("self", self);
  draw.set("grad_output", draw.tensor(self.dtype(), self.sizes()));
  if (results.size() > 1) draw.set("buffer", results[1]);
}

void plan_text_choice(Draw& draw) {
  draw.set_first(draw.any(Types::floating));
  draw.set("approximate", Value(draw.flag() ? "tanh" : "none"));
}

void plan_fill(Draw& draw) {
  Known self = draw.any();
  draw.set_first(self);
  draw.set("value", draw.parameter("value").type == ArgType::tensor ? Value() : Value(draw.random.between(0, 3)));
  if (draw.parameter("value").type == ArgType::tensor) draw.set("value", draw.pool.fresh(self.dtype(), {}));
}

void plan_fill_diagonal(Draw& draw) {
  Known self = draw.any(Types::any, 2, 2);
  draw.set_first(self);
  draw.set("fill_value", draw.number());
}

void plan_conversion(Draw& draw) {
  draw.set_first(draw.any());
  for (const char* name : {"layout", "pin_memory"}) draw.set(name, Value());
}

constexpr PlanEntry plans[] = {
    {"celu elu selu mish softplus hardswish hardsigmoid hardshrink softshrink leaky_relu log_sigmoid "
     "log_sigmoid_forward silu "
     "logit special_logit nextafter frexp hardtanh relu6 threshold softsign rrelu",
     plan_floats},
    {"sigmoid_backward tanh_backward silu_backward gelu_backward logit_backward hardtanh_backward hardswish_backward "
     "hardsigmoid_backward leaky_relu_backward threshold_backward hardshrink_backward softshrink_backward "
     "elu_backward softplus_backward mish_backward addcdiv lerp nextafter heaviside",
     plan_same_type},
    {"bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift gcd lcm __and__ __or__ "
     "__xor__ __lshift__ __rshift__ __iand__ __ior__ __ixor__ __ilshift__ __irshift__",
     plan_integers},
    {"div.Tensor_mode div.Scalar_mode divide.Tensor_mode divide.Scalar_mode div_.Tensor_mode floor_divide remainder "
     "fmod",
     plan_division},
    {"float_power", plan_float_power},
    {"clamp clip", plan_bounds},
    {"where", plan_where},
    {"glu glu_backward", plan_halved},
    {"prelu _prelu_kernel _prelu_kernel_backward", plan_channel_slopes},
    {"native_dropout_backward", plan_dropout_gradient},
    {"mvlgamma special_multigammaln", plan_log_gamma},
    {"special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v "
     "special_chebyshev_polynomial_w special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u "
     "special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w special_hermite_polynomial_h "
     "special_hermite_polynomial_he special_laguerre_polynomial_l special_legendre_polynomial_p",
     plan_polynomial},
    {"igamma igammac special_gammainc special_gammaincc special_zeta", plan_positive_pair},
    {"polygamma special_polygamma", plan_order},
    {"log_sigmoid_backward", plan_log_sigmoid_gradient},
    {"gelu", plan_text_choice},
    {"fill", plan_fill},
    {"fill_diagonal", plan_fill_diagonal},
    {"to _to_copy", plan_conversion},
};

}  // namespace

std::span<const PlanEntry> pointwise_plans() { return plans; }

}  // namespace sinter::test
