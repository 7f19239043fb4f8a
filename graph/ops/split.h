// The ops that split.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SPLIT_OPS(OP) \
  OP(split_tensor) OP(split_sizes) OP(split_with_sizes_default) OP(chunk_default) OP(unbind_int) \
  OP(tensor_split_sections) OP(tensor_split_indices) OP(tensor_split_tensor_indices_or_sections) \
  OP(hsplit_int) OP(hsplit_array) OP(vsplit_int) OP(vsplit_array) OP(dsplit_int) OP(dsplit_array) \
  OP(unsafe_split_tensor) OP(unsafe_split_with_sizes_default) OP(unsafe_chunk_default) \
  OP(split_copy_tensor) OP(split_with_sizes_copy_default) OP(unbind_copy_int)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SPLIT_OPS)
