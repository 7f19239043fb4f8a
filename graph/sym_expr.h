// The inside of a symbolic size: canonical sums of products, interned. For the few files that work on expressions.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sinter/graph/data_symbol.h>

namespace sinter {

// A sum: constant + sum of coef * product of factors. A factor is a symbol or a call of floor_div, mod, min or max.
struct SymExpr {
  struct Factor {
    enum class Kind : uint8_t { symbol, floor_div, mod, min, max } kind = Kind::symbol;
    int symbol = 0;
    bool is_unbacked = false;  // of a symbol: only data tell it; of a call: one of its operands has such a symbol
    SymInt a, b;               // of a call; its hints are those of the expression that came first
    std::string text;
  };
  using Product = std::vector<const Factor*>;  // sorted; a power is repetition
  // The same in every process: symbols by number, then calls by text.
  struct Order {
    bool operator()(const Factor* a, const Factor* b) const;
    bool operator()(const Product& a, const Product& b) const;
  };

  int64_t constant = 0;
  std::map<Product, int64_t, Order> terms;  // no coefficient is 0
  std::string text;
  bool is_unbacked = false;  // one of its factors is
};

// The owner of what is computed from both. A trace error if they belong to different compilations.
uint16_t joint_owner(SymInt a, SymInt b);
// Throws: the size belongs to another compilation than the one in progress, if any is.
[[noreturn]] void fail_for_owner(SymInt size, Here here);

// The sum that a size is.
SymExpr sum_of(SymInt value);
// The size that a sum is, without an owner; `hint`: its value in the example.
SymInt intern(SymExpr sum, int64_t hint);
// Value of a factor in the example, as far as the hints in it say.
SymInt apply_factor(SymExpr::Factor::Kind kind, SymInt a, SymInt b);

// The number of a size that is one symbol, or -1.
int symbol_number(SymInt value);
// The symbol that a factor is, as a size.
SymInt symbol_of(const SymExpr::Factor& factor, int64_t hint);
// Calls visit(factor) for each symbol in the size, as often as it stands there.
void visit_symbol_factors(SymInt value, void (*visit)(void* context, const SymExpr::Factor& symbol), void* context);
// The same with the symbol's number.
template <class F>
void visit_symbols(SymInt value, F&& visit) {
  auto call = [](void* context, const SymExpr::Factor& symbol) {
    (*static_cast<std::remove_reference_t<F>*>(context))(symbol.symbol);
  };
  visit_symbol_factors(value, call, &visit);
}
// Only the symbols that data tell.
template <class F>
void visit_unbacked(SymInt value, F&& visit) {
  auto call = [](void* context, const SymExpr::Factor& symbol) {
    if (symbol.is_unbacked) (*static_cast<std::remove_reference_t<F>*>(context))(symbol.symbol);
  };
  visit_symbol_factors(value, call, &visit);
}
// Symbol k becomes replacements[k], of which there must be enough. The owner is that of the replacements.
SymInt substitute(SymInt value, std::span<const SymInt> replacements);

// a / b where b divides a whatever the symbols are.
std::optional<SymInt> exact_quotient(SymInt a, SymInt b);

// The product of the factors that all terms of both have, of those that `counts` takes; 1 if there is none. Without an
// example: quotients by it are to be given theirs anew.
SymInt common_factor(SymInt a, SymInt b, const std::function<bool(const SymExpr::Factor&)>& counts);

}  // namespace sinter
