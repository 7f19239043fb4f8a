// Operators of the user's own, as he meets them: the three kinds, what they may do, and what becomes of it.

#include <gtest/gtest.h>
#include <sinter/runtime/cpu/allocator.h>
#include <sinter/sinter.h>

#include <cmath>
#include <thread>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

using Numbers = std::vector<double>;

Tensor three() { return tensor_of({-1, 0.5, 2}, {3}); }

Tensor scaled(const Tensor& argument, double s) {
  Tensor x = argument.contiguous(), y = empty(x.sizes());
  for (int64_t i = 0; i < x.numel().constant(); ++i)
    y.data_ptr<float>()[i] = x.data_ptr<float>()[i] * static_cast<float>(s);
  return y;
}
Tensor fake_scaled(const Tensor& x, double) { return empty(x.sizes()); }

CustomOp scale_op() {
  CustomOp op = custom_op("mylib::scale", "(Tensor x, float s=2.0) -> Tensor", scaled);
  op.register_fake(fake_scaled);
  return op;
}

// Most implementations here are C++ for the CPU.
class CustomOps : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_device().is_cpu()) GTEST_SKIP() << "implementations for the CPU";
  }
};

// --- Opaque -----------------------------------------------------------------------------------------------------

TEST_F(CustomOps, IsCalledByNameWithDefaultsAndKeywords) {
  CustomOp op = scale_op();
  EXPECT_EQ(elements_of(ops("mylib::scale")(three())[0].tensor()), (Numbers{-2, 1, 4}));
  EXPECT_EQ(elements_of(op(three(), 3.0)), (Numbers{-3, 1.5, 6}));
  EXPECT_EQ(elements_of(op.call({three()}, {{"s", 4.0}})[0].tensor()), (Numbers{-4, 2, 8}));
  EXPECT_EQ(to_string(op.def().schema()), "mylib::scale(Tensor x, float s=2.0) -> Tensor");
}

TEST_F(CustomOps, IsAStepOfACompiledProgram) {
  CustomOp op = scale_op();
  auto function = [&](const Tensor& x) { return relu(op(x + 1, 3.0)) * 2; };
  EXPECT_EQ(elements_of(eager_and_compiled(function, three())), (Numbers{0, 9, 18}));
  EXPECT_EQ(library_call_count(function, three()), 1);
  EXPECT_EQ(kernel_count(function, three()), 2);
}

TEST_F(CustomOps, PrintsAndReadsBackAsTextAndJson) {
  CustomOp op = scale_op();
  auto fast = compile([&](const Tensor& x) { return op(x, 3.0); }, {.argument_names = {"x"}});
  std::string text = fast.explain(three()).graph;
  EXPECT_NE(text.find("%scale : f32[3] [num_users=1] = call_function[target=mylib.scale.default](args = (%x, 3.0), "),
            std::string::npos)
      << text;
  graph::Graph parsed = graph::parse_graph(text);
  EXPECT_EQ(to_string(parsed), text);
  EXPECT_EQ(to_string(graph::graph_from_json(graph::to_json(parsed))), text);
}

TEST_F(CustomOps, TakesItsSchemaFromTheCppSignature) {
  CustomOp op = custom_op("mylib::mix", MutatesArgs{},
                          [](const Tensor& x, std::optional<Tensor> y, const std::vector<Tensor>& more, int64_t n,
                             bool flag, std::string mode) {
                            return x * static_cast<double>(n) + (y ? 1 : 0) + static_cast<int64_t>(more.size()) +
                                   (flag ? 10 : 0) + static_cast<int64_t>(mode.size());
                          });
  EXPECT_EQ(to_string(op.def().schema()),
            "mylib::mix(Tensor arg0, Tensor? arg1, Tensor[] arg2, int arg3, bool arg4, str arg5) -> Tensor");
  Tensor result = op(three(), Value(), std::vector<Tensor>{three()}, 2, true, "abc");
  EXPECT_EQ(elements_of(result), (Numbers{12, 15, 18}));
  CustomOp named = custom_op("mylib::sum_into", MutatesArgs{"out"},
                             [](const Tensor& out, const Tensor& x) { out.add_(x); }, {.parameters = {"out", "x"}});
  EXPECT_EQ(to_string(named.def().schema()), "mylib::sum_into(Tensor(a!) out, Tensor x) -> ()");
  CustomOp many = custom_op("mylib::both", MutatesArgs{}, [](const Tensor& x) { return std::tuple(x + 1, x + 2); });
  EXPECT_EQ(to_string(many.def().schema()), "mylib::both(Tensor arg0) -> (Tensor, Tensor)");
}

