// Scalar arguments are inputs: new values cost no compile, and results are those of eager, bit for bit.

#include <sinter/graph/log.h>
#include <sinter/graph/text/json.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/sinter.h>

#include <cmath>
#include <thread>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {

struct Rates {
  Scalar step, decay;
  std::vector<Scalar> more;
};

}  // namespace sinter::test
SINTER_FLATTEN(sinter::test::Rates, step, decay, more);

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

Tensor some(DType dtype, int64_t count = 19) {
  bool is_small = dtype == boolean || dtype == u8;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    double value = static_cast<double>(i * 37 % 23) - 9;
    values.push_back(is_small ? std::abs(value) : value / (is_floating(dtype) ? 4 : 1));
  }
  return tensor_of(values, {count}, dtype);
}

// Each result, or the error's text.
template <class F, class... Args>
std::pair<std::vector<Tensor>, std::string> outcome(F& function, const Args&... arguments) {
  try {
    return {tensors_of(function(arguments...)), ""};
  } catch (const Error& error) {
    return {{}, error.message()};
  }
}

// Compares at each of the numbers, and gives the compiles.
template <class F, class... Args>
int64_t compiles_for(F function, const std::vector<Scalar>& numbers, const Args&... arguments) {
  auto fast = compile(function, {.entry_limit = 100});
  for (const Scalar& number : numbers) {
    auto [expected, expected_error] = outcome(function, arguments..., number);
    auto [actual, error] = outcome(fast, arguments..., number);
    EXPECT_EQ(error, expected_error) << to_string(number);
    EXPECT_EQ(actual.size(), expected.size()) << to_string(number);
    for (size_t i = 0; i < std::min(actual.size(), expected.size()); ++i)
      expect_same_bits(actual[i], expected[i], fmt::format("number {}, result {}", to_string(number), i));
  }
  return fast.stats().compiles;
}

std::vector<Scalar> rates(int count) {
  std::vector<Scalar> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(0.1 / (i + 1));
  return numbers;
}

// --- No compile for a value -------------------------------------------------------------------------------------

TEST(ScalarArguments, AHundredLearningRatesAreOneCompile) {
  auto step = [](const Tensor& p, const Tensor& g, Scalar rate) { return p - rate * g; };
  EXPECT_EQ(compiles_for(step, rates(100), some(f32), some(f32)), 1);
}

TEST(ScalarArguments, SpecialValuesAreValues) {
  auto f = [](const Tensor& x, Scalar by) { return x / by + by; };
  std::vector<Scalar> numbers = {1.0, 0.0, -0.0, nan, infinity, -infinity, 1e300, 5e-324, 1e-40};
  for (DType dtype : {f32, f64, f16, bf16}) EXPECT_EQ(compiles_for(f, numbers, some(dtype)), 1) << name(dtype);
}

TEST(ScalarArguments, KindsAreGuarded) {
  auto f = [](const Tensor& x, Scalar by) { return x * by; };
  EXPECT_EQ(compiles_for(f, {2, 3, true, false, 2.5, 4, 0.5, true}, some(i32)), 3);
}

TEST(ScalarArguments, MembersOfStructsAndContainers) {
  auto f = [](const Tensor& x, const Rates& rates) { return x * rates.step + rates.decay - rates.more[1]; };
  auto fast = compile(f);
  Tensor x = some(f32);
  for (double i : {1.0, 2.0, 3.0}) {
    Rates rates{i, 1 / i, {i * i, -i}};
    expect_same_bits(fast(x, rates), f(x, rates));
  }
  EXPECT_EQ(fast.stats().compiles, 1);
  fast(x, Rates{1.0, 2.0, {1.0, 2.0, 3.0}});
  EXPECT_EQ(fast.stats().compiles, 2) << "a length is guarded";
}

