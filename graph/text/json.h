// Graphs as JSON, for files and other tools: exact, and versioned.
//
//   {"format": "sinter.graph", "version": 1, "library": "0.1.0",
//    "symbols": {"s0": 8},                                   example values
//    "nodes": [
//      {"name": "x", "kind": "placeholder", "target": "x",
//       "results": [{"dtype": "f32", "device": "cpu", "sizes": [8, "s0"], "strides": ["s0", 1], "offset": 0, "storage":
//       0}], "where": {"file": "f.cpp", "line": 4, "column": 3, "function": "f"}},
//      {"name": "add", "kind": "call_function", "op": "aten::add.Tensor",
//       "args": {"self": {"node": "x"}, "other": {"node": "norm", "output": 1}, "alpha": 1}, ...}],
//    "results": [{"node": "add"}],
//    "kernels": [{"name": "cpp_fused_add_0", "nodes": ["add"]}]}     only of a compiled graph
//
// - A number with a point or an exponent is a float, one without an integer; {"float": "inf"}, "-inf", "nan" (with
//   "bits" where a NaN's bits are not the usual ones).
// - {"size": "s0 + 1"}, {"dtype": "f32"}, {"device": "cpu"}, {"memory_format": "contiguous_format"}; none is null.
// - A node with a field "number" gives a number, whose value in the example that is; such graphs are of version 2.
// - The version grows when old readers would misread; unknown fields are skipped.

#pragma once

#include <span>

#include <sinter/graph/graph.h>
#include <sinter/graph/text/fused_kernel.h>

namespace sinter::graph {

inline constexpr int json_version = 2;

std::string to_json(const Graph& graph, std::span<const FusedKernel> kernels = {});

// Errors name the place: line and column where the text is no JSON, else the field as in `nodes[3].args.other`.
// A captured tensor comes back as an undefined one, as JSON has no data.
Graph graph_from_json(std::string_view text, Here here = Here::current());
std::vector<FusedKernel> kernels_from_json(std::string_view text, Here here = Here::current());

}  // namespace sinter::graph
