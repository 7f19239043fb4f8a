// Special functions: known values (mpmath's, rounded to f32), limits and poles, types, errors.

#include <sinter/graph/ops/ops.h>

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

std::vector<double> in_f32(std::vector<double> values) {
  for (double& value : values) value = static_cast<float>(value);
  return values;
}

template <class F>
void expect_f32(F run, const Tensors& inputs, const std::vector<double>& expected) {
  expect_elements(run, inputs, f32, in_f32(expected));
}

Tensor vector_of(const std::vector<double>& x) { return tensor_of(x, {static_cast<int64_t>(x.size())}); }

void expect_known(const char* op, const std::vector<double>& x, const std::vector<double>& expected) {
  SCOPED_TRACE(op);
  expect_f32([op](const Tensors& x) { return ops(op)(x[0])[0].tensor(); }, {vector_of(x)}, expected);
}
void expect_known(const char* op, const std::vector<double>& x, const std::vector<double>& y,
                  const std::vector<double>& expected) {
  SCOPED_TRACE(op);
  expect_f32([op](const Tensors& x) { return ops(op)(x[0], x[1])[0].tensor(); }, {vector_of(x), vector_of(y)},
             expected);
}

TEST(Special, ErrorFunctionsAreExactInF32) {
  expect_known("aten::erfc", {-3, -0.25, 0.5, 1, 4, 9, infinity, -infinity, nan},
               {1.99997795, 1.27632642, 0.479500115, 0.157299206, 1.54172586e-08, 4.13703171e-37, 0, 2, nan});
  expect_known("aten::erfinv", {-0.9375, 0.125, 0.5, 0.99609375, 1, -1, 2, nan},
               {-1.31715035, 0.111235455, 0.476936281, 2.040452, infinity, -infinity, nan, nan});
  expect_known("aten::special_erfcx", {-3, -0.25, 0.5, 1, 4, 30, infinity, -infinity, nan},
               {16205.9893, 1.35864234, 0.615690351, 0.427583575, 0.136999458, 0.0187958889, 0, infinity, nan});
  expect_known("aten::special_ndtr", {-3, -0.25, 0.5, 1, 4, infinity, -infinity, nan},
               {0.00134989806, 0.401293665, 0.691462457, 0.841344774, 0.99996835, 1, 0, nan});
  expect_known(
      "aten::special_log_ndtr", {-3, -0.25, 0.5, 1, 4, -20, infinity, -infinity, nan},
      {-6.6077261, -0.913061738, -0.368946403, -0.172753781, -3.16717451e-05, -203.91716, -0.0, -infinity, nan});
  expect_known("aten::special_ndtri", {0.0625, 0.75, 0.0009765625, 0.5, 0, 1, 2},
               {-1.53412056, 0.674489737, -3.09726906, 0, -infinity, infinity, nan});
}

TEST(Special, GammaFunctionsKnowTheirPoles) {
  expect_known("aten::lgamma", {0.25, 1.5, 3, 7.5, 100, -0.5, -2.75, 1, 2, 0, -3, infinity, -infinity, nan},
               {1.28802252, -0.120782241, 0.693147182, 7.53436422, 359.134216, 1.26551211, 0.00448789774, 0, 0,
                infinity, infinity, infinity, infinity, nan});
  expect_known("aten::digamma", {0.25, 1, 1.5, 12, -0.75, -2.5, -0.0, 0.0, -2, infinity, nan},
               {-4.22745371, -0.577215672, 0.0364899747, 2.44266176, -2.89412022, 1.10315669, infinity, -infinity, nan,
                infinity, nan});
  auto third = [](const Tensors& x) { return ops("aten::polygamma")(3, x[0])[0].tensor(); };
  expect_f32(third, {tensor_of({0.5, 4, -1.25, -1}, {4})}, {97.4090881, 0.0448653288, 1558.22095, infinity});
  auto multivariate = [](const Tensors& x) { return ops("aten::mvlgamma")(x[0], 2)[0].tensor(); };
  expect_f32(multivariate, {tensor_of({1.5, 6}, {2})}, {0.4515827, 9.31767082});
  auto no_order = [](const Tensors& x) { return ops("aten::mvlgamma")(x[0], 0)[0].tensor(); };
  EXPECT_EQ(message_of(no_order, {tensor_of({1}, {1})}), "mvlgamma: p is less than 1");
}

