// An operator's signature in ATen's syntax: parsed once, then used to bind, default and check arguments.
//
//   aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sinter/graph/value.h>

namespace sinter {

enum class ArgType : uint8_t {
  tensor,
  scalar,
  integer,
  sym_int,
  floating,
  boolean,
  string,
  dtype,
  layout,
  device,
  memory_format,
  generator
};

struct Parameter {
  std::string name;
  ArgType type = ArgType::tensor;
  bool is_list = false;
  int64_t list_size = -1;         // int[2]: a single number is accepted as that many
  bool is_optional = false;       // Tensor?, int?
  bool element_optional = false;  // Tensor?[]
  bool keyword_only = false;
  bool is_written = false;  // Tensor(a!)
  std::string alias;        // the letter of (a) or (a!); empty: fresh
  std::optional<Value> default_value;
};

struct Schema {
  std::string space;     // aten
  std::string name;      // add
  std::string overload;  // Tensor; "default" if the signature has none
  std::vector<Parameter> parameters;
  std::vector<Parameter> returns;

  // aten::add.Tensor
  std::string qualified_name() const;
  int find(std::string_view parameter) const;  // -1 if there is none
};

// Throws Error(argument) that names the place of the fault.
Schema parse_schema(std::string_view text);
// The canonical text; parse_schema(to_string(s)) is s.
std::string to_string(const Schema& schema);

using NamedValues = std::vector<std::pair<std::string, Value>>;

// Arguments in schema order with defaults filled in; each value has the parameter's type (an int in a float slot
// becomes a float, a number in an int[2] slot a list). Throws Error(argument): missing, unknown, doubled or of the
// wrong type.
Values bind_arguments(const Schema& schema, std::span<const Value> positional, const NamedValues& keywords, Here here);

}  // namespace sinter