TEST_F(CustomOps, HasSeveralResults) {
  CustomOp op = custom_op("mylib::both", "(Tensor x) -> (Tensor, Tensor)",
                          [](const Tensor& x) { return std::tuple(x + 1, x.sum()); });
  op.register_fake([](const Tensor& x) { return std::tuple(empty_like(x), empty({})); });
  auto function = [](const Tensor& x) {
    Values results = ops("mylib::both")(x);
    return results[0].tensor() * results[1].tensor();
  };
  EXPECT_EQ(elements_of(eager_and_compiled(function, three())), (Numbers{0, 2.25, 4.5}));
}

TEST_F(CustomOps, EqualCallsAreEachMade) {
  int calls = 0;
  CustomOp op = custom_op("mylib::count", "(Tensor x) -> Tensor", [&calls](const Tensor& x) { return x + ++calls; });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  auto fast = compile([&](const Tensor& x) { return op(x) + op(x); });
  EXPECT_EQ(elements_of(fast(three())), (Numbers{1, 4, 7}));
  EXPECT_EQ(calls, 2);
}

TEST_F(CustomOps, ReturnsAListWhoseLengthItsFakeSays) {
  CustomOp op = custom_op("mylib::rows", "(Tensor x) -> Tensor[]", [](const Tensor& x) {
    std::vector<Tensor> rows;
    for (int64_t i = 0; i < x.size(0).constant(); ++i) rows.push_back(x.select(0, i).clone());
    return rows;
  });
  op.register_fake(
      [](const Tensor& x) { return std::vector<Tensor>(static_cast<size_t>(x.size(0).hint()), empty({x.size(1)})); });
  auto function = [](const Tensor& x) {
    Values rows = ops("mylib::rows")(x * 2);
    return rows[2].tensor() - rows[0].tensor();
  };
  EXPECT_EQ(elements_of(eager_and_compiled(function, tensor_of({1, 2, 3, 4, 5, 6}, {3, 2}))), (Numbers{8, 8}));
}

TEST_F(CustomOps, WithoutResultsIsCalledForWhatItDoes) {
  Numbers seen;
  CustomOp op = custom_op("mylib::watch", "(Tensor x) -> ()",
                          [&seen](const Tensor& x) { seen.push_back(x.sum().item<double>()); });
  op.register_fake([](const Tensor&) {});
  auto function = [&](const Tensor& x) {
    op(x * 2);
    return x.add_(1) * 1;
  };
  EXPECT_EQ(elements_of(eager_and_compiled(function, three())), (Numbers{0, 1.5, 3}));
  EXPECT_EQ(seen, (Numbers{3, 3, 3}));
}

TEST_F(CustomOps, MayItselfCallCompiledFunctions) {
  auto inner = compile([](const Tensor& x) { return x * 3; });
  CustomOp op = custom_op("mylib::outer", "(Tensor x) -> Tensor", [&](const Tensor& x) { return inner(x); });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  EXPECT_EQ(elements_of(eager_and_compiled([&](const Tensor& x) { return op(x) + 1; }, three())),
            (Numbers{-2, 2.5, 7}));
}

// --- Elementwise ------------------------------------------------------------------------------------------------

ScalarExpr gelu_formula(ScalarExpr x) { return 0.5 * x * (1.0 + erf(x * 0.7071067811865476)); }

TEST_F(CustomOps, AFormulaIsInlined) {
  CustomOp op = elementwise_op("mylib::gelu_exact(Tensor x) -> Tensor", gelu_formula);
  auto function = [&](const Tensor& x) { return op(x) * 2; };
  EXPECT_EQ(kernel_count(function, three()), 1);
  EXPECT_EQ(library_call_count(function, three()), 0);
  Explanation explanation = compile(function).explain(three());
  EXPECT_NE(explanation.kernels[0].source.find("erf("), std::string::npos);
  EXPECT_NE(explanation.kernels[0].source.find("// gelu_exact custom_op_test.cpp:"), std::string::npos);
  EXPECT_EQ(explanation.kernels[0].name, "cpp_fused_gelu_exact_mul_0");
  Numbers values = elements_of(eager_and_compiled(function, three()));
  EXPECT_NEAR(values[0], -0.3173, 1e-4);
  EXPECT_NEAR(values[1], 0.6915, 1e-4);
  EXPECT_NEAR(values[2], 3.9090, 1e-4);
}

