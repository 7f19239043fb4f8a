// Canonical index arithmetic: sums with sorted terms, and the rules for quotients and remainders.

#include <sinter/fusion/index_expr.h>

#include <sinter/graph/error.h>
#include <sinter/graph/layout.h>
#include <sinter/graph/sym_expr.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace sinter::fusion {

namespace {

bool same_atom(const IndexTerm& a, const IndexTerm& b) {
  if (a.axis != b.axis) return false;
  if (a.axis >= 0) return true;
  if (a.quotient == b.quotient) return true;
  return a.quotient->kind == b.quotient->kind && a.quotient->divisor.same(b.quotient->divisor) &&
         a.quotient->operand == b.quotient->operand;
}

// Axes in their order, then quotients by their text: any order will do if it is always the same.
bool comes_before(const IndexTerm& a, const IndexTerm& b) {
  if (a.axis >= 0 || b.axis >= 0) {
    if (a.axis >= 0 && b.axis >= 0) return a.axis < b.axis;
    return a.axis >= 0;
  }
  return to_string(IndexExpr() + a.quotient->operand) < to_string(b.quotient->operand);
}

std::optional<int64_t> number(SymInt value) {
  if (!value.is_constant()) return std::nullopt;
  return value.hint();
}

// `whole` and `reduced` leave the same remainder: they are equal, or `whole` is a remainder of `reduced` itself by a
// multiple of the divisor (mod drops the inner one of two remainders).
bool same_remainder(const IndexExpr& whole, const IndexExpr& reduced, SymInt divisor) {
  if (whole == reduced) return true;
  if (!whole.constant().same(0) || whole.terms().size() != 1 || !whole.terms()[0].coef.same(1)) return false;
  const auto& inner = whole.terms()[0].quotient;
  if (!inner || inner->kind != QuotientKind::mod || !(inner->operand == reduced)) return false;
  return exact_quotient(inner->divisor, divisor).has_value();
}

}  // namespace

IndexExpr IndexExpr::axis(int axis) {
  IndexExpr expr;
  expr.terms_.push_back({1, axis, nullptr});
  return expr;
}

bool IndexExpr::is_axis(int axis) const {
  return constant_.same(0) && terms_.size() == 1 && terms_[0].axis == axis && terms_[0].coef.same(1);
}

SymInt IndexExpr::coef_of(int axis) const {
  for (const IndexTerm& term : terms_)
    if (term.axis == axis) return term.coef;
  return 0;
}

bool IndexExpr::uses(int axis) const {
  for (const IndexTerm& term : terms_)
    if (term.axis == axis || (term.quotient && term.quotient->operand.uses(axis))) return true;
  return false;
}

bool IndexExpr::is_affine() const {
  return std::none_of(terms_.begin(), terms_.end(), [](const IndexTerm& term) { return term.quotient != nullptr; });
}

bool IndexExpr::operator==(const IndexExpr& other) const {
  if (!constant_.same(other.constant_) || terms_.size() != other.terms_.size()) return false;
  for (size_t i = 0; i < terms_.size(); ++i)
    if (!same_atom(terms_[i], other.terms_[i]) || !terms_[i].coef.same(other.terms_[i].coef)) return false;
  return true;
}

void IndexExpr::add_term(const IndexTerm& term) {
  if (term.coef.same(0)) return;
  for (size_t i = 0; i < terms_.size(); ++i) {
    if (!same_atom(terms_[i], term)) continue;
    terms_[i].coef += term.coef;
    if (terms_[i].coef.same(0)) terms_.erase(terms_.begin() + static_cast<ptrdiff_t>(i));
    return;
  }
  // d * (e // d) + e % d is e again: how a reshape and its inverse meet.
  if (term.quotient) {
    for (size_t i = 0; i < terms_.size(); ++i) {
      const IndexTerm& other = terms_[i];
      if (!other.quotient) continue;
      const IndexTerm& quotient = term.quotient->kind == QuotientKind::floor_div ? term : other;
      const IndexTerm& remainder = term.quotient->kind == QuotientKind::floor_div ? other : term;
      if (quotient.quotient->kind != QuotientKind::floor_div || remainder.quotient->kind != QuotientKind::mod) continue;
      if (!quotient.quotient->divisor.same(remainder.quotient->divisor) ||
          !quotient.coef.same(remainder.coef * quotient.quotient->divisor) ||
          !same_remainder(quotient.quotient->operand, remainder.quotient->operand, remainder.quotient->divisor))
        continue;
      SymInt scale = remainder.coef;
      IndexExpr whole = quotient.quotient->operand;
      terms_.erase(terms_.begin() + static_cast<ptrdiff_t>(i));
      constant_ += whole.constant_ * scale;
      for (const IndexTerm& part : whole.terms_) add_term({part.coef * scale, part.axis, part.quotient});
      return;
    }
  }
  auto place =
      std::find_if(terms_.begin(), terms_.end(), [&](const IndexTerm& other) { return comes_before(term, other); });
  terms_.insert(place, term);
}

