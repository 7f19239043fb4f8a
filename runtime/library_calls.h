// Ops that are calls on whole buffers: matrix products, the random generator and the routines. Eager and compiled code
// call them alike.

#pragma once

#include <sinter/graph/graph.h>

#include <span>
#include <vector>

namespace sinter::runtime {

// Writes the op's results into `outputs`. The tensors among the arguments are real.
void call_library(const OpArgs& args, std::span<const Tensor> outputs);

// A node's arguments with the tensors that next_tensor() gives, in their order.
template <class NextTensor>
Value with_tensors(const graph::Argument& argument, NextTensor&& next_tensor) {
  if (argument.is_output()) return next_tensor();
  if (argument.is_value()) return argument.value();
  Value::List list;
  for (const graph::Argument& element : argument.list()) list.push_back(with_tensors(element, next_tensor));
  return list;
}
template <class NextTensor>
Values with_tensors(const std::vector<graph::Argument>& args, NextTensor&& next_tensor) {
  Values values;
  for (const graph::Argument& argument : args) values.push_back(with_tensors(argument, next_tensor));
  return values;
}

}  // namespace sinter::runtime
