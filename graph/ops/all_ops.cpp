// The table of built-in ops.

#include <sinter/graph/ops/all_ops.h>

namespace sinter {

std::span<const OpDef* const> builtin_ops() {
#define SINTER_LIST_OP(name) &op_defs::name,
  static constexpr const OpDef* table[] = {SINTER_ALL_OPS(SINTER_LIST_OP)};
#undef SINTER_LIST_OP
  return table;
}

}  // namespace sinter
