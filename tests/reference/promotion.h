// Type promotion as ATen documents it, written as a table apart from the library's own.

#pragma once

#include "reference/array.h"

namespace sinter::reference {

DType promote_pair(DType a, DType b);
// Over tensors, zero-dim tensors and numbers.
DType common_type(const std::vector<const Array*>& operands);

}  // namespace sinter::reference
