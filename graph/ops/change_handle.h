// Operators that change the tensor itself, not its data: `x.t_()` gives the handle another layout.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

// How often real tensors got other layouts: who relies on one that it saw looks again when this has changed.
extern std::atomic<int64_t> layouts_changed;

// The handle becomes what `seen`, a view of it, is. A traced function may do that to its own tensors alone: one that it
// captured would be turned once, at the trace, in place of at each call.
void change_handle(const Tensor& self, const Tensor& seen, std::string_view op, Here here);

}  // namespace sinter
