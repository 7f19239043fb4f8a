// Mistakes in registering and calling custom ops: what is said of each, with the line of the user's.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include <cmath>
#include <limits>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

// `argument custom_mistakes_test.cpp: message`: the kind, and the file that the line is in.
template <class F>
std::string failure_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    std::string file = short_location(error.where());
    return fmt::format("{} {}: {}", name(error.kind()), file.substr(0, file.find(':')), error.message());
  } catch (const std::exception& error) {
    return fmt::format("another exception: {}", error.what());
  }
  return "nothing";
}

std::string at_argument(std::string_view message) {
  return fmt::format("argument custom_mistakes_test.cpp: {}", message);
}

Tensor three() { return tensor_of({-1, 0.5, 2}, {3}); }
Tensor identity(const Tensor& x) { return x.clone(); }

class CustomMistakes : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_device().is_cpu()) GTEST_SKIP() << "implementations and kernels for the CPU";
  }
};

TEST_F(CustomMistakes, TypesInAFormula) {
  auto message = [](auto formula) {
    return failure_of([&] { elementwise_op("mylib::f(Tensor x) -> Tensor", formula); });
  };
  EXPECT_EQ(message([](ScalarExpr x) { return (x > 0.0) * x; }),
            at_argument("mylib::f: its formula has mul of bool and f32"));
  EXPECT_EQ(message([](ScalarExpr x) { return x & Scalar(1); }),
            at_argument("mylib::f: its formula has bit_and of f32"));
  EXPECT_EQ(message([](ScalarExpr x) { return select(x, x, x); }),
            at_argument("mylib::f: its formula has select with a condition of f32"));
  EXPECT_EQ(message([](ScalarExpr x) { return -(x > 0.0); }), at_argument("mylib::f: its formula has neg of bool"));
  EXPECT_EQ(message([](ScalarExpr x) { return sin(x > 0.0); }), at_argument("mylib::f: its formula has sin of bool"));
  EXPECT_EQ(message([](ScalarExpr x) { return ~x; }), at_argument("mylib::f: its formula has bit_not of f32"));
  const std::string no_value = at_argument("mylib::f: its formula has a ScalarExpr that is no value");
  EXPECT_EQ(message([](ScalarExpr x) { return x + ScalarExpr{}; }), no_value);
  EXPECT_EQ(message([](ScalarExpr x) { return ScalarExpr{} + x; }), no_value);
  EXPECT_EQ(message([](ScalarExpr) { return 2.0 * -ScalarExpr{}; }), no_value);
  EXPECT_EQ(message([](ScalarExpr x, ScalarExpr y) { return x + y; }),
            at_argument("mylib::f: its formula does not take 1 scalars"));
  EXPECT_EQ(message(static_cast<ScalarExpr (*)(ScalarExpr)>(nullptr)), at_argument("mylib::f: the formula is null"));
  EXPECT_EQ(message([](ScalarExpr x) { return select(x > 0.0, x, -x); }), "nothing");
  EXPECT_EQ(message([](ScalarExpr x) { return (x > 0.0) * (x < 1.0) + (x == 2.0); }), "nothing") << "bools, as ATen";
}

TEST_F(CustomMistakes, HandlesThatAreEmpty) {
  auto made = [](const char* name) { return custom_op(name, "(Tensor x) -> Tensor", identity); };
  const std::string moved = at_argument("CustomOp: this handle's operator was moved to another");
  CustomOp a = made("mylib::a");
  CustomOp b = std::move(a);
  EXPECT_EQ(failure_of([&] { a(three()); }), moved);
  EXPECT_EQ(failure_of([&] { a.name(); }), moved);
  EXPECT_EQ(failure_of([&] { a.register_fake(identity); }), moved);
  EXPECT_EQ(elements_of(b(three())), elements_of(three()));
  CustomOp c = made("mylib::c");
  c = std::move(b);
  EXPECT_EQ(find_op("mylib::c"), nullptr) << "what a handle held before goes";
  EXPECT_NE(find_op("mylib::a"), nullptr);
  c.unregister();
  EXPECT_EQ(failure_of([&] { c.register_fake(identity); }), at_argument("mylib::a: the operator was unregistered"));
}

