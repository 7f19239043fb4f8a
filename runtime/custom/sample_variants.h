// Arguments like given ones: copies, the same values in another layout, other sizes.

#pragma once

#include <sinter/graph/value.h>

namespace sinter::runtime {

struct SampleVariant {
  std::string what;  // " with other strides"
  Values arguments;
  bool changes_sizes = false;
};

// With memory of their own and the same strides.
Values copy_of(const Values& sample);
// The sample with these tensors in place of its own, in order.
Values with_tensors_of(const Values& sample, const std::vector<Tensor>& tensors);
// Permuted memory with gaps and an offset; and each size changed, equal sizes alike.
std::vector<SampleVariant> variants_of(const Values& sample, uint64_t seed);

}  // namespace sinter::runtime
