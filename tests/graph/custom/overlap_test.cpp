// Overlap of strided tensors, against counting places.

#include <sinter/graph/custom/overlap.h>

#include <sinter/sinter.h>

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace sinter::test {
namespace {

std::set<int64_t> places(const Tensor& tensor) {
  std::set<int64_t> all = {tensor.layout().offset.constant()};
  for (int64_t dim = 0; dim < tensor.dim(); ++dim) {
    std::set<int64_t> more;
    for (int64_t place : all)
      for (int64_t i = 0; i < tensor.size(dim); ++i) more.insert(place + i * tensor.stride(dim).constant());
    all = std::move(more);
  }
  return all;
}

bool share(const Tensor& a, const Tensor& b) {
  std::set<int64_t> one = places(a);
  for (int64_t place : places(b))
    if (one.contains(place)) return true;
  return false;
}

TEST(Overlap, ColumnsAndBlocks) {
  Tensor x = zeros({6, 8});
  EXPECT_FALSE(graph::may_overlap(x.select(1, 0), x.select(1, 1)));
  EXPECT_FALSE(graph::may_overlap(x.slice(1, 0, 4), x.slice(1, 4, 8)));
  EXPECT_FALSE(graph::may_overlap(x.slice(0, 0, 6, 2), x.slice(0, 1, 6, 2)));
  EXPECT_TRUE(graph::may_overlap(x.slice(1, 0, 5), x.slice(1, 4, 8)));
  EXPECT_TRUE(graph::may_overlap(x.select(1, 3), x.select(0, 2)));
  EXPECT_FALSE(graph::may_overlap(x, zeros({6, 8})));
  EXPECT_FALSE(graph::may_overlap(x.slice(0, 0, 0), x)) << "no element";
}

TEST(Overlap, AgreesWithCounting) {
  std::mt19937_64 random(1);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  Tensor memory = zeros({400});
  auto view = [&] {
    SymDims sizes, strides;
    for (int64_t dim = 0, rank = 1 + below(3); dim < rank; ++dim) {
      sizes.push_back(1 + below(4));
      strides.push_back(1 + below(30));
    }
    return as_strided(memory, sizes, strides, below(60));
  };
  int apart = 0;
  for (int i = 0; i < 2000; ++i) {
    Tensor a = view(), b = view();
    EXPECT_EQ(graph::may_overlap(a, b), share(a, b)) << to_string(a.meta()) << " " << to_string(b.meta());
    apart += !share(a, b);
  }
  EXPECT_GT(apart, 200);
}

}  // namespace
}  // namespace sinter::test
