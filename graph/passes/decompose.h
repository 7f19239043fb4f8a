// Replaces ops that are defined by other ops with those.
//
// After:  functionalize.  Before: insert_size_checks.
// In:     a functional graph.
// Out:    only ops that fusion/ can lower: formulas, views, reductions, structured and library ops.
// Keeps:  the values, and sizes, strides and dtype of every result; nodes inherit the user's line.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

bool decompose(Graph& graph);

}  // namespace sinter::graph
