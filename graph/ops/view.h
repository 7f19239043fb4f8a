// The ops that view.cpp defines, and how places along a dim are counted.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_VIEW_OPS(OP) \
  OP(alias_default) OP(detach_default) OP(view_default) OP(reshape_default) OP(flatten_using_ints) \
  OP(permute_default) OP(transpose_int) OP(transpose_inplace_default) OP(t_default) OP(t_inplace_default) \
  OP(unsqueeze_default) OP(unsqueeze_inplace_default) OP(squeeze_default) OP(squeeze_dim) OP(squeeze_dims) \
  OP(squeeze_inplace_default) OP(squeeze_inplace_dim) OP(squeeze_inplace_dims) \
  OP(expand_default) OP(select_int) OP(slice_tensor) OP(narrow_default) \
  OP(as_strided_default) OP(as_strided_scatter_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_VIEW_OPS)

namespace sinter {

// The memory that as_strided_scatter writes its window into: laid out as its argument's, or if that is expanded, as a
// clone of it.
Layout scattered_memory(const Layout& self);
// A place that data tell, along a dim of that size: one below 0 counts from the end.
SymInt counted_from_front(SymInt place, SymInt size);

}  // namespace sinter
