// Storages from the caching allocator.

#include <sinter/runtime/cpu/host_storage.h>

#include <sinter/runtime/cpu/allocator.h>

#include <memory>

namespace sinter::runtime {

Storage new_host_storage(int64_t bytes) {
  auto impl = std::make_unique<StorageImpl>();
  impl->data = allocate_host(bytes);
  impl->bytes = bytes;
  impl->release = [](StorageImpl& storage) noexcept { free_host(storage.data, storage.bytes); };
  return Storage(impl.release());
}

}  // namespace sinter::runtime
