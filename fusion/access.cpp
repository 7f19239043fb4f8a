// Queries on loads and stores.

#include <sinter/fusion/access.h>

#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/passes/insert_size_checks.h>
#include <sinter/graph/sym_expr.h>

#include <algorithm>

namespace sinter::fusion {

bool is_input(const Schedule& schedule, int buffer) { return schedule.buffers[buffer].kind == BufferKind::input; }

int memory_of(const Schedule& schedule, int buffer) {
  if (!is_input(schedule, buffer)) return buffer;
  // Inputs come first in the numbering of memory by a negative number, which no buffer has.
  return -1 - schedule.buffers[buffer].source;
}

SymDims extents_of(std::span<const Axis> axes) {
  SymDims extents;
  for (const Axis& axis : axes) extents.push_back(axis.extent);
  return extents;
}

SymDims extents_of(const Nest& nest) { return extents_of(nest.axes); }

int parallel_rank(const Nest& nest) {
  int rank = 0;
  for (const Axis& axis : nest.axes) rank += axis.kind == AxisKind::parallel;
  return rank;
}

bool has_reduction(const Nest& nest) {
  for (const Store& store : nest.stores)
    if (store.reduction != ReductionKind::none) return true;
  return false;
}

int scan_axis(const Nest& nest) {
  for (size_t axis = 0; axis < nest.axes.size(); ++axis)
    if (nest.axes[axis].kind == AxisKind::scan) return static_cast<int>(axis);
  return -1;
}

int64_t iterations(const Nest& nest) {
  int64_t count = 1;
  for (const Axis& axis : nest.axes) count *= axis.extent.hint();
  return count;
}

int64_t inner_cost(const Nest& nest) {
  int inner = static_cast<int>(nest.axes.size()) - 1;
  while (inner >= 0 && nest.axes[inner].extent.same(1)) --inner;
  auto moves = [&](const Index& index) {
    return std::any_of(index.begin(), index.end(), [&](const IndexExpr& expr) { return expr.uses(inner); });
  };
  const std::vector<ScalarNode>& nodes = nest.body.dag.nodes;
  std::vector<bool> varies(nodes.size());
  int64_t cost = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const ScalarNode& node = nodes[i];
    if (node.op == ScalarOp::load) varies[i] = moves(nest.body.loads[node.payload].index);
    if (node.op == ScalarOp::index) varies[i] = nest.body.index_values[node.payload].uses(inner);
    for (int32_t operand : node.operands)
      if (operand >= 0 && varies[operand]) varies[i] = true;
    if (varies[i]) cost += info(node.op).work;
  }
  return cost;
}

IndexExpr linear_of(const Schedule& schedule, int buffer, const Index& index) {
  const Layout& layout = schedule.buffers[buffer].layout;
  return linear_index(index, layout.strides, layout.offset);
}

bool meets_elsewhere(const Schedule& schedule, const Nest& nest, int buffer, const Index& index) {
  int memory = memory_of(schedule, buffer);
  IndexExpr linear = linear_of(schedule, buffer, index);
  for (const Load& load : nest.body.loads)
    if (memory_of(schedule, load.buffer) == memory &&
        (load.anywhere || !(linear_of(schedule, load.buffer, load.index) == linear)))
      return true;
  for (const Store& store : nest.stores)
    if (memory_of(schedule, store.buffer) == memory && !(linear_of(schedule, store.buffer, store.index) == linear))
      return true;
  return false;
}

bool makes_results(const ExternCall& call) {
  return call.node->op->library == Library::sizing_routine || !graph::sizes_given_by(*call.node).empty();
}

namespace {

template <class F>
void visit_data_sizes(const IndexExpr& expr, F& visit) {
  visit_unbacked(expr.constant(), visit);
  for (const IndexTerm& term : expr.terms()) {
    visit_unbacked(term.coef, visit);
    if (!term.quotient) continue;
    visit_unbacked(term.quotient->divisor, visit);
    visit_data_sizes(term.quotient->operand, visit);
  }
}

template <class F>
void visit_data_sizes(const Layout& layout, F& visit) {
  for (SymInt size : layout.sizes) visit_unbacked(size, visit);
  for (SymInt stride : layout.strides) visit_unbacked(stride, visit);
  visit_unbacked(layout.offset, visit);
}

}  // namespace

std::vector<int> data_sizes_in(const Schedule& schedule, const Nest& nest) {
  std::vector<int> symbols;
  auto note = [&](int symbol) { symbols.push_back(symbol); };
  auto look = [&](const Index& index) {
    for (const IndexExpr& expr : index) visit_data_sizes(expr, note);
  };
  for (const Axis& axis : nest.axes) visit_unbacked(axis.extent, note);
  visit_buffers(nest, [&](int buffer) { visit_data_sizes(schedule.buffers[buffer].layout, note); });
  look(nest.body.index_values);
  for (const Load& load : nest.body.loads) look(load.index);
  for (const Store& store : nest.stores) look(store.index);
  return symbols;
}

bool tells_sizes(const Kernel& kernel) {
  return kernel.call && (makes_results(*kernel.call) || kernel.call->node->op == &op_defs::check_sizes_default);
}

bool touches_written_argument(const Schedule& schedule, const Nest& reader, const Nest& writer) {
  for (const Store& store : writer.stores) {
    if (!is_input(schedule, store.buffer)) continue;
    int memory = memory_of(schedule, store.buffer);
    for (const Load& load : reader.body.loads)
      if (memory_of(schedule, load.buffer) == memory) return true;
    for (const Store& other : reader.stores)
      if (memory_of(schedule, other.buffer) == memory) return true;
  }
  return false;
}

}  // namespace sinter::fusion
