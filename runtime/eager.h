// Runs each op at once on real tensors: what happens outside of compiled functions.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::runtime {

// The executor that this library installs when it is loaded.
Values run_eagerly(const OpArgs& args);

// Plans that this thread keeps, at most `eager_plan_limit`.
int64_t eager_plan_count();
inline constexpr int64_t eager_plan_limit = 1024;

}  // namespace sinter::runtime
