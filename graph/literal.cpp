// Storage for literals and foreign memory.

#include <sinter/graph/literal.h>

#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/scalar.h>
#include <sinter/graph/trace.h>

#include <memory>

namespace sinter {

Literal::Literal(std::initializer_list<Literal> parts, Here here) {
  sizes_.push_back(static_cast<int64_t>(parts.size()));
  const Literal* first = nullptr;
  for (const Literal& part : parts) {
    if (!first) {
      first = &part;
      for (SymInt size : part.sizes_) sizes_.push_back(size);
    } else if (!(part.sizes_ == first->sizes_)) {
      throw Error(ErrorKind::shape, here,
                  fmt::format("tensor: a list of sizes {} stands beside one of sizes {}", to_string(part.sizes_),
                              to_string(first->sizes_)),
                  {}, "need lists of equal lengths");
    }
    values_.insert(values_.end(), part.values_.begin(), part.values_.end());
  }
}

namespace {

DType natural_type(const std::vector<Scalar>& values) {
  SmallVector<TypedOperand, 6> operands;
  for (const Scalar& value : values) operands.push_back({value.dtype(), Rank::number});
  return result_type(operands);
}

// A number as ATen stores it: rounded, cut, or refused.
template <class T>
T converted(Scalar value, Here here) {
  if (std::is_integral_v<T> && !fits<T>(value))
    throw Error(
        ErrorKind::argument, here,
        fmt::format("tensor: the number {} does not fit into {}", to_string(value), name(ElementType<T>::dtype)));
  if constexpr (std::is_same_v<T, bool>)
    return value.to_bool();
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(value.to_int());
  else if constexpr (std::is_same_v<T, double>)
    return value.to_double();
  else
    return T(static_cast<float>(value.to_double()));
}

// Frees the memory, or does nothing if it could not be wrapped.
struct Foreign {
  Deleter deleter;
  void* data;
};

void check_blob(const void* data, const Layout& layout, DType dtype, Here here) {
  if (layout.strides.size() != layout.sizes.size())
    throw Error(ErrorKind::argument, here,
                fmt::format("from_blob: {} sizes and {} strides", layout.sizes.size(), layout.strides.size()));
  std::string numbers = fmt::format("sizes {} and strides {}", to_string(layout.sizes), to_string(layout.strides));
  for (size_t i = 0; i < layout.sizes.size(); ++i)
    if (layout.sizes[i] < 0 || layout.strides[i] < 0)
      throw Error(ErrorKind::argument, here, fmt::format("from_blob: {} must not be negative", numbers));
  if (!is_addressable(layout, byte_size(dtype)))
    throw Error(ErrorKind::argument, here, fmt::format("from_blob: {} reach past 2^63 bytes", numbers));
  if (!data && !(numel(layout.sizes) == 0)) throw Error(ErrorKind::argument, here, "from_blob: the memory is null");
}

Tensor wrap(void* data, Layout layout, Deleter deleter, DType dtype, Here here) {
  check_blob(data, layout, dtype, here);
  Storage storage(new StorageImpl);
  storage->data = data;
  storage->bytes = extent_end(layout).constant() * byte_size(dtype);
  if (deleter) {
    storage->owner = new Foreign{std::move(deleter), data};
    storage->release = [](StorageImpl& impl) noexcept {
      auto* foreign = static_cast<Foreign*>(impl.owner);
      foreign->deleter(foreign->data);
      delete foreign;
    };
  }
  return Tensor({dtype, cpu, std::move(layout)}, std::move(storage));
}

Layout row_major(const SymDims& sizes) { return {sizes, contiguous_strides(sizes), 0}; }

// What a traced function finds at an address is there for this one run of it.
Tensor wrap_foreign(void* data, Layout layout, Deleter deleter, DType dtype, Here here) {
  if (graph::active_trace())
    throw Error(ErrorKind::trace, here, "from_blob: a traced function has no memory, only shapes", {},
                "wrap the memory outside of the compiled function, and pass or capture the tensor");
  return wrap(data, std::move(layout), std::move(deleter), dtype, here);
}

}  // namespace

Tensor tensor(const Literal& literal, std::optional<DType> dtype, Here here) {
  DType type = dtype.value_or(natural_type(literal.values()));
  Tensor made = visit(type, [&](auto zero) {
    using T = decltype(zero);
    auto memory = std::make_unique<T[]>(std::max<size_t>(literal.values().size(), 1));
    for (size_t i = 0; i < literal.values().size(); ++i) memory[i] = converted<T>(literal.values()[i], here);
    T* data = memory.release();
    return wrap(data, row_major(literal.sizes()), [data](void*) { delete[] data; }, type, here);
  });
  // A function of a custom op that runs on a device makes its tensors there.
  if (Device device = graph::inherited_device(); !device.is_cpu()) {
    graph::ActivateTrace nothing(nullptr);
    made = made.to(device, here);
  }
  // A traced function makes a new one at each call: its values are captured, and may be written only in a copy.
  return graph::active_trace() ? made.clone(here) : made;
}

Tensor from_blob(void* data, SymDims sizes, DType dtype, Here here) {
  return wrap_foreign(data, row_major(sizes), {}, dtype, here);
}
Tensor from_blob(void* data, SymDims sizes, SymDims strides, DType dtype, Here here) {
  return wrap_foreign(data, {std::move(sizes), std::move(strides), 0}, {}, dtype, here);
}
Tensor from_blob(void* data, SymDims sizes, Deleter deleter, DType dtype, Here here) {
  return wrap_foreign(data, row_major(sizes), std::move(deleter), dtype, here);
}
Tensor from_blob(void* data, SymDims sizes, SymDims strides, Deleter deleter, DType dtype, Here here) {
  return wrap_foreign(data, {std::move(sizes), std::move(strides), 0}, std::move(deleter), dtype, here);
}

}  // namespace sinter
