// Tensors with the elements of others.

#include <sinter/runtime/custom/sample_variants.h>

#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>

namespace sinter::runtime {

namespace {

Value mapped(const Value& value, const std::function<Tensor(const Tensor&)>& f) {
  if (value.is_tensor()) return f(value.tensor());
  if (!value.is_list()) return value;
  Value::List list;
  for (const Value& element : value.list()) list.push_back(mapped(element, f));
  return list;
}

Values mapped(const Values& values, const std::function<Tensor(const Tensor&)>& f) {
  Values result;
  for (const Value& value : values) result.push_back(mapped(value, f));
  return result;
}

Tensor uninitialised(DType dtype, Layout layout) {
  int64_t bytes = std::max<int64_t>(1, extent_end(layout).constant() * byte_size(dtype));
  Storage storage = new_host_storage(bytes);
  std::memset(storage->data, 0, static_cast<size_t>(bytes));
  return Tensor({dtype, cpu, std::move(layout)}, std::move(storage));
}

// What is made on the CPU, whole, on the device of `like`.
Tensor beside(const Tensor& like, Tensor made) {
  if (like.device().is_cpu()) return made;
  TensorMeta meta = made.meta();
  meta.device = like.device();
  Storage storage = new_storage(meta.device, made.storage()->bytes);
  copy_bytes(storage->data, meta.device, made.storage()->data, cpu, made.storage()->bytes);
  return Tensor(std::move(meta), std::move(storage));
}

// Element (i0, i1, ...) of `to` is element (i0 % n0, i1 % n1, ...) of `from`.
void fill_from(const Tensor& to, const Tensor& given) {
  Tensor from = moved(given, cpu);
  int64_t size = byte_size(to.dtype()), rank = to.dim();
  if (numel(to.sizes()).constant() == 0 || numel(from.sizes()).constant() == 0) return;
  Dims index(static_cast<size_t>(rank), 0);
  for (int64_t left = numel(to.sizes()).constant(); left > 0; --left) {
    int64_t target = 0, source = 0;
    for (int64_t d = 0; d < rank; ++d) {
      target += index[d] * to.strides()[d].constant();
      source += index[d] % from.sizes()[d].constant() * from.strides()[d].constant();
    }
    std::memcpy(static_cast<char*>(to.data_ptr()) + target * size,
                static_cast<const char*>(from.data_ptr()) + source * size, static_cast<size_t>(size));
    for (int64_t d = rank - 1; d >= 0 && ++index[d] == to.sizes()[d].constant(); --d) index[d] = 0;
  }
}

Tensor with_other_strides(const Tensor& tensor, std::mt19937_64& random) {
  Dims order(static_cast<size_t>(tensor.dim()), 0);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  Layout layout{tensor.sizes(), strides_in_order(tensor.sizes(), order), 3};
  for (SymInt& stride : layout.strides) stride *= 2;
  Tensor made = uninitialised(tensor.dtype(), std::move(layout));
  fill_from(made, tensor);
  return beside(tensor, std::move(made));
}

}  // namespace

Values copy_of(const Values& sample) {
  return mapped(sample, [](const Tensor& tensor) {
    Tensor copy = uninitialised(tensor.dtype(), tensor.layout());
    fill_from(copy, tensor);
    return beside(tensor, std::move(copy));
  });
}

Values with_tensors_of(const Values& sample, const std::vector<Tensor>& tensors) {
  size_t next = 0;
  return mapped(sample, [&](const Tensor&) { return tensors[next++]; });
}

std::vector<SampleVariant> variants_of(const Values& sample, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<SampleVariant> variants;
  variants.push_back(
      {" with other strides", mapped(sample, [&](const Tensor& t) { return with_other_strides(t, random); }), false});
  for (int round = 0; round < 2; ++round) {
    int64_t more = 1 + static_cast<int64_t>(random() % 6);
    auto resized = [&](const Tensor& tensor) {
      SymDims sizes = tensor.sizes();
      for (SymInt& size : sizes)
        if (size.constant() > 1) size += more;
      Tensor made = uninitialised(tensor.dtype(), contiguous_layout(sizes));
      fill_from(made, tensor);
      return beside(tensor, std::move(made));
    };
    variants.push_back({" with other sizes", mapped(sample, resized), true});
  }
  return variants;
}

}  // namespace sinter::runtime
