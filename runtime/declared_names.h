// Finds declared sizes that are of no tensor among the arguments: their names are mistaken.

#pragma once

#include <sinter/runtime/flat_arguments.h>
#include <sinter/runtime/options.h>

namespace sinter::runtime {

// Throws Error(argument) for the first. A part that a container could hold and does not at this call is none.
void check_declared_names(const Options& options, const NameArguments& names, Here where);

}  // namespace sinter::runtime
