// Loads, primitive calls and stores on tiles.

#include <sinter/runtime/interpreter/tile_runner.h>

#include <sinter/runtime/interpreter/copy_elements.h>
#include <sinter/runtime/interpreter/index_steps.h>
#include <sinter/runtime/kept_by_thread.h>

#include <cstring>
#include <memory>
#include <new>

namespace sinter::runtime {

namespace {

// Memory of one thread, kept from run to run.
class Scratch {
 public:
  ~Scratch() { release(); }
  char* at_least(int64_t bytes) {
    if (bytes > bytes_) {
      release();
      block_ = static_cast<char*>(::operator new(bytes, std::align_val_t{64}));
      bytes_ = bytes;
    }
    return block_;
  }

 private:
  void release() {
    ::operator delete(block_, std::align_val_t{64});
    block_ = nullptr;
    bytes_ = 0;
  }
  char* block_ = nullptr;
  int64_t bytes_ = 0;
};

int64_t start_of(const PreparedIndex& index, const Tile& box) {
  int64_t position = index.constant;
  for (size_t axis = 0; axis < box.start.size(); ++axis) position += index.strides[axis] * box.start[axis];
  return position;
}

SmallVector<int64_t, 8> strides_of(const PreparedIndex& index, const Tile& box) {
  SmallVector<int64_t, 8> strides;
  for (int axis : box.axes) strides.push_back(index.strides[axis]);
  return strides;
}

bool is_contiguous_in(const PreparedIndex& index, const Tile& box) {
  int64_t expected = 1;
  for (size_t i = box.axes.size(); i-- > 0;) {
    if (box.extents[i] == 1) continue;
    if (index.strides[box.axes[i]] != expected) return false;
    expected *= box.extents[i];
  }
  return true;
}

void fill_affine(int64_t* out, int64_t value, std::span<const int64_t> extents, std::span<const int64_t> strides) {
  if (extents.empty()) {
    *out = value;
    return;
  }
  int64_t inner = 1;
  for (int64_t extent : extents.subspan(1)) inner *= extent;
  for (int64_t i = 0; i < extents[0]; ++i, value += strides[0]) {
    if (extents.size() == 1)
      out[i] = value;
    else
      fill_affine(out + i * inner, value, extents.subspan(1), strides.subspan(1));
  }
}

}  // namespace

TileRunner::TileRunner(const PreparedNest& nest, void* const* buffers, int64_t extra_bytes)
    : nest_(nest), buffers_(buffers) {
  int64_t slot_bytes = nest.slot_count * nest.slot_bytes;
  index_bytes_ = (nest.tile_elements + 7) / 8 * 64;
  int64_t all_bytes = (slot_bytes + 63) / 64 * 64 + nest.index_blocks * index_bytes_ + extra_bytes;
  char* block = kept_by_thread<Scratch>().at_least(all_bytes);
  slots_ = block;
  index_ = block + (slot_bytes + 63) / 64 * 64;
  extra_ = index_ + nest.index_blocks * index_bytes_;
  values_.assign(nest.value_count, nullptr);
  for (const ConstantBlock& constant : nest.constants)
    values_[constant.value] = const_cast<char*>(reinterpret_cast<const char*>(constant.bytes.data()));
  tile.start.assign(nest.extents.size(), 0);
}

char* TileRunner::address(const Access& access, const Tile& box) const {
  return static_cast<char*>(buffers_[access.buffer]) + start_of(access.index, box) * access.element_bytes;
}

int64_t* TileRunner::positions(const PreparedIndex& index, const Tile& box, int block) const {
  auto* out = reinterpret_cast<int64_t*>(index_ + block * index_bytes_);
  fill_affine(out, start_of(index, box), box.extents, strides_of(index, box));
  for (const PreparedIndex::Quotient& quotient : index.quotients) {
    if (quotient.operand.is_affine()) {
      add_quotients(out, quotient.kind, quotient.coef, quotient.divisor, start_of(quotient.operand, box), box.extents,
                    strides_of(quotient.operand, box));
      continue;
    }
    const int64_t* operand = positions(quotient.operand, box, block + 1);
    for (int64_t i = 0; i < box.elements; ++i)
      out[i] += quotient.coef * fusion::evaluate(quotient.kind, operand[i], quotient.divisor);
  }
  return out;
}

void TileRunner::load(const Instruction& instruction) {
  const Access& access = nest_.loads[instruction.access];
  char* block = slot(instruction);
  values_[instruction.result] = block;
  if (!access.index.is_affine()) {
    gather_positions(block, buffers_[access.buffer], positions(access.index, tile), nullptr, tile.elements,
                     access.element_bytes);
    return;
  }
  char* memory = address(access);
  if (!access.must_copy && is_contiguous_in(access.index, tile))
    values_[instruction.result] = memory;
  else
    gather_elements(block, memory, tile.extents, strides_of(access.index, tile), access.element_bytes);
}

// No memory is touched where the mask is 0.
void TileRunner::masked_load(const Instruction& instruction) {
  auto* mask = reinterpret_cast<const uint8_t*>(values_[instruction.operands[0]]);
  bool some = false, all = true;
  for (int64_t i = 0; i < tile.elements; ++i) {
    some |= mask[i] != 0;
    all &= mask[i] != 0;
  }
  if (all) return load(instruction);
  const Access& access = nest_.loads[instruction.access];
  char* block = slot(instruction);
  values_[instruction.result] = block;
  if (!some) {
    std::memset(block, 0, tile.elements * access.element_bytes);
    return;
  }
  gather_positions(block, buffers_[access.buffer], positions(access.index, tile), mask, tile.elements,
                   access.element_bytes);
}

void TileRunner::call(const Instruction& instruction) {
  char* result = slot(instruction);
  if (instruction.store >= 0) {
    const Access& target = nest_.stores[instruction.store].access;
    if (target.index.is_affine() && is_contiguous_in(target.index, tile)) result = address(target);
  }
  const void* operands[3] = {};
  for (int i = 0; i < 3; ++i)
    if (instruction.operands[i] >= 0) operands[i] = values_[instruction.operands[i]];
  values_[instruction.result] = result;
  instruction.run(result, operands[0], operands[1], operands[2], tile.elements);
}

void TileRunner::evaluate() {
  for (const Instruction& instruction : nest_.instructions) {
    switch (instruction.kind) {
      case Instruction::Kind::load: load(instruction); break;
      case Instruction::Kind::masked_load: masked_load(instruction); break;
      case Instruction::Kind::primitive: call(instruction); break;
      case Instruction::Kind::index: {
        const int64_t* block = positions(nest_.index_values[instruction.access], tile);
        values_[instruction.result] = slot(instruction);
        std::memcpy(slot(instruction), block, tile.elements * 8);
        break;
      }
    }
  }
}

void TileRunner::write(const PreparedStore& store) {
  const Access& access = store.access;
  if (access.index.is_affine() && is_contiguous_in(access.index, tile) && values_[store.value] == address(access))
    return;
  write_block(access, tile, values_[store.value]);
}

void TileRunner::write_block(const Access& access, const Tile& box, const void* block) {
  if (!access.index.is_affine()) {
    scatter_positions(buffers_[access.buffer], block, positions(access.index, box), box.elements, access.element_bytes);
    return;
  }
  char* memory = address(access, box);
  if (is_contiguous_in(access.index, box))
    std::memmove(memory, block, box.elements * access.element_bytes);
  else
    scatter_elements(memory, block, box.extents, strides_of(access.index, box), access.element_bytes);
}

}  // namespace sinter::runtime
