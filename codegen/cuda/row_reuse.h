// Loads of neighbouring rows, as a stencil has them: a thread that takes a few rows reads each of theirs once.

#pragma once

#include <sinter/codegen/cuda/packs.h>

#include <optional>

namespace sinter::codegen {

struct RowReuse {
  struct SharedLoad {
    int row = -1;     // of the nest's table of loads
    int buffer = -1;  // of those that are the same memory, the one by whose pointer all are read
  };

  int axis = -1;  // of the rows
  int rows = 1;   // of a thread
  std::vector<SharedLoad> loads;
};

// `axes`: of a pointwise nest, with more than one element; a thread takes `packs` along the last of them.
std::optional<RowReuse> find_row_reuse(const CudaContext& context, const fusion::Nest& nest,
                                       const std::vector<int>& axes, const Packs& packs);

}  // namespace sinter::codegen
