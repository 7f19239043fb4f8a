// The user's handle of a tensor: real (bytes and a layout) or fake (a layout and the graph node that makes it).
//
// Copying a Tensor copies the handle. Methods that are operators (x.t(), x.add_(y)) are declared here and defined
// beside the operators in graph/ops/.

#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sinter/graph/dtype.h>
#include <sinter/graph/error.h>
#include <sinter/graph/layout.h>
#include <sinter/graph/number.h>
#include <sinter/graph/storage.h>

namespace sinter {

class Tensor;
namespace graph {
struct Node;
// What the function being traced asks of a fake tensor beside dtype, device and sizes: all that its layout says, or the
// stride of a dim. What operators ask does not count.
void note_layout_question(const Tensor& tensor);
void note_stride_question(const Tensor& tensor, int64_t dim);
// The line of the user's function that last asked a fake tensor for something.
void note_question(Here where);
// Of fake tensors: as the traced function is answered (ArgumentIdentity).
bool is_same_in_trace(const Tensor& a, const Tensor& b, Here where);
}  // namespace graph

// What is known of a tensor without its data.
struct TensorMeta {
  DType dtype = DType::f32;
  Device device;
  Layout layout;
};
// `f32[8, 32]`; strides and offset where not contiguous, the device where not the CPU.
std::string to_string(const TensorMeta& meta);

enum class MemoryFormat : uint8_t { contiguous, preserve, channels_last };

// Which graph node makes a fake tensor, in which trace.
struct FakeOrigin {
  int64_t trace = -1;
  graph::Node* node = nullptr;
  int output = 0;
};

// The user's word that a dim has another size at other calls, within a range.
struct SizeMark {
  int64_t dim = 0;
  int64_t min = 1;
  int64_t max = std::numeric_limits<int64_t>::max();
};

struct TensorImpl {
  std::atomic<int64_t> references{1};
  TensorMeta meta;
  Storage storage;
  FakeOrigin fake;
  bool is_read = false;  // of a fake tensor: the traced function looked at its meta, and may rely on it
  std::unique_ptr<std::vector<SizeMark>> marks;
};

// The index in `x[index]`, and where that is written.
struct LocatedIndex {
  template <class T>
    requires std::is_integral_v<T>
  LocatedIndex(T index, Here here = Here::current()) : index(static_cast<int64_t>(index)), here(here) {}

