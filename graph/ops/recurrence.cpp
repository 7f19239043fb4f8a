// Functions of two tensors whose elements take as many steps as the data say: incomplete gamma functions, Hurwitz's
// zeta, orthogonal polynomials whose degrees are a tensor.

#include <sinter/graph/ops/recurrence.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/special.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

Metas incomplete_gamma_meta(const OpArgs& args) {
  DType dtype = common_type(args);
  if (!is_floating(dtype)) fail_for_type(args, dtype);
  return {pointwise_meta(args, dtype)};
}

Metas f32_or_f64_meta(const OpArgs& args) {
  DType dtype = types_float(args).result;
  if (dtype != f32 && dtype != f64) fail_for_type(args, dtype);
  return {pointwise_meta(args, dtype)};
}

}  // namespace

namespace op_defs {

constinit const OpDef igamma_default =
    routine("aten::igamma(Tensor self, Tensor other) -> Tensor", incomplete_gamma_meta);
constinit const OpDef igamma_inplace_default =
    inplace("aten::igamma_(Tensor(a!) self, Tensor other) -> Tensor(a!)", igamma_default);
constinit const OpDef igammac_default =
    routine("aten::igammac(Tensor self, Tensor other) -> Tensor", incomplete_gamma_meta);
constinit const OpDef igammac_inplace_default =
    inplace("aten::igammac_(Tensor(a!) self, Tensor other) -> Tensor(a!)", igammac_default);
constinit const OpDef special_gammainc_default =
    alias<igamma_default>("aten::special_gammainc(Tensor self, Tensor other) -> Tensor");
constinit const OpDef special_gammaincc_default =
    alias<igammac_default>("aten::special_gammaincc(Tensor self, Tensor other) -> Tensor");
constinit const OpDef special_zeta_default =
    routine("aten::special_zeta(Tensor self, Tensor other) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_chebyshev_polynomial_t_default =
    routine("aten::special_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_chebyshev_polynomial_u_default =
    routine("aten::special_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_chebyshev_polynomial_v_default =
    routine("aten::special_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_chebyshev_polynomial_w_default =
    routine("aten::special_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_shifted_chebyshev_polynomial_t_default =
    routine("aten::special_shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_shifted_chebyshev_polynomial_u_default =
    routine("aten::special_shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_shifted_chebyshev_polynomial_v_default =
    routine("aten::special_shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_shifted_chebyshev_polynomial_w_default =
    routine("aten::special_shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_hermite_polynomial_h_default =
    routine("aten::special_hermite_polynomial_h(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_hermite_polynomial_he_default =
    routine("aten::special_hermite_polynomial_he(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_laguerre_polynomial_l_default =
    routine("aten::special_laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);
constinit const OpDef special_legendre_polynomial_p_default =
    routine("aten::special_legendre_polynomial_p(Tensor x, Tensor n) -> Tensor", f32_or_f64_meta);

}  // namespace op_defs

Tensor igamma(const Tensor& a, const Tensor& x, Here here) { return apply_one(op_defs::igamma_default, {a, x}, here); }
Tensor igammac(const Tensor& a, const Tensor& x, Here here) {
  return apply_one(op_defs::igammac_default, {a, x}, here);
}
Tensor zeta(const Tensor& x, const Tensor& q, Here here) {
  return apply_one(op_defs::special_zeta_default, {x, q}, here);
}

}  // namespace sinter
