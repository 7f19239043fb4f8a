// What a scan combines its elements by: a kind of reductions, or what only scans know.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::fusion {

// running = log(exp(running) + exp(value)), of floats. It has no fixed order as a reduction, so it is none.
inline constexpr ReductionKind log_add_exp_scan{64};

}  // namespace sinter::fusion
