// Checks of data: an op whose elements must lie in a range says so, eager and compiled alike.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_CHECK_RANGE_OPS(OP) \
  OP(check_range_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_CHECK_RANGE_OPS)

namespace sinter {

// A size as `what` and `need` may say it, one more than the most that an element may be: of a symbolic one the call
// at hand tells.
std::string size_in_message(SymInt size);

// Once the data is there, throws `op: what`, where {} in `what` is the offending element, unless least <= element <=
// most for all elements. The extremes are reductions that fuse with their neighbours; only they are looked at.
void check_elements(const OpArgs& args, const Tensor& elements, Scalar least, Scalar most, std::string_view what,
                    std::string_view need);

}  // namespace sinter
