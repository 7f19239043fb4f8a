// Custom ops: the messages of what is missing or wrong, each once in full, with its line.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include <cmath>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

struct Failure {
  ErrorKind kind = ErrorKind::internal;
  std::string text = "no error";
};

template <class F>
Failure failure_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {};
}

Tensor x_() { return tensor_of({-1, 0.5, 2}, {3}); }

Tensor gelu_loop(const Tensor& argument) {
  Tensor x = argument.contiguous(), y = empty(x.sizes());
  for (int64_t i = 0; i < x.numel().constant(); ++i)
    y.data_ptr<float>()[i] = 0.5f * x.data_ptr<float>()[i] * (1 + std::erf(x.data_ptr<float>()[i] * 0.70710678f));
  return y;
}

int user_line = 0;
Tensor f(const Tensor& x) {
  user_line = __LINE__ + 1;
  return ops("mylib::gelu")(x)[0].tensor() * 2;
}

void expect_gelu_twice(const Tensor& result) {
  std::vector<double> values = elements_of(result);
  ASSERT_EQ(values.size(), 3U);
  EXPECT_NEAR(values[0], -0.3173, 1e-4);
  EXPECT_NEAR(values[1], 0.6915, 1e-4);
  EXPECT_NEAR(values[2], 3.9090, 1e-4);
}

// --- The three outcomes -----------------------------------------------------------------------------------------

TEST(CustomOpErrors, WithoutAFakeFunctionTracingFailsAtOnceOnAnyBackend) {
  CustomOp gelu = custom_op("mylib::gelu", "(Tensor x) -> Tensor", gelu_loop);
  for (const char* backend : {"native", "inductor", "eager", "debug_eager"}) {
    Failure failure = failure_of([&] { compile(f, {.backend = backend})(x_()); });
    EXPECT_EQ(failure.kind, ErrorKind::trace);
    EXPECT_EQ(
        failure.text,
        fmt::format("custom_op_test.cpp:{}: mylib::gelu: it has no fake function, and a fake tensor has no data to "
                    "point to\n"
                    "  x     fake f32[3]\n"
                    "  need  a fake function, which makes results of the right sizes and no data: "
                    "op.register_fake([](const Tensor& x) {{ return empty_like(x); }})",
                    user_line));
  }
  expect_gelu_twice(f(x_()));  // eager needs none
}

TEST(CustomOpErrors, WithoutAnImplementationTheBackendFailsLater) {
  CustomOp gelu = custom_op("mylib::gelu", "(Tensor x) -> Tensor");
  gelu.register_fake([](const Tensor& x) { return empty_like(x); });
  gelu.register_reference(gelu_loop);
  gelu.register_kernel(DeviceType::cuda, gelu_loop);
  Failure failure = failure_of([] { compile(f)(x_()); });
  EXPECT_EQ(failure.kind, ErrorKind::backend);
  EXPECT_EQ(
      failure.text,
      fmt::format("custom_op_test.cpp:{0}: mylib::gelu: backend 'native' can't run it: it has no implementation for "
                  "cpu (it has: cuda, and a reference implementation that only eager runs)\n"
                  "  backend  native\n"
                  "  node     %gelu : f32[3] [num_users=1] = call_function[target=mylib.gelu.default](args = "
                  "(%arg0,), kwargs = {{}})  # custom_op_test.cpp:{0}\n"
                  "  need     op.register_kernel(cpu, function); capture succeeded, as compile(f, {{.backend = "
                  "\"eager\"}}) shows",
                  user_line));
}

TEST(CustomOpErrors, OnTheEagerBackendTheSameOpRuns) {
  CustomOp gelu = custom_op("mylib::gelu", "(Tensor x) -> Tensor");
  gelu.register_fake([](const Tensor& x) { return empty_like(x); });
  gelu.register_reference(gelu_loop);
  for (const char* backend : {"eager", "debug_eager"}) {
    auto fast = compile(f, {.backend = backend});
    expect_gelu_twice(fast(x_()));
    expect_same_bits(fast(x_()), f(x_()), "equal to eager");
    EXPECT_NE(to_string(fast.explain(x_())).find(fmt::format("({} backend)", backend)), std::string::npos);
  }
  EXPECT_EQ(failure_of([] { compile(f)(x_()); }).kind, ErrorKind::backend) << "the default one still can't";
}

