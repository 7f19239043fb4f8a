// What a compilation knows of the symbolic sizes it works with, and the decisions that it took on them.
//
// Each comparison of symbolic sizes, while tracing and in every later pass, ends here: what is known answers; else the
// example does, and the answer is written down as a guard of the compiled entry.

#pragma once

#include <string>
#include <vector>

#include <sinter/graph/number_facts.h>
#include <sinter/graph/size_proof.h>

namespace sinter::graph {

// A size of an argument that is not fixed.
struct SizeSymbol {
  int argument = -1;  // which flattened tensor
  int dim = 0;
  int64_t hint = 1;  // in the example
  SizeRange range = {1, SizeRange::no_high};
  int64_t multiple_of = 1;
  std::string source;        // the user's way to say it: `x.size(0)`
  bool is_declared = false;  // by the user: it must not become a number
};

// A relation that code relies on: `left == right` or `left < right`, or that it does not hold.
struct ShapeGuard {
  SymInt left, right;
  Comparison comparison = Comparison::equal;
  bool holds = true;
  Here where;  // the line that asked
};
// `x.size(0) == 4`, with the sources of the symbols.
std::string to_string(const ShapeGuard& guard, const std::vector<SizeSymbol>& symbols);

// The expression with the sources of its symbols.
std::string in_words(SymInt value, const std::vector<SizeSymbol>& symbols);

class ShapeFacts {
 public:
  NumberFacts numbers;  // the same of numbers that are arguments

  // The new symbol as a size. A multiple of m is m times a symbol.
  SymInt add_symbol(SizeSymbol symbol);

  // The answer where it is known.
  bool is_known_equal(SymInt a, SymInt b) const;
  bool is_known_never_negative(SymInt value) const { return is_never_negative(value, known_); }
  // The answer; written down where it was not known.
  bool decide(SymInt a, Comparison comparison, SymInt b, Here where);

  // The expression with symbols that turned out to be another expression, or a number, replaced by it.
  SymInt simplified(SymInt value) const;

  const std::vector<SizeSymbol>& symbols() const { return symbols_; }
  const std::vector<ShapeGuard>& guards() const { return guards_; }
  // Everything that decides what is known, and the lines that asked, as text: equal texts answer alike.
  std::string identity() const;
  // The first guard that leaves a declared size no choice, or null.
  const ShapeGuard* broken_declaration() const;

 private:
  void learn(const ShapeGuard& guard);
  void replace_symbol(int symbol, SymInt value);

  std::vector<SizeSymbol> symbols_;
  std::vector<SymInt> replacements_;  // by symbol; itself, if none
  std::vector<ShapeGuard> guards_;
  KnownSizes known_;
};

// The facts of the compilation that runs on this thread, or null.
ShapeFacts* active_shape_facts();

class ActivateShapeFacts {
 public:
  explicit ActivateShapeFacts(ShapeFacts* facts);
  ~ActivateShapeFacts();
  ActivateShapeFacts(const ActivateShapeFacts&) = delete;

 private:
  ShapeFacts* before_;
};

// The same expression with its value in the example, where arithmetic on parts of expressions lost it.
SymInt with_example(SymInt value);

// The line of the user's function that last asked a fake tensor for a size: where a comparison stands, if the
// comparison itself is in a library's header.
void note_size_question(Here where);
// The line of the user's that a decision belongs to, which was taken at `where`.
Here users_line(Here where);

}  // namespace sinter::graph
