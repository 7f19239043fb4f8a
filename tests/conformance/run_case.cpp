// Calls the operators of a case by name, as a user would.

#include "conformance/run_case.h"

#include <sinter/graph/inherit_device.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/compile.h>
#include <sinter/runtime/cuda/stream.h>

namespace sinter::conformance {

namespace {

Run start(const RecordedCase& recorded, Device device) {
  Run run{Memory(recorded, device), {}, {}, {}};
  for (const RecordedTensor& input : recorded.inputs) run.inputs.push_back(run.memory.tensor(input));
  return run;
}

std::vector<Tensor> tensors_of(const std::vector<Value>& values) {
  std::vector<Tensor> tensors;
  for (const Value& value : values) tensors.push_back(value.is_none() ? Tensor() : value.tensor());
  return tensors;
}

// Brings the arguments' memory back. An error that was under way belongs to the run, if it had none yet.
void fetch(Run& run, Device device) {
  for (bool is_done = device.is_cpu(); !is_done;) {
    try {
      cuda::synchronize(device);
      is_done = true;
    } catch (const Error& error) {
      if (!run.error) run.error = error;
      is_done = error.kind() == ErrorKind::environment;  // the device itself is lost
    }
  }
  run.memory.fetch();
}

}  // namespace

Run run_eager(const RecordedCase& recorded, Device device) {
  Run run = start(recorded, device);
  graph::InheritDevice inherit(device);  // also for what a program makes from nothing
  try {
    run.results = run_calls(recorded.calls, recorded.returns, run.inputs);
  } catch (const Error& error) {
    run.error = error;
  }
  fetch(run, device);
  return run;
}

Run run_compiled(const RecordedCase& recorded, Device device) {
  Run run = start(recorded, device);
  graph::InheritDevice inherit(device);
  auto function = compile([&](std::vector<Tensor> inputs) -> std::vector<Tensor> {
    return tensors_of(run_calls(recorded.calls, recorded.returns, std::move(inputs)));
  });
  try {
    for (const Tensor& result : function(run.inputs)) run.results.emplace_back(result);
  } catch (const Error& error) {
    run.error = error;
  }
  fetch(run, device);
  return run;
}

namespace {

// Visits the constants of a case's calls that are numbers for parameters of type Scalar.
template <class Visit>
void visit_numbers(std::vector<Call>& calls, Visit&& visit) {
  for (Call& call : calls) {
    const Schema& schema = ops(call.op).def().schema();
    auto look = [&](const Parameter& parameter, Operand& operand) {
      auto* constant = std::get_if<Value>(&operand.held);
      bool takes_number = !parameter.is_list && parameter.type == ArgType::scalar;
      if (takes_number && constant && constant->is_scalar()) visit(*constant);
    };
    for (size_t i = 0; i < std::min(call.positional.size(), schema.parameters.size()); ++i)
      look(schema.parameters[i], call.positional[i]);
    for (auto& [name, operand] : call.keywords)
      if (int place = schema.find(name); place >= 0) look(schema.parameters[place], operand);
  }
}

// `arg0[0].size(1) == 16`, where all sizes above 1 are symbols, or `arg1[0] == 0.5`.
bool says_a_value(const std::string& guard) {
  size_t sign = guard.find(" == ");
  if (sign == std::string::npos) return false;
  std::string left = guard.substr(0, sign), right = guard.substr(sign + 4, guard.find("  #") - sign - 4);
  size_t size = guard.find(".size(");  // of a tensor's dim; of a list there is nothing between the brackets
  bool is_size = size != std::string::npos && guard[size + 6] != ')';
  bool is_number = left.starts_with("arg1[") && left.find('.') == std::string::npos;
  auto is_above_one = [](const std::string& text) {
    return text.find_first_not_of("0123456789") == std::string::npos && text != "0" && text != "1";
  };
  return is_number || (is_size && (is_above_one(left) || is_above_one(right)));
}

}  // namespace

Run run_symbolic(const RecordedCase& recorded, Device device, std::string& fixed) {
  Run run = start(recorded, device);
  std::vector<Call> calls = recorded.calls;
  std::vector<Scalar> numbers;
  visit_numbers(calls, [&](Value& value) { numbers.push_back(value.scalar()); });
  auto call = [&](std::vector<Tensor> inputs, std::vector<Scalar> given) -> std::vector<Tensor> {
    std::vector<Call> own = calls;
    visit_numbers(own, [next = given.begin()](Value& value) mutable { value = *next++; });
    return tensors_of(run_calls(own, recorded.returns, std::move(inputs)));
  };
  auto function = compile(call, {.dynamic = Dynamic::always});
  try {
    for (const std::string& guard : function.explain(run.inputs, numbers).guards)
      if (says_a_value(guard)) fixed += (fixed.empty() ? "" : "; ") + guard;
    for (const Tensor& result : function(run.inputs, numbers)) run.results.emplace_back(result);
  } catch (const Error& error) {
    run.error = error;
  }
  fetch(run, device);
  return run;
}

}  // namespace sinter::conformance
