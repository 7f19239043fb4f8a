// Random arguments: sizes that broadcast with each other, layouts of every kind, contents with special values.

#pragma once

#include "properties/random_program.h"
#include "properties/random_source.h"

#include <cstddef>
#include <vector>

namespace sinter::test {

// Appends between one and four inputs and their storages.
void add_random_inputs(RandomProgram& program, RandomSource& random, ProgramSize size);

// Where the elements of a tensor lie: in any order of the dims, with gaps, from an offset; some dims expanded, if
// asked.
struct Placed {
  Layout layout;
  int64_t elements;  // of the storage that it needs
};
Placed random_layout(const std::vector<int64_t>& sizes, RandomSource& random, bool may_expand);
std::vector<std::byte> random_storage(DType dtype, int64_t elements, RandomSource& random);
// f32 half of the time.
DType random_dtype(RandomSource& random);
// The value converted to the dtype.
void store_element(DType dtype, std::byte* at, double value);

}  // namespace sinter::test
