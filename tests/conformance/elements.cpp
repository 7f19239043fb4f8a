// Reads and compares elements of every dtype.

#include "conformance/elements.h"

#include <sinter/runtime/cuda/copy.h>

#include <cmath>
#include <cstring>

namespace sinter::conformance {

namespace {

double to_double(DType dtype, const std::byte* element) {
  return visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, bool>) return *element != std::byte{0} ? 1.0 : 0.0;
    T value;
    std::memcpy(&value, element, sizeof(T));
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      return static_cast<double>(static_cast<float>(value));
    else
      return static_cast<double>(value);
  });
}

int64_t to_integer(DType dtype, const std::byte* element) {
  return visit(dtype, [&](auto zero) -> int64_t {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      T value;
      std::memcpy(&value, element, sizeof(T));
      return value;
    }
    return static_cast<int64_t>(*element);
  });
}

bool within(double got, double want, const Agreement& agreement) {
  if (agreement.keeps_zero_signs && want == 0 && got == 0) return std::signbit(got) == std::signbit(want);
  if (std::isinf(want) || std::isinf(got)) return got == want;
  return std::abs(got - want) <= agreement.tolerance->absolute + agreement.tolerance->relative * std::abs(want);
}

}  // namespace

Elements elements_of(const Tensor& tensor) {
  const StorageImpl* storage = tensor.storage().get();
  if (!tensor.device().is_cpu()) {
    auto copy = std::make_shared<Bytes>(storage->bytes);
    runtime::copy_bytes(copy->data(), cpu, storage->data, tensor.device(), storage->bytes);
    return {tensor.dtype(), tensor.layout(), *copy, copy};
  }
  return {tensor.dtype(),
          tensor.layout(),
          {static_cast<const std::byte*>(storage->data), static_cast<size_t>(storage->bytes)},
          nullptr};
}

Elements elements_of(const RecordedTensor& recorded, std::span<const std::byte> storage) {
  return {recorded.dtype, recorded.meta().layout, storage, nullptr};
}

std::vector<int64_t> positions(const Layout& layout) {
  std::vector<int64_t> result{layout.offset.constant()};
  for (int64_t dim = 0; dim < layout.rank(); ++dim) {
    std::vector<int64_t> finer;
    int64_t size = layout.sizes[dim].constant(), stride = layout.strides[dim].constant();
    finer.reserve(result.size() * size);
    for (int64_t position : result)
      for (int64_t i = 0; i < size; ++i) finer.push_back(position + i * stride);
    result = std::move(finer);
  }
  return result;
}

bool is_nan(DType dtype, const std::byte* element) {
  return is_floating(dtype) && std::isnan(to_double(dtype, element));
}

bool agree(DType dtype, const std::byte* got, const std::byte* want, const Agreement& agreement) {
  if (std::memcmp(got, want, byte_size(dtype)) == 0) return true;
  if (!is_floating(dtype)) return false;
  bool wants_nan = is_nan(dtype, want);
  if (wants_nan || is_nan(dtype, got)) return wants_nan && is_nan(dtype, got);
  return agreement.tolerance && within(to_double(dtype, got), to_double(dtype, want), agreement);
}

std::string element_text(DType dtype, const std::byte* element) {
  if (!is_floating(dtype)) return fmt::format("{}", to_integer(dtype, element));
  return fmt::format("{:.9g}", to_double(dtype, element));
}

}  // namespace sinter::conformance
