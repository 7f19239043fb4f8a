// Which of the tensors that a run is given are which of a program's inputs.

#pragma once

#include <sinter/codegen/program.h>
#include <sinter/graph/graph.h>
#include <sinter/graph/stages.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::runtime {

// The inputs of a graph in its node order, and where each stands among those that run() is given: placeholders, then
// captured tensors.
struct InputOrder {
  std::map<std::string, int> places;
  std::vector<TensorMeta> metas;

  explicit InputOrder(const graph::Graph& graph);
};

// Passes may drop inputs that are not used: the program's numbers of inputs become those of run().
void renumber_inputs(codegen::Program& program, const graph::Graph& graph, const InputOrder& order);

// Writes the program and its kernels, as kernel_NAME.EXTENSION, where stages are dumped.
void dump_sources(const codegen::Program& program, Stages& stages, std::string_view extension);

}  // namespace sinter::runtime