  int64_t index;
  Here here;
};

class Tensor {
 public:
  Tensor() = default;  // undefined: an absent optional tensor
  Tensor(TensorMeta meta, Storage storage);
  Tensor(TensorMeta meta, Storage storage, FakeOrigin origin);
  Tensor(const Tensor& other) : impl_(other.impl_) {
    if (impl_) impl_->references.fetch_add(1, std::memory_order_relaxed);
  }
  Tensor(Tensor&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  Tensor& operator=(Tensor other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
  }
  ~Tensor() { drop(); }

  bool defined() const { return impl_ != nullptr; }
  explicit operator bool() const = delete;  // truth of a tensor: say item<bool>()
  bool is_fake() const { return impl_ && impl_->fake.trace >= 0; }
  // Both handles are one tensor.
  bool is_same(const Tensor& other, Here here = Here::current()) const {
    bool asks_trace = impl_ != other.impl_ && (is_fake() || other.is_fake());
    return asks_trace ? graph::is_same_in_trace(*this, other, here) : impl_ == other.impl_;
  }
  TensorImpl* impl() const { return impl_; }

  const TensorMeta& meta() const {
    if (impl_->fake.trace >= 0) [[unlikely]]
      graph::note_layout_question(*this);
    return impl_->meta;
  }
  DType dtype() const { return guarded().dtype; }
  Device device() const { return guarded().device; }
  const Layout& layout() const { return meta().layout; }
  // Equal storages hold the same memory.
  const Storage& storage(Here here = Here::current()) const {
    if (impl_->fake.trace >= 0) [[unlikely]]
      graph::note_question(here);
    return impl_->storage;
  }
  int64_t dim() const { return guarded().layout.rank(); }
  const SymDims& sizes() const { return guarded().layout.sizes; }
  const SymDims& strides() const { return layout().strides; }
  SymInt size(int64_t dim, Here here = Here::current()) const;
  SymInt stride(int64_t dim, Here here = Here::current()) const;
  SymInt storage_offset() const {
    if (is_fake() && storage()) storage()->offset_is_read = true;
    return layout().offset;
  }
  SymInt numel() const { return sinter::numel(sizes()); }
  bool is_contiguous(MemoryFormat format = MemoryFormat::contiguous, Here here = Here::current()) const;

  // Address of the first element. A fake tensor has none: a trace error.
  void* data_ptr(Here here = Here::current()) const;
  template <class T>
  T* data_ptr(Here here = Here::current()) const {
    return static_cast<T*>(checked_data(dtype_of<T>, here));
  }
  // The one element's value, converted to T. In a traced function: a trace error.
  template <class T>
  T item(Here here = Here::current()) const {
    Scalar value = item(here);
    if constexpr (is_element_type<T>)
      if (!fits<T>(value)) fail_to_convert(value, dtype_of<T>, here);
    if constexpr (std::is_same_v<T, bool>)
      return value.to_bool();
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(value.to_int());
    else
      return static_cast<T>(value.to_double());
  }
  Scalar item(Here here = Here::current()) const;

  // Views (share memory).
  Tensor operator[](LocatedIndex index) const;
  Tensor view(SymDims sizes, Here here = Here::current()) const;
  Tensor reshape(SymDims sizes, Here here = Here::current()) const;
  Tensor permute(Dims dims, Here here = Here::current()) const;
  Tensor transpose(int64_t dim0, int64_t dim1, Here here = Here::current()) const;
  Tensor t(Here here = Here::current()) const;
  Tensor unsqueeze(int64_t dim, Here here = Here::current()) const;
  Tensor squeeze(Here here = Here::current()) const;
  Tensor squeeze(int64_t dim, Here here = Here::current()) const;
  Tensor expand(SymDims sizes, Here here = Here::current()) const;
  Tensor select(int64_t dim, SymInt index, Here here = Here::current()) const;
  Tensor slice(int64_t dim = 0, std::optional<SymInt> start = {}, std::optional<SymInt> end = {}, SymInt step = 1,
               Here here = Here::current()) const;
  // Copies where needed.
  Tensor contiguous(Here here = Here::current()) const;
  Tensor clone(Here here = Here::current()) const;
  Tensor to(DType dtype, Here here = Here::current()) const;
  Tensor to(Device device, Here here = Here::current()) const;
  // Reductions.
  Tensor sum(Here here = Here::current()) const;
  Tensor sum(Dims dims, bool keepdim = false, Here here = Here::current()) const;
  Tensor sum(std::initializer_list<int64_t> dims, bool keepdim = false, Here here = Here::current()) const {
    return sum(Dims(dims), keepdim, here);
  }
  Tensor mean(Here here = Here::current()) const;
  Tensor mean(Dims dims, bool keepdim = false, Here here = Here::current()) const;
  Tensor mean(std::initializer_list<int64_t> dims, bool keepdim = false, Here here = Here::current()) const {
    return mean(Dims(dims), keepdim, here);
  }
  // In place: return *this.
  const Tensor& add_(const Tensor& other, Scalar alpha = 1, Here here = Here::current()) const;
  const Tensor& add_(Scalar other, Scalar alpha = 1, Here here = Here::current()) const;
  const Tensor& sub_(const Tensor& other, Scalar alpha = 1, Here here = Here::current()) const;
  const Tensor& sub_(Scalar other, Scalar alpha = 1, Here here = Here::current()) const;
  const Tensor& mul_(const Tensor& other, Here here = Here::current()) const;
  const Tensor& mul_(Scalar other, Here here = Here::current()) const;
  const Tensor& div_(const Tensor& other, Here here = Here::current()) const;
  const Tensor& div_(Scalar other, Here here = Here::current()) const;
  const Tensor& copy_(const Tensor& source, Here here = Here::current()) const;
  const Tensor& fill_(Scalar value, Here here = Here::current()) const;
  const Tensor& zero_(Here here = Here::current()) const;
  const Tensor& relu_(Here here = Here::current()) const;

 private:
  // Of what the layout says only the sizes, which are guarded anyway.
  const TensorMeta& guarded() const {
    if (impl_->fake.trace >= 0) [[unlikely]]
      impl_->is_read = true;
    return impl_->meta;
  }
  void* checked_data(DType wanted, Here here) const;
  [[noreturn]] static void fail_to_convert(Scalar value, DType type, Here here);
  void drop() noexcept {
    if (impl_ && impl_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete impl_;
  }

  TensorImpl* impl_ = nullptr;
};

// Says that the dim has other sizes, from min to max, at other calls of compiled functions: it is symbolic in their
// code from the first trace on. The mark belongs to this tensor, not to its views.
void mark_dynamic(const Tensor& tensor, int64_t dim, int64_t min = 1, int64_t max = std::numeric_limits<int64_t>::max(),
                  Here here = Here::current());

}  // namespace sinter
