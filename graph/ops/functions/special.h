// Special functions: the error function's relatives, the normal distribution, gamma and Bessel functions.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

Tensor erfc(const Tensor& x, Here here = Here::current());
Tensor erfinv(const Tensor& x, Here here = Here::current());
// sin(pi x) / (pi x)
Tensor sinc(const Tensor& x, Here here = Here::current());
// The normal distribution: the part below x, its logarithm, and the x below which is the part p.
Tensor ndtr(const Tensor& x, Here here = Here::current());
Tensor log_ndtr(const Tensor& x, Here here = Here::current());
Tensor ndtri(const Tensor& p, Here here = Here::current());

// log |gamma(x)| and its derivative.
Tensor lgamma(const Tensor& x, Here here = Here::current());
Tensor digamma(const Tensor& x, Here here = Here::current());
// The n-th derivative of digamma.
Tensor polygamma(int64_t n, const Tensor& x, Here here = Here::current());
// The regularised incomplete gamma functions: the part of the integral below x, and above it.
Tensor igamma(const Tensor& a, const Tensor& x, Here here = Here::current());
Tensor igammac(const Tensor& a, const Tensor& x, Here here = Here::current());
// Hurwitz's zeta function: the sum of (q + k)^-x for k = 0, 1, ...
Tensor zeta(const Tensor& x, const Tensor& q, Here here = Here::current());

// The modified Bessel functions of the first kind, orders 0 and 1.
Tensor i0(const Tensor& x, Here here = Here::current());
Tensor i1(const Tensor& x, Here here = Here::current());
// The Airy function.
Tensor airy_ai(const Tensor& x, Here here = Here::current());

}  // namespace sinter
