// Matches the body of a sum of squares against that of a sum before it.

#include <sinter/codegen/cuda/deviation.h>

#include <sinter/codegen/cpp/reduction_plan.h>
#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::Body;
using fusion::IndexExpr;
using fusion::Load;
using fusion::Nest;
using fusion::Store;

namespace {

// Elements of a thread. Rounding costs at most so many last places, where the thread's first element alone makes the
// variance; one or two where it is like the others.
constexpr int64_t most_taken = 4096;
constexpr size_t most_nodes = 64;

bool uses_any(const IndexExpr& expr, int first, int last) {
  for (int axis = first; axis < last; ++axis)
    if (expr.uses(axis)) return true;
  return false;
}

// Of each node: whether its value changes along the axes that the nest reduces.
std::vector<bool> varying(const Nest& nest) {
  int first = fusion::parallel_rank(nest), last = static_cast<int>(nest.axes.size());
  const std::vector<ScalarNode>& nodes = nest.body.dag.nodes;
  std::vector<bool> varies(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op == ScalarOp::load)
      for (const IndexExpr& expr : nest.body.loads[nodes[i].payload].index)
        varies[i] = varies[i] || uses_any(expr, first, last);
    if (nodes[i].op == ScalarOp::index) varies[i] = uses_any(nest.body.index_values[nodes[i].payload], first, last);
    for (int operand : nodes[i].operands)
      if (operand >= 0 && varies[operand]) varies[i] = true;
  }
  return varies;
}

bool same_leaf(const Body& a, const ScalarNode& x, const Body& b, const ScalarNode& y) {
  if (x.op == ScalarOp::load) {
    const Load &l = a.loads[x.payload], &r = b.loads[y.payload];
    return l.buffer == r.buffer && l.index == r.index && l.anywhere == r.anywhere;
  }
  if (x.op == ScalarOp::index) return a.index_values[x.payload] == b.index_values[y.payload];
  return x.payload == y.payload;
}

// Of each node of `b`: a node of `a` that has the same value, or -1.
std::vector<int> matches(const Body& a, const Body& b) {
  std::vector<int> match(b.dag.nodes.size(), -1);
  auto is_same = [&](const ScalarNode& x, const ScalarNode& y) {
    if (x.op != y.op || x.dtype != y.dtype || !same_leaf(a, x, b, y)) return false;
    for (int k = 0; k < 3; ++k) {
      bool both = (x.operands[k] < 0) == (y.operands[k] < 0);
      if (!both || (y.operands[k] >= 0 && match[y.operands[k]] != x.operands[k])) return false;
    }
    return true;
  };
  for (size_t j = 0; j < b.dag.nodes.size(); ++j)
    for (size_t i = 0; i < a.dag.nodes.size() && match[j] < 0; ++i)
      if (is_same(a.dag.nodes[i], b.dag.nodes[j])) match[j] = static_cast<int>(i);
  return match;
}

bool reads_what_is_written(const CudaContext& context, const Nest& nest) {
  return std::any_of(nest.body.loads.begin(), nest.body.loads.end(), [&](const Load& load) {
    return std::any_of(context.kernel.buffers.begin(), context.kernel.buffers.end(), [&](const KernelBuffer& used) {
      return used.id == load.buffer && (used.is_written || used.may_alias);
    });
  });
}

bool reduce_alike(const CudaContext& context, const Nest& a, const Nest& b, int team) {
  int first = fusion::parallel_rank(a);
  if (a.axes.size() != b.axes.size() || first != fusion::parallel_rank(b)) return false;
  for (size_t axis = 0; axis < a.axes.size(); ++axis)
    if (!a.axes[axis].extent.same(b.axes[axis].extent)) return false;
  int last = static_cast<int>(a.axes.size());
  return iterations(a, context.outer_axes(), first) == 1 && iterations(a, first, last) <= most_taken * team &&
         iterations(a, first, last) > 1;
}

// The square of a difference that the nest sums, and nothing else: the nodes of what is subtracted.
std::optional<Deviation> squares_in(const Nest& nest) {
  if (nest.stores.size() != 1 || nest.stores[0].reduction != ReductionKind::sum) return {};
  const std::vector<ScalarNode>& nodes = nest.body.dag.nodes;
  const ScalarNode& square = nodes[nest.stores[0].value];
  if (square.op != ScalarOp::mul || square.operands[0] != square.operands[1]) return {};
  const ScalarNode& difference = nodes[square.operands[0]];
  if (difference.op != ScalarOp::sub || !is_floating(difference.dtype)) return {};
  Deviation found;
  found.store = 0;
  found.value = difference.operands[0];  // still of this nest
  found.center = difference.operands[1];
  found.dtype = difference.dtype;
  return varying(nest)[found.center] ? std::nullopt : std::optional(found);
}

}  // namespace

std::optional<Deviation> find_deviation(const CudaContext& context, const std::vector<int>& nests, int team) {
  for (size_t later = 1; later < nests.size(); ++later) {
    const Nest& squares = context.nests()[nests[later]];
    if (!is_reduction(squares) || squares.body.dag.nodes.size() > most_nodes) continue;
    std::optional<Deviation> found = squares_in(squares);
    if (!found) continue;
    for (size_t earlier = 0; earlier < later; ++earlier) {
      const Nest& sum = context.nests()[nests[earlier]];
      if (!is_reduction(sum) || sum.body.dag.nodes.size() > most_nodes || !reduce_alike(context, sum, squares, team) ||
          reads_what_is_written(context, sum))
        continue;
      int value = matches(sum.body, squares.body)[found->value];
      bool is_summed = std::any_of(sum.stores.begin(), sum.stores.end(), [&](const Store& store) {
        return store.value == value && store.reduction == ReductionKind::sum;
      });
      if (value < 0 || !is_summed) continue;
      found->value = value;
      found->sum_nest = nests[earlier];
      found->squares_nest = nests[later];
      return found;
    }
  }
  return {};
}

}  // namespace sinter::codegen
