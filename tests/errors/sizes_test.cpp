// Sizes, strides and offsets past what 64 bits count, and the lines that errors name.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

namespace sinter::test {
namespace {

constexpr int64_t most = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();
constexpr int64_t large = int64_t{1} << 40;

struct Failure {
  std::string text;  // `kind: message`
  std::string file;
  uint32_t line = 0;
};

template <class F>
Failure failure_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    std::string where = error.what();  // file:line: ...
    size_t colon = where.find(':');
    return {fmt::format("{}: {}", name(error.kind()), error.message()), where.substr(0, colon),
            static_cast<uint32_t>(std::stoul(where.substr(colon + 1)))};
  }
  return {"no error", "", 0};
}
template <class F>
std::string text_of(F&& f) {
  return failure_of(f).text;
}

TEST(Sizes, WhatCannotBeCountedIsRefused) {
  EXPECT_EQ(text_of([] { zeros({large, large}); }),
            "argument: zeros: a result of sizes [1099511627776, 1099511627776] in f32 reaches past 2^63 bytes");
  EXPECT_EQ(text_of([] { empty({most}); }),
            "argument: empty: a result of sizes [9223372036854775807] in f32 reaches past 2^63 bytes");
  EXPECT_EQ(text_of([] { empty({most, 2}); }),
            "argument: empty: a result of sizes [9223372036854775807, 2] in f32 reaches past 2^63 bytes");
  EXPECT_EQ(text_of([] { ones({1}).expand({large, large}); }),
            "argument: expand: a result of sizes [1099511627776, 1099511627776], strides [0, 0] and offset 0 in f32 "
            "reaches past 2^63 bytes");
  EXPECT_EQ(text_of([] { linspace(0, 1, most); }),
            "argument: linspace: a result of sizes [9223372036854775807] in f32 reaches past 2^63 bytes");
  EXPECT_EQ(zeros({0, 3}).numel().hint(), 0);
  auto traced = compile([](const Tensor& x) { return x + zeros({large, large}); });
  EXPECT_EQ(text_of([&] { traced(ones({1})); }),
            "argument: zeros: a result of sizes [1099511627776, 1099511627776] in f32 reaches past 2^63 bytes");
}

TEST(Sizes, RangesOfAnyEnds) {
  EXPECT_EQ(text_of([] { arange(1e19); }), "argument: arange: from 0 to 1e+19 by 1 are more than 2^63 elements");
  EXPECT_EQ(text_of([] { arange(0, most); }),
            "argument: arange: a result of sizes [9223372036854775807] in i64 reaches past 2^63 bytes");
  EXPECT_EQ(text_of([] { arange(least, most); }),
            "argument: arange: from -9223372036854775808 to 9223372036854775807 by 1 are more than 2^63 elements");
  Tensor wide = arange(least, most, most);
  ASSERT_EQ(wide.numel().hint(), 3);
  EXPECT_EQ(wide[0].item<int64_t>(), least);
  EXPECT_EQ(wide[2].item<int64_t>(), most - 1);
}

TEST(Sizes, ViewsStayInTheirMemory) {
  Tensor x = ones({4});
  EXPECT_EQ(text_of([&] { as_strided(x, {2}, {most}); }),
            "argument: as_strided: a result of sizes [2], strides [9223372036854775807] and offset 0 in f32 reaches "
            "past 2^63 bytes");
  EXPECT_EQ(text_of([&] { as_strided(x, {2}, {1}, most); }).substr(0, 21), "argument: as_strided:");
  EXPECT_EQ(text_of([&] { as_strided(x, {3}, {most / 2 + 1}); }).substr(0, 21), "argument: as_strided:");
  EXPECT_EQ(text_of([&] { as_strided(x, {large, large}, {1, 1}); }).substr(0, 21), "argument: as_strided:");
  EXPECT_EQ(text_of([&] { as_strided(x, {most}, {0}); }), "no error");
  EXPECT_EQ(text_of([&] { as_strided(x, {5}, {1}); }), "argument: as_strided: needs 5 elements, has 4");
  EXPECT_EQ(text_of([&] { narrow(x, 0, most, most); }).substr(0, 17), "argument: narrow:");
  EXPECT_EQ(x.slice(0, {}, {}, most).numel().hint(), 1);
  EXPECT_EQ(x.slice(0, least, most, most).numel().hint(), 1);
  EXPECT_EQ(x.slice(0, most, least).numel().hint(), 0);
}

