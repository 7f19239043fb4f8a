// Sums of squared deviations from a mean: variance as people write it is a sum, then a sum of squares about it, which
// reads everything twice. A team that cannot keep its elements takes both in one pass.

#pragma once

#include <sinter/codegen/cuda/cuda_context.h>

#include <optional>

namespace sinter::codegen {

struct Deviation {
  int sum_nest = -1;      // sums `value`
  int value = -1;         // a node of that nest
  int squares_nest = -1;  // sums (value - center)^2 and stores nothing else
  int store = -1;         // of that nest
  int center = -1;        // a node of that nest, the same for all that it reduces
  DType dtype = DType::f32;
};

// The first such pair among the nests, if their values are read from memory that the kernel does not write.
// `team`: the threads that share the elements.
std::optional<Deviation> find_deviation(const CudaContext& context, const std::vector<int>& nests, int team);

}  // namespace sinter::codegen
