// One recorded case: calls on input tensors, with what they must give. A single operator call is a program of one call.
//
// The format is that of the recorded `.jsonl` files, one case a line.

#pragma once

#include "support/call_sequence.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinter::conformance {

using Bytes = std::vector<std::byte>;

struct RecordedTensor {
  DType dtype = DType::f32;
  Dims sizes;
  Dims strides;
  int64_t offset = 0;
  int storage = 0;

  TensorMeta meta() const;
};

using test::Call;
using test::CallResult;
using test::InputIndex;
using test::Operand;

// Nothing, a tensor, or a bare number.
using RecordedResult = std::variant<std::monostate, RecordedTensor, Scalar>;

struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

struct RecordedCase {
  std::string name;  // the overload, or the program's name
  bool is_program = false;
  bool keeps_zero_signs = false;  // a case of special/ on a pointwise operator
  std::vector<RecordedTensor> inputs;
  std::vector<Call> calls;
  std::vector<Operand> returns;
  std::vector<RecordedResult> results;  // lists flattened
  std::vector<Bytes> storages;          // of an argument: before; of a result: after
  std::map<int, Bytes> storages_after;
  std::optional<Tolerance> tolerance;
  std::string raises;  // the kind of error, or empty

  // Operators that return a bare value run eager only.
  bool returns_number() const;
};

// Throws std::exception for a line that is not a case.
RecordedCase parse_case(std::string_view line, bool is_special);

// The name of a case without parsing the rest of its line.
std::string_view case_name(std::string_view line);

}  // namespace sinter::conformance
