// Recording: while a Trace is active on a thread, every op called there becomes a node of its graph.
//
// Fake tensors carry the node that makes them and an id of the memory they would lie in, so that views, in-place writes
// and aliases are known to functionalize.

#pragma once

#include <sinter/graph/argument_identity.h>
#include <sinter/graph/graph.h>

namespace sinter::graph {

class Trace {
 public:
  Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace();

  // A fake argument. Arguments with the same storage id share memory, which holds `storage_bytes` where that is known.
  Tensor add_input(const TensorMeta& meta, std::string_view target, Here where, int64_t storage = -1,
                   int64_t storage_bytes = 0);
  // A traced number as an argument.
  Scalar add_number(Scalar number, std::string_view target, Here where);
  // The arguments with each tensor replaced by a fake input of this trace with its meta; equal storages stay equal.
  Values fake_copies(const OpArgs& args);
  // Records a call and returns its fake results. Real tensors among the arguments become get_attr nodes.
  Values record(const OpArgs& args);
  // What the traced function returned.
  void set_results(std::span<const Tensor> results, Here where);
  // A fake tensor that stands for a node's result; for passes that replay a graph through a trace.
  Tensor fake_of(NodeOutput output);
  // The same, or the number that it is.
  Value value_of(NodeOutput output);
  // Appends a node like this one, with these arguments and memory of its own.
  Node* copy_node(const Node& node, std::vector<Argument> args);
  // An earlier call of the op with these first arguments, if nothing was written to since.
  const Node* same_call(const OpDef& op, std::span<const Argument> arguments) const;
  const Node* same_call(const OpDef& op, std::initializer_list<Argument> arguments) const {
    return same_call(op, std::span<const Argument>(arguments.begin(), arguments.size()));
  }
  // The node's result that a tensor stands for (a real one is lifted to a get_attr node).
  NodeOutput output_of(const Tensor& tensor, Here where);

  // Which arguments are one tensor, or lie in one storage.
  ArgumentIdentity identity;
  // The compilation that sizes and numbers of fake tensors belong to (ShapeFacts::owner); 0: none.
  uint16_t owner = 0;
  // A fake storage of this trace.
  bool is_storage(const Storage& storage) const;

  // The function asked for a stride that the sizes do not tell: that of dim `dim`, or of all dims (-1).
  struct StrideQuestion {
    const Node* node;
    int dim;
  };
  void note_stride_question(const Tensor& tensor, int dim);
  const std::vector<StrideQuestion>& stride_questions() const { return stride_questions_; }

  // Ops with a decomposition are decomposed at once in place of being recorded.
  bool decomposes = false;

  int64_t id() const { return id_; }
  Graph& graph() { return graph_; }
  Graph take_graph() { return std::move(graph_); }

 private:
  Argument to_argument(const Value& value, Here where);
  NodeOutput output_of_number(Scalar number, Here where) const;
  void make_number(Node& node, std::span<const Value> operands);
  std::vector<Argument> to_arguments(std::span<const Value> values, Here where);
  Storage storage_of(int64_t id);
  void know_bytes(int64_t storage, int64_t bytes);

  int64_t id_;
  int64_t next_storage_ = 0;
  Graph graph_;
  std::unordered_map<int64_t, Storage> storages_;
  std::unordered_map<TensorImpl*, Node*> lifted_;
  std::unordered_map<int, Node*> numbers_;  // by id
  std::vector<StrideQuestion> stride_questions_;
};

// The trace that records on this thread, or null.
Trace* active_trace();

// Makes a trace the active one for a scope; null suspends recording (ops then run on real tensors).
class ActivateTrace {
 public:
  explicit ActivateTrace(Trace* trace);
  ~ActivateTrace();
  ActivateTrace(const ActivateTrace&) = delete;

 private:
  Trace* before_;
};

// Within a scope, ops record this location instead of their caller's: ops inside a decomposition belong to the user's
// line.
class InheritLocation {
 public:
  explicit InheritLocation(Here here);
  ~InheritLocation();

 private:
  const Here* before_;
  Here here_;
};
// The inherited location, or `here`.
Here effective_location(Here here);
// An op is being called: what happens is not written in the user's function.
bool is_inside_op();

}  // namespace sinter::graph