TEST(Special, BesselFunctionsAgreeOnBothSidesOfTheirPieces) {
  expect_known("aten::i0", {0, -0.5, 7.75, 8.25, 20}, {1, 1.06348336, 338.513763, 540.325073, 43558284});
  expect_known("aten::special_i1", {-0.5, 7.75, -8.25}, {-0.257894307, 315.852478, -506.433838});
  expect_known("aten::special_i0e", {-0.5, 7.75, 300, infinity}, {0.645035267, 0.145812273, 0.0230425578, 0});
  expect_known("aten::special_i1e", {-0.5, 7.75, 300}, {-0.156420797, 0.136051103, 0.0230041221});
  expect_known("aten::special_modified_bessel_k0", {0.125, 1.75, 2.25, 30, 0, -1},
               {2.20786905, 0.155379817, 0.0840431154, 2.13247744e-14, infinity, nan});
  expect_known("aten::special_modified_bessel_k1", {0.125, 1.75, 2.25, 30, 0, -1},
               {7.83111811, 0.195477456, 0.101216301, 2.16773197e-14, infinity, nan});
  expect_known("aten::special_scaled_modified_bessel_k0", {0.125, 2.25, 300, 0},
               {2.50184345, 0.797378838, 0.0723300353, infinity});
  expect_known("aten::special_scaled_modified_bessel_k1", {0.125, 2.25, 300, 0},
               {8.87381935, 0.960313559, 0.0724504814, infinity});
  expect_known("aten::special_bessel_j0", {0, -1, 4.75, 5.25, 40, infinity},
               {1, 0.765197694, -0.255120814, -0.09308099, 0.00736689055, 0});
  expect_known("aten::special_bessel_j1", {-1, 4.75, -5.25, 40},
               {-0.440050572, -0.289186805, 0.345013976, 0.126038313});
  expect_known("aten::special_bessel_y0", {0.5, 4.75, 5.25, 40, 0, -1},
               {-0.444518745, -0.261232495, -0.334777236, 0.125936419, -infinity, nan});
  expect_known("aten::special_bessel_y1", {0.5, 4.75, 5.25, 40, 0, -1},
               {-1.47147238, 0.229225591, 0.061861001, -0.00579350581, -infinity, nan});
  expect_known("aten::special_spherical_bessel_j0", {0, 0.25, 3, infinity}, {1, 0.989615858, 0.0470400043, 0});
}

TEST(Special, IncompleteGammaFunctionsKnowTheirEnds) {
  std::vector<double> a = {0.5, 3, 10, 200, 1e6, 0.25, 2, 0, 0, 1, infinity, infinity, 2, -1, 1};
  std::vector<double> x = {0.25, 7.5, 4, 180, 1000100, 0.001, 1e-3, 0, 1, 0, 1, infinity, infinity, 1, -1};
  expect_known("aten::igamma", a, x,
               {0.520499878, 0.979743285, 0.0081322428, 0.074858035, 0.539958828, 0.196151701, 4.99666839e-07, nan, 1,
                0, 0, nan, 1, nan, nan});
  expect_known("aten::igammac", a, x,
               {0.479500122, 0.0202567151, 0.991867757, 0.925141965, 0.460041172, 0.803848299, 0.9999995, nan, 0, 1, 1,
                nan, 0, nan, nan});
  auto whole = [](const Tensors& x) { return igamma(x[0], x[0]); };
  EXPECT_EQ(message_of(whole, {tensor_of({1}, {1}, i32)}), "igamma: is not implemented for i32");
}