TEST(CustomOpErrors, WithAllPartsTheDefaultBackendRunsIt) {
  CustomOp gelu = custom_op("mylib::gelu", "(Tensor x) -> Tensor", gelu_loop);
  gelu.register_fake([](const Tensor& x) { return empty_like(x); });
  expect_gelu_twice(compile(f)(x_()));
}

// --- The same of a visible kernel -------------------------------------------------------------------------------

constexpr const char* gelu_text =
    "void gelu(const float* x, float* y, int64_t n, int64_t begin, int64_t end) {\n"
    "  for (int64_t i = begin; i < end; ++i) y[i] = 0.5f * x[i] * (1 + erff(x[i] * 0.70710678f));\n"
    "}\n";
constexpr const char* gelu_cuda_text =
    "__global__ void gelu(const float* x, float* y, int64_t n) {\n"
    "  int64_t i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = 0.5f * x[i] * (1 + erff(x[i] * 0.70710678f));\n"
    "}\n";

auto launching(const Kernel& kernel) {
  return [kernel](const Tensor& x) {
    Tensor y = empty_like(x);
    wrap_kernel(kernel, {.x = x.numel()}, x, y, x.numel());
    return y;
  };
}

TEST(CustomOpErrors, AVisibleKernelHasTheSameThreeOutcomes) {
  CustomOp gelu = kernel_op("mylib::gelu(Tensor x) -> Tensor", launching(kernel("gelu", {.cuda = gelu_cuda_text})));
  Failure failure = failure_of([] { compile(f)(x_()); });
  EXPECT_EQ(failure.kind, ErrorKind::trace);
  EXPECT_NE(failure.text.find("mylib::gelu: it has no fake function, and a fake tensor has no data to point to"),
            std::string::npos);

  gelu.register_fake([](const Tensor& x) { return empty_like(x); });
  failure = failure_of([] { compile(f)(x_()); });
  EXPECT_EQ(failure.kind, ErrorKind::backend);
  EXPECT_EQ(
      failure.text,
      fmt::format("custom_op_test.cpp:{0}: mylib::gelu: backend 'native' can't run it: kernel 'gelu' has no C++ text\n"
                  "  backend  native\n"
                  "  node     %gelu : f32[3] [num_users=1] = call_function[target=mylib.gelu.default](args = "
                  "(%arg0,), kwargs = {{}})  # custom_op_test.cpp:{0}\n"
                  "  need     kernel(name, {{.cpu = ...}}); capture succeeded; backend \"eager\" needs it, too",
                  user_line));

  gelu.register_reference(gelu_loop);
  expect_gelu_twice(compile(f, {.backend = "eager"})(x_()));
  EXPECT_EQ(failure_of([] { compile(f)(x_()); }).kind, ErrorKind::backend);

  gelu.unregister();
  CustomOp whole = kernel_op("mylib::gelu(Tensor x) -> Tensor",
                             launching(kernel("gelu", {.cpu = gelu_text, .cuda = gelu_cuda_text})));
  whole.register_fake([](const Tensor& x) { return empty_like(x); });
  expect_gelu_twice(compile(f)(x_()));
}

TEST(CustomOpErrors, AKernelThatDoesNotCompile) {
  CustomOp broken =
      kernel_op("mylib::gelu(Tensor x) -> Tensor",
                launching(kernel(
                    "broken", {.cpu = "void broken(const float* x, float* y, int64_t n, int64_t begin, int64_t end) {\n"
                                      "  for (int64_t i = begin; i < end; ++i) y[i] = wrong(x[i]);\n"
                                      "}\n"})));
  broken.register_fake([](const Tensor& x) { return empty_like(x); });
  Failure failure = failure_of([] { compile(f)(x_()); });
  EXPECT_EQ(failure.kind, ErrorKind::backend);
  for (const char* part : {"backend 'native' can't run it: kernel 'broken' does not compile", "%launch", "wrong"})
    EXPECT_NE(failure.text.find(part), std::string::npos) << failure.text;
}

// --- Registration -----------------------------------------------------------------------------------------------

std::string message_of(std::function<void()> f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::argument);
    std::string text = error.what();
    return text.substr(text.find(": ") + 2);
  }
  return "no error";
}

Tensor identity(const Tensor& x) { return x.clone(); }

