// What the function of a kernel op may do besides launching: capture tensors, make and write its own, and fail.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

using Numbers = std::vector<double>;

Tensor three() { return tensor_of({-1, 0.5, 2}, {3}); }
Tensor like(const Tensor& x) { return empty_like(x); }

constexpr const char* backends[] = {"native", "eager", "debug_eager"};

template <class F>
Numbers compiled(const CustomOp& op, const char* backend, F&& around) {
  return elements_of(compile([&](const Tensor& x) { return around(op(x)); }, {.backend = backend})(three()));
}

TEST(KernelOps, ReadCapturedTensorsAtEachCall) {
  Tensor captured = ones({3});
  CustomOp op = kernel_op("mylib::shift(Tensor x) -> Tensor", [captured](const Tensor& x) { return x + captured; });
  op.register_fake(like);
  for (const char* backend : backends) {
    captured.fill_(1);
    auto fast = compile([&](const Tensor& x) { return op(x) * 2; }, {.backend = backend});
    EXPECT_EQ(elements_of(fast(three())), (Numbers{0, 3, 6})) << backend;
    captured.fill_(10);
    EXPECT_EQ(elements_of(fast(three())), (Numbers{18, 21, 24})) << backend;
    EXPECT_EQ(fast.stats().compiles, 1) << backend;
    EXPECT_EQ(elements_of(fast(captured)), (Numbers{40, 40, 40})) << "the captured tensor is the argument";
  }
}

TEST(KernelOps, MakeTensorsFromNumbers) {
  CustomOp op =
      kernel_op("mylib::shift(Tensor x) -> Tensor", [](const Tensor& x) { return x + tensor({1.0, 2.0, 3.0}); });
  op.register_fake(like);
  for (const char* backend : backends)
    EXPECT_EQ(compiled(op, backend, [](const Tensor& y) { return y * 1; }), (Numbers{0, 2.5, 5})) << backend;
}

TEST(KernelOps, WriteWhatTheyMade) {
  auto expect = [](auto function, const Numbers& expected) {
    CustomOp op = kernel_op("mylib::own(Tensor x) -> Tensor", function);
    op.register_fake(like);
    EXPECT_EQ(elements_of(op(three())), expected);
    for (const char* backend : backends)
      EXPECT_EQ(compiled(op, backend, [](const Tensor& y) { return y; }), expected) << backend;
  };
  expect(
      [](const Tensor& x) {
        Tensor y = empty_like(x);
        y.zero_();
        return y;
      },
      {0, 0, 0});
  expect(
      [](const Tensor& x) {
        Tensor y = x.clone();
        y.add_(1);
        return y;
      },
      {0, 1.5, 3});
  expect(
      [](const Tensor& x) {
        Tensor y = x * 2;
        y.slice(0, 1, 3).copy_(x.slice(0, 0, 2));
        return y;
      },
      {-2, -1, 0.5});
}

TEST(KernelOps, WriteArgumentsThatTheSchemaMarks) {
  CustomOp op = kernel_op("mylib::step(Tensor(a!) x) -> Tensor", [](const Tensor& x) {
    x.add_(1);
    return x * 2;
  });
  op.register_fake(like);
  for (const char* backend : backends) {
    Tensor x = three();
    Tensor doubled = compile([&](const Tensor& t) { return op(t); }, {.backend = backend})(x);
    EXPECT_EQ(elements_of(doubled), (Numbers{0, 3, 6})) << backend;
    EXPECT_EQ(elements_of(x), (Numbers{0, 1.5, 3})) << backend;
  }
}

TEST(KernelOps, WriteStridedArguments) {
  SINTER_NEEDS_CPU("implementations for the CPU");
  auto add_one = [](const Tensor& x) { x.add_(1); };
  CustomOp visible = kernel_op("mylib::visible(Tensor(a!) x) -> ()", add_one);
  CustomOp opaque = custom_op("mylib::opaque", "(Tensor(a!) x) -> ()", add_one);
  for (CustomOp* op : {&visible, &opaque}) {
    op->register_fake([](const Tensor&) {});
    for (const char* backend : backends) {
      Tensor x = zeros({6});
      compile([&](const Tensor& t) { (*op)(t.slice(0, 0, 6, 2)); }, {.backend = backend})(x);
      EXPECT_EQ(elements_of(x), (Numbers{1, 0, 1, 0, 1, 0})) << backend << " " << op->name();
    }
  }
}

