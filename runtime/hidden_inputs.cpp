// An executable around another.

#include <sinter/runtime/hidden_inputs.h>

namespace sinter::runtime {

namespace {

class WithHiddenInputs : public Executable {
 public:
  WithHiddenInputs(std::unique_ptr<Executable> executable, std::vector<Tensor> hidden)
      : executable_(std::move(executable)), hidden_(std::move(hidden)) {}

  void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const override {
    std::vector<const Tensor*> all(inputs.begin(), inputs.end());
    for (const Tensor& tensor : hidden_) all.push_back(&tensor);
    executable_->run(all, results);
  }
  const graph::Graph* prepared_graph() const override { return executable_->prepared_graph(); }
  const fusion::Schedule* schedule() const override { return executable_->schedule(); }
  const codegen::Program* program() const override { return executable_->program(); }

 private:
  std::unique_ptr<Executable> executable_;
  std::vector<Tensor> hidden_;
};

}  // namespace

std::vector<Tensor> hidden_inputs(const graph::Graph& graph, InputOrder& order) {
  std::vector<Tensor> hidden;
  size_t next = 0;
  for (const auto& node : graph.nodes) {
    if (node->kind != graph::NodeKind::get_attr) continue;
    size_t place = next++;
    if (!order.places.emplace(node->name, static_cast<int>(order.metas.size())).second) continue;
    order.metas.push_back(node->metas[0]);
    hidden.push_back(graph.attributes[place]);
  }
  return hidden;
}

std::unique_ptr<Executable> with_hidden_inputs(std::unique_ptr<Executable> executable, std::vector<Tensor> hidden) {
  if (hidden.empty()) return executable;
  return std::make_unique<WithHiddenInputs>(std::move(executable), std::move(hidden));
}

}  // namespace sinter::runtime
