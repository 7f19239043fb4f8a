// What ops of the as_strided family look at: a layout that counts from the storage's start, not from the tensor.

#pragma once

#include <sinter/graph/graph.h>

#include <optional>

namespace sinter::graph {

// Of as_strided and as_strided_copy: the layout they see in the memory of their first argument; of other ops nothing.
std::optional<Layout> strided_window(const Node& node);

}  // namespace sinter::graph
