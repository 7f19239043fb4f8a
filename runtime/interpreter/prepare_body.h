// Turns a loop body into a list of primitive calls with scratch blocks for their results.

#pragma once

#include <sinter/runtime/interpreter/prepared_nest.h>

namespace sinter::runtime {

// Fills the nest's instructions, constants and slots. Its loads, index values and stores are there already, in the
// order of `body`'s; `chosen` says which of the schedule's stores they are.
void prepare_body(PreparedNest& prepared, const fusion::Schedule& schedule, const fusion::Nest& nest,
                  const std::vector<int>& chosen, const PrimitiveTable& table);

// Spreads constants over blocks of `elements`.
void fill_constants(PreparedNest& prepared, const fusion::Nest& nest, int64_t elements);

}  // namespace sinter::runtime
