// Asks the sanitizer's allocator if there is one, for it keeps what was freed and knows what was not; else the system.

#include "support/held_bytes.h"

#include <fstream>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SINTER_ALLOCATOR_COUNTS 1
#include <sanitizer/allocator_interface.h>
#endif
#endif

namespace sinter::test {

int64_t held_bytes() {
#if defined(SINTER_ALLOCATOR_COUNTS)
  return static_cast<int64_t>(__sanitizer_get_current_allocated_bytes());
#else
  constexpr int64_t page_bytes = 4096;
  std::ifstream file("/proc/self/statm");
  int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * page_bytes;
#endif
}

}  // namespace sinter::test
