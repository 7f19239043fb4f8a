// Every op that the library has, by family. A family's header lists its own; a new family is a line in each list here.

#pragma once

#include <sinter/graph/ops/activation.h>
#include <sinter/graph/ops/activation_backward.h>
#include <sinter/graph/ops/aliases.h>
#include <sinter/graph/ops/arithmetic.h>
#include <sinter/graph/ops/attention.h>
#include <sinter/graph/ops/batch_norm.h>
#include <sinter/graph/ops/blend.h>
#include <sinter/graph/ops/check_range.h>
#include <sinter/graph/ops/choice.h>
#include <sinter/graph/ops/class_margin_loss.h>
#include <sinter/graph/ops/compare.h>
#include <sinter/graph/ops/convolution.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/creation.h>
#include <sinter/graph/ops/cross_entropy.h>
#include <sinter/graph/ops/diagonal.h>
#include <sinter/graph/ops/difference.h>
#include <sinter/graph/ops/distance.h>
#include <sinter/graph/ops/division.h>
#include <sinter/graph/ops/embedding.h>
#include <sinter/graph/ops/extremum.h>
#include <sinter/graph/ops/float_parts.h>
#include <sinter/graph/ops/glu.h>
#include <sinter/graph/ops/gradient.h>
#include <sinter/graph/ops/grid_sampler.h>
#include <sinter/graph/ops/group_norm.h>
#include <sinter/graph/ops/index.h>
#include <sinter/graph/ops/integer.h>
#include <sinter/graph/ops/join.h>
#include <sinter/graph/ops/logarithmic.h>
#include <sinter/graph/ops/logic.h>
#include <sinter/graph/ops/logspace.h>
#include <sinter/graph/ops/loss_backward.h>
#include <sinter/graph/ops/margin_loss.h>
#include <sinter/graph/ops/masked.h>
#include <sinter/graph/ops/matmul.h>
#include <sinter/graph/ops/new_tensor.h>
#include <sinter/graph/ops/norm.h>
#include <sinter/graph/ops/norm_backward.h>
#include <sinter/graph/ops/order_statistic.h>
#include <sinter/graph/ops/pad.h>
#include <sinter/graph/ops/piecewise.h>
#include <sinter/graph/ops/pool.h>
#include <sinter/graph/ops/power.h>
#include <sinter/graph/ops/random.h>
#include <sinter/graph/ops/rearrange.h>
#include <sinter/graph/ops/reduction.h>
#include <sinter/graph/ops/reindex.h>
#include <sinter/graph/ops/rounding.h>
#include <sinter/graph/ops/scan.h>
#include <sinter/graph/ops/scatter.h>
#include <sinter/graph/ops/search.h>
#include <sinter/graph/ops/segment.h>
#include <sinter/graph/ops/sign.h>
#include <sinter/graph/ops/softmax_backward.h>
#include <sinter/graph/ops/sort.h>
#include <sinter/graph/ops/split.h>
#include <sinter/graph/ops/tally.h>
#include <sinter/graph/ops/transcendental.h>
#include <sinter/graph/ops/unfold.h>
#include <sinter/graph/ops/upsample.h>
#include <sinter/graph/ops/variance.h>
#include <sinter/graph/ops/vector_norm.h>
#include <sinter/graph/ops/view.h>
#include <sinter/graph/ops/view_copy.h>
#include <sinter/graph/ops/view_scatter.h>

// clang-format off
#define SINTER_ALL_OPS(OP) \
  SINTER_ACTIVATION_OPS(OP) \
  SINTER_ACTIVATION_BACKWARD_OPS(OP) \
  SINTER_ALIASES_OPS(OP) \
  SINTER_ARITHMETIC_OPS(OP) \
  SINTER_ATTENTION_OPS(OP) \
  SINTER_BATCH_NORM_OPS(OP) \
  SINTER_BLEND_OPS(OP) \
  SINTER_CHECK_RANGE_OPS(OP) \
  SINTER_CHOICE_OPS(OP) \
  SINTER_CLASS_MARGIN_LOSS_OPS(OP) \
  SINTER_COMPARE_OPS(OP) \
  SINTER_CONVOLUTION_OPS(OP) \
  SINTER_COPY_OPS(OP) \
  SINTER_CREATION_OPS(OP) \
  SINTER_CROSS_ENTROPY_OPS(OP) \
  SINTER_DIAGONAL_OPS(OP) \
  SINTER_DIFFERENCE_OPS(OP) \
  SINTER_DISTANCE_OPS(OP) \
  SINTER_DIVISION_OPS(OP) \
  SINTER_EMBEDDING_OPS(OP) \
  SINTER_EXTREMUM_OPS(OP) \
  SINTER_FLOAT_PARTS_OPS(OP) \
  SINTER_GLU_OPS(OP) \
  SINTER_GRADIENT_OPS(OP) \
  SINTER_GRID_SAMPLER_OPS(OP) \
  SINTER_GROUP_NORM_OPS(OP) \
  SINTER_INDEX_OPS(OP) \
  SINTER_INTEGER_OPS(OP) \
  SINTER_JOIN_OPS(OP) \
  SINTER_LOGARITHMIC_OPS(OP) \
  SINTER_LOGIC_OPS(OP) \
  SINTER_LOGSPACE_OPS(OP) \
  SINTER_LOSS_BACKWARD_OPS(OP) \
  SINTER_MARGIN_LOSS_OPS(OP) \
  SINTER_MASKED_OPS(OP) \
  SINTER_MATMUL_OPS(OP) \
  SINTER_NEW_TENSOR_OPS(OP) \
  SINTER_NORM_OPS(OP) \
  SINTER_NORM_BACKWARD_OPS(OP) \
  SINTER_ORDER_STATISTIC_OPS(OP) \
  SINTER_PAD_OPS(OP) \
  SINTER_PIECEWISE_OPS(OP) \
  SINTER_POOL_OPS(OP) \
  SINTER_POWER_OPS(OP) \
  SINTER_RANDOM_OPS(OP) \
  SINTER_REARRANGE_OPS(OP) \
  SINTER_REDUCTION_OPS(OP) \
  SINTER_REINDEX_OPS(OP) \
  SINTER_ROUNDING_OPS(OP) \
  SINTER_SCAN_OPS(OP) \
  SINTER_SCATTER_OPS(OP) \
  SINTER_SEARCH_OPS(OP) \
  SINTER_SEGMENT_OPS(OP) \
  SINTER_SIGN_OPS(OP) \
  SINTER_SOFTMAX_BACKWARD_OPS(OP) \
  SINTER_SORT_OPS(OP) \
  SINTER_SPLIT_OPS(OP) \
  SINTER_TALLY_OPS(OP) \
  SINTER_TRANSCENDENTAL_OPS(OP) \
  SINTER_UNFOLD_OPS(OP) \
  SINTER_UPSAMPLE_OPS(OP) \
  SINTER_VARIANCE_OPS(OP) \
  SINTER_VECTOR_NORM_OPS(OP) \
  SINTER_VIEW_OPS(OP) \
  SINTER_VIEW_COPY_OPS(OP) \
  SINTER_VIEW_SCATTER_OPS(OP)
// clang-format on

namespace sinter {

std::span<const OpDef* const> builtin_ops();

}  // namespace sinter
