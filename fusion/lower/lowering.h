// What the families of lowerings share: where each graph value lies, and how a nest loads from it.

#pragma once

#include <sinter/fusion/schedule.h>

#include <map>

namespace sinter::fusion {

// A graph value: element (i0, i1, ...) is buffer[index], with axis k standing for its dim k.
struct Placed {
  int buffer = -1;
  Index index;
  SymInt origin = 0;  // the offset, as the value's layout counts it, of the buffer's first element
};

// A value as a layout in its buffer: what a call on whole buffers sees, and a caller of his result.
Layout layout_in_buffer(graph::NodeOutput value, const Placed& placed);

class Lowering {
 public:
  Schedule schedule;

  const Placed& placed(graph::NodeOutput output) const { return placed_.at({output.node, output.output}); }
  void place(graph::NodeOutput output, Placed placed) { placed_[{output.node, output.output}] = std::move(placed); }
  // The node that gives a number, by its id.
  void know_number(const graph::Node& node) { numbers_[node.number->traced_number().id] = &node; }
  graph::NodeOutput node_of(Scalar number) const {
    return {const_cast<graph::Node*>(numbers_.at(number.traced_number().id)), 0};
  }
  // Fresh memory for a node's result.
  int add_buffer(graph::NodeOutput output);
  // The memory of an argument, seen with a layout; equal requests give the same buffer.
  int input_buffer(int source, const TensorMeta& meta, std::string_view name);
  // A kernel of one nest.
  void add_nest(Nest nest);

 private:
  std::map<std::pair<const graph::Node*, int>, Placed> placed_;
  std::map<int, const graph::Node*> numbers_;
};

// A nest under construction for one node.
struct NestBuilder {
  NestBuilder(Lowering& lowering, const graph::Node& node);

  // The value at an index given over the nest's axes, one expression per dim; converted to nothing.
  ScalarExpr load(graph::NodeOutput value, const Index& index, std::optional<ScalarExpr> mask = {});
  // The same, `offset` elements of memory further.
  ScalarExpr load_at(const Placed& placed, const Index& index, ScalarExpr offset, ScalarExpr mask);
  // The value of an index expression as an i64.
  ScalarExpr index_value(const IndexExpr& expr);
  // expr < end
  ScalarExpr is_before(const IndexExpr& expr, SymInt end);
  void store(graph::NodeOutput result, Index index, ScalarExpr value);
  void finish();

  // A number that is an input, or computed by another node.
  ScalarExpr add_load(Load load, int mask, int offset);
  size_t index_row(const IndexExpr& expr);

  Lowering& lowering;
  Nest nest;
  ScalarBuilder scalars;
};

// The index into a value of these sizes that broadcasts to the nest's leading axes.
Index broadcast_index(const SymDims& value_sizes, const SymDims& sizes);

void lower_pointwise(Lowering& lowering, const graph::Node& node);
void lower_reduction(Lowering& lowering, const graph::Node& node);
void lower_view(Lowering& lowering, const graph::Node& node);
void lower_cat(Lowering& lowering, const graph::Node& node);
void lower_strided_scatter(Lowering& lowering, const graph::Node& node);
void lower_reindex(Lowering& lowering, const graph::Node& node);
void lower_copy_into(Lowering& lowering, const graph::Node& node);
void lower_pick(Lowering& lowering, const graph::Node& node);
// cumsum, cumprod, cummax and cummin: nests too, though a routine runs them eager.
bool is_loop_scan(const graph::Node& node);
void lower_scan(Lowering& lowering, const graph::Node& node);
void lower_call(Lowering& lowering, const graph::Node& node);

}  // namespace sinter::fusion
