// Copies of elements as words of their size.

#include <sinter/runtime/interpreter/copy_elements.h>

#include <cstdlib>
#include <cstring>

namespace sinter::runtime {

namespace {

// Memory from a caller need not be aligned.
using Word1 = uint8_t;
typedef uint16_t Word2 __attribute__((aligned(1), may_alias));
typedef uint32_t Word4 __attribute__((aligned(1), may_alias));
typedef uint64_t Word8 __attribute__((aligned(1), may_alias));

// Calls f with a null pointer to a word of that size.
template <class F>
void with_word(int bytes, F f) {
  switch (bytes) {
    case 1: return f(static_cast<Word1*>(nullptr));
    case 2: return f(static_cast<Word2*>(nullptr));
    case 4: return f(static_cast<Word4*>(nullptr));
    default: return f(static_cast<Word8*>(nullptr));
  }
}

template <class Word>
void gather_row(Word* block, const Word* memory, int64_t n, int64_t stride) {
  if (stride == 1) {
    std::memcpy(block, memory, n * sizeof(Word));
  } else if (stride == 0) {
    Word value = *memory;
    for (int64_t i = 0; i < n; ++i) block[i] = value;
  } else {
    for (int64_t i = 0; i < n; ++i) block[i] = memory[i * stride];
  }
}

template <class Word>
void scatter_row(Word* memory, const Word* block, int64_t n, int64_t stride) {
  if (stride == 1)
    std::memcpy(memory, block, n * sizeof(Word));
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

template <class Word>
void gather(Word* block, const Word* memory, std::span<const int64_t> extents, std::span<const int64_t> strides) {
  if (extents.empty()) {
    *block = *memory;
  } else if (extents.size() == 1) {
    gather_row(block, memory, extents[0], strides[0]);
  } else if (goes_down_columns(strides)) {
    for (int64_t j = 0; j < extents[1]; ++j)
      for (int64_t i = 0; i < extents[0]; ++i) block[i * extents[1] + j] = memory[i * strides[0] + j * strides[1]];
  } else {
    int64_t inner = product(extents.subspan(1));
    for (int64_t i = 0; i < extents[0]; ++i)
      gather(block + i * inner, memory + i * strides[0], extents.subspan(1), strides.subspan(1));
  }
}

template <class Word>
void scatter(Word* memory, const Word* block, std::span<const int64_t> extents, std::span<const int64_t> strides) {
  if (extents.empty()) {
    *memory = *block;
  } else if (extents.size() == 1) {
    scatter_row(memory, block, extents[0], strides[0]);
  } else if (goes_down_columns(strides)) {
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
    using Word = std::remove_pointer_t<decltype(word)>;
    gather(static_cast<Word*>(block), static_cast<const Word*>(memory), extents, strides);
  });
}

void scatter_elements(void* memory, const void* block, std::span<const int64_t> extents,
                      std::span<const int64_t> strides, int element_bytes) {
  with_word(element_bytes, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    scatter(static_cast<Word*>(memory), static_cast<const Word*>(block), extents, strides);
  });
}

void gather_positions(void* block, const void* memory, const int64_t* positions, const uint8_t* mask, int64_t n,
                      int element_bytes) {
  with_word(element_bytes, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    auto* out = static_cast<Word*>(block);
    auto* in = static_cast<const Word*>(memory);
    if (mask)
      for (int64_t i = 0; i < n; ++i) out[i] = mask[i] ? in[positions[i]] : Word(0);
    else
      for (int64_t i = 0; i < n; ++i) out[i] = in[positions[i]];
  });
}

void scatter_positions(void* memory, const void* block, const int64_t* positions, int64_t n, int element_bytes) {
  with_word(element_bytes, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    for (int64_t i = 0; i < n; ++i) static_cast<Word*>(memory)[positions[i]] = static_cast<const Word*>(block)[i];
  });
}

}  // namespace sinter::runtime
