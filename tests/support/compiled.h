// Compares a function's eager and compiled results, and counts what it was compiled to.

#pragma once

#include <sinter/runtime/compile.h>

#include <algorithm>

#include "support/same_bits.h"

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

// Runs the function eager and compiled, the latter twice, each on copies of the arguments, and expects the same results
// and the same arguments afterwards, bit for bit. Returns the compiled result.
template <class F, class... Args>
auto eager_and_compiled(F function, const Args&... arguments) {
  auto compiled = compile(function);
  auto run = [&](auto& callable) {
    MemoryCopies copies;
    std::tuple<Args...> own{deep_copy(arguments, copies)...};
    auto result = std::apply([&](auto&... each) { return callable(each...); }, own);
    return std::pair(std::move(result), tensors_of(std::move(own)));
  };
  auto expected = run(function);
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
