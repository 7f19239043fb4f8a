// Bytes with an owner, shared by the tensors that are views of them.
//
// A fake tensor's storage has no bytes: it is only an identity, by which tracing knows what aliases what.

#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include <sinter/graph/device.h>

namespace sinter {

class Storage;
namespace graph {
// Of fake tensors' storages: as the traced function is answered (ArgumentIdentity).
bool is_same_storage_in_trace(const Storage& a, const Storage& b);
}  // namespace graph

struct StorageImpl {
  using Release = void (*)(StorageImpl&) noexcept;

  std::atomic<int64_t> references{1};
  void* data = nullptr;
  int64_t bytes = 0;
  Device device;
  Release release = nullptr;    // frees `data`; null if there is nothing to free
  void* owner = nullptr;        // for `release`
  int64_t fake_id = -1;         // of a fake tensor: its number in its trace; `bytes` is what is known of its size
  bool offset_is_read = false;  // of a fake tensor: the traced function asked for an offset, and relies on it
};

class Storage {
 public:
  Storage() = default;
  // Takes over one reference.
  explicit Storage(StorageImpl* impl) : impl_(impl) {}
  Storage(const Storage& other) : impl_(other.impl_) {
    if (impl_) impl_->references.fetch_add(1, std::memory_order_relaxed);
  }
  Storage(Storage&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  Storage& operator=(Storage other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
  }
  ~Storage() { drop(); }

  explicit operator bool() const { return impl_ != nullptr; }
  StorageImpl* get() const { return impl_; }
  StorageImpl* operator->() const { return impl_; }
  bool operator==(const Storage& other) const {
    bool asks_trace = impl_ && other.impl_ && (is_fake() || other.is_fake());
    return asks_trace ? graph::is_same_storage_in_trace(*this, other) : impl_ == other.impl_;
  }

 private:
  bool is_fake() const { return impl_->fake_id >= 0; }
  void drop() noexcept {
    if (!impl_ || impl_->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (impl_->release) impl_->release(*impl_);
    delete impl_;
  }

  StorageImpl* impl_ = nullptr;
};

}  // namespace sinter
