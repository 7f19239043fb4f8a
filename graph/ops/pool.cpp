// Maximum and average over sliding windows, made of ops that fuse with what stands around them; with indices, a
// routine.

#include <sinter/graph/ops/pool.h>

#include <sinter/graph/ops/arithmetic.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/pool.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/windows.h>

#include <limits>

namespace sinter {

namespace {

// "max_pool2d..." has rank 2.
int64_t rank_in_name(const OpArgs& args) {
  const std::string& name = args.op().schema().name;
  return name[name.find_first_of("123")] - '0';
}

int64_t product(const Dims& numbers) {
  int64_t result = 1;
  for (int64_t number : numbers) result *= number;
  return result;
}

// --- Maximum ----------------------------------------------------------------------------------------------------

Scalar least_value(DType dtype) {
  if (is_floating(dtype)) return -std::numeric_limits<double>::infinity();
  return visit(dtype, [](auto zero) -> Scalar {
    if constexpr (std::is_integral_v<decltype(zero)>)
      return static_cast<int64_t>(std::numeric_limits<decltype(zero)>::min());
    else
      return 0;
  });
}

void check_has_order(const OpArgs& args) {
  if (args.meta(0).dtype == DType::boolean) fail_for_type(args, args.meta(0).dtype);
}

Metas max_pool_meta(const OpArgs& args) {
  TensorMeta values = args.meta(0);
  Windows windows = pool_windows(args, rank_in_name(args), 0);
  check_has_order(args);
  SymDims sizes = with_spatial(values.layout.sizes, windows.output);
  bool is_row = &args.op() == &op_defs::max_pool1d_with_indices_default;
  values.layout = is_row ? layout_beside_row(values.layout, sizes) : layout_beside(values.layout, sizes);
  return {values};
}
Metas max_pool_with_indices_meta(const OpArgs& args) {
  TensorMeta values = max_pool_meta(args)[0], indices = values;
  indices.dtype = i64;
  return {values, indices};
}

Values run_max_pool(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Windows windows = pool_windows(args, rank_in_name(args), 0);
  Tensor result = reduced_windows(self, windows, WindowReduction::maximum, least_value(self.dtype()), args.here());
  if (product(windows.kernel) == 1) result = clone(result, args.here());  // else it could be the argument itself
  return {laid_out(result, max_pool_meta(args)[0].layout, args.here())};
}

// --- Average ----------------------------------------------------------------------------------------------------

bool has_override(const OpArgs& args) {
  return args.op().schema().find("divisor_override") >= 0 && !args["divisor_override"].is_none();
}

void check_divisor(const OpArgs& args) {
  if (has_override(args) && args.integer("divisor_override") == 0)
    args.fail(ErrorKind::argument, "divisor_override is 0");
}

Metas avg_pool_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  Windows windows = pool_windows(args, rank_in_name(args), 0);
  check_divisor(args);
  if (!is_floating(self.dtype) && self.dtype != DType::i64) fail_for_type(args, self.dtype);
  SymDims sizes = with_spatial(self.layout.sizes, windows.output);
  self.layout = rank_in_name(args) == 1 ? layout_beside_row(self.layout, sizes) : layout_beside(self.layout, sizes);
  return {self};
}

// How many elements of a dim each window counts, as a tensor; with the padding or without.
Tensor counted(const Windows& w, size_t dim, bool with_padding, Here here) {
  Tensor start = arange(Scalar(w.output[dim]), i64, here) * w.stride[dim] - w.padding[dim];
  SymInt last = with_padding ? w.size[dim] + w.padding[dim] : w.size[dim];
  Tensor end = clamp_max(start + w.kernel[dim], last, here);
  return with_padding ? end - start : end - clamp_min(start, 0, here);
}

bool counts_vary(const Windows& w, bool with_padding) {
  for (size_t dim = 0; dim < w.size.size(); ++dim) {
    SymInt end = (w.output[dim] - 1) * w.stride[dim] + (w.kernel[dim] - w.padding[dim]);
    if (end > w.size[dim] + (with_padding ? w.padding[dim] : 0)) return true;
    if (!with_padding && w.padding[dim] > 0) return true;
  }
  return false;
}

Tensor divided(const OpArgs& args, const Tensor& total, const Value& divisor) {
  if (is_floating(total.dtype())) return apply_one(op_defs::div_tensor, {total, divisor}, args.here());
  return ops("aten::div.Tensor_mode").call({total, divisor}, {{"rounding_mode", "trunc"}}, args.here())[0].tensor();
}

Tensor averaged(const OpArgs& args, const Tensor& total, const Windows& w) {
  Here here = args.here();
  if (has_override(args)) return divided(args, total, args["divisor_override"]);
  bool with_padding = args.flag("count_include_pad");
  if (!counts_vary(w, with_padding)) return divided(args, total, product(w.kernel));
  Tensor counts;
  for (size_t dim = 0; dim < w.size.size(); ++dim) {
    Tensor count = counted(w, dim, with_padding, here);
    for (size_t i = dim + 1; i < w.size.size(); ++i) count = count.unsqueeze(-1, here);
    counts = counts.defined() ? counts * count : count;
  }
  return divided(args, total, counts.to(total.dtype(), here));
}

Values run_avg_pool(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Windows windows = pool_windows(args, rank_in_name(args), 0);
  Tensor wide = self.to(compute_type(self.dtype()), args.here());
  Scalar nothing = is_floating(self.dtype()) ? Scalar(0.0) : Scalar(0);
  Tensor total = reduced_windows(wide, windows, WindowReduction::sum, nothing, args.here());
  Tensor result = averaged(args, total, windows).to(self.dtype(), args.here());
  return {laid_out(result, avg_pool_meta(args)[0].layout, args.here())};
}

}  // namespace

