// The buffers of one kernel as it is called with them, in the tests that run printed sources.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "support/naive_schedule.h"

namespace sinter::test {

// Aligned copies of the buffers that a kernel works on, with guard bytes behind.
class KernelArguments {
 public:
  KernelArguments(BufferBytes& buffers, const std::vector<int>& ids, int64_t partial_bytes, size_t alignment)
      : buffers_(buffers), ids_(ids), alignment_(alignment) {
    for (int id : ids) add(buffers[size_t(id)].size(), buffers[size_t(id)].data());
    if (partial_bytes > 0) add(size_t(partial_bytes), nullptr);
  }
  ~KernelArguments() {
    for (void* pointer : pointers_) std::free(pointer);
  }
  void* const* pointers() const { return pointers_.data(); }
  void copy_back() {
    for (size_t i = 0; i < ids_.size(); ++i) {
      std::vector<std::byte>& bytes = buffers_[size_t(ids_[i])];
      std::copy_n(static_cast<std::byte*>(pointers_[i]), bytes.size(), bytes.data());
      for (size_t k = 0; k < guard; ++k)
        if (static_cast<unsigned char*>(pointers_[i])[bytes.size() + k] != 0xa5)
          throw std::runtime_error("a kernel wrote behind a buffer");
    }
  }

 private:
  static constexpr size_t guard = 64;
  void add(size_t bytes, const std::byte* from) {
    void* pointer = std::aligned_alloc(alignment_, (bytes + guard + alignment_ - 1) / alignment_ * alignment_);
    std::fill_n(static_cast<unsigned char*>(pointer), bytes + guard, 0xa5);
    if (from) std::copy_n(from, bytes, static_cast<std::byte*>(pointer));
    pointers_.push_back(pointer);
  }
  BufferBytes& buffers_;
  const std::vector<int>& ids_;
  size_t alignment_;
  std::vector<void*> pointers_;
};

}  // namespace sinter::test
