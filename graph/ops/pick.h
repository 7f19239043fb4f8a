// sinter::pick, which reads at places that index tensors hold, in a form that fuses with what uses the elements.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_PICK_OPS(OP) \
  OP(pick_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_PICK_OPS)

namespace sinter {

// How sinter::pick understands its list of indices (one for each dim of self, undefined where the dim is kept).
struct Picking {
  bool aligned = false;      // one index, whose dims are the result's: gather; else as in self[indices]
  bool wraps = false;        // negative indices count from the end
  bool keeps_order = false;  // the result has the memory order that ATen's index gives, else it is row-major
};

// The op that is made of this names itself in the error of an index out of range.
Tensor pick(const OpArgs& args, const Tensor& self, const std::vector<Tensor>& indices, Picking how);

// The layout of self[indices] in ATen's memory order.
Layout indexed_layout(const OpArgs& args, const Layout& self, const std::vector<Tensor>& index_of_dim);

}  // namespace sinter
