// Printing of index expressions, and their slopes.

#include <sinter/codegen/cpp/index_syntax.h>

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
  return !term.quotient && scope.extents[term.axis].constant() == 1;
}

// In parentheses unless it is one word.
std::string as_factor(std::string text) {
  bool is_word = text.find_first_of(" -") == std::string::npos;
  return is_word ? text : fmt::format("({})", text);
}

std::string quotient_text(const IndexQuotient& quotient, const AxisScope& scope, PreludeUse& use) {
  std::string operand = index_text(quotient.operand, scope, use);
  if (quotient.kind == QuotientKind::clamp || quotient.kind == QuotientKind::mirror) {
    const char* function = quotient.kind == QuotientKind::clamp ? "clamp_index" : "mirror_index";
    use.pieces.insert(function);
    return fmt::format("{}({}, {})", function, operand, quotient.divisor.constant());
  }
  bool is_div = quotient.kind == QuotientKind::floor_div;
  int64_t divisor = quotient.divisor.constant();
  if (range_of(quotient.operand, scope.extents).low.constant() >= 0) {
    return fmt::format("{} {} {}", as_factor(std::move(operand)), is_div ? '/' : '%', divisor);
  }
  const char* function = is_div ? "div_down" : "mod_down";
  use.pieces.insert(function);
  return fmt::format("{}({}, {})", function, operand, divisor);
}

std::string term_text(const IndexTerm& term, int64_t coef, const AxisScope& scope, PreludeUse& use) {
  std::string atom = term.quotient ? quotient_text(*term.quotient, scope, use) : scope.text[term.axis];
  if (coef == 1) return atom;
  return fmt::format("{} * {}", coef, as_factor(std::move(atom)));
}

}  // namespace

std::string axis_name(int axis) { return fmt::format("i{}", axis); }

std::string index_text(const IndexExpr& expr, const AxisScope& scope, PreludeUse& use) {
  std::string text;
  for (const IndexTerm& term : expr.terms()) {
    if (has_no_extent(term, scope)) continue;
    int64_t coef = term.coef.constant();
    if (text.empty()) {
      text = term_text(term, coef, scope, use);
    } else {
      text += coef < 0 ? " - " : " + ";
      text += term_text(term, coef < 0 ? -coef : coef, scope, use);
    }
  }
  int64_t constant = expr.constant().constant();
  if (text.empty()) return fmt::format("{}", constant);
  if (constant > 0) text += fmt::format(" + {}", constant);
  if (constant < 0) text += fmt::format(" - {}", -constant);
  return text;
}

std::string address_text(std::string_view pointer, const IndexExpr& expr, const AxisScope& scope, PreludeUse& use) {
  std::string index = index_text(expr, scope, use);
  if (index == "0") return std::string(pointer);
  // Summed up first if anything is subtracted: the pointer before that would lie outside of the memory.
  if (index.find('-') != std::string::npos) return fmt::format("{} + ({})", pointer, index);
  return fmt::format("{} + {}", pointer, index);
}

bool starts_aligned(const IndexExpr& expr, int axis, int lanes) {
  if (expr.constant().constant() % lanes != 0) return false;
  for (const IndexTerm& term : expr.terms()) {
    bool is_lane = !term.quotient && term.axis == axis;
    if (!is_lane && term.coef.constant() % lanes != 0) return false;
  }
  return true;
}

std::optional<int64_t> lane_slope(const IndexExpr& expr, int axis, int lanes, bool aligned) {
  if (axis < 0) return 0;
  int64_t slope = 0;
  for (const IndexTerm& term : expr.terms()) {
    int64_t coef = term.coef.constant();
    if (!term.quotient) {
      if (term.axis == axis) slope += coef;
      continue;
    }
    const IndexQuotient& quotient = *term.quotient;
    if (!quotient.operand.uses(axis)) continue;
    std::optional<int64_t> inner = lane_slope(quotient.operand, axis, lanes, aligned);
    if (inner == 0) continue;
    // A vector of consecutive values from a multiple of `lanes` on crosses no multiple of the divisor.
    bool is_periodic = quotient.kind == QuotientKind::floor_div || quotient.kind == QuotientKind::mod;
    bool stays = is_periodic && aligned && inner == 1 && quotient.operand.coef_of(axis).constant() == 1 &&
                 quotient.divisor.constant() % lanes == 0 && starts_aligned(quotient.operand, axis, lanes);
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
  int64_t divisor = quotient.divisor.constant();
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
    int64_t coef = term.coef.constant();
    StepRange atom{0, 0};
    if (!term.quotient && term.axis == axis) atom = {1, 1};
    if (term.quotient && term.quotient->operand.uses(axis)) atom = steps_of(*term.quotient, axis);
    sum.low += coef * (coef < 0 ? atom.high : atom.low);
    sum.high += coef * (coef < 0 ? atom.low : atom.high);
  }
  return sum;
}

}  // namespace

bool steps_at_most_one(const IndexExpr& expr, int axis) { return steps_of(expr, axis).high <= 1; }

}  // namespace sinter::codegen