TEST(Special, ZetaSumsTermsOnBothSidesOfZero) {
  expect_known(
      "aten::special_zeta", {2, 3.5, 20, 1.0009765625, 2, 3, 1, 0.5, 2, 2.5, nan},
      {1, 0.25, 3, 2, -2.5, -1.25, 2, 2, -2, -2.5, 1},
      {1.64493407, 128.546959, 2.87717467e-10, 1023.57729, 9.53924664, -61.8606834, infinity, nan, infinity, nan, nan});
}

TEST(Special, AiryFunctionAgreesOnBothSidesOfItsPieces) {
  expect_known("aten::special_airy_ai", {0, -1, 1, -2.5, -4.5, -7, 2.75, 3.5, 12, -100, infinity, -infinity},
               {0.355028054, 0.535560883, 0.135292416, -0.112325068, 0.292152781, 0.18428083525050, 0.0102692099,
                0.00258409879, 1.39318469e-13, 0.176753393, nan, nan});
}

TEST(Special, PolynomialsTakeTheirDegreesFromATensor) {
  std::vector<double> x = {0.3125, 1.5, -1, 0.3125}, n = {12, 3, 3, -1};
  expect_known("aten::special_chebyshev_polynomial_t", x, n, {-0.782396437, 9, -1, 0});
  expect_known("aten::special_chebyshev_polynomial_u", x, n, {-0.577516624, 21, -4, 0});
  expect_known("aten::special_chebyshev_polynomial_v", x, n, {-1.23313202, 13, -7, 0});
  expect_known("aten::special_chebyshev_polynomial_w", x, n, {0.0780987757, 29, -1, 0});
  expect_known("aten::special_shifted_chebyshev_polynomial_t", {0.65625, 1.25, 0}, {12, 3, 3}, {-0.782396437, 9, -1});
  expect_known("aten::special_shifted_chebyshev_polynomial_u", {0.65625, 1.25, 0}, {12, 3, 3}, {-0.577516624, 21, -4});
  expect_known("aten::special_shifted_chebyshev_polynomial_v", {0.65625, 1.25, 0}, {12, 3, 3}, {-1.23313202, 13, -7});
  expect_known("aten::special_shifted_chebyshev_polynomial_w", {0.65625, 1.25, 0}, {12, 3, 3}, {0.0780987757, 29, -1});
  expect_known("aten::special_hermite_polynomial_h", {0.3125, 2, 2}, {5, 0, 600}, {32.7125549, 1, nan});
  expect_known("aten::special_hermite_polynomial_he", {0.3125, 2}, {5, 1}, {4.38530445, 2});
  expect_known("aten::special_laguerre_polynomial_l", {0.3125, 0, 2}, {5, 7, 1}, {-0.123119394, 1, -1});
  expect_known("aten::special_legendre_polynomial_p", {0.3125, -1, 2}, {5, 3, 0}, {0.34237802, -1, 1});
  auto half = [](const Tensors& x) { return ops("aten::special_legendre_polynomial_p")(x[0], x[0])[0].tensor(); };
  EXPECT_EQ(message_of(half, {tensor_of({1}, {1}, f16)}), "special_legendre_polynomial_p: is not implemented for f16");
}

TEST(Special, EntropiesAreZeroAtZero) {
  expect_known("aten::special_entr", {0, 1, -1, nan}, {0, -0.0, -infinity, nan});
  expect_known("aten::sinc", {0, infinity}, {1, nan});
  auto run = [](const Tensors& x) { return ops("aten::special_xlog1py")(x[0], x[1])[0].tensor(); };
  expect_elements(run, {tensor_of({0, 0, 2}, {3}), tensor_of({-1, nan, 0}, {3})}, f32, {0, nan, 0});
}

TEST(Special, IntegersGiveF32AndHalfTypesAreRoundedOnce) {
  auto run = [](const Tensors& x) { return ops("aten::lgamma")(x[0])[0].tensor(); };
  expect_elements(run, {tensor_of({1, 2, 0}, {3}, i32)}, f32, {0, 0, infinity});
  expect_elements(run, {tensor_of({1, 0}, {2}, bf16)}, bf16, {0, infinity});
}

}  // namespace
}  // namespace sinter::test