TEST(KernelOps, CallOtherOpsThatWrite) {
  SINTER_NEEDS_CPU("implementations for the CPU");
  CustomOp add_one = custom_op("mylib::add_one", "(Tensor(a!) x) -> ()", [](const Tensor& x) { x.add_(1); });
  add_one.register_fake([](const Tensor&) {});
  CustomOp inner = kernel_op("mylib::inner(Tensor x) -> Tensor", [&](const Tensor& x) {
    Tensor y = x * 2;
    add_one(y);
    return y;
  });
  inner.register_fake(like);
  CustomOp outer = kernel_op("mylib::outer(Tensor x) -> Tensor", [&](const Tensor& x) { return inner(x).mul_(3); });
  outer.register_fake(like);
  for (const char* backend : backends)
    EXPECT_EQ(compiled(outer, backend, [](const Tensor& y) { return y; }), (Numbers{-3, 6, 15})) << backend;
}

template <class F>
std::string failure_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.message();
  }
  return "nothing";
}

TEST(KernelOps, MayNotWriteOtherTensors) {
  CustomOp argument = kernel_op("mylib::bad(Tensor x) -> Tensor", [](const Tensor& x) { return x.add_(1) * 1; });
  argument.register_fake(like);
  Tensor captured = ones({3});
  CustomOp hidden = kernel_op("mylib::hidden(Tensor x) -> Tensor", [captured](const Tensor& x) {
    captured.add_(1);
    return x * 1;
  });
  hidden.register_fake(like);
  for (const char* backend : backends) {
    EXPECT_EQ(failure_of([&] { compiled(argument, backend, [](const Tensor& y) { return y; }); }),
              "mylib::bad: its function writes its argument `x`, which its schema does not say");
    EXPECT_EQ(failure_of([&] { compiled(hidden, backend, [](const Tensor& y) { return y; }); }),
              "mylib::hidden: its function writes a tensor that it captured");
  }
  EXPECT_EQ(elements_of(captured), (Numbers{1, 1, 1}));
}

TEST(KernelOps, ACapturedTensorThatTheFunctionAroundWrites) {
  Tensor captured = ones({3});
  CustomOp op = kernel_op("mylib::shift(Tensor x) -> Tensor", [captured](const Tensor& x) { return x + captured; });
  op.register_fake(like);
  EXPECT_EQ(failure_of([&] {
              compile([&](const Tensor& x) {
                captured.add_(1);
                return op(x);
              })(three());
            }),
            "aten::add_.Scalar: the function writes a tensor that mylib::shift reads besides its arguments");
}

TEST(KernelOps, ExceptionsOfTheirFunctionsReachTheCaller) {
  CustomOp op = kernel_op("mylib::throws(Tensor x) -> Tensor",
                          [](const Tensor&) -> Tensor { throw std::out_of_range("the function's own"); });
  op.register_fake(like);
  for (const char* backend : backends) {
    try {
      compiled(op, backend, [](const Tensor& y) { return y; });
      ADD_FAILURE() << backend;
    } catch (const std::out_of_range& error) {
      EXPECT_STREQ(error.what(), "the function's own") << backend;
    }
  }
}

// --- Launches ---------------------------------------------------------------------------------------------------

class Launches : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_device().is_cpu()) GTEST_SKIP() << "kernels of C++ text";
  }
};

TEST_F(Launches, AConstPointerMayWriteItsElements) {
  Kernel twice = kernel("twice", {.cpu = "void twice(float const* x, float* const y, int64_t begin, int64_t end) {\n"
                                         "  for (int64_t i = begin; i < end; ++i) y[i] = x[i] * 2;\n"
                                         "}"});
  EXPECT_FALSE(twice->parameters[0].is_written);
  EXPECT_TRUE(twice->parameters[1].is_written);
  auto function = [&](const Tensor& x) {
    Tensor y = x * 0;
    wrap_kernel(twice, {.x = 3}, x, y);
    return y;
  };
  EXPECT_EQ(elements_of(eager_and_compiled(function, three())), (Numbers{-2, 1, 4}));
}

TEST_F(Launches, TextsAsOneWritesThem) {
  constexpr std::string_view body = "{ for (int64_t i = begin; i < end; ++i) y[i] = x[i]; }";
  for (std::string_view declaration :
       {"void k(const float* x, float* y, int64_t begin, int64_t end) noexcept ",
        "void k(const float* x, float* y, int64_t begin, int64_t end) /* copies */ ",
        "void k(const float* x /* in, out */, float* y, // out\n int64_t begin, int64_t end) ",
        "void k(const float x[], float y[3], int64_t begin, int64_t end) ",
        "// void k(float* x, int64_t n, int64_t begin, int64_t end) { old }\n"
        "void k(const float* __restrict__ x, float* __restrict__ y, int64_t begin, int64_t end) "}) {
    Kernel copy = kernel("k", {.cpu = fmt::format("{}{}", declaration, body)});
    Tensor x = three(), y = zeros({3});
    wrap_kernel(copy, {.x = 3}, x, y);
    EXPECT_EQ(elements_of(y), elements_of(x)) << declaration;
  }
}

