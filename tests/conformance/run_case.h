// Runs a case eager, or as one compiled function of its inputs.

#pragma once

#include "conformance/memory.h"

namespace sinter::conformance {

// What a run left behind.
struct Run {
  Memory memory;
  std::vector<Tensor> inputs;  // the handles after the run
  std::vector<Value> results;  // lists flattened; nothing, a tensor or a number each
  std::optional<Error> error;  // in place of results
};

// Errors of sinter are kept in the run; any other exception passes through.
Run run_eager(const RecordedCase& recorded, Device device);
Run run_compiled(const RecordedCase& recorded, Device device);
// Compiled with symbolic sizes and with the numbers of the calls as arguments. `fixed`: which of them its code needed
// as they are, as its guards say.
Run run_symbolic(const RecordedCase& recorded, Device device, std::string& fixed);

}  // namespace sinter::conformance
