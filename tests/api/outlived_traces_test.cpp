// Sizes, numbers and fake tensors that outlive the trace they are of: whatever keeps them, and wherever they turn up
// again, the next use says so.

#include <sinter/sinter.h>

#include <functional>
#include <map>
#include <optional>
#include <thread>

#include "support/compiled.h"

namespace sinter::test {

namespace {

using Numbers = std::vector<double>;

Tensor rows(int64_t count) { return ones({count, 2}); }

// The error's line, if it is the trace error of something that outlived its trace.
int line_of(const std::function<void()>& failing) {
  try {
    failing();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::trace) << error.what();
    bool says_so = error.message().find("trace") != std::string::npos;
    EXPECT_TRUE(says_so) << error.what();
    std::string_view file = error.where().file_name();
    EXPECT_TRUE(file.ends_with("outlived_traces_test.cpp")) << error.what();
    return static_cast<int>(error.where().line());
  }
  return 0;
}

const Options symbolic{.dynamic = Dynamic::always};

// What a traced function left outside.
struct Left {
  std::optional<SymInt> size, derived, read;
  std::optional<Scalar> number, of_size, computed;
  Tensor tensor;
};

Left leave() {
  Left left;
  auto fast = compile(
      [&](const Tensor& x, Scalar a) {
        left = {x.size(0), x.size(0) * 2 + 1, x.sum({0, 1}).to(i64).item().size(), a, Scalar(x.size(0)), a * 2 + 1, x};
        return x * a;
      },
      symbolic);
  fast(rows(4), 0.5);
  return left;
}

// --- Sizes ------------------------------------------------------------------------------------------------------

using Use = std::function<Tensor(const Tensor&, SymInt)>;

// Each way to use a size, on a line of its own.
std::vector<std::pair<int, Use>> uses_of_sizes() {
  return {
      {__LINE__, [](const Tensor& x, SymInt n) { return x * n; }},
      {__LINE__, [](const Tensor& x, SymInt n) { return n == 4 ? x : x + 1; }},
      {__LINE__, [](const Tensor& x, SymInt n) { return 3 < n ? x : x + 1; }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x.size(0) == n ? x : x + 1; }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x * (x.size(0) + n); }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x * max(x.size(0), n); }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x * n.constant(); }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x.sum({0}).expand({n, 2}); }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x.reshape({n, 2}); }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x + zeros({n, 2}); }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x.slice(0, 0, n); }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x + arange(Scalar(n)).sum({0}); }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x + Scalar(n).to_double(); }},
      {__LINE__, [](const Tensor& x, SymInt n) { return x * (Scalar(n) * 2); }},
  };
}

TEST(OutlivedTraces, ASizeInAnotherTrace) {
  Left left = leave();
  for (SymInt size : {*left.size, *left.derived, *left.read})
    for (const Options& options : {symbolic, Options{.dynamic = Dynamic::never}})
      for (const auto& [line, use] : uses_of_sizes()) {
        auto fast = compile([&](const Tensor& x) { return use(x, size); }, options);
        EXPECT_EQ(line_of([&] { fast(rows(4)); }), line);
      }
}

TEST(OutlivedTraces, ASizeOutsideOfAnyTrace) {
  Left left = leave();
  for (SymInt size : {*left.size, *left.derived, *left.read})
    for (const auto& [line, use] : uses_of_sizes()) EXPECT_EQ(line_of([&] { use(rows(4), size); }), line);
}

// The example's symbols have the same names, and may have the same values.
TEST(OutlivedTraces, ASizeOfAnEarlierTraceOfTheSameFunction) {
  struct Functor {
    std::shared_ptr<SymInt> kept = std::make_shared<SymInt>(0);
    Tensor operator()(const Tensor& x, const Tensor& y) const {
      SymInt before = std::exchange(*kept, x.size(0));
      return x * (before + y.size(0));
    }
  };
  auto fast = compile(Functor(), symbolic);
  EXPECT_EQ(elements_of(fast(rows(2), rows(3))), (Numbers{3, 3, 3, 3}));
  EXPECT_NE(line_of([&] { fast(rows(2), ones({3})); }), 0);
  EXPECT_EQ(elements_of(fast(rows(1), rows(5))), (Numbers{5, 5})) << "what was compiled stays";
}