IndexExpr operator+(const IndexExpr& a, const IndexExpr& b) {
  IndexExpr sum = a;
  sum.constant_ += b.constant_;
  for (const IndexTerm& term : b.terms_) sum.add_term(term);
  return sum;
}

IndexExpr operator-(const IndexExpr& a, const IndexExpr& b) { return a + b * -1; }

IndexExpr operator*(const IndexExpr& a, SymInt b) {
  IndexExpr product;
  if (b.same(0)) return product;
  product.constant_ = a.constant_ * b;
  for (const IndexTerm& term : a.terms_) product.terms_.push_back({term.coef * b, term.axis, term.quotient});
  return product;
}

// --- Ranges and quotients ---------------------------------------------------------------------------------------

IndexRange range_of(const IndexExpr& expr, Extents extents) {
  IndexRange range{expr.constant(), expr.constant()};
  for (const IndexTerm& term : expr.terms()) {
    IndexRange atom;
    if (term.axis >= 0) {
      atom = {0, extents[term.axis] - 1};
    } else if (term.quotient->kind != QuotientKind::floor_div) {
      atom = {0, term.quotient->divisor - 1};
    } else {
      IndexRange operand = range_of(term.quotient->operand, extents);
      atom = {floor_div(operand.low, term.quotient->divisor), floor_div(operand.high, term.quotient->divisor)};
    }
    SymInt a = atom.low * term.coef, b = atom.high * term.coef;
    bool is_negative = !is_surely_at_least(term.coef, 0) && term.coef < 0;
    range.low += is_negative ? b : a;
    range.high += is_negative ? a : b;
  }
  return range;
}

namespace {

// expr = divisor * whole + rest, where each term of `rest` is no multiple of the divisor.
struct Split {
  IndexExpr whole, rest;
};

}  // namespace

// Has access to the terms.
class IndexSimplifier {
 public:
  static Split split(const IndexExpr& expr, SymInt divisor) {
    Split parts;
    for (const IndexTerm& term : expr.terms_) {
      if (std::optional<SymInt> coef = exact_quotient(term.coef, divisor))
        parts.whole.add_term({*coef, term.axis, term.quotient});
      else
        parts.rest.add_term(term);
    }
    std::optional<SymInt> quotient = exact_quotient(expr.constant_, divisor);
    if (!quotient && number(expr.constant_) && number(divisor)) quotient = floor_div(expr.constant_, divisor);
    parts.whole.constant_ += quotient.value_or(0);
    parts.rest.constant_ += expr.constant_ - quotient.value_or(0) * divisor;
    return parts;
  }

  static IndexExpr quotient(QuotientKind kind, const IndexExpr& operand, SymInt divisor) {
    IndexExpr expr;
    expr.add_term({1, -1, std::make_shared<const IndexQuotient>(IndexQuotient{kind, operand, divisor})});
    return expr;
  }

  // The common divisor of all coefficients (the constant left out), or 1.
  static int64_t common_divisor(const IndexExpr& expr) {
    int64_t divisor = 0;
    for (const IndexTerm& term : expr.terms_) divisor = std::gcd(divisor, number(term.coef).value_or(1));
    return divisor == 0 ? 1 : divisor;
  }

  static IndexExpr divided(const IndexExpr& expr, int64_t divisor) {
    IndexExpr result = floor_div(expr.constant_, SymInt(divisor));
    for (const IndexTerm& term : expr.terms_)
      result.add_term({floor_div(term.coef, SymInt(divisor)), term.axis, term.quotient});
    return result;
  }
};

namespace {

bool lies_within(const IndexRange& range, SymInt end) {
  return is_surely_at_least(range.low, 0) && is_surely_at_least(end - 1, range.high);
}

// A divisor of both numbers that is larger than 1, or 1.
int64_t common_number(SymInt divisor, const IndexExpr& expr) {
  std::optional<int64_t> d = number(divisor);
  return d ? std::gcd(*d, IndexSimplifier::common_divisor(expr)) : 1;
}

// divisor / coef, where a coefficient larger than 1 divides it.
std::optional<SymInt> part_of_divisor(SymInt divisor, SymInt coef) {
  if (coef.same(1) || !is_surely_at_least(coef, 1)) return std::nullopt;
  return exact_quotient(divisor, coef);
}

}  // namespace

