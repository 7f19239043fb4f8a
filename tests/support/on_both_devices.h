// One call of an op on the CPU and on a CUDA device.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::test {

// The results of the op with its tensors, those in lists too, on that device.
Values run_on(const char* op, const Values& arguments, Device device);

// Results on the first CUDA device have the bits of the CPU's, which are returned.
Values expect_the_cpus(const char* op, const Values& arguments);

}  // namespace sinter::test
