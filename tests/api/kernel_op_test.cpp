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
  SINTER_NEEDS_CPU("it makes tensors of the CPU");
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

}  // namespace
}  // namespace sinter::test