IndexExpr floor_div(const IndexExpr& a, SymInt divisor, Extents extents) {
  if (divisor.same(1)) return a;
  if (a.is_constant()) return floor_div(a.constant(), divisor);
  auto [whole, rest] = IndexSimplifier::split(a, divisor);
  if (lies_within(range_of(rest, extents), divisor)) return whole;
  // A part of the terms may stay inside one multiple of a common divisor: (6*i + j) // 12 is i // 2 where j < 6.
  int64_t common = common_number(divisor, rest);
  if (common > 1) {
    IndexExpr reduced = IndexSimplifier::divided(rest, common);
    return whole + floor_div(reduced, floor_div(divisor, common), extents);
  }
  for (const IndexTerm& term : rest.terms()) {
    std::optional<SymInt> part = part_of_divisor(divisor, term.coef);
    if (!part) continue;
    auto [outer, inner] = IndexSimplifier::split(rest, term.coef);
    if (lies_within(range_of(inner, extents), term.coef)) return whole + floor_div(outer, *part, extents);
  }
  if (rest.constant().same(0) && rest.terms().size() == 1 && rest.terms()[0].quotient && rest.terms()[0].coef.same(1)) {
    const IndexQuotient& inner = *rest.terms()[0].quotient;
    if (inner.kind == QuotientKind::floor_div)
      return whole + floor_div(inner.operand, inner.divisor * divisor, extents);
  }
  return whole + IndexSimplifier::quotient(QuotientKind::floor_div, rest, divisor);
}

IndexExpr mod(const IndexExpr& a, SymInt divisor, Extents extents) {
  if (divisor.same(1)) return 0;
  if (a.is_constant()) return mod(a.constant(), divisor);
  IndexExpr rest = IndexSimplifier::split(a, divisor).rest;
  if (lies_within(range_of(rest, extents), divisor)) return rest;
  if (rest.is_constant()) return mod(rest.constant(), divisor);
  if (rest.constant().same(0) && rest.terms().size() == 1 && rest.terms()[0].quotient && rest.terms()[0].coef.same(1)) {
    const IndexQuotient& inner = *rest.terms()[0].quotient;
    if (inner.kind == QuotientKind::mod && exact_quotient(inner.divisor, divisor))
      return mod(inner.operand, divisor, extents);
  }
  int64_t common = common_number(divisor, rest);
  if (common > 1) {
    SymInt left = mod(rest.constant(), SymInt(common));
    return mod(IndexSimplifier::divided(rest, common), floor_div(divisor, common), extents) * common + IndexExpr(left);
  }
  // (c * outer + inner) % d with c | d and inner < c is c * (outer % (d / c)) + inner.
  for (const IndexTerm& term : rest.terms()) {
    std::optional<SymInt> part = part_of_divisor(divisor, term.coef);
    if (!part) continue;
    auto [outer, inner] = IndexSimplifier::split(rest, term.coef);
    if (lies_within(range_of(inner, extents), term.coef)) return mod(outer, *part, extents) * term.coef + inner;
  }
  return IndexSimplifier::quotient(QuotientKind::mod, rest, divisor);
}

IndexExpr clamp(const IndexExpr& a, SymInt divisor, Extents extents) {
  IndexRange range = range_of(a, extents);
  if (lies_within(range, divisor)) return a;
  if (range.high.is_constant() && range.high.hint() <= 0) return 0;
  return IndexSimplifier::quotient(QuotientKind::clamp, a, divisor);
}

IndexExpr mirror(const IndexExpr& a, SymInt divisor, Extents extents) {
  if (divisor.same(1)) return 0;
  if (lies_within(range_of(a, extents), divisor)) return a;
  return IndexSimplifier::quotient(QuotientKind::mirror, a, divisor);
}

namespace {

IndexExpr quotient(QuotientKind kind, const IndexExpr& operand, SymInt divisor, Extents extents) {
  switch (kind) {
    case QuotientKind::floor_div: return floor_div(operand, divisor, extents);
    case QuotientKind::mod: return mod(operand, divisor, extents);
    case QuotientKind::clamp: return clamp(operand, divisor, extents);
    case QuotientKind::mirror: return mirror(operand, divisor, extents);
  }
  __builtin_unreachable();
}

}  // namespace

IndexExpr substitute(const IndexExpr& expr, std::span<const IndexExpr> replacements, Extents extents) {
  IndexExpr result = expr.constant();
  for (const IndexTerm& term : expr.terms()) {
    if (term.axis >= 0) {
      result = result + replacements[term.axis] * term.coef;
    } else {
      IndexExpr operand = substitute(term.quotient->operand, replacements, extents);
      result = result + quotient(term.quotient->kind, operand, term.quotient->divisor, extents) * term.coef;
    }
  }
  return result;
}

