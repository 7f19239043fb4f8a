// Finds the family that knows an operator.

#include "reference/evaluate.h"

namespace sinter::reference {

const Array& array(const Argument& argument) { return std::get<Array>(argument); }

std::vector<int64_t> integers(const Argument& argument) {
  const Value& value = std::get<Value>(argument);
  std::vector<int64_t> result;
  if (value.is_none()) return result;
  if (!value.is_list()) return {value.scalar().to_int()};
  for (const Value& element : value.list()) result.push_back(element.scalar().to_int());
  return result;
}

bool is_none(const Argument& argument) {
  const Value* value = std::get_if<Value>(&argument);
  return value && value->is_none();
}

int64_t wrapped_dim(int64_t dim, int64_t rank) { return dim < 0 ? dim + std::max<int64_t>(rank, 1) : dim; }

std::optional<std::vector<Array>> evaluate(std::string_view op, const Arguments& arguments) {
  // aten::add_.Tensor -> add: the value is that of the functional form.
  std::string_view name = op.substr(op.find("::") + 2);
  name = name.substr(0, name.find('.'));
  if (name.size() > 1 && name.ends_with('_')) name.remove_suffix(1);
  for (auto* family : {evaluate_pointwise, evaluate_reduction, evaluate_norm, evaluate_view, evaluate_matmul})
    if (std::optional<std::vector<Array>> result = family(name, arguments)) return result;
  return std::nullopt;
}

}  // namespace sinter::reference
