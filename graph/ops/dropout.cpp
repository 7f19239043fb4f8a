// Ops that are random in training and plain outside of it; they draw from the generator as rand does.

#include <sinter/graph/ops/dropout.h>

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/activation.h>
#include <sinter/graph/ops/functions/dropout.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/random.h>

#include <cmath>

namespace sinter {

namespace {

double checked_probability(const OpArgs& args) {
  double p = args.number("p");
  if (!(p >= 0 && p <= 1)) args.fail(ErrorKind::argument, fmt::format("p is {}", p), "need 0 <= p <= 1");
  if (!is_floating(args.meta(0).dtype)) fail_for_type(args, args.meta(0).dtype);
  return p;
}

// Uniform in [0, 1), always in f32: a half type has too few numbers to draw from.
Tensor uniform(const SymDims& sizes) { return rand(sizes, f32); }

Tensor drawn(const SymDims& sizes, double keep) { return uniform(sizes) < keep; }

// Of x * mask * scale the half types round once.
Tensor masked(const Tensor& x, const Tensor& mask, double scale) {
  Tensor wide = x.to(compute_type(x.dtype()));
  return (wide * mask * scale).to(x.dtype());
}

double scale_of_kept(double keep) { return keep == 0 ? 0 : 1 / keep; }

bool changes_nothing(const OpArgs& args) {
  return checked_probability(args) == 0 || !args.flag("train") || is_known_to_be(args.tensor(0).numel(), 0);
}

// --- dropout ----------------------------------------------------------------------------------------------------

Tensor dropped(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (changes_nothing(args)) return self;
  double keep = 1 - args.number("p");
  return masked(self, drawn(self.sizes(), keep), scale_of_kept(keep));
}

Tensor feature_dropped(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (changes_nothing(args)) return self;
  if (self.dim() < 2)
    args.fail(ErrorKind::shape, fmt::format("the input has {} dims", self.dim()), "need a batch and channels");
  SymDims sizes(self.dim(), 1);
  for (int dim : {0, 1}) sizes[dim] = self.sizes()[dim];
  double keep = 1 - args.number("p");
  return masked(self, drawn(sizes, keep), scale_of_kept(keep));
}

// What is dropped becomes selu's limit at -infinity; then an affine map restores mean and variance.
Tensor alpha_dropped(const OpArgs& args) {
  constexpr double alpha = 1.7580993408473766;
  Tensor self = args.tensor(0);
  if (changes_nothing(args)) return self;
  double p = args.number("p");
  if (p == 1) return self * 0;
  double a = 1 / std::sqrt((alpha * alpha * p + 1) * (1 - p));
  Tensor wide = self.to(compute_type(self.dtype()));
  Tensor kept = drawn(self.sizes(), 1 - p);
  return (where(kept, wide * a, -alpha * a) + alpha * a * p).to(self.dtype());
}

template <Tensor (*result)(const OpArgs&)>
Values run(const OpArgs& args) {
  return {result(args)};
}

// The argument itself, written to.
template <Tensor (*result)(const OpArgs&)>
Values run_inplace(const OpArgs& args) {
  Tensor self = args.tensor(0), fresh = result(args);
  if (fresh.impl() != self.impl()) self.copy_(fresh);
  return {self};
}

Values run_native_dropout(const OpArgs& args) {
  double keep = 1 - checked_probability(args);
  Tensor self = args.tensor(0);
  bool trains = args["train"].is_none() || args.flag("train");
  if (!trains || is_known_to_be(self.numel(), 0)) return {clone(self), ones_like(self, boolean)};
  Tensor mask = drawn(self.sizes(), keep);
  return {masked(self, mask, scale_of_kept(keep)), mask};
}

Values run_native_dropout_backward(const OpArgs& args) {
  return {masked(args.tensor(0), args.tensor(1), args.number("scale"))};
}

// --- rrelu ------------------------------------------------------------------------------------------------------

// A slope below zero that is drawn for each element, or the middle of its range.
Tensor randomly_leaky(const OpArgs& args) {
  Tensor self = args.tensor(0);
  double lower = args.number("lower"), upper = args.number("upper");
  if (!(lower <= upper)) args.fail(ErrorKind::argument, fmt::format("the range [{}, {}) is empty", lower, upper));
  if (!is_floating(self.dtype())) fail_for_type(args, self.dtype());
  if (!args.flag("training")) return leaky_relu(self, (lower + upper) / 2);
  Tensor wide = self.to(compute_type(self.dtype()));
  Tensor slope = uniform(self.sizes()) * (upper - lower) + lower;
  return where(wide <= 0, wide * slope, wide).to(self.dtype());
}

}  // namespace

namespace op_defs {

constinit const OpDef dropout_default =
    composite("aten::dropout(Tensor input, float p, bool train) -> Tensor", run<dropped>);
constinit const OpDef dropout_inplace_default =
    composite("aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", run_inplace<dropped>);
constinit const OpDef native_dropout_default =
    decomposed("aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", run_native_dropout);
constinit const OpDef native_dropout_backward_default =
    decomposed("aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor",
               run_native_dropout_backward);
constinit const OpDef feature_dropout_default =
    composite("aten::feature_dropout(Tensor input, float p, bool train) -> Tensor", run<feature_dropped>);
constinit const OpDef feature_dropout_inplace_default = composite(
    "aten::feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", run_inplace<feature_dropped>);
constinit const OpDef alpha_dropout_default =
    composite("aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor", run<alpha_dropped>);
constinit const OpDef alpha_dropout_inplace_default =
    composite("aten::alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", run_inplace<alpha_dropped>);

#define SINTER_RRELU_ARGUMENTS \
  "Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None"
constinit const OpDef rrelu_default =
    composite("aten::rrelu(Tensor self, " SINTER_RRELU_ARGUMENTS ") -> Tensor", run<randomly_leaky>);
constinit const OpDef rrelu_inplace_default =
    composite("aten::rrelu_(Tensor(a!) self, " SINTER_RRELU_ARGUMENTS ") -> Tensor(a!)", run_inplace<randomly_leaky>);
#undef SINTER_RRELU_ARGUMENTS

}  // namespace op_defs

Tensor dropout(const Tensor& x, double p, bool train, Here here) {
  return apply_one(op_defs::dropout_default, {x, p, train}, here);
}
Tensor feature_dropout(const Tensor& x, double p, bool train, Here here) {
  return apply_one(op_defs::feature_dropout_default, {x, p, train}, here);
}
Tensor alpha_dropout(const Tensor& x, double p, bool train, Here here) {
  return apply_one(op_defs::alpha_dropout_default, {x, p, train}, here);
}

}  // namespace sinter