Index substitute(const Index& index, std::span<const IndexExpr> replacements, Extents extents) {
  Index result;
  result.reserve(index.size());
  for (const IndexExpr& expr : index) result.push_back(substitute(expr, replacements, extents));
  return result;
}

Index identity_index(int64_t rank) {
  Index index;
  for (int64_t i = 0; i < rank; ++i) index.push_back(IndexExpr::axis(static_cast<int>(i)));
  return index;
}

int64_t evaluate(QuotientKind kind, int64_t operand, int64_t divisor) {
  switch (kind) {
    case QuotientKind::floor_div: return floor_div(SymInt(operand), divisor).hint();
    case QuotientKind::mod: return mod(SymInt(operand), divisor).hint();
    case QuotientKind::clamp: return std::clamp<int64_t>(operand, 0, divisor - 1);
    case QuotientKind::mirror: {
      if (divisor == 1) return 0;
      int64_t last = divisor - 1, at = mod(SymInt(operand), 2 * last).hint();
      return at <= last ? at : 2 * last - at;
    }
  }
  __builtin_unreachable();
}

int64_t evaluate(const IndexExpr& expr, std::span<const int64_t> axes) {
  int64_t value = expr.constant().constant();
  for (const IndexTerm& term : expr.terms()) {
    int64_t atom = 0;
    if (term.axis >= 0) {
      atom = axes[term.axis];
    } else {
      atom = evaluate(term.quotient->kind, evaluate(term.quotient->operand, axes), term.quotient->divisor.constant());
    }
    value += atom * term.coef.constant();
  }
  return value;
}

std::string to_string(const IndexExpr& expr) {
  std::string text;
  auto append = [&](const std::string& part, bool is_negative) {
    if (text.empty())
      text = is_negative ? "-" + part : part;
    else
      text += (is_negative ? " - " : " + ") + part;
  };
  for (const IndexTerm& term : expr.terms()) {
    std::string atom;
    if (term.axis >= 0) {
      atom = fmt::format("i{}", term.axis);
    } else if (term.quotient->kind == QuotientKind::clamp || term.quotient->kind == QuotientKind::mirror) {
      atom = fmt::format("{}({}, {})", term.quotient->kind == QuotientKind::clamp ? "clamp" : "mirror",
                         to_string(term.quotient->operand), to_string(term.quotient->divisor));
    } else {
      std::string operand = to_string(term.quotient->operand);
      if (operand.find(' ') != std::string::npos || operand.find('*') != std::string::npos)
        operand = "(" + operand + ")";
      atom = fmt::format("{} {} {}", operand, term.quotient->kind == QuotientKind::floor_div ? "//" : "%",
                         to_string(term.quotient->divisor));
    }
    bool is_negative = term.coef.is_constant() && term.coef.hint() < 0;
    SymInt magnitude = is_negative ? -term.coef : term.coef;
    if (magnitude.same(1)) {
      append(atom, is_negative);
    } else {
      std::string scale = to_string(magnitude);
      if (!magnitude.is_constant()) scale = "(" + scale + ")";
      append(fmt::format("{}*{}", scale, term.axis >= 0 ? atom : "(" + atom + ")"), is_negative);
    }
  }
  bool is_negative = expr.constant().is_constant() && expr.constant().hint() < 0;
  if (text.empty() || !expr.constant().same(0))
    append(to_string(is_negative ? -expr.constant() : expr.constant()), is_negative);
  return text;
}

IndexExpr linear_index(const Index& index, const SymDims& strides, SymInt offset) {
  IndexExpr linear = offset;
  for (size_t i = 0; i < index.size(); ++i) linear = linear + index[i] * strides[i];
  return linear;
}

Index index_from_linear(const IndexExpr& linear, const SymDims& sizes, const SymDims& strides, SymInt offset,
                        Extents extents, std::vector<IndexExpr>* conditions) {
  IndexExpr rest = linear - IndexExpr(offset);
  Index index(sizes.size());
  if (conditions) conditions->push_back(rest);  // 0 <= rest
  for (int64_t dim : stride_order({sizes, strides, offset})) {
    // Along a dim of stride 0 all elements are one.
    if (sizes[dim].same(1) || strides[dim].same(0)) continue;
    index[dim] = floor_div(rest, strides[dim], extents);
    rest = mod(rest, strides[dim], extents);
    if (conditions) conditions->push_back(IndexExpr(sizes[dim] - 1) - index[dim]);
  }
  if (conditions) conditions->push_back(rest * -1);  // 0 <= -rest: nothing may be left over
  return index;
}

std::string to_string(const Index& index) {
  std::string text = "[";
  for (size_t i = 0; i < index.size(); ++i) text += (i == 0 ? "" : ", ") + to_string(index[i]);
  return text + "]";
}

}  // namespace sinter::fusion
