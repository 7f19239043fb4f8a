// The error function's relatives and the normal distribution, sinc, entropy.
//
// The coefficients are Chebyshev interpolations of the functions (made with mpmath at 50 digits), written in powers.

#include <sinter/graph/ops/functions/special.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/series.h>
#include <sinter/graph/ops/special.h>

#include <limits>
#include <numbers>

namespace sinter {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// (1 + 2x) erfcx x in (x - 3.75) / (x + 3.75) (polynomial)
constexpr double erfcx_fit[] = {
    1.2375126308378275,     -0.14024059858554697,    0.0035854154854644293,   0.082276738490145204,
    -0.10880393014174886,   0.092304321160377484,    -0.058693398589636771,   0.028362277418956406,
    -0.0097465795580292756, 0.0017556258528952954,   0.00029371366559134481,  -0.00029015408054084172,
    5.1649098892682407e-05, 2.2384239155082231e-05,  -1.1444146237700524e-05, -9.7355989673677497e-07,
    1.7516376488490621e-06, -5.7218230603224086e-08, -2.5866850716155884e-07, 2.3263508708859124e-08,
    3.8675334242222354e-08, -3.7442100809620183e-09, -5.1739902140113095e-09, 3.1114333809799254e-10,
    4.2514714447963895e-10};
// erfinv(x) / x in w / 3.125 - 1, w = -log(1 - x^2) up to 6.25 (polynomial)
constexpr double erfinv_near[] = {
    1.6536545626831027,      0.75049432007996353,     -0.058922567103778391,   -0.022604447453450232,
    0.017808361818321756,    -0.0041373143774033911,  -0.001271692268923054,   0.001232485568550093,
    -0.00026439366376450275, -0.00011688883906368398, 9.3367365258555527e-05,  -1.5027713926607673e-05,
    -1.1257223742289599e-05, 7.1300663740767115e-06,  -6.839448584111029e-07,  -1.0593369313279481e-06,
    5.3978954171739569e-07,  -1.0167881522843899e-08, -9.9050423078553163e-08, 3.9142671001331085e-08,
    5.0395964779580632e-09,  -8.5579840744792012e-09, 1.4461050507676023e-09,  7.6809904755765254e-10,
    -2.5466157998892667e-10};
// the same in (sqrt w - 4.5) / 2, sqrt w in [2.5, 6.5] (polynomial)
constexpr double erfinv_middle[] = {
    4.3447538122144218,      2.0204655773444866,      0.0013097698542531692,   -0.0034419491880184894,
    0.0023670579962550456,   -0.001312630026518518,   0.00071007013203533702,  -0.00046086869515494421,
    0.00041986346549547829,  -0.00046557747685026696, 0.00049977412007677321,  -0.00045724233317722963,
    0.00032467004009955307,  -0.00014346928657762257, -1.7054078668627764e-05, 0.0001031546993266985,
    -0.00010730331765804468, 6.3035584343491138e-05,  -1.2172113207356192e-05, -1.9243377654984239e-05,
    2.3089036916683447e-05,  -9.3700396347972686e-06, -1.2507476600434848e-06, 1.4441805984335667e-06,
    -3.3605834326034635e-07, 1.5006913589913408e-06,  -1.0170420262997147e-06, -3.8650834840069892e-07,
    4.135430200795836e-07,   5.7437607007583673e-09,  -4.1922278338762932e-08};
// the same in (sqrt w - 17) / 10.5, sqrt w in [6.5, 27.5] (polynomial)
constexpr double erfinv_far[] = {
    16.920122332195668,      10.531240232253177,      -0.013726746290582011,  0.0061917715594760189,
    -0.0027676862813892098,  0.0011886439014858463,   -0.0004669319012388686, 0.00014753065058261319,
    -1.5450113386563386e-05, -3.1659316689157804e-05, 4.2227790708799591e-05, -3.8632863923936349e-05,
    3.0685294247267606e-05,  -2.2769957532633799e-05, 1.6944717544830657e-05, -1.1931359477727562e-05,
    5.5810489916169796e-06,  -3.1361832144623229e-06, 8.3301191517108383e-06, -6.5827837260496433e-06,
    -7.2888226520882778e-06, 6.3264135443284922e-06,  1.1560624598691201e-05, -9.0148331524094714e-06,
    -9.5796171353071711e-06, 7.2181360553993832e-06,  6.0186218010648811e-06, -4.3170356104666175e-06,
    -2.175218934433532e-06,  1.5049524037845245e-06,  4.1355083338795967e-07, -2.742498427206844e-07};

// --- erfc -------------------------------------------------------------------------------------------------------

// exp(x^2) erfc(x) for x >= 0.
ScalarExpr scaled_tail(ScalarExpr x) {
  ScalarExpr finite = minimum(x, Scalar(1e300));
  ScalarExpr t = (finite - Scalar(3.75)) / (finite + Scalar(3.75));
  return polynomial(t, erfcx_fit) / (x * Scalar(2.0) + Scalar(1.0));
}

// exp(-x^2): the rounding of x^2 is made good.
ScalarExpr exp_of_minus_square(ScalarExpr x) {
  ScalarExpr square = x * x;
  ScalarExpr rest = fma(x, x, -square);
  ScalarExpr e = exp(-square);
  return select(e > Scalar(0.0), e - e * rest, e);
}

ScalarExpr erfc_of(ScalarExpr x) {
  ScalarExpr size = abs(x);
  ScalarExpr tail = exp_of_minus_square(size) * scaled_tail(size);
  ScalarExpr far = select(x < Scalar(0.0), number_beside(x, 2) - tail, tail);
  return select(size < Scalar(0.5), number_beside(x, 1) - erf(x), far);
}

ScalarExpr erfcx_of(ScalarExpr x) {
  ScalarExpr size = abs(x), tail = scaled_tail(size);
  ScalarExpr square = x * x;
  ScalarExpr e = exp(square);
  ScalarExpr grown = select(e < Scalar(infinity), e + e * fma(x, x, -square), e);
  return select(x < Scalar(0.0), grown * Scalar(2.0) - tail, tail);
}

ScalarExpr ndtr_of(ScalarExpr x) { return erfc_of(-x * Scalar(std::numbers::sqrt2 / 2)) * Scalar(0.5); }

ScalarExpr log_ndtr_of(ScalarExpr x) {
  ScalarExpr t = x * Scalar(std::numbers::sqrt2 / 2);
  ScalarExpr low = log(scaled_tail(abs(t)) * Scalar(0.5)) - t * t;
  return select(x < Scalar(-1.0), low, log1p(erfc_of(t) * Scalar(-0.5)));
}

// --- erfinv -----------------------------------------------------------------------------------------------------

// erfinv(x) / x from w = -log(1 - x^2), w <= 42.
ScalarExpr erfinv_ratio(ScalarExpr w) {
  ScalarExpr near = polynomial(w * Scalar(1 / 3.125) - Scalar(1.0), erfinv_near);
  ScalarExpr middle = polynomial((sqrt(w) - Scalar(4.5)) * Scalar(0.5), erfinv_middle);
  return select(w < Scalar(6.25), near, middle);
}

ScalarExpr erfinv_of(ScalarExpr x) {
  ScalarExpr one = number_beside(x, 1);
  ScalarExpr inside = x * erfinv_ratio(-log((one - x) * (one + x)));
  ScalarExpr limit = copysign(number_beside(x, infinity), x);
  ScalarExpr outside = select(abs(x) == one, limit, number_beside(x, not_a_number));
  return select(abs(x) < one, inside, outside);
}

// sqrt(2) erfinv(2p - 1), where 1 - x^2 = 4 p (1 - p) is exact enough for the smallest p.
ScalarExpr ndtri_of(ScalarExpr p) {
  ScalarExpr zero = number_beside(p, 0), one = number_beside(p, 1);
  ScalarExpr w = -log(p * (one - p) * Scalar(4.0));
  ScalarExpr far = polynomial((sqrt(w) - Scalar(17.0)) * Scalar(1 / 10.5), erfinv_far);
  ScalarExpr ratio = select(w < Scalar(42.25), erfinv_ratio(w), far);
  ScalarExpr inside = (p * Scalar(2.0) - one) * ratio * Scalar(std::numbers::sqrt2);
  ScalarExpr limit = select(p == one, number_beside(p, infinity), number_beside(p, not_a_number));
  ScalarExpr outside = select(p == zero, number_beside(p, -infinity), limit);
  return select((p > zero) & (p < one), inside, outside);
}

// --- sinc, entropies --------------------------------------------------------------------------------------------

ScalarExpr sinc_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  ScalarExpr angle = x[0] * Scalar(std::numbers::pi);
  return select(x[0] == Scalar(0.0), number_beside(x[0], 1), sin(angle) / angle);
}

