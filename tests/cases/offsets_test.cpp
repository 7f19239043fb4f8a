// Arguments that begin in the middle of a storage, and as_strided that looks past them.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {
namespace {

using Numbers = std::vector<double>;

Tensor counted(int64_t count) { return arange(static_cast<double>(count)); }
// 4, 5, 6, 7 in a storage of 0 .. 9.
Tensor middle() { return counted(10).slice(0, 4, 8); }

// Eager and compiled give these numbers, and leave those in the argument's whole storage.
template <class F>
void expect_numbers(F function, const std::function<Tensor()>& make, const Numbers& result, const Numbers& storage) {
  auto compiled = compile(function);
  for (int i = 0; i < 3; ++i) {
    Tensor x = make();
    Tensor got = i == 0 ? function(x) : compiled(x);
    std::string which = i == 0 ? "eager" : "compiled";
    EXPECT_EQ(elements_of(got), result) << which;
    int64_t held = x.storage()->bytes / byte_size(x.dtype());
    EXPECT_EQ(elements_of(as_strided(x, {held}, {1}, 0)), storage) << which;
  }
  EXPECT_EQ(compiled.stats().compiles, 1);
}

TEST(Offsets, AProductReadsAWrittenArgumentWhereItLies) {
  for (DType dtype : {f32, f64, f16, bf16, i32}) {
    auto make = [&] { return tensor_of({9, 9, 1, 2, 3, 4}, {3, 2}, dtype).slice(0, 1); };
    expect_numbers(
        [](const Tensor& x) {
          x.mul_(2);
          return mm(x, x.t());
        },
        make, {20, 44, 44, 100}, {9, 9, 2, 4, 6, 8});
    expect_numbers(
        [](const Tensor& x) {
          x.t().add_(1);
          return matmul(x.unsqueeze(0), x.t());
        },
        make, {13, 23, 23, 41}, {9, 9, 2, 3, 4, 5});
  }
  expect_numbers(
      [](const Tensor& x) {
        Tensor row = x.slice(0, 1);
        row.add_(1);
        return linear(x, row);
      },
      [] { return tensor_of({9, 9, 1, 2, 3, 4}, {3, 2}).slice(0, 1); }, {14, 41}, {9, 9, 1, 2, 4, 5});
}

TEST(Offsets, SoDoARoutineAndACapturedTensor) {
  expect_numbers(
      [](const Tensor& x) {
        x.mul_(-1);
        return ops("aten::sort")(x)[0].tensor();
      },
      middle, {-7, -6, -5, -4}, {0, 1, 2, 3, -4, -5, -6, -7, 8, 9});
  Tensor w = ones({4, 2}).slice(0, 1);
  auto product = compile([w](const Tensor& x) {
    w.mul_(2);
    return mm(w, w.t()) + x;
  });
  EXPECT_EQ(elements_of(product(zeros({1}))), Numbers(9, 8));
  EXPECT_EQ(elements_of(product(zeros({1}))), Numbers(9, 32));
}

TEST(Offsets, ArgumentsOfOneStorageAreMultipliedWhereTheyLie) {
  auto function = [](const Tensor& x, const Tensor& y) {
    x.add_(1);
    return mm(x, y);
  };
  auto compiled = compile(function);
  for (int i = 0; i < 3; ++i) {
    Tensor base = counted(12).view({6, 2});
    Tensor x = base.slice(0, 1, 3), y = base.slice(0, 2, 4);  // one row in common
    Tensor got = i == 0 ? function(x, y) : compiled(x, y);
    EXPECT_EQ(elements_of(got), (Numbers{39, 46, 61, 72})) << i;  // [[3, 4], [5, 6]] @ [[5, 6], [6, 7]]
  }
}

TEST(Offsets, AsStridedCountsFromTheStorageAfterAWriteToo) {
  expect_numbers(
      [](const Tensor& x) {
        x.add_(100);
        return as_strided(x, {3}, {1}, 0) + 0;
      },
      middle, {0, 1, 2}, {0, 1, 2, 3, 104, 105, 106, 107, 8, 9});
  expect_numbers(
      [](const Tensor& x) {
        x.add_(100);
        return as_strided(x, {3}, {1}, 5) + 0;
      },
      middle, {105, 106, 107}, {0, 1, 2, 3, 104, 105, 106, 107, 8, 9});
  expect_numbers([](const Tensor& x) { return as_strided(x, {10}, {1}, 0) + 0; }, middle,
                 {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_numbers([](const Tensor& x) { return as_strided(x, {6}, {1}) + 0; }, middle, {4, 5, 6, 7, 8, 9},
                 {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST(Offsets, ACopiedWindowReachesPastTheArgument) {
  auto copied = [](const Tensor& x) { return ops("aten::as_strided_copy")(x, Dims{5}, Dims{2}, 1)[0].tensor(); };
  expect_numbers(copied, middle, {1, 3, 5, 7, 9}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_numbers(copied, [] { return counted(10).slice(0, 4, 4); }, {1, 3, 5, 7, 9}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_numbers(
      [&](const Tensor& x) {
        x.add_(10);
        return copied(x) * 2;
      },
      middle, {2, 6, 30, 34, 18}, {0, 1, 2, 3, 14, 15, 16, 17, 8, 9});
}

TEST(Offsets, AWriteThroughAsStridedReachesPastTheArgument) {
  expect_numbers(
      [](const Tensor& x) {
        as_strided(x, {2}, {1}, 1).fill_(-1);
        x.mul_(2);
        return as_strided(x, {9}, {1}, 0) * 1;
      },
      middle, {0, -1, -1, 3, 8, 10, 12, 14, 8}, {0, -1, -1, 3, 8, 10, 12, 14, 8, 9});
  expect_numbers(
      [](const Tensor& x) {
        as_strided(x, {2}, {2}, 7).add_(x.slice(0, 0, 2));
        return x;
      },
      middle, {4, 5, 6, 11}, {0, 1, 2, 3, 4, 5, 6, 11, 8, 14});
}

TEST(Offsets, AsStridedSeesWhatAnotherArgumentWrote) {
  auto function = [](const Tensor& x, const Tensor& y) {
    y.mul_(2);
    return as_strided(x, {8}, {1}, 0) + 0;
  };
  auto compiled = compile(function);
  for (int i = 0; i < 3; ++i) {
    Tensor base = counted(10);
    Tensor x = base.slice(0, 0, 4), y = base.slice(0, 4, 8);
    Tensor got = i == 0 ? function(x, y) : compiled(x, y);
    EXPECT_EQ(elements_of(got), (Numbers{0, 1, 2, 3, 8, 10, 12, 14})) << i;
  }
  // Strangers to each other: another entry.
  EXPECT_EQ(elements_of(compiled(counted(10).slice(0, 0, 4), counted(4))), (Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(compiled.stats().compiles, 2);
}

TEST(Offsets, AnEntryServesStoragesThatAreLargeEnough) {
  auto whole = compile([](const Tensor& x) { return as_strided(x, {10}, {1}, 0) + 0; });
  whole(counted(10).slice(0, 4, 8));
  whole(counted(20).slice(0, 4, 8));
  EXPECT_EQ(whole.stats().compiles, 1);
  whole(counted(10).slice(0, 3, 7));
  EXPECT_EQ(whole.stats().compiles, 2);  // its offset counts
  try {
    whole(counted(8).slice(0, 4, 8));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "as_strided: needs 10 elements, has 8");
  }
}

TEST(Offsets, OffsetsOfStorageThatOnlyOverlapsAreRefused) {
  float memory[8] = {};
  auto function = compile([](const Tensor& x, const Tensor& y) {
    x.add_(1);
    return as_strided(y, {2}, {1}, 0) + 0;
  });
  Tensor x = from_blob(memory, {6}), y = from_blob(memory + 2, {4});
  try {
    function(x, y);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_EQ(error.message(),
              "compile: the function asks for the storage offset of arg1, which lies in the memory of arg0 but not in "
              "its storage, and writes one of them");
  }
}

// --- Elements that lie at one place -------------------------------------------------------------------------------

TEST(Overlaps, AnExpandedTensorIsFilledButNotAddedTo) {
  auto fill = [](const Tensor& x) {
    x.expand({2, 3}).fill_(7);
    return x + 0;
  };
  auto make = [] { return counted(3); };
  expect_numbers(fill, make, {7, 7, 7}, {7, 7, 7});
  auto zero = [](const Tensor& x) {
    x.t().zero_();
    return x + 1;
  };
  expect_numbers(zero, [] { return counted(5).slice(0, 1, 4).expand({2, 3}); }, Numbers(6, 1), {0, 0, 0, 0, 4});
  auto add = [](const Tensor& x) {
    x.expand({2, 3}).add_(1);
    return x;
  };
  for (bool is_compiled : {false, true}) {
    try {
      is_compiled ? compile(add)(counted(3)) : add(counted(3));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "add_: more than one element of the written tensor lies at one place in memory");
    }
  }
}

TEST(Overlaps, DimsThatInterlockAreWritten) {
  // Places 0 3, 2 5, 4 7: all differ.
  expect_numbers(
      [](const Tensor& x) {
        as_strided(x, {3, 2}, {2, 3}).add_(10);
        return x + 0;
      },
      [] { return counted(8); }, {10, 1, 12, 13, 14, 15, 6, 17}, {10, 1, 12, 13, 14, 15, 6, 17});
  expect_numbers(
      [](const Tensor& x) {
        Tensor y = x + 0;
        as_strided(y, {3, 2}, {2, 3}, 1).mul_(-1);
        return y;
      },
      [] { return counted(9); }, {0, -1, 2, -3, -4, -5, -6, 7, -8}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
}

TEST(Overlaps, OfElementsAtOnePlaceTheLastStays) {
  // As ATen: 0, 3, 6, 7, 8.
  expect_numbers(
      [](const Tensor& x) {
        as_strided(x, {3, 3}, {1, 1}, 1).copy_(arange(9.0).view({3, 3}));
        return x + 0;
      },
      [] { return zeros({7}); }, {0, 0, 3, 6, 7, 8, 0}, {0, 0, 3, 6, 7, 8, 0});
}

}  // namespace
}  // namespace sinter::test
