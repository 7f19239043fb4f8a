// Single elements of recorded and computed tensors: where they lie, what they hold, when two agree.

#pragma once

#include "conformance/recorded_case.h"

#include <memory>

namespace sinter::conformance {

// A strided tensor's bytes, without ownership where they are on the CPU already.
struct Elements {
  DType dtype = DType::f32;
  Layout layout;
  std::span<const std::byte> storage;
  std::shared_ptr<const Bytes> copy = nullptr;  // of another device's memory
};
Elements elements_of(const Tensor& tensor);
Elements elements_of(const RecordedTensor& recorded, std::span<const std::byte> storage);

// The storage positions of all elements, in logical (row-major) order.
std::vector<int64_t> positions(const Layout& layout);

struct Agreement {
  std::optional<Tolerance> tolerance;
  bool keeps_zero_signs = false;
};

// A NaN agrees with any NaN. Without a tolerance, and for integers, all bits must be equal.
bool agree(DType dtype, const std::byte* got, const std::byte* want, const Agreement& agreement);
bool is_nan(DType dtype, const std::byte* element);
std::string element_text(DType dtype, const std::byte* element);

}  // namespace sinter::conformance
