// Elementary functions and arithmetic as functions on tensors; a part of ops.h.

#pragma once

#include <optional>
#include <string>
#include <tuple>

#include <sinter/graph/tensor.h>
#include <sinter/graph/value.h>

namespace sinter {

#define SINTER_UNARY_OP(name) Tensor name(const Tensor& x, Here here = Here::current())
SINTER_UNARY_OP(exp2);
SINTER_UNARY_OP(expm1);
SINTER_UNARY_OP(log2);
SINTER_UNARY_OP(log10);
SINTER_UNARY_OP(log1p);
SINTER_UNARY_OP(tan);
SINTER_UNARY_OP(asin);
SINTER_UNARY_OP(acos);
SINTER_UNARY_OP(atan);
SINTER_UNARY_OP(sinh);
SINTER_UNARY_OP(cosh);
SINTER_UNARY_OP(asinh);
SINTER_UNARY_OP(acosh);
SINTER_UNARY_OP(atanh);
SINTER_UNARY_OP(deg2rad);
SINTER_UNARY_OP(rad2deg);
SINTER_UNARY_OP(sign);
SINTER_UNARY_OP(sgn);
SINTER_UNARY_OP(signbit);
SINTER_UNARY_OP(angle);
SINTER_UNARY_OP(positive);
SINTER_UNARY_OP(isposinf);
SINTER_UNARY_OP(isneginf);
SINTER_UNARY_OP(isreal);
SINTER_UNARY_OP(frac);
#undef SINTER_UNARY_OP

#define SINTER_BINARY_OP(name) Tensor name(const Tensor& a, const Tensor& b, Here here = Here::current())
SINTER_BINARY_OP(atan2);
SINTER_BINARY_OP(hypot);
SINTER_BINARY_OP(logaddexp);
SINTER_BINARY_OP(logaddexp2);
SINTER_BINARY_OP(xlogy);
SINTER_BINARY_OP(copysign);
SINTER_BINARY_OP(heaviside);
SINTER_BINARY_OP(gcd);
SINTER_BINARY_OP(lcm);
SINTER_BINARY_OP(nextafter);
SINTER_BINARY_OP(ldexp);
SINTER_BINARY_OP(fmax);
SINTER_BINARY_OP(fmin);
SINTER_BINARY_OP(max);
SINTER_BINARY_OP(min);
SINTER_BINARY_OP(float_power);
SINTER_BINARY_OP(floor_divide);
SINTER_BINARY_OP(remainder);
SINTER_BINARY_OP(fmod);
SINTER_BINARY_OP(bitwise_left_shift);
SINTER_BINARY_OP(bitwise_right_shift);
#undef SINTER_BINARY_OP

#define SINTER_BINARY_OP(name) Tensor name(const Tensor& a, Scalar b, Here here = Here::current())
SINTER_BINARY_OP(copysign);
SINTER_BINARY_OP(float_power);
SINTER_BINARY_OP(floor_divide);
SINTER_BINARY_OP(remainder);
SINTER_BINARY_OP(fmod);
SINTER_BINARY_OP(bitwise_left_shift);
SINTER_BINARY_OP(bitwise_right_shift);
#undef SINTER_BINARY_OP

// rounding_mode: "trunc" or "floor"
Tensor div(const Tensor& a, const Tensor& b, std::string rounding_mode, Here here = Here::current());
Tensor div(const Tensor& a, Scalar b, std::string rounding_mode, Here here = Here::current());
Tensor round(const Tensor& x, int64_t decimals, Here here = Here::current());
// Mantissa and exponent.
std::tuple<Tensor, Tensor> frexp(const Tensor& x, Here here = Here::current());
// log(x / (1 - x)), of x between eps and 1 - eps if eps is given.
Tensor logit(const Tensor& x, std::optional<double> eps = {}, Here here = Here::current());
Tensor nan_to_num(const Tensor& x, std::optional<double> nan = {}, std::optional<double> posinf = {},
                  std::optional<double> neginf = {}, Here here = Here::current());
// start + weight * (end - start)
Tensor lerp(const Tensor& start, const Tensor& end, Scalar weight, Here here = Here::current());
Tensor lerp(const Tensor& start, const Tensor& end, const Tensor& weight, Here here = Here::current());
// x + value * a * b, and x + value * a / b
Tensor addcmul(const Tensor& x, const Tensor& a, const Tensor& b, Scalar value = 1, Here here = Here::current());
Tensor addcdiv(const Tensor& x, const Tensor& a, const Tensor& b, Scalar value = 1, Here here = Here::current());
// |a - b| <= atol + rtol * |b| for each element
Tensor isclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false,
               Here here = Here::current());

}  // namespace sinter
