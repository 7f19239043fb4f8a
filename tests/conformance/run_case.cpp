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

}  // namespace sinter::conformance
