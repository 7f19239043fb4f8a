// Turns a prepared graph into loop nests: one nest per node that computes, none for views.
//
// After:  graph passes.  Before: inline_producers.
// In:     a functional graph of formulas, views, reductions, structured and library ops; copy_ into arguments last.
// Out:    one kernel per nest, in node order; views are index expressions in the loads.
// Keeps:  sizes and strides of every value; the layouts and shared memory of results.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

// Scans as nests with a scan axis, or as calls on whole buffers (for a target that prints no such nests).
enum class ScanForm : uint8_t { loops, calls };

Schedule lower_to_loops(const graph::Graph& graph, ScanForm scans = ScanForm::loops);

}  // namespace sinter::fusion
