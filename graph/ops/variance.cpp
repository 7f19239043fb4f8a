// Variance and standard deviation: the mean of the squared distances from the mean.

#include <sinter/graph/ops/variance.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/moments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>

namespace sinter {

namespace {

// What is taken off the number of elements to get the divisor.
double correction_of(const OpArgs& args) {
  if (args.op().schema().find("unbiased") >= 0) return args.flag("unbiased") ? 1 : 0;
  return args["correction"].is_none() ? 1 : args.number("correction");
}

Scalar degrees_of_freedom(SymInt count, double correction) {
  if (count.is_constant() && count == 0) return 0.0;  // nothing has no spread: 0 / 0
  auto whole = static_cast<int64_t>(correction);
  if (!count.is_constant() && static_cast<double>(whole) == correction) return floating_count(max(count - whole, 0));
  return std::max(static_cast<double>(count.constant()) - correction, 0.0);
}

TensorMeta moment_meta(const OpArgs& args) {
  DType dtype = args.meta(0).dtype;
  if (!is_floating(dtype)) fail_for_type(args, dtype);
  return reduction_meta(args, reduced_dims(args), keepdim_of(args), dtype);
}
Metas variance_meta(const OpArgs& args) { return {moment_meta(args)}; }
Metas variance_and_mean_meta(const OpArgs& args) { return {moment_meta(args), moment_meta(args)}; }

template <bool takes_root, bool gives_mean>
Values run_variance(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Here here = args.here();
  Dims dims = reduced_dims(args);
  Tensor wide = widened(self, here);
  Moments found = moments(wide, dims, here);
  Tensor total = with_dims_dropped(found.squares, dims, keepdim_of(args), here);
  Tensor spread = total / degrees_of_freedom(reduced_count(self.sizes(), dims), correction_of(args));
  if (takes_root) spread = sqrt(spread, here);
  Values results = {spread.to(self.dtype(), here)};
  if (gives_mean) results.push_back(with_dims_dropped(found.mean, dims, keepdim_of(args), here).to(self.dtype(), here));
  return results;
}

template <bool takes_root>
constexpr OpDef variance(std::string_view signature) {
  return decomposed(signature, run_variance<takes_root, false>, variance_meta);
}
template <bool takes_root>
constexpr OpDef variance_and_mean(std::string_view signature) {
  return decomposed(signature, run_variance<takes_root, true>, variance_and_mean_meta);
}

}  // namespace

namespace op_defs {

#define SINTER_UNBIASED "(Tensor self, bool unbiased=True) -> "
#define SINTER_UNBIASED_DIM "(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> "
#define SINTER_CORRECTION "(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> "

constinit const OpDef var_default = variance<false>("aten::var" SINTER_UNBIASED "Tensor");
constinit const OpDef var_dim = variance<false>("aten::var.dim" SINTER_UNBIASED_DIM "Tensor");
constinit const OpDef var_correction = variance<false>("aten::var.correction" SINTER_CORRECTION "Tensor");
constinit const OpDef std_default = variance<true>("aten::std" SINTER_UNBIASED "Tensor");
constinit const OpDef std_dim = variance<true>("aten::std.dim" SINTER_UNBIASED_DIM "Tensor");
constinit const OpDef std_correction = variance<true>("aten::std.correction" SINTER_CORRECTION "Tensor");

constinit const OpDef var_mean_default = variance_and_mean<false>("aten::var_mean" SINTER_UNBIASED "(Tensor, Tensor)");
constinit const OpDef var_mean_dim =
    variance_and_mean<false>("aten::var_mean.dim" SINTER_UNBIASED_DIM "(Tensor, Tensor)");
constinit const OpDef var_mean_correction =
    variance_and_mean<false>("aten::var_mean.correction" SINTER_CORRECTION "(Tensor, Tensor)");
constinit const OpDef std_mean_default = variance_and_mean<true>("aten::std_mean" SINTER_UNBIASED "(Tensor, Tensor)");
constinit const OpDef std_mean_dim =
    variance_and_mean<true>("aten::std_mean.dim" SINTER_UNBIASED_DIM "(Tensor, Tensor)");
constinit const OpDef std_mean_correction =
    variance_and_mean<true>("aten::std_mean.correction" SINTER_CORRECTION "(Tensor, Tensor)");

}  // namespace op_defs

Tensor var(const Tensor& x, bool unbiased, Here here) { return apply_one(op_defs::var_default, {x, unbiased}, here); }
Tensor var(const Tensor& x, Dims dims, bool unbiased, bool keepdim, Here here) {
  return apply_one(op_defs::var_dim, {x, dims, unbiased, keepdim}, here);
}
Tensor std(const Tensor& x, bool unbiased, Here here) { return apply_one(op_defs::std_default, {x, unbiased}, here); }
Tensor std(const Tensor& x, Dims dims, bool unbiased, bool keepdim, Here here) {
  return apply_one(op_defs::std_dim, {x, dims, unbiased, keepdim}, here);
}
TensorPair var_mean(const Tensor& x, bool unbiased, Here here) {
  return apply_two(op_defs::var_mean_default, {x, unbiased}, here);
}
TensorPair var_mean(const Tensor& x, Dims dims, bool unbiased, bool keepdim, Here here) {
  return apply_two(op_defs::var_mean_dim, {x, dims, unbiased, keepdim}, here);
}
TensorPair std_mean(const Tensor& x, bool unbiased, Here here) {
  return apply_two(op_defs::std_mean_default, {x, unbiased}, here);
}
TensorPair std_mean(const Tensor& x, Dims dims, bool unbiased, bool keepdim, Here here) {
  return apply_two(op_defs::std_mean_dim, {x, dims, unbiased, keepdim}, here);
}

}  // namespace sinter
