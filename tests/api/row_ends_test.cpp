// Rows that end where readable memory does: the last lanes of a vector lie on a page that nobody may touch.

#include <sinter/sinter.h>

#include <sys/mman.h>
#include <unistd.h>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

// Memory whose last byte is the last before a page that can be neither read nor written.
class GuardedMemory {
 public:
  explicit GuardedMemory(int64_t bytes) : bytes_(bytes) {
    int64_t page = sysconf(_SC_PAGESIZE);
    whole_ = (bytes + page - 1) / page * page;
    size_ = whole_ + page;
    start_ = mmap(nullptr, static_cast<size_t>(size_), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start_ == MAP_FAILED) throw std::bad_alloc();
    if (mprotect(static_cast<char*>(start_) + whole_, static_cast<size_t>(page), PROT_NONE) != 0) std::abort();
  }
  ~GuardedMemory() { munmap(start_, static_cast<size_t>(size_)); }
  GuardedMemory(const GuardedMemory&) = delete;

  void* data() const { return static_cast<char*>(start_) + whole_ - bytes_; }

 private:
  void* start_;
  int64_t bytes_, whole_, size_;
};

constexpr int64_t lengths[] = {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 100};

// `function` reads the last row of memory, and writes it in place, at all lengths by fixed and by symbolic sizes.
template <class F>
void expect_right_at_the_end(DType dtype, F function) {
  auto fixed = compile(function, {.entry_limit = 100, .dynamic = Dynamic::never});
  auto symbolic = compile(function, {.dynamic = Dynamic::always});
  for (int64_t length : lengths) {
    GuardedMemory memory(3 * length * byte_size(dtype));
    Tensor x = from_blob(memory.data(), {3, length}, dtype);
    Tensor values = remainder(arange(3 * length).view({3, length}), 5).to(dtype), expected = values.clone();
    auto sums = function(expected);
    for (auto* fast : {&fixed, &symbolic}) {
      x.copy_(values);
      std::string what = fmt::format("{} of {}", name(dtype), length);
      expect_same_bits((*fast)(x), sums, what);
      expect_same_bits(x, expected, what);
    }
  }
}

TEST(RowEnds, NothingBehindARowIsTouched) {
  SINTER_NEEDS_CPU("it is about the CPU's memory");
  for (DType dtype : {u8, i8, i16, i32, i64, f16, bf16, f32, f64})
    expect_right_at_the_end(dtype, [](Tensor x) {
      x.mul_(3);
      x.add_(1);
      return sum(x, {1});
    });
  expect_right_at_the_end(boolean, [](Tensor x) {
    x.copy_(logical_not(x));
    return sum(x, {1});
  });
}

// Costly bodies stand once, for whole vectors and for what is left.
TEST(RowEnds, OfCostlyBodies) {
  SINTER_NEEDS_CPU("it is about the CPU's memory");
  for (DType dtype : {f16, bf16, f32, f64})
    expect_right_at_the_end(dtype, [](Tensor x) {
      x.copy_(gelu(x) + exp(x) * sin(x));
      return softmax(x, 1);
    });
}

}  // namespace
}  // namespace sinter::test