TEST(ScalarArguments, AnAdamStep) {
  auto adam = [](Tensor p, Tensor g, Tensor m, Tensor v, Scalar rate, Scalar beta1, Scalar beta2, Scalar step) {
    m.mul_(beta1).add_(g, 1 - beta1);
    v.mul_(beta2).add_(g * g * (1 - beta2));
    Scalar size = rate / (1 - pow(beta1, step)), scale = sqrt(1 - pow(beta2, step));
    p.sub_(size * m / (sqrt(v) / scale + 1e-8));
  };
  auto fast = compile(adam);
  auto fresh = [] { return std::array{some(f32), some(f32) * 0.5, zeros({19}), zeros({19})}; };
  auto [p, g, m, v] = fresh();
  auto [p2, g2, m2, v2] = fresh();
  for (int step = 1; step <= 20; ++step) {
    double rate = 0.1 / step;
    adam(p, g, m, v, rate, 0.9, 0.999, step);
    fast(p2, g2, m2, v2, rate, 0.9, 0.999, step);
    expect_same_bits(p2, p, fmt::format("step {}", step));
    expect_same_bits(v2, v, fmt::format("step {}", step));
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(ScalarArguments, ZeroDimTensorsAreDataAlready) {
  auto f = [](const Tensor& x, const Tensor& by) { return x * by; };
  auto fast = compile(f);
  for (double by : {0.5, 2.0, 3.0, nan}) {
    Tensor number = scalar_tensor(by);
    expect_same_bits(fast(some(f32), number), f(some(f32), number));
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

// The same of a number out of one, which is never a number of the trace.
TEST(ScalarArguments, ItemsAreInputsToo) {
  auto multiplied = [](const Tensor& x, const Tensor& by) { return x * by.item() + (1 - by.item()); };
  auto filled = [](const Tensor& x, const Tensor& by) { return full({x.size(0), 2}, by.item()) + x.unsqueeze(1); };
  auto stepped = [](Tensor& x, const Tensor& by) {
    Scalar rate = sqrt(by.item() * by.item());
    x.sub_(x, rate);
    return x * pow(rate, 3) + sum(x).item();
  };
  std::vector<double> values = {0.5, 2.0, 3.0, -0.0, 1e30};
  for (DType dtype : {f32, f64, f16, bf16}) {
    auto by = [&](double value) { return scalar_tensor(value, dtype); };
    auto fast = compile(multiplied);
    auto fast_filled = compile(filled);
    auto fast_stepped = compile(stepped);
    for (double value : values) {
      expect_same_bits(fast(some(f32), by(value)), multiplied(some(f32), by(value)), fmt::format("{}", value));
      expect_same_bits(fast_filled(some(f32), by(value)), filled(some(f32), by(value)), fmt::format("{}", value));
      Tensor x = some(f32), y = some(f32);
      expect_same_bits(fast_stepped(x, by(value)), stepped(y, by(value)), fmt::format("{}", value));
      expect_same_bits(x, y, fmt::format("{} afterwards", value));
    }
    EXPECT_EQ(fast.stats().compiles + fast_filled.stats().compiles + fast_stepped.stats().compiles, 3);
  }
  auto whole = [](const Tensor& x, const Tensor& by) { return full({by.item().size()}, x.sum().item()) * by.item(); };
  auto fast_whole = compile(whole);
  for (int64_t value : {3, 0, 1, 200}) {
    Tensor count = scalar_tensor(value, i64);
    expect_same_bits(fast_whole(some(f32), count), whole(some(f32), count), fmt::format("{}", value));
  }
  EXPECT_EQ(fast_whole.stats().compiles, 1);
  for (const char* backend : {"eager", "debug_eager"}) {
    auto by_op = compile(multiplied, {.backend = backend});
    for (double value : values)
      expect_same_bits(by_op(some(f32), scalar_tensor(value)), multiplied(some(f32), scalar_tensor(value)), backend);
  }
}

TEST(ScalarArguments, ABranchOnAnItemIsAnErrorOfItsLine) {
  auto branches = [](const Tensor& x, const Tensor& by) {
    Scalar rate = by.item();
    if (rate * 2 > 1) return x * rate;  // here
    return x;
  };
  uint32_t line = __LINE__ - 3;
  try {
    compile(branches)(some(f32), scalar_tensor(0.25));
    FAIL() << "nothing tells";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::trace);
    EXPECT_EQ(error.where().line(), line) << error.what();
    EXPECT_NE(std::string(error.what()).find("number  from item at scalar_arguments_test.cpp"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(compile([](const Tensor& x, const Tensor& by) { return pow(x, by.item()); })(some(f32), some(f32, 1)),
               Error);
  EXPECT_THROW(compile([](const Tensor& x, const Tensor& by) { return x * by.item(); })(some(f32), some(f32, 2)),
               Error);
}

TEST(ScalarArguments, PlainNumbersStayGuardedByValue) {
  auto fast = compile([](const Tensor& x, double a, int64_t b) { return x * a + b; });
  fast(some(f32), 1.0, 2);
  fast(some(f32), 1.0, 2);
  fast(some(f32), 1.5, 2);
  fast(some(f32), 1.5, 3);
  EXPECT_EQ(fast.stats().compiles, 3);
}

// --- Where the value is needed ----------------------------------------------------------------------------------

template <class F>
std::string guards_of(F function, const Tensor& x, Scalar number) {
  std::string text;
  for (const std::string& guard : compile(function).explain(x, number).guards) text += guard + "\n";
  return text;
}

TEST(ScalarArguments, ABranchFixesTheValueWithItsLine) {
  auto f = [](const Tensor& x, Scalar a) {
    if (a > 0.5) return x * a;  // the line of the guard
    return x + a;
  };
  int line = __LINE__ - 3;
  std::string guards = guards_of(f, some(f32), 0.25);
  EXPECT_NE(guards.find(fmt::format("arg1 == 0.25  # scalar_arguments_test.cpp:{}", line)), std::string::npos)
      << guards;
  EXPECT_EQ(compiles_for(f, {0.25, 0.75, 0.25, 0.75}, some(f32)), 2);
}

TEST(ScalarArguments, EqualityAndConversionsFixTheValue) {
  auto f = [](const Tensor& x, Scalar a) { return a == 0.5 ? x : x * a; };
  EXPECT_EQ(compiles_for(f, {0.5, 0.25, 0.5, -0.0, 0.0, nan, nan}, some(f32)), 5);
  auto g = [](const Tensor& x, Scalar a) { return x.sum({a.to_int()}); };
  EXPECT_EQ(compiles_for(g, {0, 1, 0, -1}, some(f32).view({1, 19})), 3);
  auto h = [](const Tensor& x, Scalar a) { return x + arange(a, f32); };
  EXPECT_EQ(compiles_for(h, {19, 19, 1}, some(f32)), 2);
}

TEST(ScalarArguments, AQuestionIsGuardedByItsAnswer) {
  auto f = [](const Tensor& x, Scalar a) { return masked_fill(x, x > 0, a); };
  EXPECT_EQ(compiles_for(f, {1, 100, -128, 127, 128, 5}, some(i8)), 1) << "a failing call makes no entry";
  EXPECT_EQ(compiles_for(f, {1, 2, -5, 1000}, some(f32)), 1);
  auto divide = [](const Tensor& x, Scalar a) { return remainder(x, a); };
  EXPECT_EQ(compiles_for(divide, {3, -4, 0, 5}, some(i32)), 1);
  std::string guards = guards_of(f, some(i8), 3);
  EXPECT_NE(guards.find("arg1 fits into i8"), std::string::npos) << guards;
}

TEST(ScalarArguments, PowFixesTheExponentsThatHaveAFormula) {
  auto f = [](const Tensor& x, Scalar a) { return pow(x, a); };
  for (DType dtype : {f32, f64, f16, i64}) {
    bool is_float = is_floating(dtype);
    std::vector<Scalar> numbers = {2.5, 3.5, 2.0, 0.3, 3.0, 0.5, -0.5, 2.0, 1.25};
    EXPECT_EQ(compiles_for(f, numbers, is_float ? abs(some(dtype)) : some(dtype)), 5) << name(dtype);
  }
  EXPECT_EQ(compiles_for(f, {4, 5, 2, 7, -1}, some(i64)), 2);
}

TEST(ScalarArguments, AComputedNumberFixesWhatItIsComputedFrom) {
  auto f = [](const Tensor& x, Scalar a) { return (a * 2 + 1).to_double() > 2 ? x * a : x; };
  EXPECT_EQ(compiles_for(f, {0.25, 0.75, 0.25}, some(f32)), 2);
}

TEST(ScalarArguments, AReturnedNumberIsFixed) {
  auto f = [](const Tensor& x, Scalar a) { return std::pair(x * a, a); };
  auto fast = compile(f);
  for (double a : {0.5, 0.25, 0.5}) EXPECT_EQ(fast(some(f32), a).second, Scalar(a));
  EXPECT_EQ(fast.stats().compiles, 2);
}

TEST(ScalarArguments, ANumberThatLeavesItsTraceIsAnError) {
  Scalar kept;
  auto fast = compile([&](const Tensor& x, Scalar a) {
    kept = a;
    return x * a;
  });
  fast(some(f32), 0.5);
  auto message = [&](auto&& f) -> std::string {
    try {
      f();
    } catch (const Error& error) {
      return std::string(name(error.kind()));
    }
    return "";
  };
  EXPECT_EQ(message([&] { static_cast<void>(kept.to_double()); }), "trace");
  EXPECT_EQ(message([&] { fast(some(f32), kept); }), "trace");
  EXPECT_EQ(message([&] { static_cast<void>(some(f32) * kept); }), "trace");
}

// --- Advice -----------------------------------------------------------------------------------------------------

struct Log {
  explicit Log(std::string_view topics) {
    set_logs(topics);
    set_log_sink([](std::string_view line, void* log) { static_cast<Log*>(log)->text += std::string(line) + "\n"; },
                 this);
  }
  ~Log() {
    set_log_sink(nullptr, nullptr);
    set_logs("");
  }
  int count(std::string_view part) const {
    int found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
  std::string text;
};

TEST(ScalarArguments, APlainNumberThatVariesIsToldSoOnce) {
  Log log("recompiles");
  auto fast =
      compile([](const Tensor& x, double rate) { return x * rate; }, {.name = "f", .argument_names = {"x", "rate"}});
  for (int i = 0; i < 2; ++i) fast(some(f32), i + 0.5);
  EXPECT_EQ(log.count("pass it as a Scalar"), 0) << log.text;
  fast(some(f32), 2.5);
  EXPECT_EQ(log.count("pass it as a Scalar"), 1) << "at the second recompile: " << log.text;
  for (int i = 3; i < 7; ++i) fast(some(f32), i + 0.5);
  EXPECT_EQ(log.count("f: rate has other values again and again: pass it as a Scalar"), 1) << log.text;
  CallExplanation explanation = fast.explain_call(some(f32), 100.0);
  EXPECT_EQ(explanation.entry, -1);
  EXPECT_NE(explanation.advice.find("rate: pass it as a Scalar"), std::string::npos) << to_string(explanation);
}

// --- Through the rest -------------------------------------------------------------------------------------------

TEST(ScalarArguments, AllBackendsTakeThem) {
  auto f = [](const Tensor& x, Scalar a, Scalar b) {
    Tensor filled = ops("aten::index_fill.int_Scalar")(x, 0, tensor_of({1, 3}, {2}, i64), a)[0].tensor();
    return filled * (1 - b) + x * b;
  };
  for (const char* backend : {"eager", "debug_eager", "native"}) {
    auto fast = compile(f, {.backend = backend});
    for (double a : {0.5, 2.0}) expect_same_bits(fast(some(f32), a, a / 3), f(some(f32), a, a / 3), backend);
    EXPECT_EQ(fast.stats().compiles, 1) << backend;
  }
}

TEST(ScalarArguments, AUsersBackendGetsZeroDimTensors) {
  std::vector<double> seen;
  register_backend("user_look", [&](graph::Graph, std::vector<Tensor> examples) -> GraphFunction {
    EXPECT_EQ(examples.size(), 2U);
    return [&](std::span<const Tensor> inputs) {
      seen.push_back(inputs[1].item<double>());
      return std::vector<Tensor>{inputs[0]};
    };
  });
  auto fast = compile([](const Tensor& x, Scalar a) { return x * a; }, {.backend = "user_look"});
  fast(some(f32), 0.5);
  fast(some(f32), 0.25);
  EXPECT_EQ(seen, (std::vector<double>{0.5, 0.25}));
}

TEST(ScalarArguments, GraphsPrintParseAndTravelAsJson) {
  auto f = [](const Tensor& x, Scalar rate, Scalar n) { return x * rate + n * 2; };
  Explanation explanation = compile(f, {.argument_names = {"x", "rate", "n"}}).explain(some(f32), 0.25, 3);
  const std::string& text = explanation.graph;
  EXPECT_NE(text.find("%rate : Scalar(0.25) = placeholder[target=rate]"), std::string::npos) << text;
  EXPECT_NE(text.find("%n : Scalar(3) = placeholder[target=n]"), std::string::npos) << text;
  EXPECT_NE(text.find("%number_mul : Scalar(6) [num_users=1] = call_function[target=sinter.number_mul.default](args = "
                      "(%n, 2), kwargs = {})"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("aten.mul.Scalar](args = (%x, %rate), kwargs = {})"), std::string::npos) << text;
  EXPECT_EQ(to_string(graph::parse_graph(text)), text);
  EXPECT_EQ(to_string(graph::graph_from_json(graph::to_json(graph::parse_graph(text)))), text);
}

TEST(ScalarArguments, KernelsAreThoseOfPlainNumbers) {
  auto f = [](const Tensor& x, Scalar a) { return relu(x * a + 1) - a; };
  EXPECT_EQ(kernel_count(f, some(f32), Scalar(0.5)), 1);
}

TEST(ScalarArguments, ThreadsHaveNumbersOfTheirOwn) {
  auto fast = compile([](const Tensor& x, Scalar a, Scalar b) { return x * a + b; });
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      Tensor x = ones({40});
      for (int i = 0; i < 300; ++i)
        if (fast(x, t + 0.5, i + 0.25).sum().item<double>() != 40 * (t + i + 0.75)) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(ScalarArguments, CompiledFunctionsInsideOthers) {
  auto inner = compile([](const Tensor& x, Scalar a) { return x * a; });
  auto fast = compile([&](const Tensor& x, Scalar a) { return inner(x, a + 1) + inner(x, 0.5); });
  for (double a : {0.5, 2.0}) expect_same_bits(fast(some(f32), a), some(f32) * (a + 1) + some(f32) * 0.5);
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(ScalarArguments, BesideSymbolicSizes) {
  auto f = [](const Tensor& x, Scalar a) { return sum(x * a) / x.size(0) + a; };
  auto fast = compile(f);
  for (int64_t n : {5, 9, 30, 31})
    expect_same_bits(fast(some(f32, n), 1.0 / static_cast<double>(n)), f(some(f32, n), 1.0 / static_cast<double>(n)));
  EXPECT_EQ(fast.stats().compiles, 2);
}

// --- Every operator that takes a number -------------------------------------------------------------------------

struct NumberOp {
  const char* name;
  Values (*arguments)(const Tensor& x, const Tensor& y, Scalar a);
};

#define SINTER_ARGUMENTS(...)                                         \
  [](const Tensor& x, const Tensor& y, Scalar a) -> Values {          \
    static_cast<void>(x), static_cast<void>(y), static_cast<void>(a); \
    return {__VA_ARGS__};                                             \
  }

const NumberOp number_ops[] = {
    {"aten::add.Tensor", SINTER_ARGUMENTS(x, y, a)},
    {"aten::add.Scalar", SINTER_ARGUMENTS(x, a, a)},
    {"aten::sub.Tensor", SINTER_ARGUMENTS(x, y, a)},
    {"aten::sub.Scalar", SINTER_ARGUMENTS(x, 3, a)},
    {"aten::rsub.Tensor", SINTER_ARGUMENTS(x, y, a)},
    {"aten::rsub.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::mul.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::mul.Tensor", SINTER_ARGUMENTS(x, a)},
    {"aten::div.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::div.Tensor_mode", SINTER_ARGUMENTS(x, a, "floor")},
    {"aten::div.Scalar_mode", SINTER_ARGUMENTS(x, a, "trunc")},
    {"aten::fmod.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::remainder.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::remainder.Scalar_Tensor", SINTER_ARGUMENTS(a, y)},
    {"aten::floor_divide", SINTER_ARGUMENTS(x, a)},
    {"aten::pow.Scalar", SINTER_ARGUMENTS(a, x)},
    {"aten::float_power.Scalar", SINTER_ARGUMENTS(a, x)},
    {"aten::eq.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::ne.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::lt.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::ge.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::clamp", SINTER_ARGUMENTS(x, a, 3)},
    {"aten::clamp_min", SINTER_ARGUMENTS(x, a)},
    {"aten::clamp_max", SINTER_ARGUMENTS(x, a)},
    {"aten::lerp.Scalar", SINTER_ARGUMENTS(x, y, a)},
    {"aten::addcmul", SINTER_ARGUMENTS(x, y, y, a)},
    {"aten::addcdiv", SINTER_ARGUMENTS(x, y, y, a)},
    {"aten::threshold", SINTER_ARGUMENTS(x, a, a)},
    {"aten::leaky_relu", SINTER_ARGUMENTS(x, a)},
    {"aten::leaky_relu_backward", SINTER_ARGUMENTS(x, y, a, true)},
    {"aten::hardtanh", SINTER_ARGUMENTS(x, a, 3)},
    {"aten::elu", SINTER_ARGUMENTS(x, a, 0.3, a)},
    {"aten::softplus", SINTER_ARGUMENTS(x, a, 2)},
    {"aten::hardshrink", SINTER_ARGUMENTS(x, a)},
    {"aten::softshrink", SINTER_ARGUMENTS(x, a)},
    {"aten::full", SINTER_ARGUMENTS(SymDims{3}, a)},
    {"aten::full_like", SINTER_ARGUMENTS(x, a)},
    {"aten::scalar_tensor", SINTER_ARGUMENTS(a)},
    {"aten::fill.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::masked_fill.Scalar", SINTER_ARGUMENTS(x, x > 1, a)},
    {"aten::where.self", SINTER_ARGUMENTS(x > 1, x, a)},
    {"aten::bitwise_and.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::bitwise_xor.Scalar_Tensor", SINTER_ARGUMENTS(a, x)},
    {"aten::xlogy.Scalar_Other", SINTER_ARGUMENTS(x, a)},
    {"aten::xlogy.Scalar_Self", SINTER_ARGUMENTS(a, x)},
    {"aten::copysign.Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::constant_pad_nd", SINTER_ARGUMENTS(x, SymDims{2, 1}, a)},
    {"aten::linspace", SINTER_ARGUMENTS(a, 3, 7)},
    {"aten::isin.Tensor_Scalar", SINTER_ARGUMENTS(x, a)},
    {"aten::index_fill.int_Scalar", SINTER_ARGUMENTS(x, 0, tensor_of({1, 2}, {2}, i64), a)},
    {"aten::scatter.value", SINTER_ARGUMENTS(x, 0, tensor_of({1, 2}, {2}, i64), a)},
    {"aten::addr", SINTER_ARGUMENTS(x.view({1, 19}), y.slice(0, 0, 1), y, a, a)},
    {"aten::addmm", SINTER_ARGUMENTS(x, x.view({19, 1}), y.view({1, 19}), a, a)},
};

// Of each kind, with values that some types can't hold, and that some operators refuse.
const std::vector<Scalar> numbers_of_kinds[] = {
    {0.5, 2.0, -1.25, 1.0, 0.0, 3.7, 1e-3},
    {3, 1, -2, 0, 7, 300},
    {true, false},
};

TEST(ScalarArguments, EveryOperatorGivesWhatEagerGives) {
  SINTER_NEEDS_CPU("compiling a kernel for each operator and type takes minutes there");
  for (const NumberOp& op : number_ops) {
    auto f = [&](const Tensor& x, const Tensor& y, Scalar a) {
      return ops(op.name).call(op.arguments(x, y, a))[0].tensor();
    };
    for (DType dtype : {f32, f64, f16, bf16, i64, i32, u8, boolean}) {
      for (const std::vector<Scalar>& numbers : numbers_of_kinds) {
        SCOPED_TRACE(fmt::format("{} of {} with numbers like {}", op.name, name(dtype), to_string(numbers[0])));
        compiles_for(f, numbers, some(dtype), abs(some(dtype == boolean ? u8 : dtype)).to(dtype));
      }
    }
  }
}

TEST(ScalarArguments, EveryOperatorOnFloatsTakesNewNumbersWithoutACompile) {
  for (const NumberOp& op : number_ops) {
    auto f = [&](const Tensor& x, const Tensor& y, Scalar a) {
      return ops(op.name).call(op.arguments(x, y, a))[0].tensor();
    };
    if (std::string_view(op.name).find("bitwise") != std::string_view::npos) continue;
    EXPECT_EQ(compiles_for(f, {0.5, 2.5, 0.7, 2.0, 1.0, 3.7}, some(f32), abs(some(f32))), 1) << op.name;
  }
}

}  // namespace
}  // namespace sinter::test
