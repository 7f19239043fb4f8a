// Runs the graph passes, lowering, and the fusion passes up to one of them.

#include "support/loops_of.h"

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
#include <sinter/graph/prepare_graph.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/verify_graph.h>

namespace sinter::test {

using fusion::FusionLimits;
using fusion::Schedule;

namespace {

struct Pass {
  std::string_view name;
  bool (*run)(Schedule&, const FusionLimits&);
};

// The order of schedule_graph, which a test compares with this.
constexpr Pass passes[] = {
    {"inline_producers", fusion::inline_producers},
    {"fuse_kernels", fusion::fuse_kernels},
    {"fuse_siblings", fusion::fuse_siblings},
    {"merge_nests", [](Schedule& s, const FusionLimits&) { return fusion::merge_nests(s); }},
    {"localize_buffers", fusion::localize_buffers},
    {"reorder_axes", [](Schedule& s, const FusionLimits&) { return fusion::reorder_axes(s); }},
    {"merge_axes", [](Schedule& s, const FusionLimits&) { return fusion::merge_axes(s); }},
    {"split_at_joints", fusion::split_at_joints},
    {"vectorize_axis", fusion::vectorize_axis},
    {"parallelize_axis", [](Schedule& s, const FusionLimits&) { return fusion::parallelize_axis(s); }},
    {"reuse_in_place", [](Schedule& s, const FusionLimits&) { return fusion::reuse_in_place(s); }},
    {"plan_memory", [](Schedule& s, const FusionLimits&) { return fusion::plan_memory(s); }},
};

}  // namespace

graph::Graph prepared_graph(std::string_view text) {
  graph::Graph graph = graph::parse_graph(text);
  graph::verify(graph);
  Stages stages({}, /*verify=*/true);
  graph::prepare_graph(graph, stages);
  return graph;
}

Loops loops_of(std::string_view text) {
  Loops loops{prepared_graph(text), {}};
  loops.schedule = fusion::lower_to_loops(loops.graph);
  fusion::verify(loops.schedule);
  return loops;
}

Loops loops_before(std::string_view name, std::string_view text, const FusionLimits& limits) {
  Loops loops = loops_of(text);
  for (const Pass& pass : passes) {
    if (pass.name == name) return loops;
    pass.run(loops.schedule, limits);
    fusion::verify(loops.schedule);
  }
  SINTER_CHECK(name.empty(), "no pass {}", name);
  return loops;
}

Loops scheduled(std::string_view text, const FusionLimits& limits) {
  Loops loops{prepared_graph(text), {}};
  Stages stages({}, /*verify=*/true);
  loops.schedule = fusion::schedule_graph(loops.graph, limits, stages);
  std::string order = "lower_to_loops";
  for (const Pass& pass : passes) order += fmt::format(" {}", pass.name);
  std::string actual;
  for (const StageTime& stage : stages.times()) actual += (actual.empty() ? "" : " ") + stage.name;
  SINTER_CHECK(order == actual, "schedule_graph has another order of passes: {}", actual);
  return loops;
}

std::string kernels_text(const Schedule& schedule) {
  std::string text = to_string(schedule);
  size_t begin = text.find("kernel "), end = text.find("return ");
  SINTER_CHECK(begin != std::string::npos, "no kernel in {}", text);
  return text.substr(begin, end - begin);
}

std::string kernel_names(const Schedule& schedule) {
  std::string text;
  for (const fusion::Kernel& kernel : schedule.kernels)
    text += fmt::format("{}{}{}", text.empty() ? "" : "; ", kernel.call ? "call " : "",
                        kernel.call ? kernel.call->node->name : kernel.name);
  return text;
}

std::string nest_counts(const Schedule& schedule) {
  std::string text;
  for (const fusion::Kernel& kernel : schedule.kernels)
    text += fmt::format("{}{}", text.empty() ? "" : " + ", kernel.nests.size());
  return text;
}

}  // namespace sinter::test
