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

// The modified Bessel functions of the first kind, orders 0 and 1.
Tensor i0(const Tensor& x, Here here = Here::current());
Tensor i1(const Tensor& x, Here here = Here::current());

}  // namespace sinter