TEST_F(CustomOps, AFormulaBroadcastsPromotesAndKeepsLayouts) {
  CustomOp op = elementwise_op("mylib::lerp(Tensor x, Tensor y, float w=0.5) -> Tensor",
                               [](ScalarExpr x, ScalarExpr y, ScalarExpr w) { return x + w * (y - x); });
  Tensor x = tensor_of({0, 1, 2, 3, 4, 5}, {2, 3}).t(), y = tensor_of({10, 20}, {2});
  auto function = [&](const Tensor& a, const Tensor& b) { return op(a, b, 0.25); };
  Tensor result = eager_and_compiled(function, x, y);
  EXPECT_EQ(elements_of(result), (Numbers{2.5, 7.25, 3.25, 8, 4, 8.75}));
  EXPECT_EQ(to_string(result.meta()), "f32[3, 2] strides=[1, 3]");
  EXPECT_EQ(op(x.to(f16), y.to(f16)).dtype(), f16);
  EXPECT_EQ(op(x.to(i64), y.to(i32)).dtype(), f32);
  CustomOp less = elementwise_op("mylib::less(Tensor x) -> Tensor", [](ScalarExpr x) { return x < 1.0; });
  EXPECT_EQ(less(x).dtype(), boolean);
}

TEST_F(CustomOps, AFormulaInTextEqualsTheOneInScalars) {
  CustomOp scalars = elementwise_op("mylib::gelu_a(Tensor x) -> Tensor", gelu_formula);
  CustomOp text = elementwise_op("mylib::gelu_b(Tensor x) -> Tensor",
                                 "template <class T> T gelu(T x) { return T(0.5) * x * (T(1) + erf(x * "
                                 "T(0.7071067811865476))); }");
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensor x = randn({1000}).to(dtype);
    expect_same_bits(text(x), scalars(x), "eager");
    expect_same_bits(compile([&](const Tensor& t) { return text(t); })(x), scalars(x), "compiled");
  }
  auto function = [&](const Tensor& x) { return text(x) * 2; };
  EXPECT_EQ(kernel_count(function, three()), 1);
}

// --- Kernels ----------------------------------------------------------------------------------------------------

