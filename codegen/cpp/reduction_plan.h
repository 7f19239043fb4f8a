// How the reductions of one nest are computed: which of two shapes, in blocks of how many elements, with what state.

#pragma once

#include <sinter/codegen/cpp/kernel_context.h>

namespace sinter::codegen {

// Of one reducing store.
struct Accumulator {
  int store = -1;  // in the nest
  ReductionKind kind = ReductionKind::sum;
  DType dtype = DType::f32;
  int lanes = 1;              // W
  int64_t block = 64;         // W * steps
  SymInt blocks = 1;          // in the whole sequence
  std::string name;           // C++ of its state
  SymInt partial_offset = 0;  // of a split reduction: where its partial results lie, in bytes
};

enum class ReductionShape : uint8_t {
  rows,     // the sequence runs along the vectors: element k lies in lane k % W of W / N vectors
  columns,  // each lane is a result of its own: element k goes to vector k % W of W
};

struct ReductionPlan {
  ReductionShape shape = ReductionShape::columns;
  int vector_axis = -1;   // of the nest; -1 where its vector axis is of no use to the reduction
  std::vector<int> axes;  // the reduction axes with more than one element
  std::vector<Accumulator> accumulators;
  SymInt length = 1;         // of the sequence
  int64_t block = 64;        // the smallest of the accumulators' blocks
  int chunk = 1;             // the most lanes of any
  bool is_unrolled = false;  // the vectors of a chunk stand one after the other in registers
  // The part of the sequence to take: of a split reduction a segment.
  std::string begin = "0";
  std::string end;  // C++
  bool is_segment = false;
  int64_t segment = 0;  // elements of a segment
  SymInt segments = 1;
  SymInt results = 1;  // of the nest's own parallel axes

  int last_axis() const { return axes.back(); }
  // The sequence may have more elements than that, as far as its length is known.
  bool may_exceed(int64_t elements) const { return !is_surely_at_least(elements, length); }
};

// Levels of the binary counter of as many blocks as memory holds.
inline constexpr int most_levels = 40;
// Of so many blocks; of a symbolic number the most.
int levels_of_blocks(SymInt blocks);

// C++ of what it begins with, and of two partial results made one.
std::string start_of(const Accumulator& acc);
std::string combined(const Accumulator& acc, const std::string& a, const std::string& b);

bool is_reduction(const fusion::Nest& nest);
int body_cost(const fusion::Nest& nest);
ReductionPlan plan_reduction(const fusion::Nest& nest, KernelContext& context);
// Of the first nest of a split kernel: cuts the sequence into aligned runs of blocks. Depends on sizes alone.
void plan_segments(ReductionPlan& plan, const fusion::Nest& nest, int outer_axes);
SymInt partial_bytes(const ReductionPlan& plan);

}  // namespace sinter::codegen
