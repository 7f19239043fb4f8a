// The operators as functions, with ATen's names and argument order; the last argument is the caller's place.
//
//   Tensor y = relu(x + y) * 2.0;
//   Tensor s = sum(x, {-1}, /*keepdim=*/true);

#pragma once

#include <optional>
#include <vector>

#include <sinter/graph/ops/functions/activation.h>
#include <sinter/graph/ops/functions/attention.h>
#include <sinter/graph/ops/functions/convolution.h>
#include <sinter/graph/ops/functions/dropout.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/functions/grid_sampler.h>
#include <sinter/graph/ops/functions/indexing.h>
#include <sinter/graph/ops/functions/linear_algebra.h>
#include <sinter/graph/ops/functions/loss.h>
#include <sinter/graph/ops/functions/normalization.h>
#include <sinter/graph/ops/functions/pool.h>
#include <sinter/graph/ops/functions/special.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/functions/unfold.h>
#include <sinter/graph/ops/functions/upsample.h>
#include <sinter/graph/ops/functions/view.h>
#include <sinter/graph/tensor.h>
#include <sinter/graph/value.h>

namespace sinter {

// --- Creation ---------------------------------------------------------------------------------------------------

Tensor empty(SymDims sizes, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor empty_like(const Tensor& x, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor zeros(SymDims sizes, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor zeros_like(const Tensor& x, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor ones(SymDims sizes, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor ones_like(const Tensor& x, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor full(SymDims sizes, Scalar value, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor full_like(const Tensor& x, Scalar value, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor scalar_tensor(Scalar value, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor arange(Scalar end, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor arange(Scalar start, Scalar end, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor arange(Scalar start, Scalar end, Scalar step, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor linspace(Scalar start, Scalar end, int64_t steps, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor rand(SymDims sizes, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor rand_like(const Tensor& x, Here here = Here::current());
Tensor randn(SymDims sizes, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor randn_like(const Tensor& x, Here here = Here::current());
Tensor randint(SymInt high, SymDims sizes, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor randint(SymInt low, SymInt high, SymDims sizes, std::optional<DType> dtype = {}, Here here = Here::current());

// --- Pointwise --------------------------------------------------------------------------------------------------

#define SINTER_UNARY_OP(name) Tensor name(const Tensor& x, Here here = Here::current())
SINTER_UNARY_OP(neg);
SINTER_UNARY_OP(abs);
SINTER_UNARY_OP(reciprocal);
SINTER_UNARY_OP(square);
SINTER_UNARY_OP(ceil);
SINTER_UNARY_OP(floor);
SINTER_UNARY_OP(round);
SINTER_UNARY_OP(trunc);
SINTER_UNARY_OP(exp);
SINTER_UNARY_OP(log);
SINTER_UNARY_OP(sqrt);
SINTER_UNARY_OP(rsqrt);
SINTER_UNARY_OP(sin);
SINTER_UNARY_OP(cos);
SINTER_UNARY_OP(tanh);
SINTER_UNARY_OP(erf);
SINTER_UNARY_OP(relu);
SINTER_UNARY_OP(sigmoid);
SINTER_UNARY_OP(silu);
SINTER_UNARY_OP(softsign);
SINTER_UNARY_OP(isnan);
SINTER_UNARY_OP(isinf);
SINTER_UNARY_OP(isfinite);
SINTER_UNARY_OP(logical_not);
SINTER_UNARY_OP(bitwise_not);
#undef SINTER_UNARY_OP
// approximate: "none" or "tanh"
Tensor gelu(const Tensor& x, std::string approximate = "none", Here here = Here::current());

// a + alpha * b
Tensor add(const Tensor& a, const Tensor& b, Scalar alpha = 1, Here here = Here::current());
Tensor add(const Tensor& a, Scalar b, Scalar alpha = 1, Here here = Here::current());
Tensor sub(const Tensor& a, const Tensor& b, Scalar alpha = 1, Here here = Here::current());
Tensor sub(const Tensor& a, Scalar b, Scalar alpha = 1, Here here = Here::current());
// b - alpha * a
Tensor rsub(const Tensor& a, const Tensor& b, Scalar alpha = 1, Here here = Here::current());
Tensor rsub(const Tensor& a, Scalar b, Scalar alpha = 1, Here here = Here::current());

#define SINTER_BINARY_OP(name)                                                \
  Tensor name(const Tensor& a, const Tensor& b, Here here = Here::current()); \
  Tensor name(const Tensor& a, Scalar b, Here here = Here::current())
SINTER_BINARY_OP(mul);
SINTER_BINARY_OP(div);
SINTER_BINARY_OP(eq);
SINTER_BINARY_OP(ne);
SINTER_BINARY_OP(lt);
SINTER_BINARY_OP(le);
SINTER_BINARY_OP(gt);
SINTER_BINARY_OP(ge);
SINTER_BINARY_OP(bitwise_and);
SINTER_BINARY_OP(bitwise_or);
SINTER_BINARY_OP(bitwise_xor);
SINTER_BINARY_OP(pow);
#undef SINTER_BINARY_OP
Tensor pow(Scalar x, const Tensor& exponent, Here here = Here::current());
Tensor maximum(const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor minimum(const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor logical_and(const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor logical_or(const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor logical_xor(const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor where(const Tensor& condition, const Tensor& a, Scalar b, Here here = Here::current());
Tensor where(const Tensor& condition, Scalar a, const Tensor& b, Here here = Here::current());
Tensor clamp(const Tensor& x, std::optional<Scalar> min, std::optional<Scalar> max = {}, Here here = Here::current());
Tensor clamp_min(const Tensor& x, Scalar min, Here here = Here::current());
Tensor clamp_max(const Tensor& x, Scalar max, Here here = Here::current());

// --- Views, copies and joins ------------------------------------------------------------------------------------

Tensor alias(const Tensor& x, Here here = Here::current());
Tensor detach(const Tensor& x, Here here = Here::current());
Tensor as_strided(const Tensor& x, SymDims sizes, SymDims strides, std::optional<SymInt> offset = {},
                  Here here = Here::current());
Tensor narrow(const Tensor& x, int64_t dim, SymInt start, SymInt length, Here here = Here::current());
Tensor flatten(const Tensor& x, int64_t start_dim = 0, int64_t end_dim = -1, Here here = Here::current());
Tensor clone(const Tensor& x, Here here = Here::current());
// A copy with row-major strides.
Tensor clone_contiguous(const Tensor& x, Here here = Here::current());
// Itself if it is row-major already.
Tensor contiguous(const Tensor& x, Here here = Here::current());
Tensor cat(const std::vector<Tensor>& tensors, int64_t dim = 0, Here here = Here::current());
Tensor stack(const std::vector<Tensor>& tensors, int64_t dim = 0, Here here = Here::current());

// --- Reductions, norms and products -----------------------------------------------------------------------------

Tensor sum(const Tensor& x, Here here = Here::current());
Tensor sum(const Tensor& x, Dims dims, bool keepdim = false, std::optional<DType> dtype = {},
           Here here = Here::current());
// So that `sum(x, {})` means no dims.
inline Tensor sum(const Tensor& x, std::initializer_list<int64_t> dims, bool keepdim = false,
                  std::optional<DType> dtype = {}, Here here = Here::current()) {
  return sum(x, Dims(dims), keepdim, dtype, here);
}
Tensor mean(const Tensor& x, Here here = Here::current());
Tensor mean(const Tensor& x, Dims dims, bool keepdim = false, std::optional<DType> dtype = {},
            Here here = Here::current());
inline Tensor mean(const Tensor& x, std::initializer_list<int64_t> dims, bool keepdim = false,
                   std::optional<DType> dtype = {}, Here here = Here::current()) {
  return mean(x, Dims(dims), keepdim, dtype, here);
}
Tensor prod(const Tensor& x, Here here = Here::current());
Tensor prod(const Tensor& x, int64_t dim, bool keepdim = false, std::optional<DType> dtype = {},
            Here here = Here::current());
// No dims: all of them.
Tensor amax(const Tensor& x, Dims dims = {}, bool keepdim = false, Here here = Here::current());
Tensor amin(const Tensor& x, Dims dims = {}, bool keepdim = false, Here here = Here::current());
Tensor any(const Tensor& x, Here here = Here::current());
Tensor any(const Tensor& x, int64_t dim, bool keepdim = false, Here here = Here::current());
Tensor all(const Tensor& x, Here here = Here::current());
Tensor all(const Tensor& x, int64_t dim, bool keepdim = false, Here here = Here::current());
Tensor softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor log_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor layer_norm(const Tensor& x, SymDims normalized_shape, const Tensor& weight = {}, const Tensor& bias = {},
                  double eps = 1e-5, Here here = Here::current());
Tensor mm(const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor bmm(const Tensor& a, const Tensor& b, Here here = Here::current());
// beta * self + alpha * (a @ b)
Tensor addmm(const Tensor& self, const Tensor& a, const Tensor& b, Scalar beta = 1, Scalar alpha = 1,
             Here here = Here::current());
Tensor matmul(const Tensor& a, const Tensor& b, Here here = Here::current());
// x @ weight.t() + bias
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, Here here = Here::current());

// Whole tensors: not for traced functions, whose data is not there.
bool equal(const Tensor& a, const Tensor& b, Here here = Here::current());
bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false,
              Here here = Here::current());

// --- Operators --------------------------------------------------------------------------------------------------

// One side of an operator: a tensor or a number, and the place where it stands.
struct Operand {
  Operand(const Tensor& tensor, Here here = Here::current()) : tensor(tensor), is_number(false), here(here) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  Operand(T number, Here here = Here::current()) : number(number), here(here) {}
  Operand(Scalar number, Here here = Here::current()) : number(number), here(here) {}

  Tensor tensor;
  Scalar number;
  bool is_number = true;
  Here here;
};

// The same of a tensor alone.
struct TensorOperand {
  TensorOperand(const Tensor& tensor, Here here = Here::current()) : tensor(tensor), here(here) {}

  const Tensor& tensor;
  Here here;
};

Tensor operator+(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a, const Operand& b);
Tensor operator*(const Operand& a, const Operand& b);
Tensor operator/(const Operand& a, const Operand& b);
Tensor operator&(const Operand& a, const Operand& b);
Tensor operator|(const Operand& a, const Operand& b);
Tensor operator^(const Operand& a, const Operand& b);
Tensor operator==(const Operand& a, const Operand& b);
Tensor operator!=(const Operand& a, const Operand& b);
Tensor operator<(const Operand& a, const Operand& b);
Tensor operator<=(const Operand& a, const Operand& b);
Tensor operator>(const Operand& a, const Operand& b);
Tensor operator>=(const Operand& a, const Operand& b);
Tensor operator-(const TensorOperand& x);
Tensor operator~(const TensorOperand& x);
// As Python's: the remainder has the divisor's sign.
Tensor operator%(const Operand& a, const Operand& b);
Tensor operator<<(const Operand& a, const Operand& b);
Tensor operator>>(const Operand& a, const Operand& b);

// Of numbers: integers stay integers but for quotients and roots. With arguments of the traced function the result is
// computed at each call.
namespace numbers {
Scalar sum(const Scalar& a, const Scalar& b, Here here);
Scalar difference(const Scalar& a, const Scalar& b, Here here);
Scalar product(const Scalar& a, const Scalar& b, Here here);
Scalar quotient(const Scalar& a, const Scalar& b, Here here);
}  // namespace numbers
// One side is a Scalar as it stands: sizes and plain numbers have operators of their own.
#define SINTER_NUMBER_OPERATOR(symbol, function)               \
  template <std::same_as<Scalar> S>                            \
  Scalar operator symbol(const S& a, const LocatedScalar& b) { \
    return numbers::function(a, b.value, b.here);              \
  }                                                            \
  template <std::same_as<Scalar> S>                            \
  Scalar operator symbol(const LocatedNumber& a, const S& b) { \
    return numbers::function(a.value, b, a.here);              \
  }
SINTER_NUMBER_OPERATOR(+, sum)
SINTER_NUMBER_OPERATOR(-, difference)
SINTER_NUMBER_OPERATOR(*, product)
SINTER_NUMBER_OPERATOR(/, quotient)
#undef SINTER_NUMBER_OPERATOR
inline Scalar operator-(const LocatedScalar& a) { return numbers::product(a.value, -1, a.here); }
Scalar pow(const Scalar& a, const Scalar& exponent, Here here = Here::current());
Scalar sqrt(const Scalar& a, Here here = Here::current());

// A size as a number operand. No conversion of Operand's: sizes are compared among themselves.
struct SizeOperand {
  SizeOperand(SymInt size, Here here = Here::current()) : operand(Scalar(size), here) {}
  Operand operand;
};
inline Tensor operator+(const Tensor& a, const SizeOperand& b) { return Operand(a, b.operand.here) + b.operand; }
inline Tensor operator-(const Tensor& a, const SizeOperand& b) { return Operand(a, b.operand.here) - b.operand; }
inline Tensor operator*(const Tensor& a, const SizeOperand& b) { return Operand(a, b.operand.here) * b.operand; }
inline Tensor operator/(const Tensor& a, const SizeOperand& b) { return Operand(a, b.operand.here) / b.operand; }
inline Tensor operator+(const SizeOperand& a, const Tensor& b) { return a.operand + Operand(b, a.operand.here); }
inline Tensor operator-(const SizeOperand& a, const Tensor& b) { return a.operand - Operand(b, a.operand.here); }
inline Tensor operator*(const SizeOperand& a, const Tensor& b) { return a.operand * Operand(b, a.operand.here); }
// These write into the tensor on the left: also into views, x[0] += 1.
const Tensor& operator+=(const Tensor& a, const Operand& b);
const Tensor& operator-=(const Tensor& a, const Operand& b);
const Tensor& operator*=(const Tensor& a, const Operand& b);
const Tensor& operator/=(const Tensor& a, const Operand& b);
const Tensor& operator&=(const Tensor& a, const Operand& b);
const Tensor& operator|=(const Tensor& a, const Operand& b);
const Tensor& operator^=(const Tensor& a, const Operand& b);

}  // namespace sinter
