// The FX-like text of a graph: what dumps, logs, errors and tests show, and what parse_graph reads back.
//
//   graph():
//       %x : f32[8, 32] = placeholder[target=x]
//       %t : f32[32, 8] strides=[1, 32] [num_users=1] = call_function[target=aten.t.default](args = (%x,), kwargs = {})
//       # f.cpp:4 return (%t,)
//
// - The first line lists symbols with their example values: `graph(s0 = 8):`.
// - `shares=%x` after a target: this argument lies in the same memory as %x.
// - Positional arguments that equal their defaults are left out at the end, keyword-only ones everywhere.
// - A node with several results has a tuple of types; `%name#1` is its second result.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

std::string to_string(const Graph& graph);
// The line of one of its nodes.
std::string node_text(const Graph& graph, const Node& node);

// Equal for two graphs only if what they compile to computes the same and reports the same lines: the text with what it
// otherwise leaves out (folders of files, the bits of a NaN, which registration of a custom op is meant), and without
// the lines of arguments, which say where compile was called, and the values of symbolic sizes in the example.
std::string identity_text(const Graph& graph);

// What that leaves out of symbolic sizes: their values in the example.
std::string size_examples(const Graph& graph);

// aten.add.Tensor
std::string target_text(const OpDef& op);

}  // namespace sinter::graph
