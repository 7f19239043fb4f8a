// Writes to arguments, arguments and results that share memory, results that are arguments.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {

namespace {

Tensor counted(std::vector<int64_t> sizes, double first = 0) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> values(count);
  for (int64_t i = 0; i < count; ++i) values[i] = first + static_cast<double>(i);
  return tensor_of(values, sizes);
}

TEST(Aliasing, AnArgumentWrittenInPlaceIsWrittenBack) {
  auto function = [](const Tensor& x) {
    x.add_(1);
    x.mul_(2);
    return x + 0.5;
  };
  eager_and_compiled(function, counted({3, 5}));
  Tensor x = counted({3});
  Tensor y = compile(function)(x);
  EXPECT_EQ(elements_of(x), (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(elements_of(y), (std::vector<double>{2.5, 4.5, 6.5}));
}

TEST(Aliasing, AnArgumentReturnedIsTheSameTensor) {
  auto fast = compile([](const Tensor& x, const Tensor& y) {
    x.add_(y);
    return std::tuple(x, y, x);
  });
  Tensor x = counted({2}), y = counted({2}, 10);
  auto [first, second, third] = fast(x, y);
  EXPECT_TRUE(first.is_same(x));
  EXPECT_TRUE(second.is_same(y));
  EXPECT_TRUE(third.is_same(x));
  EXPECT_EQ(elements_of(x), (std::vector<double>{10, 12}));
}

TEST(Aliasing, OneResultTwiceIsOneTensor) {
  auto [a, b] = compile([](const Tensor& x) {
    Tensor y = x + 1;
    return std::pair(y, y);
  })(counted({2}));
  EXPECT_TRUE(a.is_same(b));
}

TEST(Aliasing, ResultsThatAreViewsOfOneValueShareMemory) {
  auto [whole, part, turned] = compile([](const Tensor& x) {
    Tensor y = x * 2;
    return std::tuple(y, y.slice(0, 1, 2), y.t());
  })(counted({2, 3}));
  EXPECT_TRUE(whole.storage() == part.storage());
  EXPECT_TRUE(whole.storage() == turned.storage());
  EXPECT_EQ(elements_of(part), (std::vector<double>{6, 8, 10}));
  EXPECT_EQ(elements_of(turned), (std::vector<double>{0, 6, 2, 8, 4, 10}));
}

TEST(Aliasing, AViewOfAnArgumentSharesItsMemory) {
  Tensor x = counted({2, 3});
  auto fast = compile([](const Tensor& x) { return std::pair(x.t(), x.view({6})); });
  auto [turned, flat] = fast(x);
  EXPECT_TRUE(turned.storage() == x.storage());
  EXPECT_FALSE(flat.is_same(x));
  flat[5].fill_(100);
  EXPECT_EQ(elements_of(x)[5], 100);
}

TEST(Aliasing, AWriteThroughAViewReachesTheArgument) {
  auto function = [](const Tensor& x) {
    x.t().slice(0, 1, 2).fill_(7);
    x[0].add_(1);
    return x.sum();
  };
  eager_and_compiled(function, counted({3, 4}));
}

// CASES B048.
TEST(Aliasing, AValueReadBeforeAWriteIsTheOldOne) {
  auto function = [](const Tensor& x) {
    Tensor y = log(x);
    x.copy_(log(x));
    return y;
  };
  eager_and_compiled(function, tensor_of({3}, {}));
}

// CASES B049.
TEST(Aliasing, ACopyTakenBeforeAWriteIsTheOldValue) {
  auto function = [](const Tensor& target, const Tensor& source) {
    target.slice(0).copy_(source.slice(0));
    source.add_(1);
    return source;
  };
  eager_and_compiled(function, tensor_of(std::vector<double>(12, 0), {3, 4}), counted({3, 4}));
}

// CASES B095.
TEST(Aliasing, OverlappingArgumentsOfWhichOneIsWritten) {
  auto fast = compile([](const Tensor& x, const Tensor& y) {
    x.mul_(2);
    return x + y;
  });
  auto ones_of = [](int64_t count) { return tensor_of(std::vector<double>(count, 1), {count}); };
  EXPECT_EQ(elements_of(fast(ones_of(4), ones_of(4))), (std::vector<double>{3, 3, 3, 3}));
  Tensor base = ones_of(8);
  EXPECT_EQ(elements_of(fast(strided_view(base, {4}, {1}, 0), strided_view(base, {4}, {1}, 2))),
            (std::vector<double>{4, 4, 3, 3}));
  EXPECT_EQ(elements_of(base), (std::vector<double>{2, 2, 2, 2, 1, 1, 1, 1}));
  EXPECT_EQ(fast.stats().compiles, 2);
  Tensor other = ones_of(10);  // the same overlap elsewhere needs no other entry
  fast(strided_view(other, {4}, {1}, 2), strided_view(other, {4}, {1}, 4));
  EXPECT_EQ(elements_of(other), (std::vector<double>{1, 1, 2, 2, 2, 2, 1, 1, 1, 1}));
  EXPECT_EQ(fast.stats().compiles, 2);
  fast(strided_view(other, {4}, {1}, 4), strided_view(other, {4}, {1}, 2));
  EXPECT_EQ(fast.stats().compiles, 3) << "another overlap is another entry";
  EXPECT_EQ(elements_of(other), (std::vector<double>{1, 1, 2, 2, 4, 4, 2, 2, 1, 1}));
  Tensor x = ones_of(4);
  EXPECT_EQ(elements_of(fast(x, x)), (std::vector<double>{4, 4, 4, 4}));
  EXPECT_EQ(elements_of(fast(ones_of(4), ones_of(4))), (std::vector<double>{3, 3, 3, 3}));
}

TEST(Aliasing, EveryOverlapOfThreeArgumentsAgreesWithEager) {
  auto function = [](const Tensor& x, const Tensor& y, const Tensor& z) {
    Tensor before = y * 10;
    x.add_(1);
    z.slice(0, 1).mul_(2);
    y.t().add_(before);
    return std::tuple(x + y, z.slice(0, 1), y, before);
  };
  for (int64_t a : {0, 1, 4})
    for (int64_t b : {0, 2, 8}) {
      Tensor base = counted({12});
      eager_and_compiled(function, strided_view(base, {4}, {1}, 0), strided_view(base, {4}, {1}, a),
                         strided_view(base, {4}, {1}, b));
    }
}

TEST(Aliasing, ReadArgumentsMayOverlapFreely) {
  auto fast = compile([](const Tensor& x, const Tensor& y) { return x + y; });
  Tensor base = counted({8});
  fast(strided_view(base, {4}, {1}, 0), strided_view(base, {4}, {1}, 2));
  fast(counted({4}), counted({4}));
  fast(base.slice(0, 0, 4), base.slice(0, 0, 4));
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(Aliasing, ManyWrittenArgumentsThatDoNotOverlap) {
  auto fast = compile([](const std::vector<Tensor>& list) {
    for (const Tensor& x : list) x.add_(1);
  });
  Tensor base = counted({64});
  std::vector<Tensor> list, shifted;
  for (int64_t i = 0; i < 16; ++i) list.push_back(strided_view(base, {4}, {1}, 4 * i));
  fast(list);
  fast(list);
  EXPECT_EQ(fast.stats().compiles, 1);
  EXPECT_EQ(elements_of(base)[63], 65);
  for (int64_t i = 0; i < 16; ++i) shifted.push_back(strided_view(base, {4}, {1}, i == 5 ? 19 : 4 * i));
  fast(shifted);
  EXPECT_EQ(fast.stats().compiles, 2);
  EXPECT_EQ(elements_of(base)[19], 23) << "element 19 is in two of them";
}

TEST(Aliasing, ACapturedTensorCanBeWritten) {
  Tensor count = counted({2});
  auto fast = compile([count](const Tensor& x) {
    count.add_(1);
    return x + count;
  });
  fast(counted({2}));
  Tensor y = fast(counted({2}));
  EXPECT_EQ(elements_of(count), (std::vector<double>{2, 3}));
  EXPECT_EQ(elements_of(y), (std::vector<double>{2, 4}));
}

TEST(Aliasing, ACapturedTensorReturnedIsTheSameTensor) {
  Tensor weight = counted({2});
  EXPECT_TRUE(compile([weight](const Tensor&) { return weight; })(counted({1})).is_same(weight));
}

// CASES B123: results never share memory with those of another call.
TEST(Aliasing, ResultsOfTwoCallsAreApart) {
  auto fast = compile([](const Tensor& x) { return x * 2; });
  Tensor a = fast(counted({4})), b = fast(counted({4}, 10));
  EXPECT_FALSE(a.storage() == b.storage());
  EXPECT_EQ(elements_of(a), (std::vector<double>{0, 2, 4, 6}));
}

}  // namespace

TEST(Aliasing, StridesThatMeanNothingAreKeptToo) {
  auto turn = [](const Tensor& x) {
    x.mul_(2);
    ops("aten::transpose_")(x, 0, 1);
    return x + 1;
  };
  auto restride = [](const Tensor& x) {
    x.add_(1);
    return as_strided(x, {1, 1, 3}, {9, 9, 1}, 0);
  };
  auto fresh = [] { return as_strided(counted({16}), {1, 1, 3}, {7, 5, 1}); };
  Tensor x = fresh();
  compile(turn)(x);
  EXPECT_EQ(x.strides(), (SymDims{5, 7, 1}));
  EXPECT_EQ(compile(restride)(fresh()).strides(), (SymDims{9, 9, 1}));
}

TEST(Aliasing, AnArgumentIsTurnedIntoAViewElsewhereInItsStorage) {
  auto last = [](const Tensor& x, const Tensor& y, const Tensor& z) {
    ops("aten::floor_")(y);
    ops("aten::as_strided_")(x, Dims{}, Dims{}, 3);
    return x + sum(z);
  };
  Tensor storage = counted({4}), both = counted({3}, 0.5);
  Tensor x = as_strided(storage, {0, 2}, {2, 1});
  Tensor result = compile(last)(x, both, both.slice(0, 1));
  EXPECT_EQ(elements_of(x), (std::vector<double>{3}));
  EXPECT_EQ(elements_of(result), (std::vector<double>{6}));
}

}  // namespace sinter::test
