// Storages whose bytes come from the CPU's caching allocator.

#pragma once

#include <sinter/graph/storage.h>

namespace sinter::runtime {

// Not cleared, aligned to 64 bytes.
Storage new_host_storage(int64_t bytes);

}  // namespace sinter::runtime
