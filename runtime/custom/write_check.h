// Tells which of a call's arguments were written: compares their bytes with what they were.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::runtime {

class WriteCheck {
 public:
  // Takes copies of the bytes of all tensors among the arguments.
  WriteCheck(const OpDef& op, const Values& arguments);

  // Parameters whose tensors hold other bytes now: those that the schema does not mark as written; all.
  std::vector<std::string> undeclared_writes() const { return writes(false); }
  std::vector<std::string> all_writes() const { return writes(true); }

 private:
  struct Copy {
    std::string parameter;
    bool is_declared;
    Tensor tensor;
    std::vector<char> bytes;
  };

  void add(const Parameter& parameter, const std::string& label, const Value& value);
  std::vector<std::string> writes(bool with_declared) const;

  std::vector<Copy> copies_;
};

}  // namespace sinter::runtime