TEST_F(Launches, HaveTheFunctionsOfCmath) {
  Kernel use = kernel("use", {.cpu = "#include <cmath>\n#include <algorithm>\n"
                                     "void use(const float* x, float* y, int64_t begin, int64_t end) {\n"
                                     "  for (int64_t i = begin; i < end; ++i)\n"
                                     "    y[i] = std::isnan(x[i]) ? INFINITY : std::max(std::abs(x[i]), 1.0f) + "
                                     "std::abs(-3) * (float)M_PI * 0;\n"
                                     "}"});
  Tensor x = tensor_of({NAN, -2, 0.5}, {3}), y = zeros({3});
  wrap_kernel(use, {.x = 3}, x, y);
  EXPECT_EQ(elements_of(y), (Numbers{INFINITY, 2, 1}));
}

TEST_F(Launches, TakeSizesThatAreSymbols) {
  Kernel scale =
      kernel("scale_all", {.cpu = "void scale_all(const float* x, float* y, float s, int64_t n, int64_t "
                                  "begin, int64_t end) {\n"
                                  "  for (int64_t b = begin; b < end; ++b)\n"
                                  "    for (int64_t i = 4 * b; i < 4 * b + 4 && i < n; ++i) y[i] = s * x[i];\n"
                                  "}"});
  Kernel bump = kernel("bump", {.cpu = "void bump(float* y, int64_t begin, int64_t end) {\n"
                                       "  for (int64_t i = begin; i < end; ++i) y[i] += 1;\n"
                                       "}"});
  auto function = [&](const Tensor& x) {
    Tensor y = empty_like(x);
    wrap_kernel(scale, {.x = ceil_div(x.numel(), 4)}, x, y, 2.0, x.numel());
    Tensor z = x * 3;
    wrap_kernel(bump, {.x = x.numel()}, z);
    Tensor part = z.clone();
    wrap_kernel(bump, {.x = 2}, part.slice(0, 1, 3));
    return std::tuple(y, z, part);
  };
  for (bool is_declared : {false, true}) {
    Options options{.dynamic = Dynamic::always};
    if (is_declared) options = {.dims = {{.argument = "arg0", .dim = 0, .min = 3, .max = 64}}};
    auto fast = compile(function, options);
    for (int64_t n : {3, 5, 7, 9, 11}) {
      Tensor x = arange(n).to(f32);
      auto [y, z, part] = fast(x);
      auto [y_, z_, part_] = function(x);
      expect_same_bits(y, y_, "read");
      expect_same_bits(z, z_, "written in place");
      expect_same_bits(part, part_, "written in part");
    }
    EXPECT_EQ(fast.stats().compiles, 1);
  }
}

TEST_F(Launches, WhatIsWrittenBetweenElementsIsLost) {
  Kernel nines = kernel("nines", {.cpu = "void nines(float* y, int64_t begin, int64_t end) {\n"
                                         "  for (int64_t i = begin; i < end; ++i) y[i] = 9;\n"
                                         "}"});
  auto function = [&](const Tensor& x) {
    Tensor y = x * 0;
    wrap_kernel(nines, {.x = 3}, y.slice(0, 1, 6, 2));
    return y;
  };
  EXPECT_EQ(elements_of(eager_and_compiled(function, zeros({6}))), (Numbers{0, 9, 0, 9, 0, 0}));
}

TEST(KernelOps, WriteViewsThatLieBesideOthers) {
  SINTER_NEEDS_CPU("implementations for the CPU");
  CustomOp op = custom_op("mylib::add_into", "(Tensor(a!) x, Tensor y) -> ()",
                          [](const Tensor& x, const Tensor& y) { x.add_(y); });
  op.register_fake([](const Tensor&, const Tensor&) {});
  auto function = [&](const Tensor& t) {
    Tensor b = t * 1;
    op(b.select(1, 0), b.select(1, 1));
    return b;
  };
  Tensor x = tensor_of({0, 1, 2, 3, 4, 5}, {3, 2});
  EXPECT_EQ(elements_of(eager_and_compiled(function, x)), (Numbers{1, 1, 5, 3, 9, 5}));
  for (const char* backend : backends) {
    Tensor own = x.clone();
    compile([&](const Tensor& b) { op(b.select(1, 0), b.select(1, 1)); }, {.backend = backend})(own);
    EXPECT_EQ(elements_of(own), (Numbers{1, 1, 5, 3, 9, 5})) << backend;
  }
}

}  // namespace
}  // namespace sinter::test