ScalarExpr entr_formula(ScalarBuilder&, const OpArgs&, Inputs inputs) {
  ScalarExpr x = inputs[0], zero = number_beside(x, 0);
  ScalarExpr rest = select(x == zero, zero, number_beside(x, -infinity));
  return select(is_nan(x), x, select(x > zero, -x * log(x), rest));
}

// x log(1 + y), and 0 where x is 0, but for y = NaN.
ScalarExpr xlog1py(ScalarExpr x, ScalarExpr y) {
  ScalarExpr zero = number_beside(x, 0);
  return select(is_nan(y), y, select(x == zero, zero, x * log1p(y)));
}
ScalarExpr xlog1py_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return xlog1py(x[0], x.size() > 1 ? x[1] : number_in(s, args.scalar("other"), types_float(args).result));
}
ScalarExpr xlog1py_of_number_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return xlog1py(number_in(s, args.scalar("self"), types_float(args).result), x[0]);
}

}  // namespace

namespace op_defs {

constinit const OpDef erfc_default = pointwise("aten::erfc(Tensor self) -> Tensor", types_float, through_f64<erfc_of>);
constinit const OpDef erfc_inplace_default = inplace("aten::erfc_(Tensor(a!) self) -> Tensor(a!)", erfc_default);
constinit const OpDef special_erfc_default = alias<erfc_default>("aten::special_erfc(Tensor self) -> Tensor");
constinit const OpDef special_erfcx_default =
    pointwise("aten::special_erfcx(Tensor self) -> Tensor", types_float, through_f64<erfcx_of>);
constinit const OpDef erfinv_default =
    pointwise("aten::erfinv(Tensor self) -> Tensor", types_float, through_f64<erfinv_of>);
constinit const OpDef erfinv_inplace_default = inplace("aten::erfinv_(Tensor(a!) self) -> Tensor(a!)", erfinv_default);
constinit const OpDef special_erfinv_default = alias<erfinv_default>("aten::special_erfinv(Tensor self) -> Tensor");
constinit const OpDef special_ndtr_default =
    pointwise("aten::special_ndtr(Tensor self) -> Tensor", types_float, through_f64<ndtr_of>);
constinit const OpDef special_log_ndtr_default =
    pointwise("aten::special_log_ndtr(Tensor self) -> Tensor", types_float, through_f64<log_ndtr_of>);
constinit const OpDef special_ndtri_default =
    pointwise("aten::special_ndtri(Tensor self) -> Tensor", types_float, through_f64<ndtri_of>);

constinit const OpDef sinc_default = pointwise("aten::sinc(Tensor self) -> Tensor", types_float, sinc_formula);
constinit const OpDef sinc_inplace_default = inplace("aten::sinc_(Tensor(a!) self) -> Tensor(a!)", sinc_default);
constinit const OpDef special_sinc_default = alias<sinc_default>("aten::special_sinc(Tensor self) -> Tensor");
constinit const OpDef special_entr_default =
    pointwise("aten::special_entr(Tensor self) -> Tensor", types_float, entr_formula);
constinit const OpDef special_xlog1py_default =
    pointwise("aten::special_xlog1py(Tensor self, Tensor other) -> Tensor", types_float, xlog1py_formula);
constinit const OpDef special_xlog1py_other_scalar =
    pointwise("aten::special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor", types_float, xlog1py_formula);
constinit const OpDef special_xlog1py_self_scalar = pointwise(
    "aten::special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor", types_float, xlog1py_of_number_formula);

}  // namespace op_defs

Tensor erfc(const Tensor& x, Here here) { return apply_one(op_defs::erfc_default, {x}, here); }
Tensor erfinv(const Tensor& x, Here here) { return apply_one(op_defs::erfinv_default, {x}, here); }
Tensor sinc(const Tensor& x, Here here) { return apply_one(op_defs::sinc_default, {x}, here); }
Tensor ndtr(const Tensor& x, Here here) { return apply_one(op_defs::special_ndtr_default, {x}, here); }
Tensor log_ndtr(const Tensor& x, Here here) { return apply_one(op_defs::special_log_ndtr_default, {x}, here); }
Tensor ndtri(const Tensor& p, Here here) { return apply_one(op_defs::special_ndtri_default, {p}, here); }

}  // namespace sinter
