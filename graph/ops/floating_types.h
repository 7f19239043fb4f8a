// Type rules of ops whose numbers take no part in promotion: activations, losses and their derivatives.

#pragma once

#include <sinter/graph/op.h>

namespace sinter {

// The promoted type of the tensor slots alone.
DType type_of_tensors(const OpArgs& args);

// Operands and result of the tensors' promoted type, which must be a floating one.
PointwiseTypes types_floating_tensors(const OpArgs& args);
// The same for any type but bool.
PointwiseTypes types_number_tensors(const OpArgs& args);

// The number argument in the type of `like`: not rounded to a half type before.
ScalarExpr number_like(ScalarExpr like, const OpArgs& args, std::string_view parameter);

}  // namespace sinter
