// Chooses the loops of a nest for interpretation: their order, which of them merge, and the size of tiles.

#pragma once

#include <sinter/runtime/interpreter/prepared_nest.h>

namespace sinter::runtime {

// An address, as an expression over the axes of the schedule's nest.
struct AccessExpr {
  fusion::IndexExpr linear;
  bool is_store = false;
};

// How a prepared nest's axes come from the schedule's.
struct AxisPlan {
  std::vector<int> order;        // axes of the nest in loop order, the parallel ones first; extents of 1 are left out
  std::vector<int64_t> extents;  // of merged axes
  std::vector<int> first, last;  // the positions in `order` that a merged axis is made of
  int parallel_axes = 0;         // of the merged ones

  // An expression over the nest's axes as one over the merged axes.
  PreparedIndex prepare(const fusion::IndexExpr& expr) const;
};

// `loads_first`: whose strides say which axis is the fastest.
AxisPlan plan_axes(const fusion::Nest& nest, const std::vector<AccessExpr>& accesses, bool loads_first);

// Sizes tiles of at most `budget` elements: whole inner axes, a part of one, single steps of the outer ones.
void choose_tiles(PreparedNest& nest, int64_t budget, bool reductions_whole);

}  // namespace sinter::runtime
