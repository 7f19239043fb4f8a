// Bessel functions of orders 0 and 1.
//
// The coefficients are Chebyshev interpolations of the functions (made with mpmath at 50 digits), written in powers;
// power series are taken where all their terms have one sign.

#include <sinter/graph/ops/bessel.h>
#include <sinter/graph/ops/functions/special.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/series.h>

#include <limits>
#include <numbers>

namespace sinter {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;

// sqrt(x) exp(-x) I0(x) in 16 / x - 1, x >= 8 (polynomial)
constexpr double i0_far[] = {
    0.4021765094450081,      0.0033605519836678614,  0.00013621607438984735,  1.1143033790932038e-05,
    1.4838476651250266e-06,  2.9735985885673923e-07, 8.8720343833141438e-08,  3.9325843345529519e-08,
    2.1566251453104354e-08,  7.554691881248808e-09,  -6.8493381882867694e-09, -1.340891754008974e-08,
    -5.0381064879032845e-09, 7.5525830621233842e-09, 6.5601387469170574e-09,  -3.5059665308793316e-09,
    -4.5755534245349734e-09, 1.5200816953924227e-09, 2.1968921378829006e-09,  -5.7158438642027066e-10,
    -6.6332871125470836e-10, 1.5279202694981558e-10, 9.3650868928181903e-11,  -2.026060428741361e-11};
// sqrt(x) exp(-x) I1(x) in 16 / x - 1, x >= 8 (polynomial)
constexpr double i1_far[] = {
    0.38939845902587233,     -0.009749577193235737,   -0.0002192357638317243,  -1.5038547200567216e-05,
    -1.8349102358955385e-06, -3.4838557610442948e-07, -1.000109565963654e-07,  -4.312917729178349e-08,
    -2.3392503748018581e-08, -8.4277660937351848e-09, 6.8401389977069586e-09,  1.4034238782067183e-08,
    5.59337010179061e-09,    -7.6423941343635606e-09, -6.9838396248958659e-09, 3.4262341490077958e-09,
    4.8105974050899441e-09,  -1.4387250533041011e-09, -2.297004161885201e-09,  5.2956254411612592e-10,
    6.917089294193807e-10,   -1.4011625179770617e-10, -9.7523972041381941e-11, 1.851511882885294e-11};
// sqrt(x) exp(x) K0(x) in 4 / x - 1, x >= 2 (polynomial)
constexpr double k0_far[] = {
    1.2185953385133905,      -0.031071461824889898,   0.0030328918102753206,  -0.0004797690567328844,
    9.9560547420294196e-05,  -2.4735205428489719e-05, 7.0022456457556507e-06, -2.1911673837417864e-06,
    7.4278012321900959e-07,  -2.689759865539584e-07,  1.02954317593912e-07,   -4.1056738724915364e-08,
    1.7047535884249698e-08,  -8.0252056049044764e-09, 3.808399859919043e-09,  -6.6438786318432348e-10,
    4.7575447057763742e-11,  -1.2366923277096287e-09, 8.1339132054641143e-10, 4.3927260002107633e-10,
    -3.1199361296821048e-10, -1.7597528809195706e-10, 1.0926983537268735e-10};
// sqrt(x) exp(x) K1(x) in 4 / x - 1, x >= 2 (polynomial)
constexpr double k1_far[] = {
    1.363151890371342,       0.10334973775386565,    -0.0055667298800745882,  0.00073572415487183854,
    -0.00013959021956272223, 3.2843866502355955e-05, -8.9612073877500253e-06, 2.7300301043527215e-06,
    -9.0670876333713929e-07, 3.2305671988539342e-07, -1.2203186351938403e-07, 4.8154346790854777e-08,
    -1.9817577141591116e-08, 9.2138940202895327e-09, -4.331939985658629e-09,  7.9662427985040938e-10,
    -8.3362271959914559e-11, 1.3615859404460648e-09, -8.9085967109239058e-10, -4.7744112178509504e-10,
    3.3867804167808003e-10,  1.9273808087540517e-10, -1.1931668393112158e-10};
constexpr double j0_roots[] = {5.7831859629467841, 30.471262343662087};
constexpr double j1_roots[] = {14.681970642123893, 49.218456321694603};
// J0(x) over its two zeros, in x^2 / 12.5 - 1, |x| <= 5 (polynomial)
constexpr double j0_near[] = {0.0031873556303932387,   -0.0019210870437164043,  0.00048768271776558413,
                              -7.1217052405758531e-05, 6.8549548471993727e-06,  -4.7062916645706101e-07,
                              2.428622038025423e-08,   -9.7814389467263539e-10, 3.1637239891962719e-11,
                              -8.4041847193947777e-13, 1.8688672744978886e-14,  -3.5244911300872698e-16};
// J1(x) / x over its two zeros, in x^2 / 12.5 - 1, |x| <= 5 (polynomial)
constexpr double j1_near[] = {0.0004323698734106474,   -0.00020932672214860176, 4.42186880710148e-05,
                              -5.5154944596019688e-06, 4.6259792151649639e-07,  -2.8111472529722005e-08,
                              1.3002918729585578e-09,  -4.7428777957526431e-11, 1.4012939606655873e-12,
                              -3.425082917113122e-14,  7.050885612374614e-16,   -1.2377862900889621e-17};
// Y0(x) - 2/pi log(x) J0(x) in x^2 / 12.5 - 1, 0 < x <= 5 (polynomial)
constexpr double y0_near[] = {0.4837248578102995,      -0.43265582228551253,    -0.47057636552972876,
                              0.38851639956570944,     -0.11151682184328655,    0.017635345389338759,
                              -0.0018028096665503853,  0.0001299462909208217,   -6.9855043740770608e-06,
                              2.9142206889637085e-07,  -9.7209552080454006e-09, 2.6539975248625817e-10,
                              -6.0499369472396501e-12, 1.1666039530746889e-13};
// (Y1(x) - 2/pi (log(x) J1(x) - 1 / x)) / x in x^2 / 12.5 - 1, 0 < x <= 5 (polynomial)
constexpr double y1_near[] = {0.13974939033568806,     0.091086508384484427,    -0.16312020358118715,
                              0.066346953547791451,    -0.013433433740818165,   0.0016688031328605528,
                              -0.00014141835794484212, 8.7330983152761753e-06,  -4.1137780795312436e-07,
                              1.528888444673751e-08,   -4.6013010745475043e-10, 1.1462847037754036e-11,
                              -2.3977823416691829e-13};
// the cosine part of J0 beyond 5, in 50 / x^2 - 1 (polynomial)
constexpr double p0_far[] = {0.99863476590919908,     -0.0013274931272004003,  3.4917305810770849e-05,
                             -2.4599633214848912e-06, 2.9759010201737064e-07,  -5.0864323083839399e-08,
                             1.1058301818592053e-08,  -2.8705436149232575e-09, 8.562292591841693e-10,
                             -2.8517945797296937e-10, 9.7250551457764997e-11,  -3.5386629228967755e-11,
                             2.4823644443773404e-11,  -1.3637307914439561e-11, -3.7435929805120249e-12,
                             3.4153115425728729e-12,  3.6143863492486003e-12,  -2.2353911549120433e-12};
// x times the sine part of J0 beyond 5, in 50 / x^2 - 1 (polynomial)
constexpr double q0_far[] = {
    -0.12361496352611864,    0.0013142139729102479,  -6.3387154425092269e-05, 6.2391131696556898e-06,
    -9.4098753263037807e-07, 1.8870297801035574e-07, -4.6397802228300439e-08, 1.3296573119800336e-08,
    -4.2956720406288995e-09, 1.528284363116186e-09,  -5.80707654175904e-10,   2.3404733612833309e-10,
    -1.2217552880454778e-10, 6.5258767297420811e-11, 6.9845644407955272e-12,  -1.605647555777533e-11,
    -3.7236674347792358e-11, 2.9761039229427372e-11, 1.7652067282345716e-11,  -1.4357398193243695e-11,
    -6.0320287478644343e-12, 4.36543607577129e-12};
// the cosine part of J1 beyond 5, in 50 / x^2 - 1 (polynomial)
constexpr double p1_far[] = {1.0022906462560661,      0.0022414632139171912,   -4.5782806529390985e-05,
                             2.9786211051441743e-06,  -3.4667191513411589e-07, 5.7916678422140156e-08,
                             -1.2402701962004368e-08, 3.1849577586739448e-09,  -9.4221474949966725e-10,
                             3.1177370741059359e-10,  -1.0595089749231098e-10, 3.8451893184433871e-11,
                             -2.6622329676450115e-11, 1.4551592853265442e-11,  3.9193568327846732e-12,
                             -3.5906738400843476e-12, -3.8375164481595077e-12, 2.3685225281867662e-12};
// x times the sine part of J1 beyond 5, in 50 / x^2 - 1 (polynomial)
constexpr double q1_far[] = {0.37304743317408018,     -0.0018648496218412209,  7.8980941779432386e-05,
                             -7.369927954545263e-06,  1.0798853942089243e-06,  -2.1266726345215035e-07,
                             5.1641422798019427e-08,  -1.4665671158924864e-08, 4.7041418268704262e-09,
                             -1.6563207992528962e-09, 6.2967496543652663e-10,  -2.7862990677601007e-10,
                             1.3104614308463183e-10,  -1.6919085465643777e-11, -6.8920504736235587e-12,
                             -5.1615927430853972e-11, 3.9223397372594716e-11,  2.2920253872926438e-11,
                             -1.8540816446840347e-11, -9.0246497225441377e-12, 6.3493919055389215e-12};

// --- Modified, first kind ---------------------------------------------------------------------------------------

// Terms enough for |x| <= 8.
constexpr int series_terms = 24;

// Sum of weight(k) (x^2 / 4)^k / (k! (k + order)!).
ScalarExpr modified_series(ScalarExpr x, int order, double (*weight)(int, int), int terms) {
  double coefficients[series_terms], term = 1;
  for (int k = 0; k < terms; ++k) {
    if (k > 0) term /= 4.0 * k * (k + order);
    coefficients[k] = term * weight(k, order);
  }
  return polynomial(x * x, {coefficients, static_cast<size_t>(terms)});
}

double unweighted(int, int) { return 1; }

// I(x) for |x| <= 8, from |x|.
ScalarExpr modified_near(ScalarExpr x, int order, int terms = series_terms) {
  ScalarExpr series = modified_series(x, order, unweighted, terms);
  return order == 0 ? series : series * x * Scalar(0.5);
}

// sqrt(x) exp(-x) I(x) for x >= 8.
ScalarExpr modified_far(ScalarExpr x, int order) {
  ScalarExpr t = number_beside(x, 16) / x - Scalar(1.0);
  return order == 0 ? polynomial(t, i0_far) : polynomial(t, i1_far);
}

ScalarExpr with_sign(ScalarExpr value, ScalarExpr x, int order) {
  return order == 0 ? value : select(x < Scalar(0.0), -value, value);
}

// As in ATen, beyond exp's range the result is infinite, and at infinity it is NaN.
template <int order>
ScalarExpr modified_first(ScalarExpr x) {
  ScalarExpr size = abs(x);
  ScalarExpr far = exp(size) * (modified_far(size, order) / sqrt(size));
  return with_sign(select(size <= Scalar(8.0), modified_near(size, order), far), x, order);
}

template <int order>
ScalarExpr scaled_modified_first(ScalarExpr x) {
  ScalarExpr size = abs(x);
  ScalarExpr near = modified_near(size, order) * exp(-size);
  ScalarExpr far = modified_far(size, order) / sqrt(size);
  return with_sign(select(size <= Scalar(8.0), near, far), x, order);
}

// --- Modified, second kind --------------------------------------------------------------------------------------

// Terms enough for x <= 2.
constexpr int short_series_terms = 13;

double harmonic(int n) {
  double sum = 0;
  for (int i = n; i > 0; --i) sum += 1.0 / i;
  return sum;
}
double harmonic_weight(int k, int order) { return order == 0 ? harmonic(k) : harmonic(k) + harmonic(k + 1); }

// K0 = -(log(x / 2) + gamma) I0 + sum of H(k) (x^2 / 4)^k / k!^2;
// K1 = 1 / x + (log(x / 2) + gamma) I1 - x / 4 times the sum with H(k) + H(k + 1).
ScalarExpr second_near(ScalarExpr x, int order) {
  ScalarExpr logarithm = log(x * Scalar(0.5)) + Scalar(std::numbers::egamma);
  ScalarExpr first = modified_near(x, order, short_series_terms);
  ScalarExpr series = modified_series(x, order, harmonic_weight, short_series_terms);
  if (order == 0) return series - logarithm * first;
  return number_beside(x, 1) / x + (logarithm * first - x * series * Scalar(0.25));
}

template <int order, bool scaled>
ScalarExpr modified_second(ScalarExpr x) {
  ScalarExpr t = number_beside(x, 4) / x - Scalar(1.0);
  ScalarExpr far = (order == 0 ? polynomial(t, k0_far) : polynomial(t, k1_far)) / sqrt(x);
  if (!scaled) far = far * exp(-x);
  ScalarExpr near = second_near(x, order);
  if (scaled) near = near * exp(x);
  ScalarExpr value = select(x <= Scalar(2.0), near, far);
  ScalarExpr limit = select(x == Scalar(0.0), number_beside(x, infinity), number_beside(x, not_a_number));
  return select(x > Scalar(0.0), value, limit);
}

// --- Unmodified -------------------------------------------------------------------------------------------------

// J(x) for 0 <= x <= 5: its zeros are exact factors.
ScalarExpr first_near(ScalarExpr x, int order) {
  ScalarExpr square = x * x, t = square * Scalar(1 / 12.5) - Scalar(1.0);
  std::span<const double> roots = order == 0 ? j0_roots : j1_roots;
  ScalarExpr factors = (square - Scalar(roots[0])) * (square - Scalar(roots[1]));
  return order == 0 ? factors * polynomial(t, j0_near) : x * factors * polynomial(t, j1_near);
}

// Y(x) for 0 < x <= 5.
ScalarExpr second_kind_near(ScalarExpr x, int order) {
  ScalarExpr t = x * x * Scalar(1 / 12.5) - Scalar(1.0);
  ScalarExpr logarithmic = log(x) * first_near(x, order);
  if (order == 0) return polynomial(t, y0_near) + logarithmic * Scalar(2 / pi);
  return x * polynomial(t, y1_near) + (logarithmic - number_beside(x, 1) / x) * Scalar(2 / pi);
}

// Beyond 5: J = sqrt(2 / (pi x)) (P cos a - Q sin a), Y = sqrt(2 / (pi x)) (P sin a + Q cos a), where
// a = x - pi / 4 - order pi / 2; the sums and differences of sine and cosine bring in sqrt(2).
ScalarExpr oscillation(ScalarExpr x, int order, bool second_kind) {
  ScalarExpr inverse = number_beside(x, 1) / x;
  ScalarExpr t = inverse * inverse * Scalar(50.0) - Scalar(1.0);
  ScalarExpr p = order == 0 ? polynomial(t, p0_far) : polynomial(t, p1_far);
  ScalarExpr q = (order == 0 ? polynomial(t, q0_far) : polynomial(t, q1_far)) * inverse;
  ScalarExpr sine = sin(x), cosine = cos(x);
  ScalarExpr plus = sine + cosine, minus = sine - cosine;
  ScalarExpr cos_a = order == 0 ? plus : minus, sin_a = order == 0 ? minus : -plus;
  ScalarExpr wave = second_kind ? p * sin_a + q * cos_a : p * cos_a - q * sin_a;
  ScalarExpr value = wave / sqrt(x * Scalar(pi));
  return select(x == Scalar(infinity), number_beside(x, 0), value);
}

template <int order>
ScalarExpr bessel_first(ScalarExpr x) {
  ScalarExpr size = abs(x);
  ScalarExpr value = select(size <= Scalar(5.0), first_near(size, order), oscillation(size, order, false));
  return with_sign(value, x, order);
}

template <int order>
ScalarExpr bessel_second(ScalarExpr x) {
  ScalarExpr value = select(x <= Scalar(5.0), second_kind_near(x, order), oscillation(x, order, true));
  ScalarExpr limit = select(x == Scalar(0.0), number_beside(x, -infinity), number_beside(x, not_a_number));
  return select(x > Scalar(0.0), value, limit);
}

// sin(x) / x, by its series near 0.
ScalarExpr spherical_first(ScalarExpr x) {
  constexpr double coefficients[] = {1.0,          -1.0 / 6,        1.0 / 120,         -1.0 / 5040,
                                     1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0};
  ScalarExpr value = select(abs(x) < Scalar(0.5), polynomial(x * x, coefficients), sin(x) / x);
  return select(abs(x) == Scalar(infinity), number_beside(x, 0), value);
}

}  // namespace

