// Evaluates a nest's body on one tile after another, in scratch memory of the calling thread.

#pragma once

#include <sinter/graph/small_vector.h>
#include <sinter/runtime/interpreter/prepared_nest.h>

namespace sinter::runtime {

// A box of the iteration space: from `start` on, so many steps along some of the axes. Its points are numbered
// row-major in the order of `axes`.
struct Tile {
  SmallVector<int64_t, 8> start;  // of every axis of the nest
  SmallVector<int, 8> axes;
  SmallVector<int64_t, 8> extents;  // of those axes
  int64_t elements = 1;

  void clear() {
    axes.clear();
    extents.clear();
    elements = 1;
  }
  void add(int axis, int64_t extent) {
    axes.push_back(axis);
    extents.push_back(extent);
    elements *= extent;
  }
};

class TileRunner {
 public:
  TileRunner(const PreparedNest& nest, void* const* buffers, int64_t extra_bytes = 0);

  Tile tile;

  // Computes every value of the body.
  void evaluate();
  const void* value(int number) const { return values_[number]; }
  // Writes the value of a plain store, unless it is there already.
  void write(const PreparedStore& store);
  // Writes a block that holds the elements of `box` to where the store puts them.
  void write_block(const Access& access, const Tile& box, const void* block);
  // The address of an affine access's element at the tile's start.
  char* address(const Access& access) const { return address(access, tile); }

  // Scratch for the caller, as much as asked for.
  char* extra() const { return extra_; }

 private:
  char* address(const Access& access, const Tile& box) const;
  char* slot(const Instruction& instruction) const { return slots_ + instruction.slot * nest_.slot_bytes; }
  int64_t* positions(const PreparedIndex& index, const Tile& box, int block = 0) const;
  void load(const Instruction& instruction);
  void masked_load(const Instruction& instruction);
  void call(const Instruction& instruction);

  const PreparedNest& nest_;
  void* const* buffers_;
  SmallVector<char*, 16> values_;
  char* slots_ = nullptr;
  char* index_ = nullptr;
  int64_t index_bytes_ = 0;
  char* extra_ = nullptr;
};

}  // namespace sinter::runtime
