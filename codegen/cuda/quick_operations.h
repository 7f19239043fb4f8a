// Which operations of a nest are printed in the short forms of ../prelude/cuda/math.h, that note rare lanes.

#pragma once

#include <sinter/codegen/cpp/kernel_context.h>

#include <span>

namespace sinter::codegen {

class QuickOperations {
 public:
  explicit QuickOperations(const fusion::Nest& nest);

  bool empty() const;
  // C++ of a node in its short form, which adds to `is_rare`; empty where it has none.
  std::string text(KernelContext& context, int node, std::span<const std::string> operands) const;

 private:
  bool is_rough(int node) const { return units_[node] > 0; }
  void find_rough_values();
  int units_of(const ScalarNode& node) const;

  const std::vector<ScalarNode>& nodes_;
  // By node: how many units in the last place it may be off by in the rough form; 0: it stays exact.
  std::vector<int> units_;
  std::vector<bool> is_positive_;  // or zero or NaN
};

}  // namespace sinter::codegen
