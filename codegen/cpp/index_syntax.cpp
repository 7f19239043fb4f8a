// Printing of index expressions, and their slopes.

#include <sinter/codegen/cpp/index_syntax.h>

#include <sinter/graph/sym_expr.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace sinter::codegen {

using fusion::IndexExpr;
using fusion::IndexQuotient;
using fusion::IndexTerm;
using fusion::QuotientKind;

namespace {

bool has_no_extent(const IndexTerm& term, const AxisScope& scope) {
  return !term.quotient && scope.extents[term.axis].same(1);
}

std::string size_text(SymInt size, const AxisScope& scope, PreludeUse& use) {
  if (size.is_constant()) return fmt::format("{}", size.hint());
  SINTER_CHECK(scope.sizes, "nobody names {}", to_string(size));
  return scope.sizes->text(size, use);
}

std::string quotient_text(const IndexQuotient& quotient, const AxisScope& scope, PreludeUse& use) {
  std::string operand = index_text(quotient.operand, scope, use);
  if (quotient.kind == QuotientKind::clamp || quotient.kind == QuotientKind::mirror) {
    const char* function = quotient.kind == QuotientKind::clamp ? "clamp_index" : "mirror_index";
    use.pieces.insert(function);
    return fmt::format("{}({}, {})", function, operand, size_text(quotient.divisor, scope, use));
  }
  bool is_div = quotient.kind == QuotientKind::floor_div;
  std::string divisor = size_text(quotient.divisor, scope, use);
  if (is_surely_at_least(range_of(quotient.operand, scope.extents).low, 0)) {
    return fmt::format("{} {} {}", as_factor(std::move(operand)), is_div ? '/' : '%', as_factor(divisor));
  }
  const char* function = is_div ? "div_down" : "mod_down";
  use.pieces.insert(function);
  return fmt::format("{}({}, {})", function, operand, divisor);
}

std::string term_text(const IndexTerm& term, SymInt coef, const AxisScope& scope, PreludeUse& use) {
  std::string atom = term.quotient ? quotient_text(*term.quotient, scope, use) : scope.text[term.axis];
  if (coef.same(1)) return atom;
  std::string factor = size_text(coef, scope, use);
  // A number stands as it is, with its sign.
  return fmt::format("{} * {}", coef.is_constant() ? factor : as_factor(factor), as_factor(std::move(atom)));
}

bool is_negative_number(SymInt size) { return size.is_constant() && size.hint() < 0; }

}  // namespace

std::string axis_name(int axis) { return fmt::format("i{}", axis); }

std::string index_text(const IndexExpr& expr, const AxisScope& scope, PreludeUse& use) {
  std::string text;
  for (const IndexTerm& term : expr.terms()) {
    if (has_no_extent(term, scope)) continue;
    SymInt coef = term.coef;
    if (text.empty()) {
      text = term_text(term, coef, scope, use);
    } else {
      text += is_negative_number(coef) ? " - " : " + ";
      text += term_text(term, is_negative_number(coef) ? -coef : coef, scope, use);
    }
  }
  SymInt constant = expr.constant();
  if (text.empty()) return size_text(constant, scope, use);
  if (constant.same(0)) return text;
  if (is_negative_number(constant)) return text + fmt::format(" - {}", -constant.hint());
  return text + fmt::format(" + {}", constant.is_constant() ? size_text(constant, scope, use)
                                                            : as_factor(size_text(constant, scope, use)));
}

std::string address_text(std::string_view pointer, const IndexExpr& expr, const AxisScope& scope, PreludeUse& use) {
  std::string index = index_text(expr, scope, use);
  if (index == "0") return std::string(pointer);
  // Summed up first if anything is subtracted: the pointer before that would lie outside of the memory.
  if (index.find('-') != std::string::npos) return fmt::format("{} + ({})", pointer, index);
  return fmt::format("{} + {}", pointer, index);
}

