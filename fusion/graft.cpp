// Copying of DAGs between bodies.

#include <sinter/fusion/graft.h>

namespace sinter::fusion {

Graft::Graft(Nest& to) : to_(to), scalars_(to.body.dag) {}

int Graft::both(int a, int b) {
  if (a < 0 || a == b) return b;
  if (b < 0) return a;
  return scalars_.apply(ScalarOp::bit_and, {{&scalars_, a}, {&scalars_, b}}).id;
}

int Graft::convert(int value, DType dtype) { return scalars_.convert({&scalars_, value}, dtype).id; }

int Graft::add_load(const Load& load, DType dtype, int mask) {
  std::string key = fmt::format("{}{}", load.buffer, to_string(load.index));
  auto [row, is_new] = load_rows_.try_emplace(std::move(key), static_cast<int>(to_.body.loads.size()));
  if (is_new) to_.body.loads.push_back(load);
  return scalars_.add({ScalarOp::load, dtype, {mask, -1, -1}, static_cast<uint64_t>(row->second)}).id;
}

std::vector<int> Graft::copy(const Body& from, std::span<const int> roots, std::span<const IndexExpr> axes, int mask,
                             const LoadValue& load_value) {
  const std::vector<ScalarNode>& nodes = from.dag.nodes;
  std::vector<bool> is_needed(nodes.size());
  for (int root : roots) is_needed[root] = true;
  for (size_t i = nodes.size(); i-- > 0;)
    if (is_needed[i])
      for (int operand : nodes[i].operands)
        if (operand >= 0) is_needed[operand] = true;

  SymDims extents;
  for (const Axis& axis : to_.axes) extents.push_back(axis.extent);
  std::vector<int> copied(nodes.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!is_needed[i]) continue;
    ScalarNode node = nodes[i];
    for (int& operand : node.operands)
      if (operand >= 0) operand = copied[operand];
    if (node.op == ScalarOp::load) {
      const Load& load = from.loads[node.payload];
      Load moved{load.buffer, {}};
      for (const IndexExpr& expr : load.index) moved.index.push_back(substitute(expr, axes, extents));
      int load_mask = both(node.operands[0], mask);
      std::optional<int> value = load_value ? load_value(moved, load_mask) : std::nullopt;
      copied[i] = value ? *value : add_load(moved, node.dtype, load_mask);
    } else if (node.op == ScalarOp::index) {
      IndexExpr expr = substitute(from.index_values[node.payload], axes, extents);
      auto [row, is_new] = index_rows_.try_emplace(to_string(expr), static_cast<int>(to_.body.index_values.size()));
      if (is_new) to_.body.index_values.push_back(expr);
      node.payload = static_cast<uint64_t>(row->second);
      copied[i] = scalars_.add(node).id;
    } else {
      copied[i] = scalars_.add(node).id;
    }
  }
  std::vector<int> results;
  for (int root : roots) results.push_back(copied[root]);
  return results;
}

void remove_dead_values(Nest& nest) {
  Nest fresh = nest;
  fresh.body = {};
  Graft graft(fresh);
  Index axes;
  for (size_t i = 0; i < nest.axes.size(); ++i) axes.push_back(IndexExpr::axis(static_cast<int>(i)));
  std::vector<int> roots;
  for (const Store& store : nest.stores) roots.push_back(store.value);
  std::vector<int> values = graft.copy(nest.body, roots, axes);
  for (size_t i = 0; i < values.size(); ++i) fresh.stores[i].value = values[i];
  nest = std::move(fresh);
}

}  // namespace sinter::fusion
