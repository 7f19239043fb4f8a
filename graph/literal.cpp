// Storage for literals and foreign memory.

#include <sinter/graph/literal.h>

#include <sinter/graph/scalar.h>

namespace sinter {

Literal::Literal(std::initializer_list<Literal> parts) {
  sizes_.push_back(static_cast<int64_t>(parts.size()));
  const Literal* first = nullptr;
  for (const Literal& part : parts) {
    if (!first) {
      first = &part;
      for (SymInt size : part.sizes_) sizes_.push_back(size);
    } else if (!(part.sizes_ == first->sizes_)) {
      throw Error(ErrorKind::shape, Here::current(),
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

// A number as ATen stores it: rounded or wrapped.
template <class T>
T converted(Scalar value) {
  if constexpr (std::is_same_v<T, bool>)
    return value.to_bool();
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(value.to_int());
  else if constexpr (std::is_same_v<T, double>)
    return value.to_double();
  else
    return T(static_cast<float>(value.to_double()));
}

}  // namespace

Tensor tensor(const Literal& literal, std::optional<DType> dtype, Here here) {
  DType type = dtype.value_or(natural_type(literal.values()));
  return visit(type, [&](auto zero) {
    using T = decltype(zero);
    auto* memory = new T[std::max<size_t>(literal.values().size(), 1)];
    for (size_t i = 0; i < literal.values().size(); ++i) memory[i] = converted<T>(literal.values()[i]);
    return from_blob(
        memory, literal.sizes(), type, {}, [](void* data) { delete[] static_cast<T*>(data); }, memory, here);
  });
}

namespace {

struct Foreign {
  void (*release)(void*);
  void* context;
};

}  // namespace

Tensor from_blob(void* data, SymDims sizes, DType dtype, std::optional<SymDims> strides, void (*release)(void* context),
                 void* release_context, Here here) {
  Layout layout{sizes, strides ? *strides : contiguous_strides(sizes), 0};
  if (layout.strides.size() != sizes.size())
    throw Error(ErrorKind::argument, here,
                fmt::format("from_blob: {} sizes and {} strides", sizes.size(), layout.strides.size()));
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < 0 || layout.strides[i] < 0)
      throw Error(ErrorKind::argument, here,
                  fmt::format("from_blob: sizes {} and strides {} must not be negative", to_string(sizes),
                              to_string(layout.strides)));
  if (!data && !(numel(sizes) == 0)) throw Error(ErrorKind::argument, here, "from_blob: the memory is null");
  Storage storage(new StorageImpl);
  storage->data = data;
  storage->bytes = extent_end(layout).constant() * byte_size(dtype);
  if (release) {
    storage->owner = new Foreign{release, release_context};
    storage->release = [](StorageImpl& impl) noexcept {
      auto* foreign = static_cast<Foreign*>(impl.owner);
      foreign->release(foreign->context);
      delete foreign;
    };
  }
  return Tensor({dtype, cpu, std::move(layout)}, std::move(storage));
}

}  // namespace sinter
