// What became of a call: its graph, kernels with the ops each fused, refused fusions, guards, bytes moved, times.

#pragma once

#include <sinter/graph/stages.h>
#include <sinter/runtime/options.h>

#include <string>
#include <vector>

namespace sinter {

struct ExplainedKernel {
  std::string name;
  std::vector<std::string> ops;  // names of the graph nodes whose work it does
  bool is_library_call = false;
  int64_t bytes_read = 0;
  int64_t bytes_written = 0;
  std::string source;                        // the generated code; empty for a library call
  runtime::Isa isa = runtime::Isa::generic;  // what it is compiled for
};

struct Explanation {
  std::string function;
  std::string backend;
  std::string graph;                     // as traced
  std::string prepared_graph;            // as the passes left it; empty if the backend has none
  std::string loops;                     // the same as loop nests, one a node
  std::string fused;                     // the loop nests as the fusion passes left them
  std::vector<ExplainedKernel> kernels;  // in the order in which they run
  std::vector<std::string> fusions;      // decisions to fuse, with reasons
  std::vector<std::string> refused_fusions;
  std::vector<std::string> guards;
  std::vector<std::string> captured;  // tensors that the function captured: their data is read at each call
  int64_t bytes_read = 0;             // by all kernels of one call
  int64_t bytes_written = 0;
  int64_t arena_bytes = 0;  // for everything between the kernels
  std::vector<StageTime> stages;
};

std::string to_string(const Explanation& explanation);
// The machine code of a kernel as text; compiles it once more. Empty for a library call.
std::string assembly_of(const ExplainedKernel& kernel);
// The prepared graph with the nodes that each kernel fused: as JSON (graph/text/json.h), and as a picture for Graphviz.
std::string to_json(const Explanation& explanation);
std::string to_dot(const Explanation& explanation);

namespace runtime {

struct Entry;
Explanation explain(const Entry& entry, const Options& options);

}  // namespace runtime
}  // namespace sinter
