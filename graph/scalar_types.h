// Which types a scalar operation takes.

#pragma once

#include <sinter/graph/error.h>
#include <sinter/graph/scalar.h>

namespace sinter {

// Thrown where an operation is applied to values of other types: our own mistake, but in a user's formula.
class ScalarTypeError : public Error {
 public:
  explicit ScalarTypeError(std::string message)
      : Error(ErrorKind::internal, Here::current(), "internal: " + message), mistake(std::move(message)) {}
  std::string mistake;  // `mul of bool and f32`
};

// Throws ScalarTypeError for an operation that no target has for the types of its operands.
void check_types(const ScalarDag& dag);

}  // namespace sinter
