// Images in another size: by the nearest element, or by weighted neighbours.

#include <sinter/graph/ops/upsample.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/upsample.h>
#include <sinter/graph/ops/memory_format.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/spatial.h>

namespace sinter {

namespace {

// "upsample_bilinear2d..." has rank 2.
int64_t rank_in_name(const OpArgs& args) {
  const std::string& name = args.op().schema().name;
  return name[name.find_first_of("123")] - '0';
}

bool takes_bytes(const OpArgs& args) {
  const std::string& name = args.op().schema().name;
  return name.find("nearest") != std::string::npos || rank_in_name(args) == 2;
}

Dims checked_output(const OpArgs& args, int64_t rank) {
  Dims output = spatial_numbers(args, "output_size", rank);
  for (int64_t size : output)
    if (size < 1) args.fail(ErrorKind::shape, fmt::format("output_size has {}", size), "need sizes of at least 1");
  return output;
}

void check_images(const OpArgs& args, int64_t rank) {
  if (args.meta(0).layout.rank() != rank + 2)
    args.fail(ErrorKind::shape, fmt::format("an input of {} dims", args.meta(0).layout.rank()),
              fmt::format("need a batch, channels and {} spatial dims", rank));
  check_planes(args, 0, rank);
}

TensorMeta resized(const OpArgs& args, int64_t rank) {
  TensorMeta self = args.meta(0);
  check_images(args, rank);
  self.layout = layout_beside(self.layout, with_spatial(self.layout.sizes, checked_output(args, rank)));
  return self;
}

Metas forward_meta(const OpArgs& args) {
  TensorMeta result = resized(args, rank_in_name(args));
  if (!is_floating(result.dtype) && !(result.dtype == DType::u8 && takes_bytes(args)))
    fail_for_type(args, result.dtype);
  return {result};
}
Metas resample_meta(const OpArgs& args) {
  return {resized(args, static_cast<int64_t>(args.dims("output_size").size()))};
}

Metas backward_meta(const OpArgs& args) {
  int64_t rank = rank_in_name(args);
  TensorMeta gradient = args.meta(0);
  Dims input = spatial_numbers(args, "input_size", rank + 2), output = checked_output(args, rank);
  SymDims sizes(input.begin(), input.end());
  check_images(args, rank);
  if (!(gradient.layout.sizes == with_spatial(sizes, output)))
    args.fail(ErrorKind::shape, fmt::format("a gradient of sizes {} for a result of {}",
                                            to_string(gradient.layout.sizes), to_string(with_spatial(sizes, output))));
  for (int64_t i = 1; i < rank + 2; ++i)
    if (input[i] < 1) args.fail(ErrorKind::shape, fmt::format("input_size has {}", input[i]));
  if (!is_floating(gradient.dtype)) fail_for_type(args, gradient.dtype);
  gradient.layout = layout_beside(gradient.layout, sizes);
  return {gradient};
}

// --- Nearest ----------------------------------------------------------------------------------------------------

// How often each element comes along each dim, if that is the same for all of them.
std::optional<Dims> whole_factors(const Tensor& self, const Dims& output, const Values& scales) {
  Dims factors;
  for (size_t i = 0; i < output.size(); ++i) {
    int64_t size = self.sizes()[i + 2].constant(), factor = output[i] / size;
    if (output[i] % size != 0) return std::nullopt;
    if (!scales[i].is_none() && scales[i].scalar().to_double() != static_cast<double>(factor)) return std::nullopt;
    factors.push_back(factor);
  }
  return factors;
}

// [.., h, w] seen as [.., h, factor, w, factor].
Tensor repeated(const Tensor& self, const Dims& factors, Here here) {
  Tensor spread = self;
  SymDims sizes(self.sizes().begin(), self.sizes().begin() + 2);
  for (size_t i = 0; i < factors.size(); ++i) {
    spread = spread.unsqueeze(static_cast<int64_t>(3 + 2 * i), here);
    sizes.push_back(self.sizes()[i + 2]);
    sizes.push_back(factors[i]);
  }
  return spread.expand(sizes, here);
}

Values run_nearest(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Dims output = checked_output(args, rank_in_name(args));
  Values scales(args.values().begin() + 2, args.values().end());
  std::optional<Dims> factors = whole_factors(self, output, scales);
  if (!factors || is_channels_last(self.layout())) {
    bool exact = args.op().schema().name.find("exact") != std::string::npos;
    return {apply_one(op_defs::resample_nearest_default, {self, output, scales, exact}, args.here())};
  }
  SymDims sizes = with_spatial(self.sizes(), output);
  return {clone_contiguous(repeated(self, *factors, args.here()), args.here()).view(sizes, args.here())};
}

// --- Sizes by factors -------------------------------------------------------------------------------------------

// (input, output_size or scale_factors): what the op without a list of factors takes.
template <const OpDef& plain>
Values run_vec(const OpArgs& args) {
  int64_t rank = rank_in_name(args);
  check_images(args, rank);
  const Value &sizes = args["output_size"], &factors = args["scale_factors"];
  if (sizes.is_none() == factors.is_none())
    args.fail(ErrorKind::argument, "output_size and scale_factors", "need exactly one of them");
  const Value::List& given = sizes.is_none() ? factors.list() : sizes.list();
  if (static_cast<int64_t>(given.size()) != rank)
    args.fail(ErrorKind::argument, fmt::format("{} numbers for {} spatial dims", given.size(), rank));
  Values call = {args[0], Value()};
  if (args.op().schema().find("align_corners") >= 0) call.push_back(args["align_corners"]);
  Value::List output;
  for (int64_t i = 0; i < rank; ++i) {
    call.push_back(sizes.is_none() ? given[i] : Value());
    double size = static_cast<double>(args.meta(0).layout.sizes[i + 2].constant());
    output.push_back(sizes.is_none() ? Value(static_cast<int64_t>(size * given[i].scalar().to_double())) : given[i]);
  }
  call[1] = output;
  return apply(plain, call, {}, args.here());
}

}  // namespace

namespace op_defs {

constinit const OpDef upsample_nearest1d_default =
    decomposed("aten::upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor",
               run_nearest, forward_meta);
constinit const OpDef upsample_nearest1d_vec =
    decomposed("aten::upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
               run_vec<upsample_nearest1d_default>);
constinit const OpDef upsample_nearest1d_backward_default = total_routine(
    "aten::upsample_nearest1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? "
    "scales=None) -> Tensor",
    backward_meta);
constinit const OpDef upsample_nearest2d_default = decomposed(
    "aten::upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> "
    "Tensor",
    run_nearest, forward_meta);
constinit const OpDef upsample_nearest2d_vec =
    decomposed("aten::upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
               run_vec<upsample_nearest2d_default>);
constinit const OpDef upsample_nearest2d_backward_default = total_routine(
    "aten::upsample_nearest2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? "
    "scales_h=None, float? scales_w=None) -> Tensor",
    backward_meta);
constinit const OpDef upsample_nearest3d_default = decomposed(
    "aten::upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? "
    "scales_w=None) -> Tensor",
    run_nearest, forward_meta);
constinit const OpDef upsample_nearest3d_vec =
    decomposed("aten::upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
               run_vec<upsample_nearest3d_default>);
constinit const OpDef upsample_nearest3d_backward_default = total_routine(
    "aten::upsample_nearest3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? "
    "scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
    backward_meta);
constinit const OpDef inner_upsample_nearest_exact1d_default =
    decomposed("aten::_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor",
               run_nearest, forward_meta);
constinit const OpDef inner_upsample_nearest_exact1d_vec = decomposed(
    "aten::_upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
    run_vec<inner_upsample_nearest_exact1d_default>);
constinit const OpDef inner_upsample_nearest_exact1d_backward_default = total_routine(
    "aten::_upsample_nearest_exact1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? "
    "scales=None) -> Tensor",
    backward_meta);
constinit const OpDef inner_upsample_nearest_exact2d_default = decomposed(
    "aten::_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) "
    "-> Tensor",
    run_nearest, forward_meta);
constinit const OpDef inner_upsample_nearest_exact2d_vec = decomposed(
    "aten::_upsample_nearest_exact2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
    run_vec<inner_upsample_nearest_exact2d_default>);
constinit const OpDef inner_upsample_nearest_exact2d_backward_default = total_routine(
    "aten::_upsample_nearest_exact2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? "
    "scales_h=None, float? scales_w=None) -> Tensor",
    backward_meta);
constinit const OpDef inner_upsample_nearest_exact3d_default = decomposed(
    "aten::_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, "
    "float? scales_w=None) -> Tensor",
    run_nearest, forward_meta);
constinit const OpDef inner_upsample_nearest_exact3d_vec = decomposed(
    "aten::_upsample_nearest_exact3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
    run_vec<inner_upsample_nearest_exact3d_default>);
constinit const OpDef inner_upsample_nearest_exact3d_backward_default = total_routine(
    "aten::_upsample_nearest_exact3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? "
    "scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
    backward_meta);
constinit const OpDef resample_nearest_default =
    total_routine("sinter::resample_nearest(Tensor self, SymInt[] output_size, float?[] scales, bool exact) -> Tensor",
                  resample_meta);

constinit const OpDef upsample_linear1d_default = total_routine(
    "aten::upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None) -> Tensor",
    forward_meta);
constinit const OpDef upsample_linear1d_vec = decomposed(
    "aten::upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> "
    "Tensor",
    run_vec<upsample_linear1d_default>);
constinit const OpDef upsample_linear1d_backward_default = total_routine(
    "aten::upsample_linear1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, bool "
    "align_corners, float? scales=None) -> Tensor",
    backward_meta);
constinit const OpDef upsample_bilinear2d_default = total_routine(
    "aten::upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? "
    "scales_w=None) -> Tensor",
    forward_meta);
constinit const OpDef upsample_bilinear2d_vec = decomposed(
    "aten::upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> "
    "Tensor",
    run_vec<upsample_bilinear2d_default>);
constinit const OpDef upsample_bilinear2d_backward_default = total_routine(
    "aten::upsample_bilinear2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool "
    "align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
    backward_meta);
constinit const OpDef upsample_trilinear3d_default = total_routine(
    "aten::upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float? "
    "scales_h=None, float? scales_w=None) -> Tensor",
    forward_meta);
constinit const OpDef upsample_trilinear3d_vec = decomposed(
    "aten::upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) "
    "-> Tensor",
    run_vec<upsample_trilinear3d_default>);
constinit const OpDef upsample_trilinear3d_backward_default = total_routine(
    "aten::upsample_trilinear3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, bool "
    "align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
    backward_meta);
constinit const OpDef upsample_bicubic2d_default = total_routine(
    "aten::upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? "
    "scales_w=None) -> Tensor",
    forward_meta);
constinit const OpDef upsample_bicubic2d_vec = decomposed(
    "aten::upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> "
    "Tensor",
    run_vec<upsample_bicubic2d_default>);
constinit const OpDef upsample_bicubic2d_backward_default = total_routine(
    "aten::upsample_bicubic2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool "
    "align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
    backward_meta);
constinit const OpDef inner_upsample_bilinear2d_aa_default = total_routine(
    "aten::_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, "
    "float? scales_w=None) -> Tensor",
    forward_meta);
constinit const OpDef inner_upsample_bilinear2d_aa_vec = decomposed(
    "aten::_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? "
    "scale_factors) -> Tensor",
    run_vec<inner_upsample_bilinear2d_aa_default>);
constinit const OpDef inner_upsample_bilinear2d_aa_backward_default = total_routine(
    "aten::_upsample_bilinear2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool "
    "align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
    backward_meta);
constinit const OpDef inner_upsample_bicubic2d_aa_default = total_routine(
    "aten::_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? "
    "scales_w=None) -> Tensor",
    forward_meta);
constinit const OpDef inner_upsample_bicubic2d_aa_vec = decomposed(
    "aten::_upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) "
    "-> Tensor",
    run_vec<inner_upsample_bicubic2d_aa_default>);
constinit const OpDef inner_upsample_bicubic2d_aa_backward_default = total_routine(
    "aten::_upsample_bicubic2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool "
    "align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
    backward_meta);

}  // namespace op_defs

#define SINTER_NEAREST_FUNCTION(n)                                                     \
  Tensor upsample_nearest##n##d(const Tensor& x, Dims output_size, Here here) {        \
    return apply_one(op_defs::upsample_nearest##n##d_default, {x, output_size}, here); \
  }
SINTER_NEAREST_FUNCTION(1)
SINTER_NEAREST_FUNCTION(2)
SINTER_NEAREST_FUNCTION(3)
#undef SINTER_NEAREST_FUNCTION

#define SINTER_SMOOTH_FUNCTION(name)                                                  \
  Tensor name(const Tensor& x, Dims output_size, bool align_corners, Here here) {     \
    return apply_one(op_defs::name##_default, {x, output_size, align_corners}, here); \
  }
SINTER_SMOOTH_FUNCTION(upsample_linear1d)
SINTER_SMOOTH_FUNCTION(upsample_bilinear2d)
SINTER_SMOOTH_FUNCTION(upsample_trilinear3d)
SINTER_SMOOTH_FUNCTION(upsample_bicubic2d)
#undef SINTER_SMOOTH_FUNCTION

}  // namespace sinter
