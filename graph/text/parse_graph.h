// Reads the text of a graph back; print_graph.h describes the text.
//
// Types and layouts are taken from the text, none is inferred. Spaces at the ends of lines, empty lines, the first
// line's symbols and `[num_users=N]` may be left out. A captured tensor comes back as an undefined one, as text has no
// data.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

// Throws Error(argument) naming line and column of the fault, Error(unsupported) for an op that does not exist.
Graph parse_graph(std::string_view text, Here here = Here::current());

}  // namespace sinter::graph
