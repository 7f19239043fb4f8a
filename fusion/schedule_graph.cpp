// The list of fusion passes: no logic, only order.

#include <sinter/fusion/schedule_graph.h>

#include <sinter/fusion/fuse_kernels.h>
#include <sinter/fusion/fuse_siblings.h>
#include <sinter/fusion/inline_producers.h>
#include <sinter/fusion/localize_buffers.h>
#include <sinter/fusion/lower_to_loops.h>
#include <sinter/fusion/merge_axes.h>
#include <sinter/fusion/merge_nests.h>
#include <sinter/fusion/parallelize_axis.h>
#include <sinter/fusion/plan_memory.h>
#include <sinter/fusion/reorder_axes.h>
#include <sinter/fusion/reuse_in_place.h>
#include <sinter/fusion/split_at_joints.h>
#include <sinter/fusion/vectorize_axis.h>
#include <sinter/fusion/verify_loops.h>
#include <sinter/fusion/verify_order.h>
#include <sinter/graph/log.h>

namespace sinter::fusion {

Schedule schedule_graph(const graph::Graph& graph, const FusionLimits& limits, Stages& stages) {
  Schedule schedule = stages.time("lower_to_loops", [&] { return lower_to_loops(graph, limits.scans); });
  stages.run("inline_producers", schedule, [&](Schedule& s) { return inline_producers(s, limits); });
  stages.run("fuse_kernels", schedule, [&](Schedule& s) { return fuse_kernels(s, limits); });
  stages.run("fuse_siblings", schedule, [&](Schedule& s) { return fuse_siblings(s, limits); });
  stages.run("merge_nests", schedule, merge_nests);
  verify_order(schedule);
  stages.run("localize_buffers", schedule, [&](Schedule& s) { return localize_buffers(s, limits); });
  stages.run("reorder_axes", schedule, reorder_axes);
  stages.run("merge_axes", schedule, merge_axes);
  stages.run("split_at_joints", schedule, [&](Schedule& s) { return split_at_joints(s, limits); });
  stages.run("vectorize_axis", schedule, [&](Schedule& s) { return vectorize_axis(s, limits); });
  stages.run("parallelize_axis", schedule, parallelize_axis);
  stages.run("reuse_in_place", schedule, reuse_in_place);
  stages.run("plan_memory", schedule, plan_memory);
  for (const std::string& decision : schedule.decisions) log(LogTopic::fusion, "{}", decision);
  return schedule;
}

Schedule lower_for_eager(const graph::Graph& graph) {
  Schedule schedule = lower_to_loops(graph, ScanForm::calls);
  inline_producers(schedule, FusionLimits{});
  split_at_all_joints(schedule);
  return schedule;
}

}  // namespace sinter::fusion
