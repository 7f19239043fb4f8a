// What a compilation knows of the symbolic sizes it works with, and the decisions that it took on them.
//
// Each comparison of symbolic sizes, while tracing and in every later pass, ends here: what is known answers; else the
// example does, and the answer is written down as a guard of the compiled entry.
//
// Sizes that only data tell (unbacked symbols) have no example. Where the user's own function compares one it is an
// error; where an op does, the usual answer is taken (sizes fit, indices are in range, no size is 0 or 1) and becomes a
// check that the program makes as soon as it knows the size.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/number_facts.h>
#include <sinter/graph/size_proof.h>

namespace sinter::graph {

// A size of an argument that is not fixed, or one that only data tell.
struct SizeSymbol {
  int argument = -1;  // which flattened tensor
  int dim = 0;
  int64_t hint = 1;  // in the example
  SizeRange range = {1, SizeRange::no_high};
  int64_t multiple_of = 1;
  std::string source;        // the user's way to say it: `x.size(0)`
  bool is_declared = false;  // by the user: it must not become a number
  std::string made_by;       // of a size that only data tell: `nonzero at f.cpp:4`; else empty
  bool is_unbacked() const { return !made_by.empty(); }
};

// A relation that code relies on: `left == right` or `left < right`, or that it does not hold.
struct ShapeGuard {
  SymInt left, right;
  Comparison comparison = Comparison::equal;
  bool holds = true;
  Here where;  // the line that asked
};
// A relation with a size that only data tell: the program checks that it holds.
struct SizeCheck {
  ShapeGuard relation;
  std::string stated_by;  // the user, with check_size, or a fake function; empty: an op relies on it
};
// `x.size(0) == 4`, with the sources of the symbols.
std::string to_string(const ShapeGuard& guard, const std::vector<SizeSymbol>& symbols);

// The expression with the sources of its symbols.
std::string in_words(SymInt value, const std::vector<SizeSymbol>& symbols);

class ShapeFacts {
 public:
  NumberFacts numbers;  // the same of numbers that are arguments

  // Whose sizes and numbers the traced function holds: those of other compilations are refused.
  uint16_t owner() const { return owner_.number; }
  void check_owner(SymInt value, Here where) const;

  // The new symbol as a size. A multiple of m is m times a symbol.
  SymInt add_symbol(SizeSymbol symbol);
  // A size that only data tell, within a range; `op` makes it.
  SymInt add_unbacked(std::string_view op, SizeRange range, Here where);

  // The answer where it is known.
  bool is_known_equal(SymInt a, SymInt b) const;
  bool is_known_never_negative(SymInt value) const { return is_never_negative(value, known_); }
  // The answer; written down where it was not known.
  bool decide(SymInt a, Comparison comparison, SymInt b, Here where);
  // The user states a range of a size. Throws where it is known not to hold.
  void state_range(SymInt size, int64_t min, int64_t max, std::string_view stated_by, Here where);
  // Where two sizes must be equal whatever they are: false if they are known not to be, else a check of the program.
  bool require_equal(SymInt a, SymInt b, Here where);
  SizeRange range_of(SymInt size) const { return sinter::range_of(size, known_); }
  void know_never_negative(SymInt value) { known_.never_negative.push_back(value); }
  // A size becomes a number; throws if only data tell it.
  void specialise(SymInt size, Here where);

  // The expression with symbols that turned out to be another expression, or a number, replaced by it.
  SymInt simplified(SymInt value) const;

  const std::vector<SizeSymbol>& symbols() const { return symbols_; }
  const std::vector<ShapeGuard>& guards() const { return guards_; }
  // Checks that are not in the graph yet, once.
  std::vector<SizeCheck> take_checks() { return std::exchange(new_checks_, {}); }
  // From here on nothing that needs a check can be decided: that is an error.
  void end_checks() { takes_checks_ = false; }
  // Everything that decides what is known, and the lines that asked, as text: equal texts, of equal examples, answer
  // alike.
  std::string identity() const;
  // What the symbols are in the example.
  std::string examples() const;
  // The first guard that leaves a declared size no choice, or null.
  const ShapeGuard* broken_declaration() const;

 private:
  std::optional<bool> known_answer(SymInt left, Comparison comparison, SymInt right) const;
  bool decide_unbacked(const ShapeGuard& question, Here asked);
  void add_check(ShapeGuard relation, std::string_view stated_by);
  [[noreturn]] void fail_to_decide(const std::string& what, SymInt size, Here where) const;
  void learn(const ShapeGuard& guard);
  void replace_symbol(int symbol, SymInt value);

  std::vector<SizeSymbol> symbols_;
  std::vector<SymInt> replacements_;  // by symbol; itself, if none
  std::vector<ShapeGuard> guards_;
  std::vector<ShapeGuard> checked_;  // relations that checks are for
  std::vector<SizeCheck> new_checks_;
  bool takes_checks_ = true;
  // A copy is the same compilation's; what is taken over from another one does not make it that.
  struct Owner {
    Owner();
    Owner(const Owner&) = default;
    Owner& operator=(const Owner&) { return *this; }
    uint16_t number;
  };
  Owner owner_;
  KnownSizes known_;
};

// Within a scope, what is not known of sizes that only data tell is answered so that no check is needed: they are not
// 0, not 1 and equal nothing. For choices where that answer is always right, if not always the best.
class AnswerGenerally {
 public:
  AnswerGenerally();
  ~AnswerGenerally();
  AnswerGenerally(const AnswerGenerally&) = delete;
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
// The line of the user's that a decision belongs to, which was taken at `where`. (note_question, in tensor.h, is for
// what ops may ask as well.)
Here users_line(Here where);

}  // namespace sinter::graph
