// Checks of data (an index out of range) on a device, whose verdict is not waited for: a failed one is thrown where the
// host next waits for the device.
//
// Kernels read nothing out of bounds for such data, so that the device goes on; what they made of it is unspecified.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::runtime {

// Runs sinter::check_range once its two numbers have come to the host.
void check_range_later(const OpArgs& args);

// Throws the error of the first check that has come back and failed.
void raise_failed_checks();

}  // namespace sinter::runtime
