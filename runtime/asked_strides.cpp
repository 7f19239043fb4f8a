// From the tensors that were asked back to the arguments.

#include <sinter/runtime/asked_strides.h>

#include <unordered_set>

namespace sinter::runtime {

namespace {

constexpr uint64_t all_dims = ~uint64_t{0};

std::unordered_set<const graph::Node*> made_from(const graph::Node* node) {
  std::unordered_set<const graph::Node*> seen = {node};
  std::vector<const graph::Node*> open = {node};
  while (!open.empty()) {
    const graph::Node* next = open.back();
    open.pop_back();
    visit_outputs(*next, [&](graph::NodeOutput output) {
      if (seen.insert(output.node).second) open.push_back(output.node);
    });
  }
  return seen;
}

}  // namespace

std::vector<uint64_t> asked_strides(std::span<const graph::Trace::StrideQuestion> questions,
                                    std::span<const graph::NodeOutput> placeholders) {
  std::vector<uint64_t> asked(placeholders.size(), 0);
  for (const graph::Trace::StrideQuestion& question : questions) {
    std::unordered_set<const graph::Node*> sources = made_from(question.node);
    for (size_t i = 0; i < placeholders.size(); ++i) {
      if (!placeholders[i].node || !sources.contains(placeholders[i].node)) continue;
      bool is_one_dim = placeholders[i].node == question.node && question.dim >= 0;
      asked[i] |= is_one_dim ? uint64_t{1} << question.dim : all_dims;
    }
  }
  return asked;
}

}  // namespace sinter::runtime