bool starts_aligned(const IndexExpr& expr, int axis, int lanes) {
  if (!exact_quotient(expr.constant(), lanes)) return false;
  for (const IndexTerm& term : expr.terms()) {
    bool is_lane = !term.quotient && term.axis == axis;
    if (!is_lane && !exact_quotient(term.coef, lanes)) return false;
  }
  return true;
}

std::optional<SymInt> lane_slope(const IndexExpr& expr, int axis, int lanes, bool aligned) {
  if (axis < 0) return SymInt(0);
  SymInt slope = 0;
  for (const IndexTerm& term : expr.terms()) {
    SymInt coef = term.coef;
    if (!term.quotient) {
      if (term.axis == axis) slope += coef;
      continue;
    }
    const IndexQuotient& quotient = *term.quotient;
    if (!quotient.operand.uses(axis)) continue;
    std::optional<SymInt> inner = lane_slope(quotient.operand, axis, lanes, aligned);
    if (is_number(inner, 0)) continue;
    // A vector of consecutive values from a multiple of `lanes` on crosses no multiple of the divisor.
    bool is_periodic = quotient.kind == QuotientKind::floor_div || quotient.kind == QuotientKind::mod;
    bool stays = is_periodic && aligned && is_number(inner, 1) && quotient.operand.coef_of(axis).same(1) &&
                 exact_quotient(quotient.divisor, lanes) && starts_aligned(quotient.operand, axis, lanes);
    if (!stays) return std::nullopt;
    if (quotient.kind == QuotientKind::mod) slope += coef;
  }
  return slope;
}

namespace {

struct StepRange {
  int64_t low, high;
};

StepRange steps_of(const IndexExpr& expr, int axis);

// A remainder is its operand minus what it leaves out.
StepRange steps_of(const IndexQuotient& quotient, int axis) {
  StepRange inner = steps_of(quotient.operand, axis);
  int64_t divisor = quotient.divisor.hint();
  int64_t low = floor_div(SymInt(inner.low), divisor).hint(), high = ceil_div(SymInt(inner.high), divisor).hint();
  int64_t widest = std::max(std::abs(inner.low), std::abs(inner.high));
  switch (quotient.kind) {
    case QuotientKind::floor_div: return {low, high};
    case QuotientKind::mod: return {inner.low - divisor * high, inner.high - divisor * low};
    case QuotientKind::clamp: return {std::min<int64_t>(inner.low, 0), std::max<int64_t>(inner.high, 0)};
    case QuotientKind::mirror: return {-widest, widest};
  }
  __builtin_unreachable();
}

StepRange steps_of(const IndexExpr& expr, int axis) {
  StepRange sum{0, 0};
  for (const IndexTerm& term : expr.terms()) {
    bool moves = term.quotient ? term.quotient->operand.uses(axis) : term.axis == axis;
    if (!moves) continue;
    int64_t coef = term.coef.hint();
    StepRange atom{1, 1};
    if (term.quotient) atom = steps_of(*term.quotient, axis);
    sum.low += coef * (coef < 0 ? atom.high : atom.low);
    sum.high += coef * (coef < 0 ? atom.low : atom.high);
  }
  return sum;
}

}  // namespace

namespace {

// What moves along the axis does so by numbers.
bool moves_by_numbers(const IndexExpr& expr, int axis) {
  for (const IndexTerm& term : expr.terms()) {
    bool moves = term.quotient ? term.quotient->operand.uses(axis) : term.axis == axis;
    if (!moves) continue;
    if (!term.coef.is_constant()) return false;
    if (term.quotient && (!term.quotient->divisor.is_constant() || !moves_by_numbers(term.quotient->operand, axis)))
      return false;
  }
  return true;
}

}  // namespace

bool steps_at_most_one(const IndexExpr& expr, int axis) {
  return moves_by_numbers(expr, axis) && steps_of(expr, axis).high <= 1;
}

}  // namespace sinter::codegen
