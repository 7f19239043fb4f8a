// Objects mapped without LLVM: every kind of reference that clang makes, and files that are not what they should be.

#include <sinter/runtime/cpu/object_loader.h>

#include <gtest/gtest.h>
#include <sinter/runtime/cpu/compiler_library.h>

#include <cmath>
#include <random>

namespace sinter::runtime {
namespace {

template <class F>
F* function(const CodeImage& image, const std::string& name) {
  return reinterpret_cast<F*>(image.find(name));
}

MapResult map_source(std::string_view source) { return map_object(compile_cpp(source, {}), {}); }

class ObjectLoader : public testing::Test {
 protected:
  void SetUp() override {
    if (!loads_without_compiler()) GTEST_SKIP() << "this build's objects are left to LLVM";
  }
};

TEST_F(ObjectLoader, RunsCodeWithConstantsTablesDataAndCallsOfTheCLibrary) {
  MapResult mapped = map_source(R"(
    extern "C" double sin(double); extern "C" void* memset(void*, int, unsigned long);
    static int calls = 40; static int zeros[1000];
    extern "C" double wave(double x) { return sin(x) * 3.25 + 0.1; }
    extern "C" int count() { return ++calls + zeros[999]; }
    extern "C" int pick(int i) {
      switch (i) { case 0: return 17; case 1: return 4; case 2: return 99; case 3: return -5; case 4: return 1234; default: return 0; }
    }
    extern "C" void clear(char* p, unsigned long n) { memset(p, 7, n); }
    namespace { __attribute__((noinline)) int inner(int x) { return x * x + 1; } }
    extern "C" int outer(int x) { return inner(x) + inner(x + 1); }
    extern "C" double (*address())(double) { return sin; }
  )");
  ASSERT_TRUE(mapped.image) << mapped.failure;
  EXPECT_EQ(function<double(double)>(*mapped.image, "wave")(0.5), std::sin(0.5) * 3.25 + 0.1);
  EXPECT_EQ(function<int()>(*mapped.image, "count")(), 41);
  EXPECT_EQ(function<int()>(*mapped.image, "count")(), 42);
  int expected[] = {17, 4, 99, -5, 1234, 0};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(function<int(int)>(*mapped.image, "pick")(i), expected[i]);
  char bytes[5] = {};
  function<void(char*, unsigned long)>(*mapped.image, "clear")(bytes, 4);
  EXPECT_EQ(std::string(bytes), "\7\7\7\7");
  EXPECT_EQ(function<int(int)>(*mapped.image, "outer")(3), 10 + 17);
  EXPECT_EQ(function<double (*())(double)>(*mapped.image, "address")()(0.5), std::sin(0.5));
  EXPECT_EQ(mapped.image->find("inner"), nullptr);
  EXPECT_EQ(mapped.image->find("nothing"), nullptr);
}

TEST_F(ObjectLoader, RefersToGivenSymbols) {
  std::vector<char> object =
      compile_cpp("extern \"C\" int given(int); extern \"C\" int f(int x) { return given(x); }", {});
  int (*given)(int) = [](int x) { return x + 100; };
  CompilerSymbol symbols[] = {{"given", reinterpret_cast<const void*>(given)}};
  MapResult mapped = map_object(object, symbols);
  ASSERT_TRUE(mapped.image) << mapped.failure;
  EXPECT_EQ(function<int(int)>(*mapped.image, "f")(5), 105);
  EXPECT_EQ(map_object(object, {}).failure, "code refers to unknown names: given");
}

TEST_F(ObjectLoader, RefusesWhatItCantRun) {
  EXPECT_EQ(map_object({}, {}).failure, "it is cut short");
  EXPECT_EQ(map_object(std::vector<char>(100, 'x'), {}).failure, "it is no relocatable object for x86-64");
  EXPECT_EQ(map_source("extern \"C\" int exp(); int at_start = exp();").failure,
            "it has constructors or variables of threads");
}

// No bytes, however they came about, make the loader read or write outside of its own memory.
TEST_F(ObjectLoader, DamagedObjectsAreFailuresOrImages) {
  std::vector<char> object =
      compile_cpp("extern \"C\" double sin(double); extern \"C\" double f(double x) { return sin(x) * 3.25; }", {});
  for (size_t size = 0; size < object.size(); ++size) map_object(std::span(object).first(size), {});
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::vector<char> damaged = object;
    for (int k = 0; k < 1 + i % 4; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    MapResult mapped = map_object(damaged, {});
    EXPECT_NE(mapped.image == nullptr, mapped.failure.empty());
  }
}

}  // namespace
}  // namespace sinter::runtime
