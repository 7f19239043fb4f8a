// The ops that pad.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_PAD_OPS(OP) \
  OP(constant_pad_nd_default) OP(pad_default) OP(pad_enum_default) OP(pad_circular_default) \
  OP(reflection_pad1d_default) OP(reflection_pad2d_default) OP(reflection_pad3d_default) \
  OP(replication_pad1d_default) OP(replication_pad2d_default) OP(replication_pad3d_default) \
  OP(reflection_pad1d_backward_default) OP(reflection_pad2d_backward_default) OP(reflection_pad3d_backward_default) \
  OP(replication_pad1d_backward_default) OP(replication_pad2d_backward_default) OP(replication_pad3d_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_PAD_OPS)

namespace sinter {

// How many elements a pad adds before and after each dim (negative: takes away); its list has the last dim's first.
struct PadWidths {
  Dims before, after;
};
PadWidths padding_of(const Dims& list, int64_t rank);

}  // namespace sinter
