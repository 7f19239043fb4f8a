// The window of an as_strided call, from its arguments.

#include <sinter/graph/strided_window.h>

namespace sinter::graph {

namespace {

SymDims dims_of(const Argument& argument) {
  SymDims dims;
  for (const Argument& dim : argument.list()) dims.push_back(dim.value().sym_int());
  return dims;
}

}  // namespace

std::optional<Layout> strided_window(const Node& node) {
  if (node.kind != NodeKind::call_function) return {};
  const Schema& schema = node.op->schema();
  if (schema.space != "aten" || (schema.name != "as_strided" && schema.name != "as_strided_copy")) return {};
  SymInt offset =
      node.args[3].is_none() ? meta_of(node.args[0].output()).layout.offset : node.args[3].value().sym_int();
  return Layout{dims_of(node.args[1]), dims_of(node.args[2]), offset};
}

}  // namespace sinter::graph
