// How one op runs on real tensors of given types and layouts: its loop nests, prepared for the interpreter.

#pragma once

#include <sinter/graph/op.h>
#include <sinter/runtime/interpreter.h>

namespace sinter::runtime {

// The tensors among an op's arguments, lists opened up, and all that a plan depends on, as words.
struct EagerCall {
  explicit EagerCall(const OpArgs& args);

  uint64_t hash() const;

  SmallVector<const Tensor*, 8> tensors;
  SmallVector<uint64_t, 48> key;
  // The offset of an argument's layout matters only where it shares memory with another one, or where the op says
  // offsets itself. Else the plan takes it as 0, and the tensor's own address.
  bool keeps_offsets = false;

 private:
  void add(const Value& value);
  void add_tensor(const Tensor& tensor);
  void add_sharing();
};

// One op as a prepared graph, with an input for each of the call's tensors (one for those given twice).
struct OneOpGraph {
  graph::Graph graph;
  std::vector<int> inputs;  // of each input: which tensor of the call
};
// The op's argument checks raise here.
OneOpGraph trace_one_op(const OpArgs& args, const EagerCall& call);

class EagerPlan {
 public:
  // Traces the op alone. Its argument checks raise here.
  EagerPlan(const OpArgs& args, const EagerCall& call);

  Values run(const OpArgs& args, const EagerCall& call) const;
  bool is_for(const EagerCall& call) const { return key_ == call.key; }

 private:
  void* origin(const EagerCall& call, int input) const;

  SmallVector<uint64_t, 48> key_;
  bool keeps_offsets_;
  bool writes_self_;
  PreparedSchedule prepared_;
  std::vector<fusion::Buffer> buffers_;
  std::vector<int> inputs_;  // of each input of the schedule: which tensor of the call
  std::vector<fusion::ScheduleResult> results_;
};

}  // namespace sinter::runtime
