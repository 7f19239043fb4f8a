// Choice of shape, and sizes of blocks, segments and partial results.

#include <sinter/codegen/cpp/reduction_plan.h>
#include <sinter/codegen/cpp/scalar_syntax.h>

#include <algorithm>
#include <bit>

namespace sinter::codegen {

using fusion::AxisKind;
using fusion::Nest;
using fusion::Store;

namespace {

// A segment is a thread's smallest share: large beside the cost of combining, small beside the whole.
constexpr int64_t segment_elements = 128 * 1024;
// Instructions of a chunk that may stand unrolled.
constexpr int most_unrolled_cost = 160;

bool are_wide(const ReductionPlan& plan, int lanes) {
  return std::all_of(plan.accumulators.begin(), plan.accumulators.end(), [&](const Accumulator& acc) {
    return acc.lanes == fusion::wide_lanes(acc.dtype) && acc.lanes % lanes == 0;
  });
}

}  // namespace

bool is_reduction(const Nest& nest) {
  return std::any_of(nest.stores.begin(), nest.stores.end(),
                     [](const Store& store) { return store.reduction != ReductionKind::none; });
}

int body_cost(const Nest& nest) {
  int cost = 0;
  for (const ScalarNode& node : nest.body.dag.nodes) cost += cost_of(node.op, node.dtype);
  return cost;
}

ReductionPlan plan_reduction(const Nest& nest, const KernelContext& context) {
  ReductionPlan plan;
  for (size_t axis = 0; axis < nest.axes.size(); ++axis) {
    int64_t extent = nest.axes[axis].extent.constant();
    if (nest.axes[axis].kind != AxisKind::reduction) {
      if (static_cast<int>(axis) >= context.kernel.outer_axes) plan.results *= extent;
      continue;
    }
    if (extent != 1) plan.axes.push_back(static_cast<int>(axis));
    plan.length *= extent;
  }
  for (size_t i = 0; i < nest.stores.size(); ++i) {
    const Store& store = nest.stores[i];
    if (store.reduction == ReductionKind::none) continue;
    Accumulator acc;
    acc.store = static_cast<int>(i);
    acc.kind = store.reduction;
    acc.dtype = nest.body.dag.nodes[store.value].dtype;
    acc.lanes = store.order.lanes;
    acc.block = int64_t{store.order.lanes} * store.order.steps;
    acc.blocks = std::max<int64_t>(1, (plan.length + acc.block - 1) / acc.block);
    acc.levels = std::bit_width(static_cast<uint64_t>(acc.blocks));
    plan.block = plan.accumulators.empty() ? acc.block : std::min(plan.block, acc.block);
    plan.chunk = std::max(plan.chunk, acc.lanes);
    plan.accumulators.push_back(std::move(acc));
  }
  bool along = nest.vector_axis >= 0 && nest.axes[nest.vector_axis].kind == AxisKind::reduction;
  plan.vector_axis = nest.vector_axis;
  if (along && !plan.axes.empty() && plan.last_axis() == nest.vector_axis && are_wide(plan, context.lanes)) {
    plan.shape = ReductionShape::rows;
  } else if (along) {
    plan.vector_axis = -1;
  }
  plan.end = fmt::format("{}", plan.length);
  plan.is_unrolled = body_cost(nest) * (plan.chunk / context.lanes) <= most_unrolled_cost;
  return plan;
}

void plan_segments(ReductionPlan& plan, const Nest& nest, int outer_axes) {
  SINTER_CHECK(outer_axes == 0, "{} is split below outer axes", nest.name);
  int64_t largest_block = plan.block;
  for (const Accumulator& acc : plan.accumulators) largest_block = std::max(largest_block, acc.block);
  plan.segment = largest_block;
  while (plan.segment * plan.results < segment_elements) plan.segment *= 2;
  plan.segments = std::max<int64_t>(1, (plan.length + plan.segment - 1) / plan.segment);
  int64_t offset = 0;
  for (Accumulator& acc : plan.accumulators) {
    acc.partial_offset = offset;
    int64_t bytes = plan.segments * plan.results * byte_size(acc.dtype);
    offset += (bytes + 63) / 64 * 64;
  }
}

int64_t partial_bytes(const ReductionPlan& plan) {
  const Accumulator& last = plan.accumulators.back();
  return last.partial_offset + plan.segments * plan.results * byte_size(last.dtype);
}

}  // namespace sinter::codegen
