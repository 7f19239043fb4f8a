// Each check goes behind the last of the nodes that give its symbols: nothing that uses them has run by then.

#include <sinter/graph/passes/insert_size_checks.h>

#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/reduction_order.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/graph/sym_expr.h>
#include <sinter/graph/trace.h>

#include <algorithm>

namespace sinter::graph {

std::vector<GivenSize> sizes_given_by(const Node& node) {
  std::vector<GivenSize> given;
  if (node.op == &op_defs::item_default) return {{symbol_number(node.args[1].value().sym_int()), 0, -1}};
  bool is_call = node.op && (node.op->library == Library::sizing_routine || node.op->library == Library::custom);
  if (!is_call) return given;
  for (size_t output = 0; output < node.metas.size(); ++output) {
    const SymDims& sizes = node.metas[output].layout.sizes;
    for (size_t dim = 0; dim < sizes.size(); ++dim)
      if (int symbol = is_unbacked(sizes[dim]) ? symbol_number(sizes[dim]) : -1; symbol >= 0)
        given.push_back({symbol, static_cast<int>(output), static_cast<int>(dim)});
  }
  return given;
}

namespace {

std::string_view sign_of(const ShapeGuard& relation) {
  if (relation.comparison == Comparison::equal) return relation.holds ? "==" : "!=";
  return relation.holds ? "<" : ">=";
}

std::unique_ptr<Node> node_for(const SizeCheck& check, const std::vector<SizeSymbol>& symbols,
                               std::string_view unless_stated) {
  const ShapeGuard& relation = check.relation;
  auto node = std::make_unique<Node>();
  node->op = &op_defs::check_sizes_default;
  node->args = {Argument(Value(relation.left)), Argument(Value(std::string(sign_of(relation)))),
                Argument(Value(relation.right)), Argument(Value(to_string(relation, symbols))),
                Argument(Value(check.stated_by.empty() ? std::string(unless_stated) : check.stated_by))};
  node->where = relation.where;
  return node;
}

bool insert_checks(Graph& graph, std::string_view unless_stated) {
  ShapeFacts* facts = active_shape_facts();
  std::vector<SizeCheck> checks = facts ? facts->take_checks() : std::vector<SizeCheck>();
  if (checks.empty()) return false;
  std::unordered_map<int, size_t> given_at;
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    for (const GivenSize& given : sizes_given_by(*graph.nodes[i])) given_at.try_emplace(given.symbol, i);

  std::vector<std::vector<const SizeCheck*>> behind(graph.nodes.size());
  for (const SizeCheck& check : checks) {
    size_t place = 0;
    auto look = [&](int symbol) {
      if (auto found = given_at.find(symbol); found != given_at.end()) place = std::max(place, found->second);
    };
    visit_symbols(check.relation.left, look);
    visit_symbols(check.relation.right, look);
    behind[place].push_back(&check);
  }
  std::vector<std::unique_ptr<Node>> old = std::move(graph.nodes);
  graph.nodes.clear();
  for (size_t i = 0; i < old.size(); ++i) {
    graph.nodes.push_back(std::move(old[i]));
    for (const SizeCheck* check : behind[i])
      graph.append(node_for(*check, facts->symbols(), unless_stated), "check_sizes");
  }
  graph.number_nodes();
  return true;
}

// The answers are known when the reductions become loops.
void ask_for_orders(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (!node->op || node->op->reduction.kind == ReductionKind::none) continue;
    const Layout& input = meta_of(node->args[0].output()).layout;
    if (std::ranges::none_of(input.sizes, [](SymInt size) { return is_unbacked(size); })) continue;
    Values fakes = fake_arguments(*node);
    InheritLocation inherit(node->where);
    static_cast<void>(fastest_is_reduced(input, node->op->reduction.dims(OpArgs(*node->op, fakes, node->where))));
  }
}

}  // namespace

bool insert_size_checks(Graph& graph) { return insert_checks(graph, ""); }

bool insert_assumed_sizes(Graph& graph) {
  if (active_shape_facts()) ask_for_orders(graph);
  return insert_checks(graph, taken_for_granted);
}

}  // namespace sinter::graph
