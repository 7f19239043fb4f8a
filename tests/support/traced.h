// A schedule from a C++ function over tensors, without running it.

#pragma once

#include <sinter/fusion/schedule_graph.h>
#include <sinter/graph/prepare_graph.h>
#include <sinter/graph/trace.h>

#include <functional>
#include <vector>

namespace sinter::test {

using TracedFunction = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

struct Traced {
  graph::Graph graph;
  fusion::Schedule schedule;
};

inline Traced traced(const TracedFunction& function, const std::vector<TensorMeta>& metas,
                     const fusion::FusionLimits& limits) {
  Here here = Here::current();
  graph::Trace trace;
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < metas.size(); ++i) inputs.push_back(trace.add_input(metas[i], fmt::format("x{}", i), here));
  {
    graph::ActivateTrace active(&trace);
    trace.set_results(function(inputs), here);
  }
  Traced result{trace.take_graph(), {}};
  Stages stages({}, /*verify=*/true);
  graph::prepare_graph(result.graph, stages);
  result.schedule = fusion::schedule_graph(result.graph, limits, stages);
  return result;
}

}  // namespace sinter::test
