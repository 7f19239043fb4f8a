// What losses share: how the losses of single elements become the result.

#pragma once

#include <sinter/graph/op.h>
#include <sinter/graph/ops/functions/loss.h>

namespace sinter {

// Of parameter `reduction`; throws if it is no reduction.
Reduction reduction_of(const OpArgs& args);
// The losses, their mean or their sum.
Tensor reduced(const OpArgs& args, const Tensor& losses);
// The loss's meta where that of the elements' losses is known.
TensorMeta reduced_meta(const OpArgs& args, TensorMeta losses);

// Throws unless both have equal sizes.
void check_equal_sizes(const OpArgs& args, std::string_view a, std::string_view b);
// Throws unless the parameter is absent or has the type.
void check_type(const OpArgs& args, std::string_view parameter, DType dtype);

}  // namespace sinter
