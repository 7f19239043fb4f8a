// Type rules of pointwise ops: what the operands are converted to, and what the result is.

#pragma once

#include <sinter/graph/op.h>

namespace sinter {

// The promoted type of the tensor slots and of the positional numbers, by their ranks.
DType common_type(const OpArgs& args);

// Operands and result of one type: the common one.
PointwiseTypes types_common(const OpArgs& args);
// The same for + - * /, where a number beside f16 or bf16 tensors keeps the precision of f32, as in ATen's kernels.
PointwiseTypes types_arithmetic(const OpArgs& args);
// The common type, or the default floating type for bool and integers.
PointwiseTypes types_float(const OpArgs& args);
PointwiseTypes types_divide(const OpArgs& args);
// Operands of the common type, result bool.
PointwiseTypes types_compare(const OpArgs& args);
// Each operand in its own type, result bool.
PointwiseTypes types_predicate(const OpArgs& args);
// Each operand in its own type, the result in that of slot 0.
PointwiseTypes types_of_self(const OpArgs& args);

// The common type where the op does not take all types; another is a dtype error.
PointwiseTypes types_without_bool(const OpArgs& args);
PointwiseTypes types_floating_only(const OpArgs& args);
PointwiseTypes types_integral_only(const OpArgs& args);

// Throws the error that an op does not take elements of this type.
[[noreturn]] void fail_for_type(const OpArgs& args, DType dtype);
// Throws if a number is out of an integer type's range.
void check_fits(const OpArgs& args, Scalar value, DType dtype);
// The same for a number to fill with: a negative integer wraps in an unsigned type, as in ATen.
void check_fills(const OpArgs& args, Scalar value, DType dtype);

}  // namespace sinter
