// Indexing.

#include <sinter/graph/ops/index.h>

#include <sinter/graph/ops/define.h>

namespace sinter {

namespace op_defs {

constinit const OpDef nonzero_default = sizing_routine("aten::nonzero(Tensor self) -> Tensor");

}  // namespace op_defs

}  // namespace sinter
