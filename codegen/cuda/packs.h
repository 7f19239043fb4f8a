// Which neighbours along an axis a thread takes at once, and which accesses then are one instruction.

#pragma once

#include <sinter/codegen/cuda/cuda_context.h>

namespace sinter::codegen {

struct Packs {
  int count = 1;            // elements; 1: no packs
  std::vector<int> loads;   // rows of the nest's table of loads that are read as packs
  std::vector<int> stores;  // numbers of its stores that are written as packs
  bool has_rest = false;    // the axis is no multiple of `count`: the last pack of it is partial

  bool loads_pack(int row) const;
  bool stores_pack(int store) const;
};

// For an inner loop over `axis`; a partial pack is possible only where it is the only axis of the loop.
Packs choose_packs(const CudaContext& context, const fusion::Nest& nest, int axis, bool is_only_axis, int most = 8);

// Rows of the table of loads that some node loads under a mask or at an offset.
std::vector<bool> special_loads(const fusion::Nest& nest);

// Bytes of each iteration that lie one after the other along `axis`, of the accesses that use any of `moving`.
int64_t bytes_along(const CudaContext& context, const fusion::Nest& nest, int axis, const std::vector<int>& moving);

}  // namespace sinter::codegen
