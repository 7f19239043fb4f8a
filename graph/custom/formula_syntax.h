// The syntax tree of a formula's C++ text.

#pragma once

#include <sinter/graph/error.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::graph {

enum class SyntaxKind : uint8_t {
  number,       // text: as written
  name,         // text
  unary,        // text: the operator; parts[0]
  binary,       // text: the operator; parts[0], parts[1]
  conditional,  // parts: condition, then, else
  call,         // text: the function; parts: arguments
  cast,         // text: the type; parts[0]
  declaration,  // text: the name; type; parts[0]: the initial value, if there is one
  assignment,   // text: the name; type: `=`, `+=`, ...; parts[0]
  branch,       // parts: condition, then, else if there is one
  loop,         // parts: declaration, condition, step, body
  give_back,    // parts[0]: the value
  block,        // parts: statements
  function,     // type: of the result; parameters; parts[0]: body
};

struct SyntaxParameter {
  std::string type;
  std::string name;
  bool is_const = false;
};

struct Syntax {
  SyntaxKind kind = SyntaxKind::number;
  std::string text;
  std::string type;
  bool is_const = false;  // of a declaration
  size_t column = 0;      // where it begins in the text, from 1
  std::vector<std::unique_ptr<Syntax>> parts;
  std::vector<SyntaxParameter> parameters;  // of a function
  std::string type_parameter = "T";         // of a function template
};

// Throws Error(argument) with the column.
std::unique_ptr<const Syntax> parse_formula(std::string_view text, Here here);
[[noreturn]] void fail_formula(std::string_view text, size_t column, Here here, std::string message,
                               std::string need = {});

}  // namespace sinter::graph
