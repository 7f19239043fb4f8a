// Random arguments: sizes that broadcast with each other, layouts of every kind, contents with special values.

#pragma once

#include "properties/random_program.h"
#include "properties/random_source.h"

namespace sinter::test {

// Appends between one and four inputs and their storages.
void add_random_inputs(RandomProgram& program, RandomSource& random, ProgramSize size);

}  // namespace sinter::test