TEST_F(CustomMistakes, FunctionsThatAreNull) {
  Tensor (*none)(const Tensor&) = nullptr;
  EXPECT_EQ(failure_of([&] { custom_op("mylib::f", "(Tensor x) -> Tensor", none); }),
            at_argument("mylib::f: the implementation is null"));
  EXPECT_EQ(failure_of([&] { custom_op("mylib::f", "(Tensor x) -> Tensor", std::function<Tensor(const Tensor&)>()); }),
            at_argument("mylib::f: the implementation is null"));
  EXPECT_EQ(failure_of([&] { kernel_op("mylib::f(Tensor x) -> Tensor", none); }),
            at_argument("mylib::f: the function is null"));
  CustomOp op = custom_op("mylib::f", "(Tensor x) -> Tensor", identity);
  EXPECT_EQ(failure_of([&] { op.register_fake(none); }), at_argument("mylib::f: the fake function is null"));
}

TEST_F(CustomMistakes, Schemas) {
  auto message = [](std::string_view schema) { return failure_of([&] { custom_op("mylib::f", schema); }); };
  for (const char* schema : {"(Tensor x, int s='a') -> Tensor", "(Tensor x, str s=5) -> Tensor",
                             "(Tensor x, int s=1.5) -> Tensor", "(Tensor x, int s=None) -> Tensor"})
    EXPECT_EQ(message(schema), at_argument("mylib::f: the default of `s` is not of its type")) << schema;
  EXPECT_EQ(message("(Tensor x, int s=2, float t=1, str u='a', int[2] v=1, bool w=True, int? n=None) -> Tensor"),
            "nothing");
  EXPECT_EQ(message("(Tensor x, Tensor x) -> Tensor"), at_argument("mylib::f: two parameters are called `x`"));
  EXPECT_EQ(message("(Tensor(a!) x, Tensor(a!) y) -> Tensor(a!)"),
            at_argument("mylib::f: `x` and `y` are marked with one letter"));
  EXPECT_EQ(message("(Tenser x) -> Tensor"),
            at_argument("signature `mylib::f(Tenser x) -> Tensor`: expected a type at column 16"));
  EXPECT_EQ(failure_of([] { elementwise_op("gelu(Tensor x) -> Tensor", "x"); }),
            at_argument("signature `gelu(Tensor x) -> Tensor`: expected `::` at column 5"));
}

TEST_F(CustomMistakes, MutatesArgsOfEachKind) {
  EXPECT_EQ(
      failure_of([] { kernel_op("mylib::f(Tensor x) -> Tensor", identity, {.mutates_args = MutatesArgs{"nobody"}}); }),
      at_argument("mylib::f: mutates_args names `nobody`, which the schema does not mark as written"));
  EXPECT_EQ(failure_of([] { elementwise_op("mylib::f(Tensor x) -> Tensor", "x", {.mutates_args = MutatesArgs{"x"}}); }),
            at_argument("mylib::f: mutates_args names `x`, which the schema does not mark as written"));
}

TEST_F(CustomMistakes, NumbersThatAFunctionCanNotTake) {
  CustomOp op = custom_op("mylib::f", "(Tensor x, int n) -> Tensor", [](const Tensor& x, int n) { return x * n; });
  EXPECT_EQ(failure_of([&] { op(three(), int64_t{5000000000}); }),
            at_argument("mylib::f: `n` is 5000000000, which its function takes as int"));
  EXPECT_EQ(failure_of([&] { op(three(), std::string("text")); }), at_argument("mylib::f: `n` needs int, got 'text'"));
}

TEST_F(CustomMistakes, ResultsInOneMemory) {
  CustomOp op = custom_op("mylib::f", "(Tensor x) -> (Tensor, Tensor)", [](const Tensor& x) {
    Tensor y = x + 1;
    return std::tuple(y, y);
  });
  op.register_fake([](const Tensor& x) { return std::tuple(empty_like(x), empty_like(x)); });
  const std::string message = at_argument("mylib::f: its implementation gives two results in one memory");
  EXPECT_EQ(failure_of([&] { op(three()); }), message);
  for (const char* backend : {"native", "eager", "debug_eager"})
    EXPECT_EQ(failure_of([&] { compile([&](const Tensor& x) { return op(x); }, {.backend = backend})(three()); }),
              message);
}

