// Copying of DAGs between bodies.

#include <sinter/fusion/graft.h>

#include <sinter/fusion/access.h>

#include <algorithm>
#include <numeric>

namespace sinter::fusion {

Graft::Graft(Nest& to) : to_(to), scalars_(to.body.dag) {}

int Graft::both(int a, int b) {
  if (a < 0 || a == b) return b;
  if (b < 0) return a;
  return scalars_.apply(ScalarOp::bit_and, {{&scalars_, a}, {&scalars_, b}}).id;
}

int Graft::convert(int value, DType dtype) { return scalars_.convert({&scalars_, value}, dtype).id; }

int Graft::masked(int value, int mask) {
  const ScalarNode& node = to_.body.dag.nodes[value];
  if (mask < 0 || (node.op == ScalarOp::load && node.operands[0] == mask)) return value;
  ScalarExpr zero = zero_of(scalars_, node.dtype);
  return select({&scalars_, mask}, {&scalars_, value}, zero).id;
}

// A choice of which one side is a choice by the same condition needs only that one's part.
void Graft::shorten(ScalarNode& choice) const {
  for (int side : {1, 2}) {
    const ScalarNode& chosen = to_.body.dag.nodes[choice.operands[side]];
    if (chosen.op == ScalarOp::select && chosen.operands[0] == choice.operands[0])
      choice.operands[side] = chosen.operands[side];
  }
}

int Graft::add_load(const Load& load, DType dtype, int mask, int offset) {
  std::string key = fmt::format("{}{}{}", load.buffer, to_string(load.index), load.anywhere ? "+" : "");
  auto [row, is_new] = load_rows_.try_emplace(std::move(key), static_cast<int>(to_.body.loads.size()));
  if (is_new) to_.body.loads.push_back(load);
  return scalars_.add({ScalarOp::load, dtype, {mask, offset, -1}, static_cast<uint64_t>(row->second)}).id;
}

std::vector<int> Graft::copy(const Nest& from, std::span<const int> roots, std::span<const IndexExpr> axes, int mask,
                             const LoadValue& load_value) {
  const std::vector<ScalarNode>& nodes = from.body.dag.nodes;
  std::vector<bool> is_needed(nodes.size());
  for (int root : roots) is_needed[root] = true;
  for (size_t i = nodes.size(); i-- > 0;)
    if (is_needed[i])
      for (int operand : nodes[i].operands)
        if (operand >= 0) is_needed[operand] = true;

  SymDims extents = extents_of(to_);
  std::vector<int> copied(nodes.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!is_needed[i]) continue;
    ScalarNode node = nodes[i];
    for (int& operand : node.operands)
      if (operand >= 0) operand = copied[operand];
    if (node.op == ScalarOp::load) {
      const Load& load = from.body.loads[node.payload];
      Load moved{load.buffer, substitute(load.index, axes, extents), load.anywhere};
      int load_mask = both(node.operands[0], mask);
      std::optional<int> value = load_value ? load_value(moved, load_mask) : std::nullopt;
      copied[i] = value ? *value : add_load(moved, node.dtype, load_mask, node.operands[1]);
    } else if (node.op == ScalarOp::index) {
      IndexExpr expr = substitute(from.body.index_values[node.payload], axes, extents);
      auto [row, is_new] = index_rows_.try_emplace(to_string(expr), static_cast<int>(to_.body.index_values.size()));
      if (is_new) to_.body.index_values.push_back(expr);
      node.payload = static_cast<uint64_t>(row->second);
      copied[i] = scalars_.add(node).id;
    } else {
      if (node.op == ScalarOp::select) shorten(node);
      copied[i] = scalars_.add(node).id;
    }
    note_origin(from, i);
  }
  std::vector<int> results;
  for (int root : roots) results.push_back(copied[root]);
  return results;
}

std::vector<int> Graft::copy_stored(const Nest& from, const LoadValue& load_value) {
  std::vector<int> roots;
  for (const Store& store : from.stores) roots.push_back(store.value);
  return copy(from, roots, identity_index(static_cast<int64_t>(to_.axes.size())), -1, load_value);
}

// Nodes added since the last call come from this node of `from`.
void Graft::note_origin(const Nest& from, size_t node) {
  std::vector<int>& origins = to_.body.origins;
  if (origins.size() == to_.body.dag.nodes.size()) return;
  int position = -1;
  if (node < from.body.origins.size() && from.body.origins[node] >= 0) {
    const graph::Node* origin = from.origins[from.body.origins[node]];
    auto found = std::find(to_.origins.begin(), to_.origins.end(), origin);
    position = static_cast<int>(found - to_.origins.begin());
    if (found == to_.origins.end()) to_.origins.push_back(origin);
  }
  origins.resize(to_.body.dag.nodes.size(), position);
}

void sort_origins(Nest& nest) {
  std::vector<int> order(nest.origins.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return nest.origins[a]->index < nest.origins[b]->index; });
  std::vector<int> place(order.size());
  std::vector<const graph::Node*> sorted;
  for (size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<int>(i);
    sorted.push_back(nest.origins[order[i]]);
  }
  nest.origins = std::move(sorted);
  for (int& origin : nest.body.origins)
    if (origin >= 0) origin = place[origin];
}

ScalarExpr zero_of(ScalarBuilder& scalars, DType dtype) {
  Scalar number = is_floating(dtype) ? Scalar(0.0) : Scalar(0);
  return scalars.convert(scalars.constant(number, compute_type(dtype)), dtype);
}

void remove_dead_values(Nest& nest) {
  Nest fresh = nest;
  fresh.body = {};
  Graft graft(fresh);
  std::vector<int> values = graft.copy_stored(nest);
  for (size_t i = 0; i < values.size(); ++i) fresh.stores[i].value = values[i];
  nest = std::move(fresh);
}

}  // namespace sinter::fusion
