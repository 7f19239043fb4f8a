// Allocates argument storages with guard bytes on both sides.

#include "conformance/memory.h"

#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace sinter::conformance {

namespace {

// As aligned as the library's own allocations.
constexpr std::align_val_t alignment{64};
constexpr int64_t guard_bytes = 64;
constexpr std::byte guard_value{0xA5};

void release(StorageImpl& storage) noexcept { ::operator delete(storage.owner, alignment); }

Storage allocate(const Bytes& contents) {
  auto bytes = static_cast<int64_t>(contents.size());
  auto* block = static_cast<std::byte*>(::operator new(bytes + 2 * guard_bytes, alignment));
  std::fill_n(block, guard_bytes, guard_value);
  std::copy(contents.begin(), contents.end(), block + guard_bytes);
  std::fill_n(block + guard_bytes + bytes, guard_bytes, guard_value);
  auto* impl = new StorageImpl;
  impl->data = block + guard_bytes;
  impl->bytes = bytes;
  impl->release = release;
  impl->owner = block;
  return Storage(impl);
}

// The whole block, guards included, on another device.
Storage move_block(const StorageImpl& from, Device device) {
  int64_t bytes = from.bytes + 2 * guard_bytes;
  Storage block = runtime::new_storage(device, bytes);
  auto* impl = new StorageImpl;
  impl->data = static_cast<std::byte*>(block->data) + guard_bytes;
  impl->bytes = from.bytes;
  impl->device = device;
  impl->owner = new Storage(block);
  impl->release = [](StorageImpl& storage) noexcept { delete static_cast<Storage*>(storage.owner); };
  runtime::copy_bytes(block->data, device, static_cast<std::byte*>(from.data) - guard_bytes, from.device, bytes);
  return Storage(impl);
}

bool is_guard(const std::byte* bytes) {
  return std::all_of(bytes, bytes + guard_bytes, [](std::byte b) { return b == guard_value; });
}

}  // namespace

Memory::Memory(const RecordedCase& recorded, Device device) : storages_(recorded.storages.size()) {
  for (const RecordedTensor& input : recorded.inputs)
    if (!storages_.at(input.storage)) storages_[input.storage] = allocate(recorded.storages[input.storage]);
  on_host_ = storages_;
  if (device.is_cpu()) return;
  for (Storage& storage : storages_)
    if (storage) storage = move_block(*storage.get(), device);
}

void Memory::fetch() {
  for (size_t i = 0; i < storages_.size(); ++i) {
    if (!storages_[i] || storages_[i]->device.is_cpu()) continue;
    runtime::copy_bytes(on_host_[i]->owner, cpu, static_cast<std::byte*>(storages_[i]->data) - guard_bytes,
                        storages_[i]->device, storages_[i]->bytes + 2 * guard_bytes);
  }
}

Tensor Memory::tensor(const RecordedTensor& recorded) const {
  TensorMeta meta = recorded.meta();
  meta.device = storages_[recorded.storage]->device;
  return Tensor(meta, storages_[recorded.storage]);
}

std::span<const std::byte> Memory::bytes(int storage) const {
  const StorageImpl* impl = on_host_[storage].get();
  return {static_cast<const std::byte*>(impl->data), static_cast<size_t>(impl->bytes)};
}

int Memory::find(const Storage& storage) const {
  for (size_t i = 0; i < storages_.size(); ++i)
    if (storages_[i] && storages_[i] == storage) return static_cast<int>(i);
  return -1;
}

int Memory::damaged() const {
  for (size_t i = 0; i < storages_.size(); ++i) {
    if (!on_host_[i]) continue;
    const auto* block = static_cast<const std::byte*>(on_host_[i]->owner);
    if (!is_guard(block) || !is_guard(block + guard_bytes + on_host_[i]->bytes)) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace sinter::conformance
