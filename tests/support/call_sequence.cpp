// Runs calls by name.

#include "support/call_sequence.h"

namespace sinter::test {

namespace {

void flatten(const Value& value, std::vector<Value>& flat) {
  if (!value.is_list()) return flat.push_back(value);
  for (const Value& element : value.list()) flatten(element, flat);
}

}  // namespace

const Values& CallSequence::run(const Call& call) {
  Values positional;
  for (const Operand& operand : call.positional) positional.push_back(value(operand));
  NamedValues keywords;
  for (const auto& [name, operand] : call.keywords) keywords.emplace_back(name, value(operand));
  return results_.emplace_back(ops(call.op).call(std::move(positional), keywords));
}

Value CallSequence::value(const Operand& operand) const {
  return std::visit([&](const auto& held) { return to_value(held); }, operand.held);
}

Value CallSequence::to_value(CallResult result) const {
  const Values& values = results_[result.call];
  if (result.item < 0) return values.size() == 1 ? values[0] : Value(Value::List(values.begin(), values.end()));
  bool is_list = values.size() == 1 && values[0].is_list();
  return is_list ? values[0].list().at(result.item) : values.at(result.item);
}

Value CallSequence::to_value(const Operand::List& operands) const {
  Value::List list;
  for (const Operand& operand : operands) list.push_back(value(operand));
  return list;
}

std::vector<Value> run_calls(const std::vector<Call>& calls, const std::vector<Operand>& returns,
                             std::vector<Tensor> inputs) {
  CallSequence sequence(std::move(inputs));
  for (const Call& call : calls) sequence.run(call);
  std::vector<Value> results;
  for (const Operand& returned : returns) flatten(sequence.value(returned), results);
  return results;
}

}  // namespace sinter::test
