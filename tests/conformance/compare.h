// Compares a run with the record, and an eager run with a compiled one: values, layouts, aliasing, untouched memory.

#pragma once

#include "conformance/run_case.h"

namespace sinter::conformance {

// The first difference in words, or nothing. The run must have ended without an error.
std::string difference_from_record(const RecordedCase& recorded, const Run& run);
// For a run that ended with an error: the first thing that is not as it was before.
std::string change_after_error(const RecordedCase& recorded, const Run& run);
// Bit for bit (any NaN equals any NaN), strides and aliasing included.
std::string difference_between(const RecordedCase& recorded, const Run& eager, const Run& compiled);

}  // namespace sinter::conformance
