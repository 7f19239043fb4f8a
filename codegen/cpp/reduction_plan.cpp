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

std::string start_of(const Accumulator& acc) { return identity(acc.kind, acc.dtype); }

std::string combined(const Accumulator& acc, const std::string& a, const std::string& b) {
  return fmt::format("{}({}, {})", combine_of(acc.kind, acc.dtype).function, a, b);
}

int body_cost(const Nest& nest) {
  int cost = 0;
  for (const ScalarNode& node : nest.body.dag.nodes) cost += cost_of(node.op, node.dtype);
  return cost;
}

int levels_of_blocks(SymInt blocks) {
  return blocks.is_constant() ? std::bit_width(static_cast<uint64_t>(blocks.hint())) : most_levels;
}

ReductionPlan plan_reduction(const Nest& nest, KernelContext& context) {
  ReductionPlan plan;
  for (size_t axis = 0; axis < nest.axes.size(); ++axis) {
    SymInt extent = nest.axes[axis].extent;
    if (nest.axes[axis].kind != AxisKind::reduction) {
      if (static_cast<int>(axis) >= context.kernel.outer_axes) plan.results *= extent;
      continue;
    }
    if (!extent.same(1)) plan.axes.push_back(static_cast<int>(axis));
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
    acc.blocks = max(1, ceil_div(plan.length, acc.block));
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
  plan.end = context.sizes.text(plan.length, context.use);
  plan.is_unrolled = body_cost(nest) * (plan.chunk / context.lanes) <= most_unrolled_cost;
  return plan;
}

void plan_segments(ReductionPlan& plan, const Nest& nest, int outer_axes) {
  SINTER_CHECK(outer_axes == 0, "{} is split below outer axes", nest.name);
  int64_t largest_block = plan.block;
  for (const Accumulator& acc : plan.accumulators) largest_block = std::max(largest_block, acc.block);
  plan.segment = largest_block;
  while (plan.segment * plan.results.constant() < segment_elements) plan.segment *= 2;
  plan.segments = max(1, ceil_div(plan.length, plan.segment));
  SymInt offset = 0;
  for (Accumulator& acc : plan.accumulators) {
    acc.partial_offset = offset;
    offset += ceil_div(plan.segments * plan.results * byte_size(acc.dtype), 64) * 64;
  }
}

SymInt partial_bytes(const ReductionPlan& plan) {
  const Accumulator& last = plan.accumulators.back();
  return last.partial_offset + plan.segments * plan.results * byte_size(last.dtype);
}

}  // namespace sinter::codegen