TEST(CustomOpErrors, ReservedNamesAndNamesThatAreTaken) {
  EXPECT_EQ(message_of([] { custom_op("aten::gelu2", "(Tensor x) -> Tensor", identity); }),
            "aten::gelu2: the namespace `aten` is reserved\n  need  a namespace of your own");
  CustomOp first = custom_op("mylib::once", "(Tensor x) -> Tensor", identity);
  EXPECT_EQ(message_of([] { custom_op("mylib::once", "(Tensor x) -> Tensor", identity); }),
            "the operator mylib::once.default exists already\n  need  another name, or unregister that one first");
  CustomOp other = custom_op("mylib::once.other", "(Tensor x) -> Tensor", identity);
}

TEST(CustomOpErrors, AFunctionThatDoesNotFitItsSchema) {
  EXPECT_EQ(message_of([] { custom_op("mylib::f", "(Tensor x, float s) -> Tensor", identity); }),
            "mylib::f: the implementation takes 1 arguments, the schema has 2\n"
            "  need  mylib::f(Tensor x, float s) -> Tensor");
  EXPECT_EQ(message_of([] {
              custom_op("mylib::f", "(Tensor x, float s) -> Tensor",
                        [](const Tensor& x, int64_t) { return x.clone(); });
            }),
            "mylib::f: the implementation takes `s` as int, the schema as float\n"
            "  need  mylib::f(Tensor x, float s) -> Tensor");
  EXPECT_EQ(message_of([] { custom_op("mylib::f", "(Tensor x) -> (Tensor, Tensor)", identity); }),
            "mylib::f: the implementation returns Tensor, the schema other results\n"
            "  need  mylib::f(Tensor x) -> (Tensor, Tensor)");
}

TEST(CustomOpErrors, MutatesArgsThatTheSchemaContradicts) {
  auto writes = [](const Tensor& x) { x.zero_(); };
  EXPECT_EQ(message_of([&] { custom_op("mylib::f", "(Tensor x) -> ()", writes, {.mutates_args = {{"x"}}}); }),
            "mylib::f: mutates_args names `x`, which the schema does not mark as written\n"
            "  need  Tensor(a!) in the schema for each tensor that is written");
  EXPECT_EQ(message_of([&] { custom_op("mylib::f", "(Tensor(a!) x) -> ()", writes, {.mutates_args = MutatesArgs{}}); }),
            "mylib::f: the schema marks `x` as written, which mutates_args does not name\n"
            "  need  each written tensor in mutates_args, too");
  EXPECT_EQ(message_of([&] { custom_op("mylib::f", MutatesArgs{"y"}, writes); }),
            "mylib::f: mutates_args names `y`, which is no parameter\n"
            "  need  one of (Tensor arg0)");
}

TEST(CustomOpErrors, SchemasThatNoCustomOpMayHave) {
  EXPECT_EQ(message_of([] { custom_op("mylib::f", "(Tensor(a) x) -> Tensor(a)", identity); }),
            "mylib::f: a custom op may not return a view of an argument\n  need  a result with memory of its own");
  EXPECT_EQ(
      message_of([] { elementwise_op("mylib::f(Tensor x) -> (Tensor, Tensor)", [](ScalarExpr x) { return x; }); }),
      "mylib::f: an elementwise op has one result, not 2\n  need  -> Tensor");
  EXPECT_EQ(message_of([] { custom_op("mylib::f", "(Tenser x) -> Tensor", identity); }).substr(0, 58),
            "signature `mylib::f(Tenser x) -> Tensor`: expected a type ");
}

// --- At the call ------------------------------------------------------------------------------------------------

TEST(CustomOpErrors, AResultOfAnotherShapeThanTheFakeSaid) {
  CustomOp op = custom_op("mylib::gelu", "(Tensor x) -> Tensor", [](const Tensor& x) { return cat({x, x}); });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  Failure failure = failure_of([] { compile(f)(x_()); });
  EXPECT_EQ(failure.kind, ErrorKind::shape);
  EXPECT_EQ(
      failure.text,
      fmt::format("custom_op_test.cpp:{}: mylib::gelu: the result is f32[6] strides=[1], but its fake function said "
                  "f32[3] strides=[1]\n"
                  "  x     f32[3]\n"
                  "  need  a fake function that gives what the op gives: sizes, strides, dtype and device",
                  user_line));
  EXPECT_EQ(
      failure_of([] { compile(f, {.backend = "debug_eager"})(x_()); }).text,
      fmt::format("custom_op_test.cpp:{0}: mylib::gelu.default: backend 'debug_eager': result 0 is f32[6], but its "
                  "fake tensor said f32[3]\n"
                  "  node  %gelu : f32[3] [num_users=1] = call_function[target=mylib.gelu.default](args = (%arg0,), "
                  "kwargs = {{}})  # custom_op_test.cpp:{0}\n"
                  "  need  a fake function that gives what the op gives: sizes, strides, dtype and device",
                  user_line));
}

