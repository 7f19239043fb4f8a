// Random programs that draw from every registered operator.

#pragma once

#include "properties/pool.h"

namespace sinter::test {

// Operators that programs draw from: all but the library's own (sinter::), which users do not call and which are made
// by the decompositions of those drawn.
const std::vector<const OpDef*>& drawn_ops();

// So many consecutive seeds try every operator at least once; the others' share is random.
uint64_t seeds_for_every_op();

// The same program for the same seed, on every machine. Throws Fault where eager and traced disagree.
RandomProgram random_op_program(uint64_t seed, DrawCounts& counts);

}  // namespace sinter::test
