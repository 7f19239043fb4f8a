// Number literals of a formula's text, with the types that C++ gives them.

#pragma once

#include <sinter/graph/dtype.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinter::graph {

struct FormulaNumber {
  DType dtype = DType::i32;
  double floating = 0;  // of a floating literal
  std::optional<int64_t> integer;
  std::string fault;  // why it can't be one here; empty if it can
  std::string need;
};

FormulaNumber read_formula_number(std::string_view text);

}  // namespace sinter::graph
