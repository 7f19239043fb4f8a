// Rows that the threads of a team keep in registers from nest to nest: what one nest computes or loads, a later one
// uses at the same place, in the same thread.

#pragma once

#include <sinter/codegen/cuda/packs.h>

#include <map>

namespace sinter::codegen {

struct RegisterRows {
  // Memory that several nests read at one place.
  struct CachedLoad {
    int buffer = -1;
    fusion::IndexExpr linear;
  };

  int axis = -1;               // of the row, in every nest that takes part
  int64_t groups = 0;          // packs of the row
  int steps = 0;               // packs of a thread; its loop is unrolled
  std::map<int, Packs> nests;  // that take part; what is in registers counts as moved in packs
  std::vector<int> locals;     // arrays that live in registers
  std::vector<CachedLoad> loads;

  bool has_local(int buffer) const;
  // The number of the row that this load is, or -1.
  int cached(int buffer, const fusion::IndexExpr& linear) const;
};

// Nothing where no row fits, or there is no use for one. `team`: its threads.
std::optional<RegisterRows> plan_register_rows(const CudaContext& context, const std::vector<int>& nests, int team);

}  // namespace sinter::codegen
