// Which custom ops an entry was compiled with, as they were then.

#pragma once

#include <sinter/graph/custom/definition.h>
#include <sinter/graph/graph.h>

namespace sinter::runtime {

struct CustomVersion {
  const graph::CustomDefinition* op;
  int64_t version;
};
using CustomVersions = std::vector<CustomVersion>;

CustomVersions custom_ops_of(const graph::Graph& graph);

// None of them was given other functions or unregistered since.
inline bool are_current(const CustomVersions& ops) {
  for (const CustomVersion& each : ops)
    if (each.op->version() != each.version) return false;
  return true;
}

}  // namespace sinter::runtime