namespace op_defs {

constinit const OpDef i0_default =
    pointwise("aten::i0(Tensor self) -> Tensor", types_float, through_f64<modified_first<0>>);
constinit const OpDef i0_inplace_default = inplace("aten::i0_(Tensor(a!) self) -> Tensor(a!)", i0_default);
constinit const OpDef special_i0_default = alias<i0_default>("aten::special_i0(Tensor self) -> Tensor");
constinit const OpDef special_i0e_default =
    pointwise("aten::special_i0e(Tensor self) -> Tensor", types_float, through_f64<scaled_modified_first<0>>);
constinit const OpDef special_i1_default =
    pointwise("aten::special_i1(Tensor self) -> Tensor", types_float, through_f64<modified_first<1>>);
constinit const OpDef special_i1e_default =
    pointwise("aten::special_i1e(Tensor self) -> Tensor", types_float, through_f64<scaled_modified_first<1>>);
constinit const OpDef special_modified_bessel_i0_default =
    pointwise("aten::special_modified_bessel_i0(Tensor self) -> Tensor", types_float, through_f64<modified_first<0>>);
constinit const OpDef special_modified_bessel_i1_default =
    pointwise("aten::special_modified_bessel_i1(Tensor self) -> Tensor", types_float, through_f64<modified_first<1>>);
constinit const OpDef special_modified_bessel_k0_default = pointwise(
    "aten::special_modified_bessel_k0(Tensor self) -> Tensor", types_float, through_f64<modified_second<0, false>>);
constinit const OpDef special_modified_bessel_k1_default = pointwise(
    "aten::special_modified_bessel_k1(Tensor self) -> Tensor", types_float, through_f64<modified_second<1, false>>);
constinit const OpDef special_scaled_modified_bessel_k0_default = pointwise(
    "aten::special_scaled_modified_bessel_k0(Tensor x) -> Tensor", types_float, through_f64<modified_second<0, true>>);
constinit const OpDef special_scaled_modified_bessel_k1_default = pointwise(
    "aten::special_scaled_modified_bessel_k1(Tensor x) -> Tensor", types_float, through_f64<modified_second<1, true>>);
constinit const OpDef special_bessel_j0_default =
    pointwise("aten::special_bessel_j0(Tensor self) -> Tensor", types_float, through_f64<bessel_first<0>>);
constinit const OpDef special_bessel_j1_default =
    pointwise("aten::special_bessel_j1(Tensor self) -> Tensor", types_float, through_f64<bessel_first<1>>);
constinit const OpDef special_bessel_y0_default =
    pointwise("aten::special_bessel_y0(Tensor self) -> Tensor", types_float, through_f64<bessel_second<0>>);
constinit const OpDef special_bessel_y1_default =
    pointwise("aten::special_bessel_y1(Tensor self) -> Tensor", types_float, through_f64<bessel_second<1>>);
constinit const OpDef special_spherical_bessel_j0_default =
    pointwise("aten::special_spherical_bessel_j0(Tensor x) -> Tensor", types_float, through_f64<spherical_first>);

}  // namespace op_defs

Tensor i0(const Tensor& x, Here here) { return apply_one(op_defs::i0_default, {x}, here); }
Tensor i1(const Tensor& x, Here here) { return apply_one(op_defs::special_i1_default, {x}, here); }

}  // namespace sinter
