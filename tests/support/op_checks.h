// What an op gives, eager and compiled, and what it says when it fails.

#pragma once

#include <sinter/graph/op.h>
#include <sinter/graph/ops/ops.h>

#include <vector>

#include "support/compiled.h"

namespace sinter::test {

using Tensors = std::vector<Tensor>;

// The function's result, which eager and compiled calls must agree on bit for bit.
template <class F>
Tensor result_of(F function, const Tensors& inputs) {
  auto run = [function](const Tensors& x) -> Tensor { return function(x); };
  return eager_and_compiled(run, inputs);
}

// The result's type and elements; a zero keeps its sign, any NaN equals any other.
template <class F>
void expect_elements(F function, const Tensors& inputs, DType dtype, const std::vector<double>& elements) {
  Tensor result = result_of(function, inputs);
  ASSERT_TRUE(result.defined());
  EXPECT_EQ(name(result.dtype()), name(dtype));
  std::vector<int64_t> sizes;
  for (SymInt size : result.sizes()) sizes.push_back(size.constant());
  ASSERT_EQ(result.numel().constant(), static_cast<int64_t>(elements.size())) << to_string(result.meta());
  expect_same_bits(contiguous(result).to(f64), tensor_of(elements, sizes, f64));
}

// The message of the error, without place and operands; the same when the function is traced.
template <class F>
std::string message_of(F function, const Tensors& inputs = {}) {
  auto message = [&](auto&& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  };
  std::string eager = message([&] { function(inputs); });
  auto traced = compile([function](const Tensors& x) -> Tensor { return function(x); });
  EXPECT_EQ(message([&] { traced(inputs); }), eager) << "traced against eager";
  return eager;
}

// The sizes and strides of a result, as text.
inline std::string layout_of(const Tensor& tensor) {
  return to_string(tensor.sizes()) + " " + to_string(tensor.strides());
}

}  // namespace sinter::test