TEST(OutlivedTraces, SizesInStaticsContainersAndOtherThreads) {
  static SymInt in_static = 0;
  static thread_local SymInt in_thread = 0;
  std::map<std::string, std::vector<SymInt>> in_container;
  compile(
      [&](const Tensor& x) {
        in_container["sizes"].push_back(in_static = in_thread = x.size(0));
        return x + 1;
      },
      symbolic)(rows(4));
  for (SymInt size : {in_static, in_thread, in_container["sizes"][0]}) {
    EXPECT_NE(line_of([&] { EXPECT_TRUE(size == 4); }), 0);
    std::thread([size] { EXPECT_NE(line_of([&] { static_cast<void>(size.constant()); }), 0); }).join();
  }
}

// While the function is traced another thread is outside of the trace.
TEST(OutlivedTraces, AnotherThreadDuringTheTrace) {
  auto fast = compile(
      [](const Tensor& x) {
        SymInt size = x.size(0);
        std::thread([&] {
          EXPECT_NE(line_of([&] { static_cast<void>(size > 3); }), 0);
          EXPECT_NE(line_of([&] { static_cast<void>(x + 1); }), 0);
          EXPECT_NE(line_of([&] { static_cast<void>(x.size(0)); }), 0);
        }).join();
        return x * size;
      },
      symbolic);
  EXPECT_EQ(elements_of(fast(ones({2, 1}))), (Numbers{2, 2}));
}

TEST(OutlivedTraces, ASizeAsAnArgumentOrAResult) {
  Left left = leave();
  auto scaled = compile([](const Tensor& x, SymInt n) { return x * n; });
  EXPECT_EQ(elements_of(scaled(ones({1}), 4)), (Numbers{4}));
  EXPECT_NE(line_of([&] { scaled(ones({1}), *left.size); }), 0);
  auto by_number = compile([](const Tensor& x, Scalar n) { return x * n; });
  EXPECT_NE(line_of([&] { by_number(ones({1}), Scalar(*left.size)); }), 0);
  auto given_back = compile([&](const Tensor& x) { return std::pair(x + 1, *left.size); }, symbolic);
  EXPECT_NE(line_of([&] { given_back(rows(3)); }), 0);
  auto as_number = compile([&](const Tensor& x) { return std::pair(x + 1, Scalar(*left.size)); }, symbolic);
  EXPECT_NE(line_of([&] { as_number(rows(3)); }), 0);
}

// The number that it became is the right one, and stays.
TEST(OutlivedTraces, ASizeThatIsANumberIsThatNumber) {
  int64_t number = 0;
  SymInt fixed = 0, returned = 0;
  auto fast = compile(
      [&](const Tensor& x) {
        number = x.size(0).constant();
        fixed = x.size(1);
        return std::pair(x * number, x.size(0) + 1);
      },
      {.dims = {{.argument = "arg0", .dim = 0}}});
  EXPECT_THROW(fast(rows(4)), Error) << "declared, but a number is needed";
  auto plain = compile(
      [&](const Tensor& x) {
        fixed = x.size(1);
        return std::pair(x * 2, x.size(0) + 1);
      },
      {.dynamic = Dynamic::never});
  returned = plain(rows(4)).second;
  EXPECT_TRUE(number == 4 && fixed == 2 && returned == 5);
  EXPECT_EQ(elements_of(ones({1}) * fixed), (Numbers{2}));
  auto symbols = compile([](const Tensor& x) { return std::pair(x * 2, x.size(0) + 1); }, symbolic);
  returned = symbols(rows(4)).second;
  EXPECT_EQ(elements_of(ones({1}) * returned), (Numbers{5})) << "a result is a number";
}

// --- Numbers ----------------------------------------------------------------------------------------------------

using NumberUse = std::function<Tensor(const Tensor&, Scalar)>;