TEST(CustomOpErrors, AResultThatIsItsArgument) {
  CustomOp op = custom_op("mylib::gelu", "(Tensor x) -> Tensor", [](const Tensor& x) { return x; });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  Tensor x = x_();
  std::string expected =
      "mylib::gelu: its implementation gives a tensor that lies in the memory of its argument `x`\n"
      "  x     f32[3]\n"
      "  need  a result with memory of its own: clone() it";
  for (auto& run : std::vector<std::function<void()>>{[&] { f(x); }, [&] { compile(f)(x); }}) {
    Failure failure = failure_of(run);
    EXPECT_EQ(failure.kind, ErrorKind::argument);
    EXPECT_EQ(failure.text, fmt::format("custom_op_test.cpp:{}: {}", user_line, expected));
  }
  EXPECT_EQ(elements_of(x), elements_of(x_()));
}

TEST(CustomOpErrors, AWriteThatTheSchemaDoesNotSay) {
  CustomOp op = custom_op("mylib::gelu", "(Tensor x) -> Tensor", [](const Tensor& x) {
    x.zero_();
    return x.clone();
  });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  Failure failure = failure_of([] { compile(f, {.backend = "debug_eager"})(x_()); });
  EXPECT_EQ(failure.kind, ErrorKind::backend);
  EXPECT_EQ(
      failure.text,
      fmt::format("custom_op_test.cpp:{0}: mylib::gelu.default: backend 'debug_eager': it writes its argument `x`, "
                  "which its schema does not say\n"
                  "  node  %gelu : f32[3] [num_users=1] = call_function[target=mylib.gelu.default](args = (%arg0,), "
                  "kwargs = {{}})  # custom_op_test.cpp:{0}\n"
                  "  need  Tensor(a!) in the schema, or an implementation that writes only what it makes",
                  user_line));
}

TEST(CustomOpErrors, AnOpThatIsNoLongerRegistered) {
  CustomOp gelu = custom_op("mylib::gelu", "(Tensor x) -> Tensor", gelu_loop);
  gelu.register_fake([](const Tensor& x) { return empty_like(x); });
  OpHandle handle = ops("mylib::gelu");
  auto fast = compile(f);
  fast(x_());
  gelu.unregister();
  Failure failure = failure_of([&] { fast(x_()); });
  EXPECT_EQ(failure.kind, ErrorKind::unsupported);
  EXPECT_NE(failure.text.find("there is no operator mylib::gelu.default"), std::string::npos);
  failure = failure_of([&] { handle(x_()); });
  EXPECT_EQ(failure.kind, ErrorKind::argument);
  EXPECT_NE(failure.text.find("mylib::gelu: the operator was unregistered"), std::string::npos);
}

TEST(CustomOpErrors, AKernelThatIsCalledWithOtherArguments) {
  constexpr const char* text = "void typed(const float* x, float* y, int64_t n, int64_t begin, int64_t end) {}";
  Kernel typed = kernel("typed", {.cpu = text});
  Tensor x = x_().to(f64), y = empty({3}, f64);
  int line = 0;
  Failure failure = failure_of([&] {
    line = __LINE__ + 1;
    wrap_kernel(typed, {.x = 3}, x, y, 3);
  });
  EXPECT_EQ(failure.kind, ErrorKind::dtype);
  EXPECT_EQ(failure.text, fmt::format("custom_op_test.cpp:{}: wrap_kernel: kernel 'typed': `x` is float*, got f64[3]\n"
                                      "  need  a tensor of f32",
                                      line));
  failure = failure_of([&] { wrap_kernel(typed, {.x = 3}, x, 3, y); });
  EXPECT_NE(failure.text.find("wrap_kernel: kernel 'typed': `y` needs a tensor"), std::string::npos) << failure.text;
  failure = failure_of([&] { wrap_kernel(typed, {.x = 3}, x, y); });
  EXPECT_NE(failure.text.find("kernel 'typed': it takes 3 arguments, got 2"), std::string::npos) << failure.text;
  Kernel on_gpu = kernel("on_gpu", {.cuda = "__global__ void on_gpu(float* y) {}"});
  failure = failure_of([&] { wrap_kernel(on_gpu, {.x = 3}, y); });
  EXPECT_EQ(failure.kind, ErrorKind::dtype);
  Tensor z = x_();
  failure = failure_of([&] { wrap_kernel(typed, {.x = 3}, z, z, 3); });
  EXPECT_NE(failure.text.find("kernel 'typed': `y`, which it writes, shares memory with `x`"), std::string::npos);
  failure = failure_of([&] { wrap_kernel(on_gpu, {.x = 3}, z); });
  EXPECT_EQ(failure.kind, ErrorKind::unsupported);
  EXPECT_NE(failure.text.find("kernel 'on_gpu' has no C++ text, which the CPU needs"), std::string::npos);
}

