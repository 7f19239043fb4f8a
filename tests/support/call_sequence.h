// A sequence of operator calls as data: what recorded programs and random programs are made of.

#pragma once

#include <sinter/graph/inherit_device.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::test {

// The result of a call; `item` picks one of several.
struct CallResult {
  int call = 0;
  int item = -1;
};
struct InputIndex {
  int index = 0;
};

// An argument of a call: an input, an earlier result, a list, or a constant.
struct Operand {
  using List = std::vector<Operand>;
  std::variant<Value, InputIndex, CallResult, List> held;
};

struct Call {
  std::string op;
  std::vector<Operand> positional;
  std::vector<std::pair<std::string, Operand>> keywords;
};

// Calls operators by name, as a user would, and keeps their results.
class CallSequence {
 public:
  explicit CallSequence(std::vector<Tensor> inputs) : inputs_(std::move(inputs)) {}

  const Values& run(const Call& call);
  Value value(const Operand& operand) const;
  void add_input(Tensor input) { inputs_.push_back(std::move(input)); }
  // The last call's results.
  const Values& last() const { return results_.back(); }
  void drop_last() { results_.pop_back(); }

 private:
  // A record's device, the CPU, is the one that calls go to.
  Value to_value(const Value& constant) const {
    return constant.is_device() ? Value(graph::inherited_device()) : constant;
  }
  Value to_value(InputIndex input) const { return inputs_[input.index]; }
  Value to_value(CallResult result) const;
  Value to_value(const Operand::List& operands) const;

  std::vector<Tensor> inputs_;
  std::vector<Values> results_;
};

// All calls, then what `returns` names, lists flattened.
std::vector<Value> run_calls(const std::vector<Call>& calls, const std::vector<Operand>& returns,
                             std::vector<Tensor> inputs);

}  // namespace sinter::test