TEST_F(CustomMistakes, NumbersThatAKernelCanNotTake) {
  auto message = [](const char* name, const char* type, Scalar number) {
    Kernel fill = kernel(name, {.cpu = fmt::format("void {}(float* y, {} n, int64_t begin, int64_t end) {{ "
                                                   "for (int64_t i = begin; i < end; ++i) y[i] = n; }}",
                                                   name, type)});
    auto function = [&](const Tensor& x) {
      Tensor y = x * 0;
      wrap_kernel(fill, {.x = 3}, y, number);
      return y;
    };
    std::string eager = failure_of([&] { function(three()); });
    EXPECT_EQ(failure_of([&] { compile(function)(three()); }), eager);
    return eager;
  };
  EXPECT_EQ(message("fill_b", "bool", 0.5),
            at_argument("wrap_kernel: kernel 'fill_b': `n` is of type bool, which 0.5 does not fit"));
  EXPECT_EQ(message("fill_i", "int", 2.7),
            at_argument("wrap_kernel: kernel 'fill_i': `n` is of type int, which 2.7 does not fit"));
  EXPECT_EQ(message("fill_i", "int", std::numeric_limits<double>::quiet_NaN()),
            at_argument("wrap_kernel: kernel 'fill_i': `n` is of type int, which nan does not fit"));
  EXPECT_EQ(message("fill_i", "int", int64_t{5000000000}),
            at_argument("wrap_kernel: kernel 'fill_i': `n` is of type int, which 5000000000 does not fit"));
  EXPECT_EQ(message("fill_u", "unsigned char", 256),
            at_argument("wrap_kernel: kernel 'fill_u': `n` is of type unsigned char, which 256 does not fit"));
  EXPECT_EQ(message("fill_s", "uint16_t", -1),
            at_argument("wrap_kernel: kernel 'fill_s': `n` is of type uint16_t, which -1 does not fit"));
  EXPECT_EQ(message("fill_s", "uint16_t", 7), "nothing");
  EXPECT_EQ(message("fill_i", "int", 3.0), "nothing");
  EXPECT_EQ(message("fill_b", "bool", true), "nothing");
}

TEST_F(CustomMistakes, GridsThatAreNone) {
  Kernel one = kernel("one", {.cpu = "void one(float* y, int64_t begin, int64_t end) { y[0] = 1; }"});
  auto message = [&](Grid grid) {
    Tensor y = three();
    return failure_of([&] { wrap_kernel(one, grid, y); });
  };
  EXPECT_EQ(message({.x = -3}), at_argument("wrap_kernel: kernel 'one': a grid of -3 by 1 by 1 blocks of 256 threads"));
  EXPECT_NE(message({.x = -3, .y = -1}), "nothing");
  EXPECT_NE(message({.x = int64_t{1} << 40, .y = int64_t{1} << 40}), "nothing");
  EXPECT_EQ(message({.x = 0}), "nothing");
}

TEST_F(CustomMistakes, WhatAKernelMayNotWrite) {
  Kernel one = kernel("one", {.cpu = "void one(float* y, int64_t begin, int64_t end) { y[0] = 1; }"});
  auto function = [&](const Tensor& x) {
    Tensor y = x * 0;
    wrap_kernel(one, {.x = 1}, y.expand({3}));
    return y;
  };
  const std::string message = at_argument(
      "wrap_kernel: kernel 'one': more than one element of `y`, which it writes, lies at one place in memory");
  EXPECT_EQ(failure_of([&] { function(zeros({1})); }), message);
  EXPECT_EQ(failure_of([&] { compile(function)(zeros({1})); }), message);
}

TEST_F(CustomMistakes, AKernelTextThatDoesNotCompile) {
  Kernel wrong_text =
      kernel("wrong_text", {.cpu = "void wrong_text(float* y, int64_t begin, int64_t end) { wrong(); }"});
  Tensor y = three();
  std::string message = failure_of([&] { wrap_kernel(wrong_text, {.x = 3}, y); });
  EXPECT_TRUE(
      message.starts_with("backend custom_mistakes_test.cpp: wrap_kernel: kernel 'wrong_text' does not compile: "))
      << message;
  CustomOp op = custom_op("mylib::nothing", "(Tensor x) -> Tensor");
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  try {
    compile([&](const Tensor& x) { return op(x); })(three());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.need(), "op.register_kernel(cpu, function); capture succeeded; backend \"eager\" needs it, too");
  }
}

}  // namespace
}  // namespace sinter::test