namespace op_defs {

constinit const OpDef max_pool1d_default = decomposed(
    "aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], "
    "bool ceil_mode=False) -> Tensor",
    run_max_pool, max_pool_meta);
constinit const OpDef max_pool1d_with_indices_default = total_routine(
    "aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] "
    "dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)",
    max_pool_with_indices_meta);
constinit const OpDef max_pool2d_default = decomposed(
    "aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, "
    "bool ceil_mode=False) -> Tensor",
    run_max_pool, max_pool_meta);
constinit const OpDef max_pool2d_with_indices_default = total_routine(
    "aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] "
    "dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
    max_pool_with_indices_meta);
constinit const OpDef max_pool3d_default = decomposed(
    "aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, "
    "bool ceil_mode=False) -> Tensor",
    run_max_pool, max_pool_meta);
constinit const OpDef max_pool3d_with_indices_default = total_routine(
    "aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] "
    "dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
    max_pool_with_indices_meta);
constinit const OpDef avg_pool1d_default = decomposed(
    "aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, "
    "bool count_include_pad=True) -> Tensor",
    run_avg_pool, avg_pool_meta);
constinit const OpDef avg_pool2d_default = decomposed(
    "aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, "
    "bool count_include_pad=True, int? divisor_override=None) -> Tensor",
    run_avg_pool, avg_pool_meta);
constinit const OpDef avg_pool3d_default = decomposed(
    "aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, "
    "bool count_include_pad=True, int? divisor_override=None) -> Tensor",
    run_avg_pool, avg_pool_meta);

}  // namespace op_defs

#define SINTER_POOL_FUNCTIONS(n)                                                                                       \
  Tensor max_pool##n##d(const Tensor& x, Dims kernel_size, Dims stride, Dims padding, Dims dilation, bool ceil_mode,   \
                        Here here) {                                                                                   \
    return apply_one(op_defs::max_pool##n##d_default, {x, kernel_size, stride, padding, dilation, ceil_mode}, here);   \
  }                                                                                                                    \
  Tensor avg_pool##n##d(const Tensor& x, Dims kernel_size, Dims stride, Dims padding, bool ceil_mode,                  \
                        bool count_include_pad, Here here) {                                                           \
    return apply_one(op_defs::avg_pool##n##d_default, {x, kernel_size, stride, padding, ceil_mode, count_include_pad}, \
                     here);                                                                                            \
  }
SINTER_POOL_FUNCTIONS(1)
SINTER_POOL_FUNCTIONS(2)
SINTER_POOL_FUNCTIONS(3)
#undef SINTER_POOL_FUNCTIONS

}  // namespace sinter
