// A walk over all metas and arguments.

#include <sinter/graph/passes/simplify_sizes.h>

#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/passes/insert_size_checks.h>
#include <sinter/graph/shape_facts.h>

namespace sinter::graph {

namespace {

class Simplifier {
 public:
  explicit Simplifier(const ShapeFacts& facts) : facts_(facts) {}

  // What gives a size goes on giving it, and what checks one checks it, also where it turned out to be another.
  void visit(Node& node) {
    if (!sizes_given_by(node).empty() || node.op == &op_defs::check_sizes_default) return;
    for (TensorMeta& meta : node.metas) {
      for (SymInt& size : meta.layout.sizes) visit(size);
      for (SymInt& stride : meta.layout.strides) visit(stride);
      visit(meta.layout.offset);
    }
    for (Argument& argument : node.args) visit(argument);
  }

  bool changed() const { return changed_; }

 private:
  void visit(SymInt& size) {
    if (size.is_constant()) return;
    SymInt simple = facts_.simplified(size);
    changed_ |= !simple.same(size);
    size = simple;
  }

  void visit(Argument& argument) {
    if (argument.is_list()) {
      for (Argument& element : argument.list()) visit(element);
    } else if (argument.is_value() && argument.value().is_sym_int()) {
      SymInt size = argument.value().sym_int();
      visit(size);
      argument = Argument(Value(size));
    }
  }

  const ShapeFacts& facts_;
  bool changed_ = false;
};

}  // namespace

bool simplify_sizes(Graph& graph) {
  const ShapeFacts* facts = active_shape_facts();
  if (!facts) return false;
  Simplifier simplifier(*facts);
  for (const auto& node : graph.nodes) simplifier.visit(*node);
  return simplifier.changed();
}

}  // namespace sinter::graph
