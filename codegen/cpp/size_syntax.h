// Symbolic sizes as C++: a kernel is given the values of its symbols, and computes what it needs of them.

#pragma once

#include <sinter/codegen/print_prelude.h>
#include <sinter/graph/sym_int.h>

#include <string>
#include <vector>

namespace sinter::codegen {

// The symbols of one kernel, in the order in which its text first names them: s0, s1, ... whatever they are called in
// the graph, so that kernels which differ in that alone are one.
class SizeNames {
 public:
  // `16`, `s0`, `512 * s0 + 1`. Pieces that it calls are added to `use`.
  std::string text(SymInt size, PreludeUse& use);
  const std::vector<SymInt>& symbols() const { return symbols_; }

 private:
  std::string name_of(SymInt symbol);

  std::vector<SymInt> symbols_;
};

// In parentheses unless it is one word.
std::string as_factor(std::string text);

}  // namespace sinter::codegen
