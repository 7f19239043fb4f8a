// A loop nest made ready for interpretation: axes in loop order and merged, addresses as strides, the body as a list of
// primitive calls on tiles of a few hundred elements.

#pragma once

#include <cstdint>
#include <vector>

#include <sinter/fusion/schedule.h>
#include <sinter/runtime/primitives/primitive_table.h>

namespace sinter::runtime {

// constant + sum of strides[axis] * coordinate + sum of coef * quotient, over the prepared nest's axes.
struct PreparedIndex {
  struct Quotient;
  int64_t constant = 0;
  std::vector<int64_t> strides;
  std::vector<Quotient> quotients;

  bool is_affine() const { return quotients.empty(); }
};
struct PreparedIndex::Quotient {
  int64_t coef = 1;
  fusion::QuotientKind kind = fusion::QuotientKind::floor_div;
  int64_t divisor = 1;
  PreparedIndex operand;
};

// Where a load or store finds its elements: positions count elements from the buffer's origin.
struct Access {
  int buffer = -1;
  int element_bytes = 4;
  bool must_copy = false;  // of a load: a store of the nest may change its memory before its last use
  PreparedIndex index;
};

// A value of the body: a block of one element for each point of a tile.
struct Instruction {
  enum class Kind : uint8_t { load, masked_load, index, primitive };
  Kind kind = Kind::primitive;
  Primitive run = nullptr;
  int result = -1;  // values, by number
  int operands[3] = {-1, -1, -1};
  int access = -1;  // of a load; of an index: which index value
  int slot = -1;    // scratch block of the result
  int store = -1;   // a store that is the result's only use: it may be written straight to memory
};

// A body constant, already spread over a block.
struct ConstantBlock {
  int value = -1;
  std::vector<uint64_t> bytes;
};

struct PreparedStore {
  Access access;
  int value = -1;
  DType dtype = DType::f32;  // of the buffer
  // Of a reduction; its result is then converted.
  const ReductionPrimitives* reduction = nullptr;
  Primitive convert = nullptr;  // null: the result's type is the buffer's
  int value_bytes = 4;
  bool is_wide = false;  // many lanes, else one
  int64_t lanes = 1;
  int64_t steps = 64;
  int source_load = -1;  // the value is this load, unchanged
};

enum class LoopForm : uint8_t {
  tiles,     // pointwise, or reductions whose sequences lie whole in tiles
  sequence,  // a strip of results at a time, its sequence tile by tile
};

struct PreparedNest {
  LoopForm form = LoopForm::tiles;
  // Parallel axes first, then reduction axes; in a sequence with single lanes the last parallel axis is a strip's.
  std::vector<int64_t> extents;
  int parallel_axes = 0;
  std::vector<int64_t> chunks;   // elements of each axis in a tile
  int64_t tile_elements = 0;     // at most
  int64_t reduced_elements = 1;  // of the reduction axes, in all
  bool is_empty = false;         // no point at all

  std::vector<Access> loads;
  std::vector<PreparedIndex> index_values;
  std::vector<Instruction> instructions;
  std::vector<ConstantBlock> constants;
  std::vector<PreparedStore> stores;
  int value_count = 0;
  int slot_count = 0;
  int64_t slot_bytes = 0;
  int index_blocks = 0;          // blocks of positions that an address with quotients, or a masked load, needs
  int64_t work_per_element = 1;  // about how many scalar operations
};

// One for a nest; several where reductions of one nest need different loops. `outer_axes` is the kernel's: buffers
// that are local to an iteration of those get memory for all iterations.
std::vector<PreparedNest> prepare_nest(const fusion::Schedule& schedule, const fusion::Nest& nest, int outer_axes,
                                       const PrimitiveTable& table);

// Runs it; `buffers`: the origin of each of the schedule's buffers.
void run_nest(const PreparedNest& nest, void* const* buffers);

// Elements of memory that a buffer needs: of a local one for all iterations of its kernel's outer axes.
int64_t local_elements(const fusion::Buffer& buffer);

}  // namespace sinter::runtime