Kernel add_rows() {
  return kernel("add_rows", {.cpu = R"(
    #include <cmath>
    void add_rows(const float* x, const float* bias, float* out, int64_t columns, float scale,
                  int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        for (int64_t i = 0; i < columns; ++i)
          out[row * columns + i] = std::fabs(x[row * columns + i]) * scale + bias[i];
    })"});
}

Tensor run_add_rows(const Tensor& argument, const Tensor& bias) {
  Tensor x = argument.contiguous(), out = empty(x.sizes());
  wrap_kernel(add_rows(), {.x = x.size(0)}, x, bias.contiguous(), out, x.size(1), 0.5);
  return out;
}

CustomOp rows_op() {
  CustomOp op = kernel_op("mylib::add_rows(Tensor x, Tensor bias) -> Tensor", run_add_rows);
  op.register_fake([](const Tensor& x, const Tensor&) { return empty(x.sizes()); });
  return op;
}

TEST_F(CustomOps, AKernelIsCompiledWithTheRestAndFusesAround) {
  CustomOp op = rows_op();
  auto function = [&](const Tensor& x, const Tensor& b) { return relu(op(exp(x) - 1, b) + 1) * 2; };
  Tensor x = randn({64, 33}), b = randn({33});
  eager_and_compiled(function, x, b);
  EXPECT_EQ(kernel_count(function, x, b), 3) << "before it, itself, after it";
  EXPECT_EQ(library_call_count(function, x, b), 0);
  Explanation explanation = compile(function).explain(x, b);
  EXPECT_EQ(explanation.kernels[1].name, "cpp_user_1_add_rows");
  EXPECT_NE(explanation.kernels[1].source.find("std::fabs(x[row * columns + i]) * scale + bias[i]"), std::string::npos);
  EXPECT_NE(
      explanation.prepared_graph.find("call_function[target=sinter.launch.default](args = ('add_rows', [64, 1, 1], "
                                      "256, [%sub, %arg1, %empty], [33, 0.5])"),
      std::string::npos)
      << explanation.prepared_graph;
  EXPECT_EQ(explanation.arena_bytes, 64 * 33 * 4) << "its result lies where the last kernel's will";
}

TEST_F(CustomOps, AKernelInATracedFunctionNeedsNoOp) {
  auto function = [](const Tensor& x, const Tensor& b) {
    Tensor out = empty(x.sizes());
    wrap_kernel(add_rows(), {.x = x.size(0)}, x, b, out, x.size(1), 0.5);
    return out * 2;
  };
  Tensor x = tensor_of({1, -2, 3, -4}, {2, 2}), b = tensor_of({10, 20}, {2});
  EXPECT_EQ(elements_of(eager_and_compiled(function, x, b)), (Numbers{21, 42, 23, 44}));
}

TEST_F(CustomOps, ThreadsShareTheBlocksOfAKernel) {
  Kernel fill =
      kernel("fill_squares", {.cpu = "void fill_squares(int64_t* y, int64_t n, int64_t begin, int64_t end) {\n"
                                     "  for (int64_t block = begin; block < end; ++block)\n"
                                     "    for (int64_t i = block * 100; i < block * 100 + 100 && i < n; ++i)\n"
                                     "      y[i] += i * i;\n"
                                     "}\n"});
  auto function = [&](const Tensor& x) {
    Tensor y = x + 0;
    wrap_kernel(fill, {.x = ceil_div(y.numel(), 100)}, y, y.numel());
    return y;
  };
  Tensor x = zeros({123457}, i64);
  std::vector<double> values = elements_of(eager_and_compiled(function, x));
  for (size_t i = 0; i < values.size(); i += 1111) EXPECT_EQ(values[i], static_cast<double>(i * i));
  EXPECT_EQ(elements_of(eager_and_compiled(function, zeros({0}, i64))), Numbers{});
}

TEST_F(CustomOps, AKernelMayChangeATensorInPlace) {
  Kernel double_it = kernel("double_it", {.cpu = "void double_it(float* x, int64_t n, int64_t begin, int64_t end) {\n"
                                                 "  for (int64_t i = begin; i < end; ++i) x[i] *= 2;\n"
                                                 "}\n"});
  auto on_argument = [&](const Tensor& x) {
    wrap_kernel(double_it, {.x = x.numel()}, x, x.numel());
    return x + 1;
  };
  EXPECT_EQ(elements_of(eager_and_compiled(on_argument, three())), (Numbers{-1, 2, 5}));
  auto on_value = [&](const Tensor& x) {
    Tensor y = x + 1;
    wrap_kernel(double_it, {.x = y.numel()}, y, y.numel());
    return y + 1;
  };
  EXPECT_EQ(elements_of(eager_and_compiled(on_value, three())), (Numbers{1, 4, 7}));
  auto on_view = [&](const Tensor& x) {
    Tensor y = x + 1;
    wrap_kernel(double_it, {.x = 2}, y.slice(0, 1), 2);
    return y + 1;
  };
  EXPECT_EQ(elements_of(eager_and_compiled(on_view, three())), (Numbers{1, 4, 7}));
}

TEST_F(CustomOps, EditedKernelsMeetNoOldOnes) {
  auto make = [](int factor) {
    return kernel("times", {.cpu = fmt::format("void times(const float* x, float* y, int64_t begin, int64_t end) {{\n"
                                               "  for (int64_t i = begin; i < end; ++i) y[i] = x[i] * {};\n"
                                               "}}\n",
                                               factor)});
  };
  for (int factor : {2, 3, 2}) {
    auto function = [&](const Tensor& x) {
      Tensor y = empty_like(x);
      wrap_kernel(make(factor), {.x = 3}, x, y);
      return y;
    };
    EXPECT_EQ(elements_of(eager_and_compiled(function, three()))[2], 2 * factor);
  }
  EXPECT_EQ(make(2)->key, "times");
  EXPECT_EQ(make(3)->key, "times.2");
}

// --- Writing arguments ------------------------------------------------------------------------------------------

TEST_F(CustomOps, WritesTheArgumentsThatItsSchemaSays) {
  CustomOp op = custom_op("mylib::accumulate", "(Tensor(a!) total, Tensor x) -> Tensor",
                          [](const Tensor& total, const Tensor& x) {
                            total.add_(x);
                            return total.sum();
                          });
  op.register_fake([](const Tensor&, const Tensor&) { return empty({}); });
  auto function = [&](const Tensor& total, const Tensor& x) {
    Tensor before = total * 1;
    Tensor sum = op(total, x);
    return std::tuple(before, sum, total * 2);
  };
  auto [before, sum, doubled] = eager_and_compiled(function, three(), three());
  EXPECT_EQ(elements_of(before), elements_of(three()));
  EXPECT_EQ(elements_of(sum), Numbers{3});
  EXPECT_EQ(elements_of(doubled), (Numbers{-4, 2, 8}));
  Explanation explanation = compile(function).explain(three(), three());
  EXPECT_NE(explanation.graph.find("target=mylib.accumulate.functional](args = (%arg0, %arg1)"), std::string::npos)
      << explanation.graph;
}

TEST_F(CustomOps, WritesThroughViews) {
  CustomOp op = custom_op("mylib::fill", "(Tensor(a!) x, float v) -> Tensor(a!)", [](const Tensor& x, double v) {
    x.fill_(v);
    return x;
  });
  op.register_fake([](const Tensor& x, double) { return x; });
  auto function = [&](const Tensor& x) {
    Tensor filled = op(x.slice(0, 1), 7.0);
    filled.add_(1);
    return x + 0;
  };
  EXPECT_EQ(elements_of(eager_and_compiled(function, three())), (Numbers{-1, 8, 8}));
}

TEST_F(CustomOps, MayNotWriteWhatSharesMemory) {
  CustomOp op = custom_op("mylib::add_into", "(Tensor(a!) x, Tensor y) -> ()",
                          [](const Tensor& x, const Tensor& y) { x.add_(y); });
  op.register_fake([](const Tensor&, const Tensor&) {});
  Tensor x = three();
  auto function = [&](const Tensor& t) { op(t, t.slice(0, 0, 3)); };
  for (auto& run : std::vector<std::function<void()>>{[&] { function(x); }, [&] { compile(function)(x); }}) {
    try {
      run();
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "mylib::add_into: `x`, which it writes, shares memory with `y`");
    }
  }
  EXPECT_EQ(elements_of(x), elements_of(three()));
  auto halves = [&](const Tensor& t) {  // of one tensor, but apart
    op(t.slice(0, 0, 2), t.slice(0, 2, 4));
    return t * 1;
  };
  EXPECT_EQ(elements_of(eager_and_compiled(halves, tensor_of({1, 2, 3, 4}, {4}))), (Numbers{4, 6, 3, 4}));
}

