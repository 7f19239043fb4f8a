// The symbols that a graph's sizes and arguments are made of, with their values in the example.

#pragma once

#include <map>

#include <sinter/graph/graph.h>

namespace sinter::graph {

using SymbolValues = std::map<int, int64_t>;

// All symbols of the graph.
SymbolValues symbol_values(const Graph& graph);

// Reads an expression over these symbols; throws Error(argument) for another symbol and for what is no expression.
SymInt parse_size(std::string_view text, const SymbolValues& symbols);

// A number of a symbol `s12`, or -1.
int parse_symbol(std::string_view text);

}  // namespace sinter::graph