TEST(CustomOpErrors, KernelTextsThatDeclareNothingToCall) {
  EXPECT_EQ(message_of([] { kernel("add", {.cpu = "void sum(float* y, int64_t begin, int64_t end) {}"}); }),
            "kernel add: its text defines no function of that name\n  need  void add(...) { ... }");
  EXPECT_EQ(message_of([] { kernel("add", {.cpu = "void add(const float* x, float* y) {}"}); }),
            "kernel add: its last parameters are not the blocks that a call works on\n"
            "  need  void add(..., int64_t begin, int64_t end)");
  EXPECT_EQ(message_of([] { kernel("add", {.cpu = "void add(std::string s, int64_t begin, int64_t end) {}"}); }),
            "kernel add: parameter `s` is of type string\n"
            "  need  pointers to numbers, and numbers: float, double, int, int64_t, bool, ...");
  EXPECT_EQ(message_of([] {
              kernel("add", {.cpu = "void add(float* y, int64_t begin, int64_t end) {}",
                             .cuda = "__global__ void add(const float* y) {}"});
            }),
            "kernel add: its C++ and its CUDA text take different parameters\n"
            "  need  the same pointers and numbers in both; the C++ text has `int64_t begin, int64_t end` after them");
}

TEST(CustomOpErrors, AKernelOpThatWritesAnArgumentUnsaid) {
  if (!test_device().is_cpu()) GTEST_SKIP() << "its kernel has no CUDA text";
  Kernel halve = kernel("halve", {.cpu = "void halve(float* x, int64_t begin, int64_t end) {\n"
                                         "  for (int64_t i = begin; i < end; ++i) x[i] /= 2;\n"
                                         "}\n"});
  CustomOp op = kernel_op("mylib::gelu(Tensor x) -> Tensor", [halve](const Tensor& x) {
    wrap_kernel(halve, {.x = 3}, x);
    return x.clone();
  });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  auto after_an_op = [](const Tensor& x) { return f(x + 1); };  // whose value could be taken for a fresh one
  for (const char* backend : {"native", "eager", "debug_eager"}) {
    Failure failure = failure_of([&] { compile(f, {.backend = backend})(x_()); });
    EXPECT_EQ(failure.kind, ErrorKind::argument);
    EXPECT_EQ(
        failure.text,
        fmt::format("custom_op_test.cpp:{}: mylib::gelu: its function writes its argument `x`, which its schema does "
                    "not say\n"
                    "  x     f32[3]\n"
                    "  need  Tensor(a!) in the schema for each tensor that is written, or clone() it first",
                    user_line));
    EXPECT_EQ(failure_of([&] { compile(after_an_op, {.backend = backend})(x_()); }).text, failure.text);
  }
  op.unregister();
  CustomOp declared = kernel_op("mylib::halve(Tensor(a!) x) -> Tensor", [halve](const Tensor& x) {
    wrap_kernel(halve, {.x = 3}, x);
    return x + 1;
  });
  declared.register_fake([](const Tensor& x) { return empty_like(x); });
  auto function = [&](const Tensor& x) {
    Tensor sum = declared(x);
    return std::tuple(sum, x * 2);
  };
  auto [sum, doubled] = eager_and_compiled(function, x_());
  EXPECT_EQ(elements_of(sum), (std::vector<double>{0.5, 1.25, 2}));
  EXPECT_EQ(elements_of(doubled), (std::vector<double>{-1, 0.5, 2}));
}

}  // namespace
}  // namespace sinter::test