// --- Ops that misbehave -----------------------------------------------------------------------------------------

struct OwnException {
  int code;
};

TEST_F(CustomOps, ExceptionsOfItsOwnReachTheCallerAndLeaveTheFunctionCallable) {
  bool fails = true;
  CustomOp op = custom_op("mylib::fails", "(Tensor x) -> Tensor", [&fails](const Tensor& x) {
    if (fails) throw OwnException{42};
    return x + 1;
  });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  auto fast = compile([&](const Tensor& x) { return op(x * 2) * 2; });
  try {
    fast(three());
    FAIL();
  } catch (const OwnException& exception) {
    EXPECT_EQ(exception.code, 42);
  }
  fails = false;
  EXPECT_EQ(elements_of(fast(three())), (Numbers{-2, 4, 10}));
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST_F(CustomOps, AnArgumentThatItKeepsHoldsItsValues) {
  Tensor kept;
  CustomOp op = custom_op("mylib::keep", "(Tensor x) -> Tensor", [&kept](const Tensor& x) {
    kept = x;
    return x + 1;
  });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  Tensor x = three();
  {
    auto fast = compile([&](const Tensor& t) { return op(t * 2) * 3 + relu(t); });
    fast(x);
    EXPECT_EQ(elements_of(kept), (Numbers{-2, 1, 4}));
    Tensor first = kept;
    fast(tensor_of({5, 6, 7}, {3}));
    EXPECT_EQ(elements_of(first), (Numbers{-2, 1, 4})) << "the program's memory was reused, not the kept tensor's";
    EXPECT_EQ(elements_of(kept), (Numbers{10, 12, 14}));
  }
  release_cached_memory();
  EXPECT_EQ(elements_of(kept), (Numbers{10, 12, 14})) << "the program is gone";
}

TEST_F(CustomOps, AnArgumentThatItKeepsMayBeAViewOfTheCallers) {
  Tensor kept;
  CustomOp op = custom_op("mylib::keep", "(Tensor x) -> Tensor", [&kept](const Tensor& x) {
    kept = x;
    return x + 1;
  });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  auto fast = compile([&](const Tensor& t) { return op(t) + 1; });
  Tensor base = tensor_of({0, 1, 2, 3, 4, 5}, {6});
  fast(base.slice(0, 4));
  EXPECT_EQ(elements_of(kept), (Numbers{4, 5}));
  fast(tensor_of({7, 8}, {2}));  // the same entry, and no offset
  EXPECT_EQ(elements_of(kept), (Numbers{7, 8}));
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST_F(CustomOps, IsCalledFromManyThreads) {
  CustomOp op = scale_op();
  auto fast = compile([&](const Tensor& x) { return op(x + 1, 2.0) - 1; });
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) right += elements_of(fast(three())) == Numbers{-1, 2, 5};
    });
  threads.clear();
  EXPECT_EQ(right, 200);
}

