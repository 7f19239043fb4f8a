// Tells which of a call's arguments were written: compares their elements with what they were.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::runtime {

class WriteCheck {
 public:
  // Takes copies of the memory of all tensors among the arguments.
  WriteCheck(const OpDef& op, const Values& arguments);

  // Parameters whose tensors hold other elements now, and that the schema does not mark as written.
  std::vector<std::string> undeclared_writes() const;
  // Parameters between whose elements something was written. Only of use where no two tensors share memory.
  std::vector<std::string> writes_between_elements() const;

 private:
  struct Copy {
    std::string parameter;
    bool is_declared;
    Tensor tensor;
    std::vector<char> bytes;  // from the first element to the last
  };
  enum class Part : uint8_t { elements, gaps };

  void add(const Parameter& parameter, const std::string& label, const Value& value);
  static bool is_changed(const Copy& copy, Part part);

  std::vector<Copy> copies_;
};

}  // namespace sinter::runtime
