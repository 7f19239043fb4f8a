// A copy of the traced graph for the eager backend, and the executable that knows both.

#include <sinter/runtime/op_by_op.h>

#include <sinter/graph/passes/insert_size_checks.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

graph::Graph copied(const graph::Graph& graph) {
  graph::Graph copy;
  std::unordered_map<const graph::Node*, graph::Node*> copies;
  auto there = [&](graph::NodeOutput output) {
    return graph::Argument(graph::NodeOutput{copies.at(output.node), output.output});
  };
  for (const auto& node : graph.nodes) {
    auto fresh = std::make_unique<graph::Node>(*node);
    for (graph::Argument& argument : fresh->args) argument = map_outputs(argument, there);
    copies[node.get()] = fresh.get();
    copy.nodes.push_back(std::move(fresh));
  }
  for (const graph::Argument& result : graph.results) copy.results.push_back(map_outputs(result, there));
  return copy;
}

class WithInstead : public Executable {
 public:
  WithInstead(std::unique_ptr<Executable> program, std::unique_ptr<const Executable> instead)
      : program_(std::move(program)), instead_(std::move(instead)) {}

  void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const override {
    try {
      run_either(inputs, results);
    } catch (const UnfitSize& unfit) {
      throw CallUncompiled(unfit);
    }
  }
  const graph::Graph* prepared_graph() const override { return program_->prepared_graph(); }
  const fusion::Schedule* schedule() const override { return program_->schedule(); }
  const codegen::Program* program() const override { return program_->program(); }

 private:
  void run_either(std::span<const Tensor* const> inputs, std::span<Tensor> results) const {
    try {
      program_->run(inputs, results);
    } catch (const UnusualSize&) {
      instead_->run(inputs, results);
    }
  }

  std::unique_ptr<Executable> program_;
  std::unique_ptr<const Executable> instead_;
};

}  // namespace

std::unique_ptr<const Executable> op_by_op(const graph::Graph& traced) {
  if (std::ranges::all_of(traced.nodes, [](const auto& node) { return sizes_given_by(*node).empty(); })) return nullptr;
  Stages stages;
  return eager_backend(copied(traced), {}, stages);
}

bool may_begin_anew(const graph::Graph& prepared) {
  return std::ranges::none_of(prepared.nodes, [](const auto& node) {
    return node->op && (node->op->inplace_of || node->op->structured == Structured::random ||
                        node->op->library == Library::custom || node->op->library == Library::launch);
  });
}

std::unique_ptr<Executable> with_instead(std::unique_ptr<Executable> program,
                                         std::unique_ptr<const Executable> instead) {
  if (!instead) return program;
  return std::make_unique<WithInstead>(std::move(program), std::move(instead));
}

}  // namespace sinter::runtime
