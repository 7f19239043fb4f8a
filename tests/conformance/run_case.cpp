// Calls the operators of a case by name, as a user would.

#include "conformance/run_case.h"

#include <sinter/runtime/compile.h>

namespace sinter::conformance {

namespace {

class Calls {
 public:
  Calls(const RecordedCase& recorded, std::span<const Tensor> inputs) : inputs_(inputs) {
    for (const RecordedCall& call : recorded.calls) run(call);
  }

  Value value(const Operand& operand) const {
    return std::visit([&](const auto& held) { return to_value(held); }, operand.held);
  }

 private:
  void run(const RecordedCall& call) {
    Values positional;
    for (const Operand& operand : call.positional) positional.push_back(value(operand));
    NamedValues keywords;
    for (const auto& [name, operand] : call.keywords) keywords.emplace_back(name, value(operand));
    results_.push_back(ops(call.op).call(std::move(positional), keywords));
  }

  Value to_value(const Value& constant) const { return constant; }
  Value to_value(InputIndex input) const { return inputs_[input.index]; }
  Value to_value(CallResult result) const {
    const Values& values = results_[result.call];
    if (result.item < 0) return values.size() == 1 ? values[0] : Value(Value::List(values.begin(), values.end()));
    bool is_list = values.size() == 1 && values[0].is_list();
    return is_list ? values[0].list().at(result.item) : values.at(result.item);
  }
  Value to_value(const Operand::List& operands) const {
    Value::List list;
    for (const Operand& operand : operands) list.push_back(value(operand));
    return list;
  }

  std::span<const Tensor> inputs_;
  std::vector<Values> results_;
};

void flatten(const Value& value, std::vector<Value>& flat) {
  if (!value.is_list()) return flat.push_back(value);
  for (const Value& element : value.list()) flatten(element, flat);
}

std::vector<Value> call_all(const RecordedCase& recorded, std::span<const Tensor> inputs) {
  Calls calls(recorded, inputs);
  std::vector<Value> results;
  for (const Operand& returned : recorded.returns) flatten(calls.value(returned), results);
  return results;
}

Run start(const RecordedCase& recorded) {
  Run run{Memory(recorded), {}, {}, {}};
  for (const RecordedTensor& input : recorded.inputs) run.inputs.push_back(run.memory.tensor(input));
  return run;
}

std::vector<Tensor> tensors_of(const std::vector<Value>& values) {
  std::vector<Tensor> tensors;
  for (const Value& value : values) tensors.push_back(value.is_none() ? Tensor() : value.tensor());
  return tensors;
}

}  // namespace

Run run_eager(const RecordedCase& recorded) {
  Run run = start(recorded);
  try {
    run.results = call_all(recorded, run.inputs);
  } catch (const Error& error) {
    run.error = error;
  }
  return run;
}

Run run_compiled(const RecordedCase& recorded) {
  Run run = start(recorded);
  auto function = compile(
      [&](std::vector<Tensor> inputs) -> std::vector<Tensor> { return tensors_of(call_all(recorded, inputs)); });
  try {
    for (const Tensor& result : function(run.inputs)) run.results.emplace_back(result);
  } catch (const Error& error) {
    run.error = error;
  }
  return run;
}

}  // namespace sinter::conformance
