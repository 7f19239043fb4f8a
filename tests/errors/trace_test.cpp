// What a function must not do while it is traced, and the exact words for it.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {

namespace {

struct Failure {
  ErrorKind kind;
  std::string text;  // without the location
};

template <class F>
Failure failure_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    std::string text = error.what();
    return {error.kind(), text.substr(text.find(": ") + 2)};
  }
  return {ErrorKind::internal, "no error"};
}

Tensor three() { return tensor_of({-1, 2, 3}, {3}); }

TEST(TraceErrors, ABranchOnData) {
  int line = 0;
  auto fast = compile([&line](const Tensor& x) {
    line = __LINE__ + 1;
    if (x.sum().item<float>() > 0) return x + 1;
    return x - 1;
  });
  try {
    fast(three());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::trace);
    EXPECT_EQ(
        std::string(error.what()),
        fmt::format("trace_test.cpp:{0}: item: a traced function has no data, so nothing can be decided by a value\n"
                    "  number  from item at trace_test.cpp:{0}\n"
                    "  need    use where(condition, a, b) in place of a branch on data",
                    line));
  }
}

TEST(TraceErrors, AccessToData) {
  auto fast = compile([](const Tensor& x) {
    x.data_ptr<float>()[0] = 1;
    return x;
  });
  Failure failure = failure_of([&] { fast(three()); });
  EXPECT_EQ(failure.kind, ErrorKind::trace);
  EXPECT_EQ(failure.text,
            "data_ptr: a traced function has no data, only shapes\n"
            "  self  f32[3]\n"
            "  need  keep to operators on tensors inside a compiled function, or read the data outside of it");
}

TEST(TraceErrors, ATensorThatOutlivesItsTrace) {
  Tensor leaked;
  auto fast = compile([&leaked](const Tensor& x) {
    leaked = x + 1;
    return x;
  });
  fast(three());
  Failure failure = failure_of([&] { leaked + 1; });
  EXPECT_EQ(failure.kind, ErrorKind::trace);
  EXPECT_NE(failure.text.find("a fake tensor of a finished trace is used outside of it"), std::string::npos);
  failure = failure_of([&] { fast(leaked); });
  EXPECT_EQ(failure.kind, ErrorKind::trace);
  failure = failure_of([&] { compile([&leaked](const Tensor& x) { return x + leaked; })(three()); });
  EXPECT_EQ(failure.kind, ErrorKind::trace);
}

TEST(TraceErrors, ACountThatTheFunctionKeepsInItsArgument) {
  auto fast = compile([](const Tensor& x, int64_t& calls) {
    ++calls;
    return x;
  });
  int64_t calls = 0;
  Failure failure = failure_of([&] { fast(three(), calls); });
  EXPECT_EQ(failure.kind, ErrorKind::trace);
  EXPECT_EQ(calls, 0);
}

TEST(TraceErrors, AnArgumentThatIsACapturedTensorAndWritten) {
  Tensor weight = three();
  auto fast = compile([weight](const Tensor& x) { return x.add_(weight) + 0; });
  Failure failure = failure_of([&] { fast(weight); });
  EXPECT_EQ(failure.kind, ErrorKind::unsupported);
  EXPECT_EQ(elements_of(weight), elements_of(three())) << "nothing was written";
  Tensor x = three();
  fast(x);
  EXPECT_EQ(elements_of(x), (std::vector<double>{-2, 4, 6}));
  EXPECT_EQ(failure_of([&] { fast(weight); }).kind, ErrorKind::unsupported) << "the entry's guard sees it too";
}

TEST(CompileErrors, ABackendThatIsNotThere) {
  Failure failure = failure_of([] { compile([](const Tensor& x) { return x; }, {.backend = "nativ"}); });
  EXPECT_EQ(failure.kind, ErrorKind::argument);
  EXPECT_NE(failure.text.find("there is no backend 'nativ'"), std::string::npos);
  EXPECT_NE(failure.text.find("did you mean 'native'?"), std::string::npos);
}

TEST(CompileErrors, ABackendThatFails) {
  register_backend("failing", [](graph::Graph, const Options&, Stages&) -> std::unique_ptr<Executable> {
    throw std::runtime_error("no room for code");
  });
  Failure failure = failure_of([] { compile([](const Tensor& x) { return x + 1; }, {.backend = "failing"})(three()); });
  EXPECT_EQ(failure.kind, ErrorKind::backend);
  EXPECT_EQ(failure.text, "compile: backend 'failing' failed: no room for code");
}

}  // namespace

}  // namespace sinter::test
