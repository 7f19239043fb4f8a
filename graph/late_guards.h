// Relations of sizes that need no guard unless it turns out that they matter.
//
// Where ATen gives a view for some sizes and a copy for others, a copy holds the same values for all of them. Which one
// it is shows only in what the function writes, and in what it returns: so the relations wait until it has ended.

#pragma once

#include <sinter/graph/shape_facts.h>
#include <sinter/graph/trace.h>

#include <optional>
#include <span>
#include <vector>

namespace sinter::graph {

// The strides of a view of the layout with these sizes, if there is one.
using ViewOf = std::optional<SymDims> (*)(const Layout& layout, const SymDims& sizes);

struct ViewOrCopy {
  bool is_view = false;
  std::vector<ShapeGuard> waiting;  // of a copy that stands for a view at other sizes: when it is one
};
ViewOrCopy view_or_copy(const Tensor& source, const SymDims& sizes, ViewOf view_of);
// The copy that was made where relations wait.
void note_copy(const Tensor& source, const Tensor& copy, std::vector<ShapeGuard> waiting);

// The function asks what a copy, in this storage, shares memory with: what waits for it is decided.
void settle_copies_of(const Storage& storage, Here where);

// The relations that wait in a scope.
class LateGuards {
 public:
  // `trace`: whose tensors they are about; null: what happens in the scope shows in nothing but fresh results.
  explicit LateGuards(const Trace* trace);
  ~LateGuards();
  LateGuards(const LateGuards&) = delete;

  // Decides those that matter, once all is known that the function wrote and returned.
  void settle(const Graph& graph, std::span<const Tensor> results);

 private:
  struct Copy {
    Tensor source, copy;
    std::vector<ShapeGuard> relations;
  };
  friend ViewOrCopy view_or_copy(const Tensor& source, const SymDims& sizes, ViewOf view_of);
  friend void note_copy(const Tensor& source, const Tensor& copy, std::vector<ShapeGuard> waiting);
  friend void settle_copies_of(const Storage& storage, Here where);

  const Trace* trace_;
  LateGuards* before_;
  std::vector<Copy> copies_;
};

}  // namespace sinter::graph