// --- Registration and caches ------------------------------------------------------------------------------------

TEST_F(CustomOps, UnregisteringInvalidatesEntriesThatUsedIt) {
  auto fast = compile([](const Tensor& x) { return ops("mylib::edited")(x)[0].tensor() * 2; });
  auto other = compile([](const Tensor& x) { return x * 2; });
  other(three());
  {
    CustomOp op = elementwise_op("mylib::edited(Tensor x) -> Tensor", "x + 1.0f");
    EXPECT_EQ(elements_of(fast(three())), (Numbers{0, 3, 6}));
  }
  CustomOp op = elementwise_op("mylib::edited(Tensor x) -> Tensor", "x + 2.0f");
  EXPECT_EQ(elements_of(fast(three())), (Numbers{2, 5, 8})) << "an edited body meets no old kernel";
  EXPECT_EQ(elements_of(op(three())), (Numbers{1, 2.5, 4})) << "nor an old plan of eager";
  EXPECT_EQ(fast.stats().compiles, 2);
  EXPECT_EQ(fast.stats().entries, 1) << "the old entry is gone";
  other(three());
  EXPECT_EQ(other.stats().compiles, 1);
}

TEST_F(CustomOps, AnotherFakeFunctionMeansAnotherTrace) {
  CustomOp op = custom_op("mylib::twice", "(Tensor x) -> Tensor", [](const Tensor& x) { return cat({x, x}); });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  auto fast = compile([&](const Tensor& x) { return op(x) + 1; });
  EXPECT_THROW(fast(three()), Error);
  op.register_fake([](const Tensor& x) { return empty({x.size(0) * 2}); });
  EXPECT_EQ(elements_of(fast(three())), (Numbers{0, 1.5, 3, 0, 1.5, 3}));
}

TEST_F(CustomOps, TheHandleIsTheRegistration) {
  {
    CustomOp op = scale_op();
    CustomOp moved = std::move(op);
    EXPECT_NE(find_op("mylib::scale"), nullptr);
    EXPECT_EQ(overloads("mylib::scale"), std::vector<std::string>{"default"});
  }
  EXPECT_EQ(find_op("mylib::scale"), nullptr);
}

TEST_F(CustomOps, KeepsADerivativeForLater) {
  CustomOp op = scale_op();
  op.register_vjp([](const OpArgs& args) { return Values{args[0]}; });
  EXPECT_TRUE(op.definition().functions(Here::current())->vjp);
}

TEST_F(CustomOps, IdentityNamesSchemaBodyAndRegistration) {
  CustomOp op = elementwise_op("mylib::f(Tensor x) -> Tensor", "x + 1.0f");
  std::string first = op.definition().identity();
  EXPECT_NE(first.find("mylib::f(Tensor x) -> Tensor"), std::string::npos);
  EXPECT_NE(first.find("x + 1.0f"), std::string::npos);
  op.unregister();
  EXPECT_NE(op.definition().identity(), first);
  CustomOp again = elementwise_op("mylib::f(Tensor x) -> Tensor", "x + 1.0f");
  EXPECT_NE(again.definition().identity(), first);
}

}  // namespace
}  // namespace sinter::test
