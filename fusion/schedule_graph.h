// Everything done to a prepared graph to make it few loop nests: the list of fusion passes.

#pragma once

#include <sinter/fusion/lower_to_loops.h>
#include <sinter/fusion/schedule.h>
#include <sinter/graph/stages.h>

namespace sinter::fusion {

struct FusionLimits {
  int64_t max_body_nodes = 1000;     // a fused body beyond this many scalar operations is split
  size_t max_buffers = 96;           // of a fused kernel: compilers take time that grows with the square
  int64_t local_bytes = 256 * 1024;  // values kept per outer iteration, in all
  int vector_bytes = 32;
  ScanForm scans = ScanForm::loops;
  size_t many_joints = 8;  // of a row that no threads share: from here on each part of it gets a loop of its own
};

Schedule schedule_graph(const graph::Graph& graph, const FusionLimits& limits, Stages& stages);

// Only lowering and the inlining of single-use producers: what the eager interpreter runs.
Schedule lower_for_eager(const graph::Graph& graph);

}  // namespace sinter::fusion
