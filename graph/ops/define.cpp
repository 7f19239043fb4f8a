// Pieces of formulas.

#include <sinter/graph/ops/define.h>

namespace sinter {

ScalarExpr number_in(ScalarBuilder& s, Scalar value, DType dtype) {
  if (value.is_symbolic() || value.is_traced())
    return s.convert(s.convert(s.constant(value, compute_type(dtype)), dtype), compute_type(dtype));
  if (dtype == DType::f16) value = static_cast<float>(Half(static_cast<float>(value.to_double())));
  if (dtype == DType::bf16) value = static_cast<float>(BFloat16(static_cast<float>(value.to_double())));
  return s.constant(value, compute_type(dtype));
}

ScalarExpr is_nonzero(ScalarExpr x) { return x.dtype() == DType::boolean ? x : x != Scalar(0); }

}  // namespace sinter
