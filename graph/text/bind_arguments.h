// Gives a node that text or a file describes the arguments of its schema: defaults filled in, types checked.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

using NamedArguments = std::vector<std::pair<std::string, Argument>>;

// What `bind` is for values. Throws Error(argument) as it does.
std::vector<Argument> bind_arguments(const OpDef& op, const std::vector<Argument>& positional,
                                     const NamedArguments& keywords, Here here);

// The memory that the node's results lie in, as a trace gives it: that of the first argument for views and in-place
// ops, else fresh, numbered from `next`.
std::vector<int64_t> storages_of(const Node& node, int64_t& next);

}  // namespace sinter::graph
