// Runs a schedule in the plainest way, one element at a time: what compiled kernels are compared with.

#pragma once

#include <sinter/fusion/schedule.h>

#include <cstddef>
#include <vector>

namespace sinter::test {

// The bytes of each buffer of a schedule, from the start of its storage.
using BufferBytes = std::vector<std::vector<std::byte>>;

// Room for every buffer but the locals, filled with values that depend on the buffer and the seed only: small numbers
// of both signs, for floats with fractions.
BufferBytes make_buffers(const fusion::Schedule& schedule, unsigned seed);

// Runs all kernels (no extern calls).
void run_naively(const fusion::Schedule& schedule, BufferBytes& buffers);

}  // namespace sinter::test
