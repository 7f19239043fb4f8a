// Interval arithmetic, the expansion around least values, and case splits over min and max.

#include <sinter/graph/size_proof.h>

#include <sinter/graph/sym_expr.h>

#include <algorithm>
#include <optional>

namespace sinter {

namespace {

using Factor = SymExpr::Factor;
using Product = SymExpr::Product;

constexpr int64_t no_low = SizeRange::no_low, no_high = SizeRange::no_high;

// A saturated number is no bound.
int64_t saturated(__int128 value) {
  if (value >= no_high) return no_high;
  if (value <= no_low) return no_low;
  return static_cast<int64_t>(value);
}
bool is_bound(int64_t end) { return end != no_low && end != no_high; }

int64_t sum_of_ends(int64_t a, int64_t b) {
  if (!is_bound(a)) return a;
  return is_bound(b) ? saturated(static_cast<__int128>(a) + b) : b;
}

SizeRange added(SizeRange a, SizeRange b) { return {sum_of_ends(a.low, b.low), sum_of_ends(a.high, b.high)}; }

int64_t product_of_ends(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  return saturated(static_cast<__int128>(a) * b);
}

SizeRange multiplied(SizeRange a, SizeRange b) {
  int64_t ends[] = {product_of_ends(a.low, b.low), product_of_ends(a.low, b.high), product_of_ends(a.high, b.low),
                    product_of_ends(a.high, b.high)};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

// What is known of this factor alone.
int64_t known_least(const Factor& factor, const KnownSizes& known) {
  int64_t least = no_low;
  for (SymInt fact : known.never_negative) {
    if (fact.is_constant() || fact.expr()->terms.size() != 1) continue;
    const auto& [product, coef] = *fact.expr()->terms.begin();
    if (coef == 1 && product.size() == 1 && product[0] == &factor) least = std::max(least, -fact.expr()->constant);
  }
  return least;
}

SizeRange range_of_call(const Factor& factor, const KnownSizes& known);

SizeRange range_of_factor(const Factor& factor, const KnownSizes& known) {
  if (factor.kind == Factor::Kind::symbol) return known.range_of_symbol(factor.symbol, factor.is_unbacked);
  SizeRange range = range_of_call(factor, known);
  return {std::max(range.low, known_least(factor, known)), range.high};
}

SizeRange range_of_call(const Factor& factor, const KnownSizes& known) {
  SizeRange a = range_of(factor.a, known), b = range_of(factor.b, known);
  switch (factor.kind) {
    case Factor::Kind::min: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Factor::Kind::max: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Factor::Kind::mod: return {0, is_bound(b.high) ? b.high - 1 : no_high};
    case Factor::Kind::floor_div: {
      int64_t least = std::max<int64_t>(b.low, 1);
      if (a.low < 0)
        return {is_bound(a.low) ? a.low : no_low, is_bound(a.high) ? std::max<int64_t>(a.high, 0) : no_high};
      return {is_bound(b.high) ? a.low / b.high : 0, is_bound(a.high) ? a.high / least : no_high};
    }
    case Factor::Kind::symbol: break;
  }
  return {};
}

// All coefficients are positive once each factor is written as its least value plus a rest that is never negative.
bool expands_to_positive(const SymExpr& sum, const KnownSizes& known) {
  constexpr size_t most_factors = 6;
  std::map<Product, __int128, SymExpr::Order> expanded;
  expanded[{}] = sum.constant;
  for (const auto& [product, coef] : sum.terms) {
    if (product.size() > most_factors) return false;
    std::vector<int64_t> least;
    for (const Factor* factor : product) {
      int64_t low = range_of_factor(*factor, known).low;
      if (!is_bound(low) || low < 0) return false;
      least.push_back(low);
    }
    for (size_t kept = 0; kept < (size_t{1} << product.size()); ++kept) {
      Product rest;
      __int128 scale = coef;
      for (size_t i = 0; i < product.size(); ++i) {
        if (kept >> i & 1)
          rest.push_back(product[i]);
        else
          scale *= least[i];
      }
      expanded[rest] += scale;
    }
  }
  return std::all_of(expanded.begin(), expanded.end(), [](const auto& term) { return term.second >= 0; });
}

const Factor* first_choice(const SymExpr& sum) {
  for (const auto& [product, coef] : sum.terms)
    for (const Factor* factor : product)
      if (factor->kind == Factor::Kind::min || factor->kind == Factor::Kind::max) return factor;
  return nullptr;
}

// The sum is at least what it is with either operand: minus a minimum, plus a maximum.
bool either_will_do(const SymExpr& sum, const Factor* choice) {
  for (const auto& [product, coef] : sum.terms) {
    if (std::find(product.begin(), product.end(), choice) == product.end()) continue;
    if (product.size() != 1 || (coef < 0) != (choice->kind == Factor::Kind::min)) return false;
  }
  return true;
}

// The sum with `side` in place of the factor.
SymInt with_side(const SymExpr& sum, const Factor* factor, SymInt side) {
  SymInt result = sum.constant;
  for (const auto& [product, coef] : sum.terms) {
    SymInt term = coef;
    for (const Factor* other : product) {
      SymExpr single;
      single.terms[{other}] = 1;
      term *= other == factor ? side : intern(std::move(single), 0);
    }
    result += term;
  }
  return result;
}

const Factor* first_quotient(const SymExpr& sum) {
  for (const auto& [product, coef] : sum.terms)
    for (const Factor* factor : product)
      if (factor->kind == Factor::Kind::floor_div && factor->b.is_constant() && factor->b.hint() > 0) return factor;
  return nullptr;
}

// A bound from below of the sum times the quotient's divisor: a quotient times that is at most the dividend, and more
// than the dividend without the divisor. Nothing where the quotient is multiplied by what may be negative.
std::optional<SymInt> without_quotient(const SymExpr& sum, const Factor* quotient, const KnownSizes& known) {
  int64_t divisor = quotient->b.hint();
  SymInt bound = SymInt(sum.constant) * divisor;
  for (const auto& [product, coef] : sum.terms) {
    SymInt term = coef;
    int quotients = 0;
    for (const Factor* other : product) {
      quotients += other == quotient;
      if (other == quotient) continue;
      SymExpr single;
      single.terms[{other}] = 1;
      term *= intern(std::move(single), 0);
    }
    if (quotients > 1) return std::nullopt;
    if (quotients == 0) {
      bound += term * divisor;
      continue;
    }
    for (const Factor* other : product)
      if (other != quotient && range_of_factor(*other, known).low < 0) return std::nullopt;
    bound += term * (coef < 0 ? quotient->a : quotient->a - (divisor - 1));
  }
  return bound;
}

bool proven(SymInt value, const KnownSizes& known, int splits, int facts) {
  if (value.is_constant()) return value.hint() >= 0;
  const SymExpr& sum = *value.expr();
  if (expands_to_positive(sum, known) || range_of(value, known).low >= 0) return true;
  if (splits > 0)
    if (const Factor* quotient = first_quotient(sum))
      if (std::optional<SymInt> bound = without_quotient(sum, quotient, known);
          bound && proven(*bound, known, splits - 1, facts))
        return true;
  if (splits > 0)
    if (const Factor* choice = first_choice(sum)) {
      bool a = proven(with_side(sum, choice, choice->a), known, splits - 1, facts);
      bool b = proven(with_side(sum, choice, choice->b), known, splits - 1, facts);
      return either_will_do(sum, choice) ? a || b : a && b;
    }
  if (facts > 0)
    for (SymInt fact : known.never_negative)
      if (proven(value - fact, known, 0, facts - 1)) return true;
  return false;
}

}  // namespace

SizeRange range_of(SymInt value, const KnownSizes& known) {
  if (value.is_constant()) return {value.hint(), value.hint()};
  SizeRange range{value.expr()->constant, value.expr()->constant};
  for (const auto& [product, coef] : value.expr()->terms) {
    SizeRange term{coef, coef};
    for (const Factor* factor : product) term = multiplied(term, range_of_factor(*factor, known));
    range = added(range, term);
  }
  return range;
}

bool is_never_negative(SymInt value, const KnownSizes& known) { return proven(value, known, 2, 1); }
bool is_never_negative(SymInt value) {
  static const KnownSizes& nothing = *new KnownSizes;  // never destroyed
  return proven(value, nothing, 0, 0);
}

}  // namespace sinter
