// Covariances and correlations of rows of observations, and matrices of powers.

#include <sinter/graph/ops/covariance.h>

#include <sinter/graph/ops/check_range.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/diagonal.h>
#include <sinter/graph/ops/functions/linear_algebra.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reindex.h>

#include <limits>

namespace sinter {

namespace {

// --- cov and corrcoef -------------------------------------------------------------------------------------------

void check_observations(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  if (self.layout.rank() > 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.layout.rank()), "need at most 2 dims");
  if (self.dtype == DType::boolean) fail_for_type(args, self.dtype);
}

// How often each observation counts; undefined if the argument is absent.
Tensor checked_weights(const OpArgs& args, std::string_view parameter, SymInt observations) {
  if (args[parameter].is_none()) return {};
  Tensor weights = args[parameter].tensor();
  bool needs_integers = parameter == "fweights";
  bool fits = needs_integers ? is_integer(weights.dtype()) : is_floating(weights.dtype());
  if (!fits)
    args.fail(ErrorKind::dtype, fmt::format("{} are {}", parameter, name(weights.dtype())),
              needs_integers ? "need integers" : "need a floating type");
  if (weights.dim() > 1 || !(weights.numel() == observations))
    args.fail(ErrorKind::shape, fmt::format("{} have sizes {}, there are {} observations", parameter,
                                            to_string(weights.sizes()), to_string(observations)));
  Scalar least = needs_integers ? Scalar(0) : Scalar(0.0);
  Scalar most =
      needs_integers ? Scalar(std::numeric_limits<int64_t>::max()) : Scalar(std::numeric_limits<double>::infinity());
  check_elements(args, weights, least, most, fmt::format("{} has an element {{}}", parameter),
                 "need no negative weights");
  return weights;
}

// The type of the result: floating, and not less than that of aweights.
DType covariance_type(const OpArgs& args) {
  DType self = args.meta(0).dtype;
  DType dtype = is_floating(self) ? self : default_dtype;
  const OpArgs& a = args;
  if (a.op().schema().find("aweights") >= 0 && !a["aweights"].is_none())
    dtype = promote(dtype, a["aweights"].tensor().dtype());
  return dtype;
}

struct Weights {
  Tensor each;        // for each observation, in the type of computation; undefined: all 1
  Tensor normalizer;  // zero-dim; undefined: the number below
  double plain_count = 0;
};

Weights weights_of(const OpArgs& args, SymInt observations, DType wide) {
  Here here = args.here();
  Tensor frequencies = checked_weights(args, "fweights", observations);
  Tensor importances = checked_weights(args, "aweights", observations);
  double correction = static_cast<double>(args.integer("correction"));
  Weights weights;
  if (!frequencies.defined() && !importances.defined()) {
    weights.plain_count = std::max(static_cast<double>(observations.constant()) - correction, 0.0);
    return weights;
  }
  // Weights of a narrower type are summed in it, as in ATen.
  DType own = importances.defined() ? compute_type(importances.dtype()) : wide;
  auto flat = [&](const Tensor& x) { return x.reshape({observations}, here).to(own, here); };
  Tensor each = frequencies.defined() ? flat(frequencies) : flat(importances);
  if (frequencies.defined() && importances.defined()) each = each * flat(importances);
  Tensor total = sum(each, here);
  check_elements(args, total, Scalar(std::numeric_limits<double>::denorm_min()),
                 Scalar(std::numeric_limits<double>::infinity()), "the weights sum to {}", "need a positive sum");
  Tensor lost = total;
  if (importances.defined() && correction != 0)
    lost = total - sum(each * flat(importances), here) * Scalar(correction) / total;
  else
    lost = total - Scalar(correction);
  weights.each = each;
  weights.normalizer = clamp_min(lost, Scalar(0.0), here);
  return weights;
}

// Of the rows of self, in the type of computation.
Tensor covariance(const Tensor& self, const Weights& weights, Here here) {
  Tensor rows = self.dim() < 2 ? self.reshape({1, self.numel()}, here) : self;
  auto weighted = [&](const Tensor& x) { return weights.each.defined() ? x * weights.each : x; };
  Tensor total = sum(weighted(rows), {1}, true, {}, here);
  Tensor average = weights.each.defined() ? total / sum(weights.each, here)
                                          : total / Scalar(static_cast<double>(rows.size(1).constant()));
  Tensor centred = rows - average;
  Tensor product = mm(centred, weighted(centred).t(here), here);
  Tensor result = weights.normalizer.defined() ? product / weights.normalizer : product / Scalar(weights.plain_count);
  return self.dim() < 2 || rows.size(0) == 1 ? result.reshape({}, here) : result;
}

SymInt observations_of(const Tensor& self) { return self.dim() < 2 ? self.numel() : self.size(1); }

Values run_cov(const OpArgs& args) {
  check_observations(args);
  DType dtype = covariance_type(args), wide = compute_type(dtype);
  Tensor self = args.tensor(0).to(wide, args.here());
  Weights weights = weights_of(args, observations_of(self), wide);
  return {covariance(self, weights, args.here()).to(dtype, args.here())};
}

Values run_corrcoef(const OpArgs& args) {
  check_observations(args);
  Here here = args.here();
  DType dtype = covariance_type(args);
  Tensor self = args.tensor(0).to(compute_type(dtype), here);
  Weights weights;
  weights.plain_count = std::max(static_cast<double>(observations_of(self).constant()) - 1.0, 0.0);
  Tensor c = covariance(self, weights, here);
  if (c.dim() == 0) return {(c / c).to(dtype, here)};
  Tensor deviation = sqrt(apply_one(op_defs::diagonal_default, {c}, here), here);
  Tensor scaled = c / deviation.unsqueeze(1, here) / deviation;
  return {clamp(scaled, -1.0, 1.0, here).to(dtype, here)};
}

// --- Powers -----------------------------------------------------------------------------------------------------

Tensor powers(const Tensor& x, SymInt count, Here here) {
  DType dtype = is_floating(x.dtype()) ? x.dtype() : DType::i64;
  return pow(x.to(dtype, here).unsqueeze(-1, here), arange(count.constant(), dtype, here), here);
}

Values run_linalg_vander(const OpArgs& args) {
  Tensor x = args.tensor(0);
  if (x.dtype() == DType::boolean || is_half(x.dtype())) fail_for_type(args, x.dtype());
  if (x.dim() == 0) x = x.unsqueeze(0, args.here());
  SymInt count = args["N"].is_none() ? x.size(-1) : args.size("N");
  if (!(count > 1)) args.fail(ErrorKind::argument, fmt::format("N is {}", to_string(count)), "need at least 2 powers");
  return {powers(x, count, args.here())};
}

// With the highest power first, unless increasing.
Values run_vander(const OpArgs& args) {
  Tensor x = args.tensor(0);
  if (x.dim() != 1) args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", x.dim()), "need a vector");
  SymInt count = args["N"].is_none() ? x.size(0) : args.size("N");
  if (count < 0) args.fail(ErrorKind::argument, fmt::format("N is {}", to_string(count)), "need no negative number");
  Tensor result = powers(x, count, args.here());
  if (args.flag("increasing")) return {result};
  return {apply_one(op_defs::flip_default, {result, Dims{1}}, args.here())};
}

}  // namespace

namespace op_defs {

constinit const OpDef cov_default = decomposed(
    "aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor", run_cov);
constinit const OpDef corrcoef_default = decomposed("aten::corrcoef(Tensor self) -> Tensor", run_corrcoef);
constinit const OpDef linalg_vander_default =
    decomposed("aten::linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor", run_linalg_vander);
constinit const OpDef vander_default =
    decomposed("aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor", run_vander);

}  // namespace op_defs

Tensor cov(const Tensor& x, int64_t correction, const Tensor& fweights, const Tensor& aweights, Here here) {
  return apply_one(op_defs::cov_default, {x, correction, fweights, aweights}, here);
}
Tensor corrcoef(const Tensor& x, Here here) { return apply_one(op_defs::corrcoef_default, {x}, here); }
Tensor linalg_vander(const Tensor& x, std::optional<int64_t> N, Here here) {
  return apply_one(op_defs::linalg_vander_default, {x, N ? Value(*N) : Value()}, here);
}

}  // namespace sinter
