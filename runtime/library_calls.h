// Ops that are calls on whole buffers: matrix products, the random generator and the routines. Eager and compiled code
// call them alike.

#pragma once

#include <sinter/graph/graph.h>

#include <span>
#include <vector>

namespace sinter::runtime {

// Writes the op's results into `outputs`. The tensors among the arguments are real.
void call_library(const OpArgs& args, std::span<const Tensor> outputs);

// Calls an op that makes its results itself, because only its data tell how large they are.
std::vector<Tensor> call_sizing_library(const OpArgs& args);
// The memory of such a result, from its first element on. Throws if it is not what was traced.
Storage storage_as(const OpArgs& args, size_t result, const Tensor& made, const TensorMeta& expected);

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

// Calls visit(size) for each symbolic size in an argument.
template <class Visit>
void visit_sizes(const graph::Argument& argument, Visit&& visit) {
  if (argument.is_list())
    for (const graph::Argument& element : argument.list()) visit_sizes(element, visit);
  if (argument.is_value() && argument.value().is_sym_int()) visit(argument.value().sym_int());
}
// A value with number_of(size) in place of each symbolic size.
template <class NumberOf>
Value with_numbers(const Value& value, NumberOf&& number_of) {
  if (value.is_sym_int()) return Value(SymInt(number_of(value.sym_int())));
  if (!value.is_list()) return value;
  Value::List list;
  for (const Value& element : value.list()) list.push_back(with_numbers(element, number_of));
  return list;
}

}  // namespace sinter::runtime
