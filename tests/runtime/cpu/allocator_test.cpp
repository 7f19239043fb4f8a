// Blocks are aligned, counted, kept after use, and may be freed by another thread.

#include <gtest/gtest.h>
#include <sinter/graph/error.h>
#include <sinter/runtime/cpu/allocator.h>

#include <cstring>
#include <thread>
#include <vector>

namespace sinter::runtime {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_blocks = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif
#else
constexpr bool keeps_blocks = true;
#endif

TEST(Allocator, BlocksOfEverySizeAreAlignedAndWritable) {
  for (int64_t bytes = 1; bytes < (int64_t{9} << 20); bytes += bytes / 3 + 1) {
    void* block = allocate_host(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % host_alignment, 0u) << bytes;
    std::memset(block, 0x5a, bytes);
    free_host(block, bytes);
  }
}

TEST(Allocator, BlocksInUseDoNotOverlap) {
  std::vector<unsigned char*> blocks;
  for (int i = 0; i < 300; ++i) {
    blocks.push_back(static_cast<unsigned char*>(allocate_host(64 + i)));
    std::memset(blocks.back(), i % 251, 64 + i);
  }
  for (int i = 0; i < 300; ++i) {
    for (int k = 0; k < 64 + i; ++k) ASSERT_EQ(blocks[i][k], i % 251);
    free_host(blocks[i], 64 + i);
  }
}

TEST(Allocator, NoBytesAreANullPointer) {
  EXPECT_EQ(allocate_host(0), nullptr);
  free_host(nullptr, 0);
}

TEST(Allocator, CountsBytesAndCalls) {
  HostMemoryStats before = host_memory_stats();
  reset_peak_host_memory();
  void* small = allocate_host(100);
  void* large = allocate_host(5 << 20);
  free_host(large, 5 << 20);
  HostMemoryStats after = host_memory_stats();
  EXPECT_EQ(after.current_bytes, before.current_bytes + 100);
  EXPECT_EQ(after.peak_bytes, before.current_bytes + 100 + (5 << 20));
  EXPECT_EQ(after.allocations, before.allocations + 2);
  free_host(small, 100);
  EXPECT_EQ(host_memory_stats().current_bytes, before.current_bytes);
}

TEST(Allocator, AFreedBlockIsTheNextOfItsSize) {
  if (!keeps_blocks) GTEST_SKIP() << "the address sanitizer is to see every block";
  for (int64_t bytes : {40, 5000, 900 << 10, 64 << 20}) {
    void* block = allocate_host(bytes);
    free_host(block, bytes);
    EXPECT_EQ(allocate_host(bytes), block) << bytes;
    free_host(block, bytes);
  }
}

TEST(Allocator, ReleaseLeavesNothingKept) {
  for (int64_t bytes : {40, 5000, 8 << 20}) free_host(allocate_host(bytes), bytes);
  release_cached_memory();
  EXPECT_EQ(host_memory_stats().cached_bytes, 0);
}

TEST(Allocator, AnotherThreadMayFreeAndItsBlocksComeBack) {
  std::vector<void*> blocks;
  for (int i = 0; i < 1000; ++i) blocks.push_back(allocate_host(256));
  std::thread([&] {
    for (void* block : blocks) free_host(block, 256);
  }).join();
  if (keeps_blocks) {
    EXPECT_GT(host_memory_stats().cached_bytes, 0);
  }
  for (void*& block : blocks) std::memset(block = allocate_host(256), 1, 256);
  for (void* block : blocks) free_host(block, 256);
}

TEST(Allocator, WorksFromManyThreadsAtOnce) {
  int64_t before = host_memory_stats().current_bytes;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 3000; ++i) {
        int64_t bytes = 64 + (i * 37 + t * 101) % 4000;
        auto* block = static_cast<unsigned char*>(allocate_host(bytes));
        block[0] = block[bytes - 1] = static_cast<unsigned char>(t);
        ASSERT_EQ(block[0], t);
        free_host(block, bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(host_memory_stats().current_bytes, before);
}

TEST(Allocator, MoreThanThereIsIsAnEnvironmentError) {
  try {
    allocate_host(int64_t{1} << 60);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment);
    EXPECT_EQ(error.message(), "allocate: out of memory for 1152921504606846976 bytes");
  }
}

}  // namespace
}  // namespace sinter::runtime
