// What turns a captured graph into something that runs, by name: "native" (alias "inductor"), "eager", "debug_eager",
// and the user's own. Going through them tells which layer fails: capture, an op, or code generation.

#pragma once

#include <sinter/codegen/program.h>
#include <sinter/graph/graph.h>
#include <sinter/graph/stages.h>
#include <sinter/runtime/options.h>

#include <functional>
#include <memory>

namespace sinter {

// A compiled graph. Any number of threads may run it at once.
class Executable {
 public:
  virtual ~Executable() = default;
  // `inputs`: the graph's placeholders in order, then its captured tensors. `results`: one per result of the graph.
  virtual void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const = 0;
  // The plan behind it, where there is one: what explain shows.
  virtual const graph::Graph* prepared_graph() const { return nullptr; }
  virtual const fusion::Schedule* schedule() const { return nullptr; }
  virtual const codegen::Program* program() const { return nullptr; }
};

// Takes the traced graph over. `stages` times and dumps what it is given to run. What it gives may serve other
// functions too.
using Backend =
    std::function<std::shared_ptr<const Executable>(graph::Graph graph, const Options& options, Stages& stages)>;

// A backend as a user may write it: gets the graph and the tensors of the call that is compiled, and gives a function
// of the graph's placeholders in order and then its captured tensors, with one tensor for each result of the graph.
// Any number of threads may call that at once.
using GraphFunction = std::function<std::vector<Tensor>(std::span<const Tensor> inputs)>;
using GraphBackend = std::function<GraphFunction(graph::Graph graph, std::vector<Tensor> examples)>;

// A name that is taken is replaced.
void register_backend(std::string name, Backend backend);
void register_backend(std::string name, GraphBackend backend);
// An unknown name is an argument error that lists the known ones. `examples`: the tensors of the call.
Backend find_backend(std::string_view name, Here here = Here::current(), std::vector<Tensor> examples = {});

namespace runtime {

// The graph op by op, each on real tensors: tells a capture problem from a code generation problem.
std::unique_ptr<Executable> eager_backend(graph::Graph graph, const Options& options, Stages& stages);
// The same after decomposition, where each result is compared with what its fake tensor said, and what a custom op
// must not write with what it was: tells which op is wrong.
std::unique_ptr<Executable> debug_eager_backend(graph::Graph graph, const Options& options, Stages& stages);

}  // namespace runtime
}  // namespace sinter
