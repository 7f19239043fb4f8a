// C++ text goes in, a function that runs comes out, and every failure is an error that says why.

#include <gtest/gtest.h>
#include <sinter/graph/error.h>
#include <sinter/runtime/cpu/compiler_library.h>

#include <cmath>
#include <thread>

namespace sinter::runtime {
namespace {

LoadedCode build(std::string_view source, Isa isa = detect_isa()) {
  return load_object(compile_cpp(source, {.isa = isa}));
}

template <class F>
F* function(const LoadedCode& code, const std::string& name) {
  return reinterpret_cast<F*>(code.find(name));
}

std::string failure_of(auto&& action, ErrorKind kind) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(CompilerLibrary, CompilesAndRunsAFunction) {
  LoadedCode code = build("extern \"C\" int twice(int x) { return 2 * x; }");
  EXPECT_EQ(function<int(int)>(code, "twice")(21), 42);
}

TEST(CompilerLibrary, CompilesVectorsForEverySupportedInstructionSet) {
  constexpr auto source = R"(
    typedef float V __attribute__((vector_size(64)));
    typedef float U __attribute__((vector_size(64), aligned(4)));
    extern "C" void add(const float* x, float* out) { *(U*)out = *(const U*)x + (V{} + 1.0f); })";
  for (Isa isa : {Isa::generic, Isa::sse42, Isa::avx2, Isa::avx512}) {
    if (!is_supported(isa)) continue;
    LoadedCode code = build(source, isa);
    std::vector<float> x(17, 2.0f), out(17, 0.0f);
    function<void(const float*, float*)>(code, "add")(x.data() + 1, out.data() + 1);
    EXPECT_EQ(out[0], 0.0f) << name(isa);
    EXPECT_EQ(out[16], 3.0f) << name(isa);
  }
}

TEST(CompilerLibrary, DoesNotContractAProductAndASum) {
  LoadedCode code = build("extern \"C\" float f(float a, float b, float c) { return a * b + c; }");
  float a = 1.0f + std::ldexp(1.0f, -12);
  volatile float product = a * a;
  EXPECT_EQ(function<float(float, float, float)>(code, "f")(a, a, -1.0f), product - 1.0f);
}

TEST(CompilerLibrary, CodeCallsTheMathematicalLibraryAndMemcpy) {
  LoadedCode code = build(R"(extern "C" float fmaf(float, float, float);
    extern "C" float f(float x) { return fmaf(x, x, 1.0f); }
    extern "C" void copy(char* to, const char* from, unsigned long n) { __builtin_memcpy(to, from, n); })",
                          Isa::generic);
  EXPECT_EQ(function<float(float)>(code, "f")(3.0f), 10.0f);
  char to[6] = {};
  function<void(char*, const char*, size_t)>(code, "copy")(to, "hello", 5);
  EXPECT_STREQ(to, "hello");
}

TEST(CompilerLibrary, CodeReachesASymbolThatTheCallerGives) {
  int counter = 0;
  CompilerSymbol symbol = {"counter", &counter};
  auto object = compile_cpp("extern int counter; extern \"C\" void count() { ++counter; }", {});
  LoadedCode code = load_object(object, {&symbol, 1});
  function<void()>(code, "count")();
  EXPECT_EQ(counter, 1);
}

TEST(CompilerLibrary, RefusesANameThatNobodyAllowed) {
  auto object = compile_cpp("extern \"C\" void system(const char*); extern \"C\" void f() { system(0); }", {});
  EXPECT_NE(failure_of([&] { load_object(object); }, ErrorKind::backend).find("unknown names: system"),
            std::string::npos);
}

TEST(CompilerLibrary, ShowsDiagnosticsOfABadSource) {
  std::string text = failure_of([] { compile_cpp("int f() { return nowhere; }", {}, "bad.cpp"); }, ErrorKind::backend);
  EXPECT_NE(text.find("bad.cpp:1:18: error: use of undeclared identifier 'nowhere'"), std::string::npos) << text;
}

TEST(CompilerLibrary, ReadsNoFile) {
  std::string text = failure_of([] { compile_cpp("#include <stddef.h>\n", {}); }, ErrorKind::backend);
  EXPECT_NE(text.find("'stddef.h' file not found"), std::string::npos) << text;
}

TEST(CompilerLibrary, RefusesADamagedObject) {
  auto object = compile_cpp("extern \"C\" int f() { return 1; }", {});
  object.resize(object.size() / 2);
  EXPECT_NE(failure_of([&] { load_object(object); }, ErrorKind::backend), "nothing was thrown");
}

TEST(CompilerLibrary, GivesTheSameBytesForTheSameSource) {
  constexpr auto source = "extern \"C\" double f(double x) { return x / 3; }";
  EXPECT_EQ(compile_cpp(source, {}), compile_cpp(source, {}));
}

TEST(CompilerLibrary, CompilesAndUnloadsFromManyThreads) {
  std::vector<std::thread> threads;
  std::vector<int> results(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&results, i] {
      for (int round = 0; round < 5; ++round) {
        LoadedCode code = build("extern \"C\" int f(int x) { return x + " + std::to_string(i * round) + "; }");
        results[i] += function<int(int)>(code, "f")(0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(results[i], 10 * i);
}

TEST(CompilerLibrary, SanitizersSeeGeneratedCode) {
  if (std::string_view(SINTER_SANITIZE).find("address") == std::string_view::npos)
    GTEST_SKIP() << "no address sanitizer";
  LoadedCode code = build(R"(extern "C" int read(const int* x) { return x[4]; }
    extern "C" int add(int x) { return x + 2000000000; })");
  std::vector<int> x(4);
  EXPECT_DEATH(function<int(const int*)>(code, "read")(x.data()), "heap-buffer-overflow");
  EXPECT_DEATH(function<int(int)>(code, "add")(2000000000), "signed integer overflow");
}

TEST(CompilerLibrary, ACopyKeepsTheCode) {
  LoadedCode copy;
  EXPECT_FALSE(copy);
  {
    LoadedCode code = build("extern \"C\" int f() { return 7; }");
    copy = code;
  }
  EXPECT_EQ(function<int()>(copy, "f")(), 7);
}

TEST(CompilerLibrary, AMissingLibraryIsAnEnvironmentErrorThatSaysWhatWasLookedFor) {
  std::string text = failure_of([] { open_compiler({"/nowhere/libsinter_compiler.so"}); }, ErrorKind::environment);
  EXPECT_NE(text.find("/nowhere/libsinter_compiler.so: cannot open"), std::string::npos) << text;
}

}  // namespace
}  // namespace sinter::runtime
