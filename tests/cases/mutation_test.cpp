// Writes in place: program order, views of what is written, sources that overlap.

#include <gtest/gtest.h>

#include <cmath>

#include "cases/known_answers.h"

namespace sinter::test {
namespace {

Tensor slice(const Tensor& x, int64_t start, int64_t end, int64_t step = 1, int64_t dim = 0) {
  return op("aten::slice.Tensor", x, dim, start, end, step);
}

// The caller's memory after the call too.
void expect_all(const std::function<Tensors()>& make_inputs, const Function& function,
                const std::vector<std::vector<double>>& results, const std::vector<std::vector<double>>& inputs,
                double ulps = 0) {
  in_both_modes(make_inputs, function, [&](const Tensors& got, const Tensors& after) {
    ASSERT_EQ(got.size(), results.size());
    for (size_t i = 0; i < results.size(); ++i) expect_values(got[i], results[i], ulps);
    for (size_t i = 0; i < inputs.size(); ++i) expect_values(after[i], inputs[i], ulps);
  });
}

TEST(Mutation, B048_AValueReadBeforeTheWriteIsTheOldOne) {
  double ln3 = static_cast<float>(std::log(3.0));
  expect_all([] { return Tensors{scalar(f32, 3)}; },
             [](Tensors x) -> Tensors {
               Tensor y = op("aten::log", x[0]);
               op("aten::log_", x[0]);
               return {y};
             },
             {{ln3}}, {{ln3}}, 2);
}

TEST(Mutation, B048_ReadsBetweenTwoWritesSeeTheFirst) {
  for (int64_t length : {1, 7, 8, 17, 1000}) {
    std::vector<double> twos(length, 2.0), threes(length, 3.0), sixes(length, 6.0), nines(length, 9.0),
        ones(length, 1.0);
    for (Placement placement : all_placements)
      expect_all([&] { return Tensors{placed(make(f32, ones), placement)}; },
                 [](Tensors x) -> Tensors {
                   op("aten::add_.Tensor", x[0], 1);                      // 2
                   Tensor between = op("aten::add.Tensor", x[0], 1);      // 3
                   op("aten::mul_.Tensor", x[0], between);                // 6
                   Tensor after = op("aten::add.Tensor", x[0], between);  // 9
                   return {between, after};
                 },
                 {threes, nines}, {sixes});
  }
}

TEST(Mutation, B049_ACopyOfASourceThatIsWrittenLater) {
  std::vector<double> zero_up, one_up;
  for (int i = 0; i < 12; ++i) {
    zero_up.push_back(i);
    one_up.push_back(i + 1);
  }
  expect_all([] { return Tensors{make(f32, {3, 4}, std::vector<double>(12, 0.0)), count_up(f32, {3, 4})}; },
             [](Tensors x) -> Tensors {
               op("aten::copy_", slice(slice(x[0], 0, 3), 0, 4, 1, 1), x[1]);
               op("aten::add_.Tensor", x[1], 1);
               return {x[1]};
             },
             {one_up}, {zero_up, one_up});
}

TEST(Mutation, B050_AShiftedSelfUpdateReadsTheOldValues) {
  std::vector<double> want = {0, 1, 1, 1, 1, 1, 1, 1};
  auto zeros = [] { return Tensors{make(f32, std::vector<double>(8, 0.0))}; };
  expect_all(zeros,
             [](Tensors x) -> Tensors {
               op("aten::copy_", slice(x[0], 1, 8), op("aten::add.Tensor", slice(x[0], 0, 7), 1));
               return {};
             },
             {}, {want});
  expect_all(zeros,
             [](Tensors x) -> Tensors {
               Tensor y = op("aten::clone", x[0]);
               op("aten::copy_", slice(y, 1, 8), op("aten::add.Tensor", slice(y, 0, 7), 1));
               return {y};
             },
             {want}, {std::vector<double>(8, 0.0)});
}

TEST(Mutation, B050_ATransposedSelfUpdateReadsTheOldValues) {
  for (int64_t n : {2, 7, 8, 16, 33}) {
    std::vector<double> want;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) want.push_back((n * i + j) + (n * j + i));
    expect_all([&] { return Tensors{count_up(f32, {n, n})}; },
               [](Tensors x) -> Tensors {
                 op("aten::copy_", x[0], op("aten::add.Tensor", x[0], op("aten::t", x[0])));
                 return {};
               },
               {}, {want});
  }
}

TEST(Mutation, B050_NeighboursOfAStencilAreTheOldOnes) {
  for (int64_t length : {3, 8, 17, 1000}) {
    std::vector<double> want(length);
    for (int64_t i = 0; i < length; ++i)
      want[i] = i == 0 || i == length - 1 ? i * i : (i - 1) * (i - 1) + (i + 1) * (i + 1);
    expect_all(
        [&] {
          std::vector<double> squares(length);
          for (int64_t i = 0; i < length; ++i) squares[i] = i * i;
          return Tensors{make(f32, squares)};
        },
        [length](Tensors x) -> Tensors {
          Tensor sum = op("aten::add.Tensor", slice(x[0], 0, length - 2), slice(x[0], 2, length));
          op("aten::copy_", slice(x[0], 1, length - 1), sum);
          return {};
        },
        {}, {want});
  }
}

// Rule out: a reversed map collapsed as if contiguous.
TEST(Mutation, B051_WritingAReversedExpressionAtReversedPlaces) {
  for (int64_t length : {1, 6, 8, 17, 1000}) {
    std::vector<double> x(length), reversed(length), doubled(length);
    for (int64_t i = 0; i < length; ++i) {
      x[i] = static_cast<double>(i);
      reversed[i] = static_cast<double>(length - 1 - i);
      doubled[i] = 2 * static_cast<double>(i);
    }
    for (bool accumulates : {true, false})
      expect_all(
          [&] { return Tensors{make(f32, x), make(f32, std::vector<double>(length, 0.0)), make(i64, reversed)}; },
          [accumulates](Tensors in) -> Tensors {
            Tensor twice = op("aten::mul.Tensor", op("aten::flip", in[0], Dims{0}), 2);
            op("aten::index_put_", in[1], Tensors{in[2]}, twice, accumulates);
            return {op("aten::clone", in[1])};
          },
          {doubled}, {x, doubled, reversed});
    expect_all([&] { return Tensors{make(f32, x)}; },
               [](Tensors in) -> Tensors {
                 op("aten::copy_", in[0], op("aten::flip", in[0], Dims{0}));
                 return {};
               },
               {}, {reversed});
  }
}

// Interleaved views have maps of steps other than 1 too.
TEST(Mutation, B051_WritingAnExpressionThroughASteppedView) {
  expect_all([] { return Tensors{count_up(f32, {6}), make(f32, std::vector<double>(12, 0.0))}; },
             [](Tensors x) -> Tensors {
               op("aten::add_.Tensor", slice(x[1], 1, 12, 2), op("aten::mul.Tensor", x[0], 2));
               op("aten::copy_", slice(x[1], 0, 12, 2), x[0]);
               return {};
             },
             {}, {{0, 1, 2, 3, 4, 5}, {0, 0, 1, 2, 2, 4, 3, 6, 4, 8, 5, 10}});
}

TEST(Mutation, B051_WritingThroughATransposedView) {
  expect_all([] { return Tensors{make(f32, {2, 3}, std::vector<double>(6, 0.0)), count_up(f32, {3, 2})}; },
             [](Tensors x) -> Tensors {
               op("aten::add_.Tensor", op("aten::t", x[0]), op("aten::mul.Tensor", x[1], 2));
               return {};
             },
             {}, {{0, 4, 8, 2, 6, 10}});
}

TEST(Mutation, B052_AWriteThroughOneElementOfAnExpandedTensor) {
  for (int64_t i : {0, 1})
    in_both_modes([] { return Tensors{count_up(f32, {2})}; },
                  [i](Tensors x) -> Tensors {
                    Tensor e = op("aten::expand", op("aten::select.int", x[0], 0, i), Dims{2});
                    op("aten::fill_.Scalar", op("aten::select.int", e, 0, -1), 3);
                    return {op("aten::clone", e)};
                  },
                  [i](const Tensors& results, const Tensors& inputs) {
                    expect_values(results[0], {3, 3});
                    expect_values(inputs[0], i == 0 ? std::vector<double>{3, 1} : std::vector<double>{0, 3});
                  });
}

TEST(Mutation, B052_AWriteToAnExpandedTensorIsAnError) {
  expect_error([] { return Tensors{scalar(f32, 1)}; },
               [](Tensors x) -> Tensors { return {op("aten::add_.Tensor", op("aten::expand", x[0], Dims{4}), 1)}; },
               ErrorKind::argument);
}

// B095 in one program: the writes of x are seen through y where they overlap.
TEST(Mutation, B095_InputsThatOverlap) {
  in_both_modes(
      [] {
        Tensor base = make(f32, std::vector<double>(8, 1.0));
        return Tensors{slice(base, 0, 4), slice(base, 2, 6), base};
      },
      [](Tensors x) -> Tensors {
        op("aten::mul_.Tensor", x[0], 2);
        return {op("aten::add.Tensor", x[0], x[1])};
      },
      [](const Tensors& results, const Tensors& inputs) {
        expect_values(results[0], {4, 4, 3, 3});
        expect_values(inputs[2], {2, 2, 2, 2, 1, 1, 1, 1});
      });
}

}  // namespace
}  // namespace sinter::test
