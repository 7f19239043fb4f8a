// Which nodes of a graph one kernel computes: what JSON and pictures show of a compiled graph.

#pragma once

#include <string>
#include <vector>

namespace sinter::graph {

struct FusedKernel {
  std::string name;
  std::vector<std::string> nodes;  // their names
};

}  // namespace sinter::graph
