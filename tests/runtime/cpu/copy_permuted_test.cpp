// Copies between orders of dims against an element by element walk, for every element size.

#include <gtest/gtest.h>
#include <sinter/runtime/cpu/copy_permuted.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace sinter::runtime {
namespace {

using Numbers = std::vector<int64_t>;

// Dense, the dims from the slowest on in that order.
Numbers strides_in_order(const Numbers& sizes, const Numbers& order) {
  Numbers strides(sizes.size());
  int64_t next = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = next;
    next *= sizes[order[i]];
  }
  return strides;
}

template <class F>
void for_each_place(const Numbers& sizes, F&& f) {
  Numbers index(sizes.size(), 0);
  int64_t count = std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
  for (int64_t i = 0; i < count; ++i) {
    f(index);
    for (size_t k = sizes.size(); k-- > 0 && ++index[k] == sizes[k];) index[k] = 0;
  }
}

int64_t place(const Numbers& index, const Numbers& strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), int64_t{0});
}

template <class T>
void expect_copied(const Numbers& sizes, const Numbers& from_strides, const Numbers& to_strides) {
  int64_t count = std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
  std::vector<T> from(2 * count + 1), to(count + 1, T(7));
  std::mt19937_64 random(1);
  for (T& value : from) value = static_cast<T>(random());
  copy_permuted(from.data(), from_strides, to.data(), to_strides, sizes, sizeof(T));
  for_each_place(sizes, [&](const Numbers& index) {
    ASSERT_EQ(to[place(index, to_strides)], from[place(index, from_strides)]) << testing::PrintToString(index);
  });
  EXPECT_EQ(to[count], T(7)) << "written past the end";
}

TEST(CopyPermuted, EveryOrderOfFourDimsInEveryElementSize) {
  for (const Numbers& sizes :
       {Numbers{2, 19, 5, 37}, Numbers{1, 64, 7, 9}, Numbers{3, 1, 33, 70}, Numbers{2, 0, 3, 4}}) {
    Numbers from_order = {0, 1, 2, 3}, to_order = from_order;
    Numbers from = strides_in_order(sizes, from_order);
    do {
      Numbers to = strides_in_order(sizes, to_order);
      expect_copied<uint8_t>(sizes, from, to);
      expect_copied<uint16_t>(sizes, from, to);
      expect_copied<uint32_t>(sizes, from, to);
      expect_copied<uint64_t>(sizes, from, to);
      expect_copied<uint32_t>(sizes, to, from);
    } while (std::next_permutation(to_order.begin(), to_order.end()));
  }
}

TEST(CopyPermuted, MemoryWithGapsAndWithoutAContiguousDim) {
  Numbers sizes = {5, 40};
  expect_copied<uint32_t>(sizes, {80, 2}, {40, 1});
  expect_copied<uint32_t>(sizes, {1, 6}, {40, 1});
  expect_copied<uint16_t>(sizes, {2, 10}, {1, 5});
  expect_copied<uint32_t>({}, {}, {});
}

}  // namespace
}  // namespace sinter::runtime
