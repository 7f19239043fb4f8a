// The Airy function Ai.
//
// The coefficients are Chebyshev interpolations of the function (made with mpmath at 50 digits), written in powers.

#include <sinter/graph/ops/airy.h>
#include <sinter/graph/ops/functions/special.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/series.h>

#include <limits>
#include <numbers>

namespace sinter {

namespace {

constexpr double pi = std::numbers::pi;

constexpr double negative_roots[] = {-2.338107410459767, -4.0879494441309703};
// Ai(x) over its two zeros, in (x + 3.5) / 1.5, -5 <= x <= -2
constexpr double negative_near[] = {
    0.54972196813625873,     0.061337030034861018,   -0.43124175956047306,    0.064927532109681288,
    0.13038831244197213,     -0.047765184928323802,  -0.015464576835867114,   0.011598567446643523,
    -0.00038391350905389181, -0.0013358065893585948, 0.00032043525880745468,  6.1125196782555727e-05,
    -3.9023547510528013e-05, 2.8022421831646631e-06, 2.1699080428557332e-06,  -5.6722407804413406e-07,
    -2.6061005986257141e-08, 3.4760473333675418e-08, -4.4864562689595035e-09, -8.971008186976075e-10,
    3.3023168667338898e-10,  -5.522434984835688e-12, -9.7222174149283275e-12};
// Ai(x) in x + 1, -2 <= x <= 0
constexpr double middle[] = {
    0.53556088329235207,     -0.01016056711664521,    -0.26778044164617609,    0.090953575068166204,
    0.021468322877462823,    -0.017936700835716694,   0.0023161750729989074,   0.0009382148503096089,
    -0.00036165849820999518, 1.9138336449085825e-05,  1.4443036606617001e-05,  -3.4617894808555753e-06,
    3.5571821699363303e-08,  1.1477467992426805e-07,  -1.9218209517860659e-08, -3.7735573493178769e-10,
    5.5997118785678528e-10,  -6.9109501277880183e-11, -3.8663144838205747e-12, 1.7690056475631118e-12};
// exp(x) Ai(x) in x / 1.5 - 1, 0 <= x <= 3
constexpr double positive_near[] = {0.32155893654347972,     -0.17231544908907478,   -0.07759627182790485,
                                    0.070971483273600366,    -0.0025097580849676882, -0.010608079787786715,
                                    0.0025861360461947019,   0.00062252203638406614, -0.00035392684759648959,
                                    1.2976418814037285e-05,  2.2813416233453669e-05, -4.5045673097574159e-06,
                                    -5.9992538095160702e-07, 3.2263502931660117e-07, -1.8105596144993588e-08,
                                    -1.1540551837817541e-08, 2.2892799106281423e-09, 1.3658695042150469e-10,
                                    -9.6766783809902971e-11, 5.4760931425226671e-12, 2.0101234151934389e-12};
// x^(1/4) exp(z) Ai(x) in 2 z0 / z - 1, z = 2/3 x^(3/2), x >= 3
constexpr double positive_far[] = {0.27945876785738799,     -0.002466798700826377,   0.00015042254934536105,
                                   -1.5967338595531111e-05, 2.3112149234049008e-06,  -4.1168306941777397e-07,
                                   8.5369616003037804e-08,  -1.99155090234117e-08,   5.1086046718338129e-09,
                                   -1.4174974252866862e-09, 4.1870773085902863e-10,  -1.3101159950423813e-10,
                                   4.5839560950469477e-11,  -1.6276706169590788e-11, 3.2595787169226247e-12,
                                   -9.3146251699592311e-13, 1.7270933043619441e-12,  -7.4919284389553864e-13};
// the sine part of Ai below -5, in 2 z5^2 / z^2 - 1, z = 2/3 (-x)^(3/2)
constexpr double sine_part[] = {0.99967027316035661,     -0.0003254319872640143,  4.1286661582946957e-06,
                                -1.5421120348422391e-07, 1.0673426632855961e-08,  -1.1119337986572293e-09,
                                1.5522262548635303e-10,  -2.7051883478257475e-11, 5.602889049196218e-12,
                                -1.2552086884253272e-12, 3.1998747979878037e-13,  -1.5179090444882385e-13,
                                5.2727784242470915e-14};
// z times the cosine part, in the same
constexpr double cosine_part[] = {
    0.069111339198984253,   -0.00032478687444797072, 7.8540024468260361e-06, -4.2157419633004709e-07,
    3.7225332370846745e-08, -4.6364559014626744e-09, 7.4332971082539215e-10, -1.445847358438312e-10,
    3.2728778276522367e-11, -8.3799065107408227e-12, 2.4534608074407053e-12, -7.7914540079429174e-13,
    1.7462260684596549e-13, -4.8598113545860894e-14, 7.0362584116368335e-14, -3.1473972328891253e-14};

// 2/3 x^(3/2), x >= 0
ScalarExpr growth(ScalarExpr x) { return x * sqrt(x) * Scalar(2.0 / 3); }

// Of -5 <= x <= -2: its zeros are exact factors.
ScalarExpr near_zeros(ScalarExpr x) {
  ScalarExpr factors = (x - Scalar(negative_roots[0])) * (x - Scalar(negative_roots[1]));
  return factors * polynomial((x + Scalar(3.5)) * Scalar(1 / 1.5), negative_near);
}

// Of x <= -5: (P sin(z + pi/4) - Q cos(z + pi/4)) / sqrt(pi sqrt(-x)); sums of sine and cosine bring in sqrt(2).
ScalarExpr oscillation(ScalarExpr x) {
  ScalarExpr z = growth(-x), inverse = number_beside(x, 1) / z;
  ScalarExpr t = inverse * inverse * Scalar(2 * 4.0 / 9 * 125) - Scalar(1.0);
  ScalarExpr p = polynomial(t, sine_part), q = polynomial(t, cosine_part) * inverse;
  ScalarExpr sine = sin(z), cosine = cos(z);
  return (p * (sine + cosine) - q * (cosine - sine)) / sqrt(sqrt(-x) * Scalar(2 * pi));
}

// Of x >= 3.
ScalarExpr decay(ScalarExpr x) {
  constexpr double twice_growth_at_3 = 6.9282032302755088;
  ScalarExpr z = growth(x);
  ScalarExpr t = number_beside(x, twice_growth_at_3) / z - Scalar(1.0);
  return exp(-z) * polynomial(t, positive_far) / sqrt(sqrt(x));
}

// As in ATen, it is NaN at both infinities.
ScalarExpr airy_ai(ScalarExpr x) {
  ScalarExpr negative = select(x < Scalar(-5.0), oscillation(x),
                               select(x < Scalar(-2.0), near_zeros(x), polynomial(x + Scalar(1.0), middle)));
  ScalarExpr near = exp(-x) * polynomial(x * Scalar(1 / 1.5) - Scalar(1.0), positive_near);
  ScalarExpr positive = select(x < Scalar(3.0), near, decay(x));
  ScalarExpr is_infinite = abs(x) == Scalar(std::numeric_limits<double>::infinity());
  return select(is_infinite, x - x, select(x < Scalar(0.0), negative, positive));
}

}  // namespace

namespace op_defs {

constinit const OpDef special_airy_ai_default =
    pointwise("aten::special_airy_ai(Tensor x) -> Tensor", types_float, through_f64<airy_ai>);

}  // namespace op_defs

Tensor airy_ai(const Tensor& x, Here here) { return apply_one(op_defs::special_airy_ai_default, {x}, here); }

}  // namespace sinter
