// Copies of elements as words of their size.

#include <sinter/runtime/interpreter/copy_elements.h>

#include <sinter/runtime/primitives/primitive_table.h>

#include <cstdlib>
#include <cstring>

namespace sinter::runtime {

namespace {

// Memory from a caller need not be aligned.
template <class Bits>
struct __attribute__((packed, may_alias)) Word {
  Bits bits;
};

// Calls f with a null pointer to a word of that size.
template <class F>
void with_word(int bytes, F f) {
  switch (bytes) {
    case 1: return f(static_cast<Word<uint8_t>*>(nullptr));
    case 2: return f(static_cast<Word<uint16_t>*>(nullptr));
    case 4: return f(static_cast<Word<uint32_t>*>(nullptr));
    default: return f(static_cast<Word<uint64_t>*>(nullptr));
  }
}

template <class W>
void gather_row(W* block, const W* memory, int64_t n, int64_t stride) {
  if (stride == 1) {
    std::memcpy(block, memory, n * sizeof(W));
  } else if (stride == 0) {
    W value = *memory;
    for (int64_t i = 0; i < n; ++i) block[i] = value;
  } else {
    for (int64_t i = 0; i < n; ++i) block[i] = memory[i * stride];
  }
}

template <class W>
void scatter_row(W* memory, const W* block, int64_t n, int64_t stride) {
  if (stride == 1)
    std::memcpy(memory, block, n * sizeof(W));
  else
    for (int64_t i = 0; i < n; ++i) memory[i * stride] = block[i];
}

int64_t product(std::span<const int64_t> extents) {
  int64_t elements = 1;
  for (int64_t extent : extents) elements *= extent;
  return elements;
}

// Memory is walked along its faster axis: the block is small and stays in cache.
bool goes_down_columns(std::span<const int64_t> strides) {
  return strides.size() == 2 && strides[1] != 1 && strides[1] != 0 && std::abs(strides[0]) < std::abs(strides[1]);
}

// Such a block of which the slower axis is contiguous in memory is transposed in registers, where that is aligned.
template <class W>
bool is_transposed(const W* memory, std::span<const int64_t> strides) {
  return strides[0] == 1 && reinterpret_cast<uintptr_t>(memory) % sizeof(W) == 0;
}
Transposition transposition(int element_bytes) {
  static const PrimitiveTable& table = primitives(detect_isa());
  return table.transpose[transpose_row(element_bytes)];
}

template <class W>
void gather(W* block, const W* memory, std::span<const int64_t> extents, std::span<const int64_t> strides) {
  if (extents.empty()) {
    *block = *memory;
  } else if (extents.size() == 1) {
    gather_row(block, memory, extents[0], strides[0]);
  } else if (goes_down_columns(strides)) {
    if (is_transposed(memory, strides)) {
      transposition(sizeof(W))(memory, strides[1], block, extents[1], extents[1], extents[0]);
      return;
    }
    for (int64_t j = 0; j < extents[1]; ++j)
      for (int64_t i = 0; i < extents[0]; ++i) block[i * extents[1] + j] = memory[i * strides[0] + j * strides[1]];
  } else {
    int64_t inner = product(extents.subspan(1));
    for (int64_t i = 0; i < extents[0]; ++i)
      gather(block + i * inner, memory + i * strides[0], extents.subspan(1), strides.subspan(1));
  }
}

template <class W>
void scatter(W* memory, const W* block, std::span<const int64_t> extents, std::span<const int64_t> strides) {
  if (extents.empty()) {
    *memory = *block;
  } else if (extents.size() == 1) {
    scatter_row(memory, block, extents[0], strides[0]);
  } else if (goes_down_columns(strides)) {
    if (is_transposed(memory, strides)) {
      transposition(sizeof(W))(block, extents[1], memory, strides[1], extents[0], extents[1]);
      return;
    }
    for (int64_t j = 0; j < extents[1]; ++j)
      for (int64_t i = 0; i < extents[0]; ++i) memory[i * strides[0] + j * strides[1]] = block[i * extents[1] + j];
  } else {
    int64_t inner = product(extents.subspan(1));
    for (int64_t i = 0; i < extents[0]; ++i)
      scatter(memory + i * strides[0], block + i * inner, extents.subspan(1), strides.subspan(1));
  }
}

}  // namespace

void gather_elements(void* block, const void* memory, std::span<const int64_t> extents,
                     std::span<const int64_t> strides, int element_bytes) {
  with_word(element_bytes, [&](auto* word) {
    using W = std::remove_pointer_t<decltype(word)>;
    gather(static_cast<W*>(block), static_cast<const W*>(memory), extents, strides);
  });
}

void scatter_elements(void* memory, const void* block, std::span<const int64_t> extents,
                      std::span<const int64_t> strides, int element_bytes) {
  with_word(element_bytes, [&](auto* word) {
    using W = std::remove_pointer_t<decltype(word)>;
    scatter(static_cast<W*>(memory), static_cast<const W*>(block), extents, strides);
  });
}

void gather_positions(void* block, const void* memory, const int64_t* positions, const uint8_t* mask, int64_t n,
                      int element_bytes) {
  with_word(element_bytes, [&](auto* word) {
    using W = std::remove_pointer_t<decltype(word)>;
    auto* out = static_cast<W*>(block);
    auto* in = static_cast<const W*>(memory);
    if (mask)
      for (int64_t i = 0; i < n; ++i) out[i] = mask[i] ? in[positions[i]] : W{};
    else
      for (int64_t i = 0; i < n; ++i) out[i] = in[positions[i]];
  });
}

void scatter_positions(void* memory, const void* block, const int64_t* positions, int64_t n, int element_bytes) {
  with_word(element_bytes, [&](auto* word) {
    using W = std::remove_pointer_t<decltype(word)>;
    for (int64_t i = 0; i < n; ++i) static_cast<W*>(memory)[positions[i]] = static_cast<const W*>(block)[i];
  });
}

}  // namespace sinter::runtime
