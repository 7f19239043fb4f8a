// How much memory the process holds: the measure of a leak.

#pragma once

#include <cstdint>

namespace sinter::test {

// 0 if the system does not say.
int64_t held_bytes();

}  // namespace sinter::test
