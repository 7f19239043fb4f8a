// Routines that are a function of two f64 numbers at each element.

#pragma once

#include <sinter/runtime/routines/routine.h>

namespace sinter::runtime::routines {

// results[0] = function(args[0], args[1]), broadcast; elements are widened to f64 and the result is rounded once.
void map_two_numbers(const OpArgs& args, Results results, double (*function)(double, double));

}  // namespace sinter::runtime::routines
