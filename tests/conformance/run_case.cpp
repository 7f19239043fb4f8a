// Calls the operators of a case by name, as a user would.

#include "conformance/run_case.h"

#include <sinter/runtime/compile.h>

namespace sinter::conformance {

namespace {

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
    run.results = run_calls(recorded.calls, recorded.returns, run.inputs);
  } catch (const Error& error) {
    run.error = error;
  }
  return run;
}

Run run_compiled(const RecordedCase& recorded) {
  Run run = start(recorded);
  auto function = compile([&](std::vector<Tensor> inputs) -> std::vector<Tensor> {
    return tensors_of(run_calls(recorded.calls, recorded.returns, std::move(inputs)));
  });
  try {
    for (const Tensor& result : function(run.inputs)) run.results.emplace_back(result);
  } catch (const Error& error) {
    run.error = error;
  }
  return run;
}

}  // namespace sinter::conformance
