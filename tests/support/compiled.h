// Compares a function's eager and compiled results, and counts what it was compiled to.

#pragma once

#include <sinter/graph/inherit_device.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/compile.h>

#include <algorithm>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {

// How many generated kernels one call runs; library calls are not counted.
template <class F, class... Args>
int kernel_count(F function, const Args&... arguments) {
  Explanation explanation = compile(std::move(function)).explain(arguments...);
  return static_cast<int>(std::ranges::count_if(explanation.kernels,
                                                [](const ExplainedKernel& kernel) { return !kernel.is_library_call; }));
}

template <class F, class... Args>
int library_call_count(F function, const Args&... arguments) {
  Explanation explanation = compile(std::move(function)).explain(arguments...);
  return static_cast<int>(
      std::ranges::count_if(explanation.kernels, [](const ExplainedKernel& kernel) { return kernel.is_library_call; }));
}

// A value with memory of its own: tensors that share memory in `value` share memory in the copy.
template <class T>
T deep_copy(const T& value, MemoryCopies& copies) {
  T copy = value;
  runtime::ReplaceTensors visitor([&](Tensor& tensor) { tensor = copies.copy(tensor); });
  flatten(visitor, copy);
  return copy;
}

template <class T>
std::vector<Tensor> tensors_of(T value) {
  std::vector<Tensor> tensors;
  runtime::ReplaceTensors visitor([&](Tensor& tensor) { tensors.push_back(tensor); });
  flatten(visitor, value);
  return tensors;
}

// Runs the function on the test device, eager and compiled, and compares with what it gave on the CPU.
template <class F, class... Args>
void expect_agreement_on_device(F function, const std::vector<Tensor>& expected,
                                const std::vector<Tensor>& expected_arguments, const Args&... arguments) {
  graph::InheritDevice inherit(test_device());  // also for what the function makes from nothing
  auto compiled = compile(function);
  auto check = [&](auto& callable, const std::string& which) {
    MemoryCopies copies(test_device());
    std::tuple<Args...> own{deep_copy(arguments, copies)...};
    auto result = std::apply([&](auto&... each) { return callable(each...); }, own);
    std::vector<Tensor> results = tensors_of(std::move(result)), after = tensors_of(std::move(own));
    ASSERT_EQ(results.size(), expected.size()) << which;
    for (size_t i = 0; i < results.size(); ++i)
      expect_agreement(results[i], expected[i], fmt::format("{}, result {}", which, i));
    for (size_t i = 0; i < after.size(); ++i)
      expect_agreement(after[i], expected_arguments[i], fmt::format("{}, argument {} afterwards", which, i));
  };
  try {
    check(function, "eager on CUDA");
    check(compiled, "compiled for CUDA");
  } catch (const Error& error) {
    ADD_FAILURE() << "on CUDA: " << error.what();
  }
}

// With a test device besides the one where the arguments are: eager and compiled there, compared with eager on the
// CPU. Else:
// Runs the function eager and compiled, the latter twice, each on copies of the arguments, and expects the same results
// and the same arguments afterwards, bit for bit. Returns the compiled result.
template <class F, class... Args>
auto eager_and_compiled(F function, const Args&... arguments) {
  auto compiled = compile(function);
  auto run = [&](auto& callable) {
    MemoryCopies copies(placement());
    std::tuple<Args...> own{deep_copy(arguments, copies)...};
    auto result = std::apply([&](auto&... each) { return callable(each...); }, own);
    return std::pair(std::move(result), tensors_of(std::move(own)));
  };
  auto expected = run(function);
  if (!(test_device() == placement())) {
    expect_agreement_on_device(function, tensors_of(expected.first), expected.second, arguments...);
    return std::move(expected.first);
  }
  for (const char* which : {"first call", "second call"}) {
    auto actual = run(compiled);
    std::vector<Tensor> expected_results = tensors_of(expected.first), actual_results = tensors_of(actual.first);
    EXPECT_EQ(actual_results.size(), expected_results.size()) << which;
    for (size_t i = 0; i < std::min(actual_results.size(), expected_results.size()); ++i)
      expect_same_bits(actual_results[i], expected_results[i], fmt::format("{}, result {}", which, i));
    for (size_t i = 0; i < expected.second.size(); ++i)
      expect_same_bits(actual.second[i], expected.second[i], fmt::format("{}, argument {} afterwards", which, i));
    if (std::string_view(which) == "second call") return std::move(actual.first);
  }
  return std::move(expected.first);
}

}  // namespace sinter::test
