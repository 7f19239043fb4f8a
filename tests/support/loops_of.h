// Loop nests from the text of a graph, for tests of fusion passes.

#pragma once

#include <sinter/fusion/schedule_graph.h>

#include <string>
#include <string_view>

namespace sinter::test {

// A schedule with the graph that its nests name as their origin.
struct Loops {
  graph::Graph graph;
  fusion::Schedule schedule;
};

// The graph in the form that lowering takes: no in-place ops, no op that is made of others.
graph::Graph prepared_graph(std::string_view text);

// One nest a node: what inline_producers gets.
Loops loops_of(std::string_view text);

// What the pass of that name gets: the passes before it, in the order of schedule_graph, have run.
Loops loops_before(std::string_view pass, std::string_view text, const fusion::FusionLimits& limits = {});

// What schedule_graph gives.
Loops scheduled(std::string_view text, const fusion::FusionLimits& limits = {});

// Only the lines of the kernels.
std::string kernels_text(const fusion::Schedule& schedule);
// `softmax_1; mm; add`: the kernels' names in order, `call` before a library call.
std::string kernel_names(const fusion::Schedule& schedule);
// `2 + 1`: how many nests each kernel has.
std::string nest_counts(const fusion::Schedule& schedule);

}  // namespace sinter::test
