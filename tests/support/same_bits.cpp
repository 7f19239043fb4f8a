// Tensors bit for bit, without any operator of the library.

#include "support/same_bits.h"

#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>

#include <cmath>
#include <cstring>

#include "support/test_device.h"

namespace sinter::test {

namespace {

// Where both results are a CUDA device's, each is off, and by what every op of a chain adds.
constexpr double slack_of_chains = 4;

// Calls f(position in elements) for each element in logical order.
template <class F>
void each_element(const Layout& layout, F&& f) {
  int64_t count = numel(layout.sizes).constant();
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, position = layout.offset.constant();
    for (int64_t dim = layout.rank() - 1; dim >= 0; --dim) {
      int64_t size = layout.sizes[dim].constant();
      position += rest % size * layout.strides[dim].constant();
      rest /= size;
    }
    f(position);
  }
}

template <class T>
double as_double(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return static_cast<double>(static_cast<float>(value));
  else
    return static_cast<double>(value);
}

std::vector<std::string> element_bytes(const Tensor& tensor) {
  std::vector<std::string> bytes;
  int64_t size = byte_size(tensor.dtype());
  each_element(tensor.layout(), [&](int64_t position) {
    bytes.emplace_back(static_cast<const char*>(tensor.storage()->data) + position * size, size);
  });
  return bytes;
}

}  // namespace

std::vector<double> elements_of(const Tensor& anywhere) {
  Tensor tensor = on_device(anywhere, cpu);
  std::vector<double> elements;
  visit(tensor.dtype(), [&](auto zero) {
    using T = decltype(zero);
    each_element(tensor.layout(), [&](int64_t position) {
      elements.push_back(as_double(static_cast<const T*>(tensor.storage()->data)[position]));
    });
  });
  return elements;
}

void expect_same_bits(const Tensor& actual, const Tensor& expected, const std::string& what) {
  ASSERT_EQ(actual.defined(), expected.defined()) << what;
  if (!expected.defined()) return;
  ASSERT_EQ(name(actual.dtype()), name(expected.dtype())) << what;
  ASSERT_EQ(to_string(actual.sizes()), to_string(expected.sizes())) << what;
  for (size_t dim = 0; dim < expected.sizes().size() && !(expected.numel() == 0); ++dim) {
    if (expected.sizes()[dim] == 1) continue;
    EXPECT_EQ(actual.strides()[dim].hint(), expected.strides()[dim].hint()) << what << ": stride of dim " << dim;
  }
  if (!actual.device().is_cpu() || !expected.device().is_cpu())
    return expect_agreement(actual, on_device(expected, cpu), what, slack_of_chains);
  std::vector<std::string> a = element_bytes(actual), b = element_bytes(expected);
  std::vector<double> a_values = elements_of(actual), b_values = elements_of(expected);
  int shown = 0;
  for (size_t i = 0; i < a.size() && shown < 5; ++i) {
    if (a[i] == b[i] || (std::isnan(a_values[i]) && std::isnan(b_values[i]))) continue;
    ADD_FAILURE() << what << ": element " << i << " of " << a.size() << " is " << fmt::format("{}", a_values[i])
                  << ", expected " << fmt::format("{}", b_values[i]);
    ++shown;
  }
}

Tensor tensor_of(const std::vector<double>& elements, const std::vector<int64_t>& sizes, DType dtype) {
  SymDims dims(sizes.begin(), sizes.end());
  Tensor tensor({dtype, cpu, contiguous_layout(dims)},
                runtime::new_host_storage(static_cast<int64_t>(elements.size()) * byte_size(dtype)));
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (size_t i = 0; i < elements.size(); ++i) {
      if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        static_cast<T*>(tensor.storage()->data)[i] = T(static_cast<float>(elements[i]));
      else
        static_cast<T*>(tensor.storage()->data)[i] = static_cast<T>(elements[i]);
    }
  });
  return on_device(tensor, placement());
}

Tensor strided_view(const Tensor& base, const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                    int64_t offset) {
  Layout layout{SymDims(sizes.begin(), sizes.end()), SymDims(strides.begin(), strides.end()), offset};
  return Tensor({base.dtype(), base.device(), layout}, base.storage());
}

Tensor MemoryCopies::copy(const Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  StorageImpl* original = tensor.storage().get();
  Storage& copy = copies_[original];
  if (!copy && original) {
    copy = runtime::new_storage(device_, original->bytes);
    runtime::copy_bytes(copy->data, device_, original->data, tensor.device(), original->bytes);
  }
  TensorMeta meta = tensor.meta();
  meta.device = device_;
  return Tensor(meta, copy);
}

}  // namespace sinter::test