TEST(Sizes, NumbersThatDoNotFitAreRefused) {
  EXPECT_EQ(text_of([] { full({1}, 300.0).item<uint8_t>(); }), "argument: item: the number 300.0 does not fit into u8");
  EXPECT_EQ(text_of([] { tensor({1e20}, f64).item<int64_t>(); }),
            "argument: item: the number 1e+20 does not fit into i64");
  EXPECT_EQ(text_of([] { full({1}, -129.0).item<int8_t>(); }),
            "argument: item: the number -129.0 does not fit into i8");
  EXPECT_EQ(full({1}, -128.0).item<int8_t>(), -128);
  EXPECT_EQ(full({1}, -1.0).item<uint8_t>(), 255);
  EXPECT_EQ(full({1}, 1.9).item<int64_t>(), 1);
  EXPECT_EQ(tensor({least}).item<int64_t>(), least);
  EXPECT_EQ(text_of([] { tensor({300}, u8); }), "argument: tensor: the number 300 does not fit into u8");
  EXPECT_EQ(text_of([] { tensor({1e20}, i64); }), "argument: tensor: the number 1e+20 does not fit into i64");
  EXPECT_EQ(tensor({-1}, u8).item<int64_t>(), 255);
}

TEST(Sizes, AnUndefinedOperandIsNamed) {
  Tensor x = ones({2}), none;
  EXPECT_EQ(text_of([&] { x + none; }), text_of([&] { ops("aten::add.Tensor")(x, none); }));
  EXPECT_NE(text_of([&] { x + none; }).find("other"), std::string::npos) << text_of([&] { x + none; });
  EXPECT_NE(text_of([&] { none* x; }).find("self"), std::string::npos) << text_of([&] { none* x; });
  EXPECT_EQ(text_of([&] { 1 / none; }).substr(0, 9), "argument:");
  EXPECT_EQ(text_of([&] { none + 1; }).substr(0, 9), "argument:");
  EXPECT_EQ(text_of([&] { (void)(none == none); }).substr(0, 9), "argument:");
  auto traced = compile([&](const Tensor& y) { return y + none; });
  EXPECT_EQ(text_of([&] { traced(x); }), text_of([&] { x + none; }));
}

// --- Whose line -------------------------------------------------------------------------------------------------

#define EXPECT_HERE(...)                                      \
  {                                                           \
    Failure failure = failure_of([&] { __VA_ARGS__; });       \
    EXPECT_EQ(failure.file, "sizes_test.cpp");                \
    EXPECT_EQ(failure.line, static_cast<uint32_t>(__LINE__)); \
  }

TEST(Locations, AreTheUsers) {
  Tensor x = ones({2, 3});
  EXPECT_HERE(x[10]);
  EXPECT_HERE(ops("aten::mm")(x, x));
  EXPECT_HERE(tensor({{1, 2}, {3}}));
  EXPECT_HERE(zeros({int64_t{1} << 46}));
  EXPECT_HERE(ones({1}).expand({int64_t{1} << 46}) + 1);
  auto grows = compile([](std::vector<Tensor>& all) { all.push_back(all[0]); });
  std::vector<Tensor> all = {x};
  Failure failure = failure_of([&] { grows(all); });
  EXPECT_EQ(failure.file, "sizes_test.cpp");
  auto large = compile([](const Tensor& y) { return y.expand({int64_t{1} << 46}) + 1; });
  failure = failure_of([&] { large(ones({1})); });
  EXPECT_EQ(failure.text.substr(0, 11), "environment");
  EXPECT_EQ(failure.file, "sizes_test.cpp");
}

}  // namespace
}  // namespace sinter::test
