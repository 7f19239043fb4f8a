// Looks for operands whose fastest axis is not the vector axis.

#include <sinter/codegen/cpp/reduction_plan.h>
#include <sinter/codegen/cpp/tile_plan.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::AxisKind;
using fusion::IndexExpr;
using fusion::IndexTerm;
using fusion::Nest;

namespace {

// All tiles of a kernel together should stay in the first cache.
constexpr int64_t most_tile_bytes = 24 * 1024;

bool is_plain_in(const IndexExpr& expr, int axis) {
  return std::none_of(expr.terms().begin(), expr.terms().end(),
                      [&](const IndexTerm& term) { return term.quotient && term.quotient->operand.uses(axis); });
}

// The operand steps over memory along `column`, and would not along `row`.
bool runs_across(const IndexExpr& linear, int row, int column) {
  if (row == column || !is_plain_in(linear, row) || !is_plain_in(linear, column)) return false;
  SymInt along = linear.coef_of(column);
  return linear.coef_of(row).same(1) && !along.same(0) && !along.same(1);
}

std::vector<bool> masked_loads(const Nest& nest) {
  std::vector<bool> masked(nest.body.loads.size(), false);
  for (const ScalarNode& node : nest.body.dag.nodes)
    if (node.op == ScalarOp::load && (node.operands[0] >= 0 || node.operands[1] >= 0)) masked[node.payload] = true;
  return masked;
}

}  // namespace

std::optional<TilePlan> plan_tiles(const KernelContext& context) {
  if (context.kernel.nests.size() != 1) return {};
  const Nest& nest = context.kernel.nests[0];
  int axes = static_cast<int>(nest.axes.size());
  bool is_pointwise = std::all_of(nest.axes.begin(), nest.axes.end(),
                                  [](const fusion::Axis& axis) { return axis.kind == AxisKind::parallel; });
  if (!is_pointwise || nest.vector_axis < 0) return {};
  int column = nest.vector_axis;
  auto is_long = [&](int axis) { return nest.axes[axis].extent.hint() >= context.lanes; };
  if (!is_long(column)) return {};
  std::vector<bool> masked = masked_loads(nest);
  TilePlan best;
  int64_t best_bytes = 0;
  for (int row = 0; row < axes; ++row) {
    if (!is_long(row)) continue;
    TilePlan plan{row, column, 64, {}};
    int64_t bytes = 0;
    for (size_t i = 0; i < nest.body.loads.size(); ++i) {
      const fusion::Load& load = nest.body.loads[i];
      const fusion::Buffer& buffer = context.buffer(load.buffer);
      if (masked[i] || buffer.kind == fusion::BufferKind::local) continue;
      if (!runs_across(linear_index(load.index, buffer.layout.strides, buffer.layout.offset), row, column)) continue;
      plan.loads.push_back(static_cast<int>(i));
      bytes += byte_size(buffer.dtype);
    }
    if (bytes <= best_bytes) continue;
    best_bytes = bytes;
    best = std::move(plan);
  }
  if (best.loads.empty()) return {};
  while (best.size > context.lanes && best.size > 16 && int64_t{best.size} * best.size * best_bytes > most_tile_bytes)
    best.size /= 2;
  return best;
}

SymInt tile_count(const TilePlan& plan, const Nest& nest) {
  SymInt count = 1;
  for (int axis = 0; axis < static_cast<int>(nest.axes.size()); ++axis) {
    SymInt extent = nest.axes[axis].extent;
    bool is_tiled = axis == plan.row_axis || axis == plan.column_axis;
    count *= is_tiled ? ceil_div(extent, plan.size) : extent;
  }
  return count;
}

}  // namespace sinter::codegen
