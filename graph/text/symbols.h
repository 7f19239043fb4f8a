// The symbols that a graph's sizes and arguments are made of, with their values in the example.

#pragma once

#include <map>

#include <sinter/graph/graph.h>

namespace sinter::graph {

// The value in the example, which is made up for a symbol that only data tell (u0).
struct SymbolValue {
  int64_t value = 0;
  bool is_unbacked = false;
};
using SymbolValues = std::map<int, SymbolValue>;
// `s0 = 8`: without the value.
inline std::string symbol_text(int symbol, SymbolValue value) {
  return fmt::format("{}{}", value.is_unbacked ? 'u' : 's', symbol);
}

// All symbols of the graph.
SymbolValues symbol_values(const Graph& graph);

// Reads an expression over these symbols; throws Error(argument) for another symbol and for what is no expression.
SymInt parse_size(std::string_view text, const SymbolValues& symbols);

// A number of a symbol `s12` or `u12`, or -1.
int parse_symbol(std::string_view text);

}  // namespace sinter::graph