std::vector<std::pair<int, NumberUse>> uses_of_numbers() {
  return {
      {__LINE__, [](const Tensor& x, Scalar a) { return x * a; }},
      {__LINE__, [](const Tensor& x, Scalar a) { return x + (a * 2 - 1); }},
      {__LINE__, [](const Tensor& x, Scalar a) { return x + (1 - a); }},
      {__LINE__, [](const Tensor& x, Scalar a) { return x + -a; }},
      {__LINE__, [](const Tensor& x, Scalar a) { return a > 0 ? x : x + 1; }},
      {__LINE__, [](const Tensor& x, Scalar a) { return a == 4 ? x : x + 1; }},
      {__LINE__, [](const Tensor& x, Scalar a) { return x * a.to_double(); }},
      {__LINE__, [](const Tensor& x, Scalar a) { return pow(x, a); }},
      {__LINE__, [](const Tensor& x, Scalar a) { return x + full({2}, a); }},
  };
}

TEST(OutlivedTraces, ANumberInAnotherTraceAndOutside) {
  Left left = leave();
  for (Scalar number : {*left.number, *left.computed})
    for (const auto& [line, use] : uses_of_numbers()) {
      auto with_own = compile([&](const Tensor& x, Scalar own) { return use(x, number) * own; });
      EXPECT_EQ(line_of([&] { with_own(rows(4), 0.5); }), line) << "not for the number of this trace";
      auto without = compile([&](const Tensor& x) { return use(x, number); });
      EXPECT_EQ(line_of([&] { without(rows(4)); }), line);
      EXPECT_EQ(line_of([&] { use(rows(4), number); }), line);
    }
  auto by_number = compile([](const Tensor& x, Scalar n) { return x * n; });
  EXPECT_NE(line_of([&] { by_number(ones({1}), *left.number); }), 0);
  auto given_back = compile([&](const Tensor& x, Scalar own) { return std::pair(x * own, *left.number); });
  EXPECT_NE(line_of([&] { given_back(rows(3), 2.0); }), 0);
}

// --- Tensors ----------------------------------------------------------------------------------------------------

TEST(OutlivedTraces, AFakeTensorInAnotherTraceAndOutside) {
  Tensor left = leave().tensor;
  using TensorUse = std::function<Tensor(const Tensor&, const Tensor&)>;
  std::vector<std::pair<int, TensorUse>> uses = {
      {__LINE__, [](const Tensor& x, const Tensor& t) { return x + t; }},
      {__LINE__, [](const Tensor& x, const Tensor& t) { return t.view({2, 4}) + x; }},
      {__LINE__, [](const Tensor& x, const Tensor& t) { return t.size(0) == 4 ? x : x + 1; }},
      {__LINE__, [](const Tensor& x, const Tensor& t) { return t.stride(0) == 4 ? x : x + 1; }},
      {__LINE__, [](const Tensor& x, const Tensor& t) { return t.is_contiguous() ? x : x + 1; }},
      {__LINE__, [](const Tensor& x, const Tensor& t) { return x.is_same(t) ? x : x + 1; }},
      {__LINE__, [](const Tensor& x, const Tensor& t) { return x.storage() == t.storage() ? x : x + 1; }},
      {__LINE__, [](const Tensor& x, const Tensor& t) { return x * t.numel(); }},
      {__LINE__, [](const Tensor& x, const Tensor& t) { return x * t.sum({0, 1}).item(); }},
      {__LINE__, [](const Tensor& x, const Tensor& t) { return x.add_(t); }},
  };
  for (const auto& [line, use] : uses) {
    auto fast = compile([&](const Tensor& x) { return use(x, left); }, symbolic);
    EXPECT_EQ(line_of([&] { fast(rows(4)); }), line);
    EXPECT_EQ(line_of([&] { use(rows(4), left); }), line);
  }
  auto add = compile([](const Tensor& x, const Tensor& y) { return x + y; });
  EXPECT_NE(line_of([&] { add(rows(4), left); }), 0);
  auto given_back = compile([&](const Tensor& x) { return std::pair(x + 1, left); });
  EXPECT_NE(line_of([&] { given_back(rows(4)); }), 0);
}

}  // namespace
}  // namespace sinter::test
