// Tells numbers whose value a trace knows from those that are inputs of the traced function or follow from its sizes.

#pragma once

#include <sinter/graph/number.h>

namespace sinter {

inline bool is_plain(const Scalar& number) { return !number.is_traced() && !number.is_symbolic(); }

}  // namespace sinter
