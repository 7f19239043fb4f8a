// Decisions on symbolic sizes: what is known answers, the example otherwise, and each answer is one more thing known.

#include <sinter/graph/shape_facts.h>

#include <sinter/graph/sym_expr.h>
#include <sinter/graph/trace.h>

#include <algorithm>

namespace sinter::graph {

namespace {

thread_local ShapeFacts* active = nullptr;
thread_local Here last_question;

// A comparison in one of our own files, or in a standard header, says nothing to the user.
bool is_our_own(Here where) {
  constexpr std::string_view me = "graph/shape_facts.cpp";
  static const std::string_view own = Here::current().file_name();
  static const std::string_view root = own.substr(0, own.size() - me.size());
  std::string_view file = where.file_name();
  if (file.starts_with("/usr/") || file.find("/sinter/graph/") != std::string_view::npos) return true;
  if (!file.starts_with(root)) return false;
  file.remove_prefix(root.size());
  for (std::string_view layer : {"graph/", "fusion/", "codegen/", "runtime/"})
    if (file.starts_with(layer)) return true;
  return false;
}

}  // namespace

Here users_line(Here where) {
  Here effective = effective_location(where);
  return effective.line() == 0 || is_our_own(effective) ? last_question : effective;
}

ShapeFacts* active_shape_facts() { return active; }
ActivateShapeFacts::ActivateShapeFacts(ShapeFacts* facts) : before_(active) { active = facts; }
ActivateShapeFacts::~ActivateShapeFacts() { active = before_; }
SymInt with_example(SymInt value) { return active ? active->simplified(value) : value; }
void note_size_question(Here where) { last_question = where; }

SymInt ShapeFacts::add_symbol(SizeSymbol symbol) {
  int number = static_cast<int>(symbols_.size());
  int64_t unit = symbol.multiple_of;
  int64_t high = std::min(symbol.range.high, most_elements);
  known_.symbols.push_back({std::max<int64_t>(1, (symbol.range.low + unit - 1) / unit), high / unit});
  SymInt count = SymInt::symbol(number, symbol.hint / unit);
  replacements_.push_back(count);
  symbols_.push_back(std::move(symbol));
  return count * unit;
}

SymInt ShapeFacts::simplified(SymInt value) const { return substitute(value, replacements_); }

bool ShapeFacts::is_known_equal(SymInt a, SymInt b) const { return simplified(a).same(simplified(b)); }

bool ShapeFacts::decide(SymInt a, Comparison comparison, SymInt b, Here where) {
  SymInt left = simplified(a), right = simplified(b), distance = right - left;
  bool is_equality = comparison == Comparison::equal;
  if (distance.is_constant()) return is_equality ? distance.hint() == 0 : distance.hint() > 0;
  if (is_known_never_negative(distance - 1)) return !is_equality;
  if (is_known_never_negative(is_equality ? -distance - 1 : -distance)) return false;
  for (const ShapeGuard& guard : guards_)
    if (guard.comparison == comparison && guard.left.same(left) && guard.right.same(right)) return guard.holds;
  bool holds = is_equality ? a.hint() == b.hint() : a.hint() < b.hint();
  guards_.push_back({left, right, comparison, holds, users_line(where)});
  learn(guards_.back());
  return holds;
}

namespace {

// distance == 0 as `symbol == value`, where that is possible without division of what is symbolic.
struct Solution {
  int symbol;
  SymInt value;
};
std::optional<Solution> solve(SymInt distance) {
  std::optional<Solution> best;
  for (const auto& [product, coef] : distance.expr()->terms) {
    if (product.size() != 1 || product[0]->kind != SymExpr::Factor::Kind::symbol) continue;
    int symbol = product[0]->symbol;
    SymExpr single;
    single.terms[product] = coef;
    SymInt rest = distance - intern(std::move(single), 0);
    bool is_alone = true;
    visit_symbols(rest, [&](int other) { is_alone &= other != symbol; });
    std::optional<SymInt> value = is_alone ? exact_quotient(-rest, coef) : std::nullopt;
    // Later symbols become earlier ones.
    if (value && (!best || symbol > best->symbol)) best = Solution{symbol, *value};
  }
  return best;
}

}  // namespace

void ShapeFacts::learn(const ShapeGuard& guard) {
  SymInt distance = guard.right - guard.left;
  auto know = [&](SymInt never_negative) { known_.never_negative.push_back(never_negative); };
  if (guard.comparison == Comparison::less) return know(guard.holds ? distance - 1 : -distance);
  if (!guard.holds) {
    if (is_known_never_negative(distance)) know(distance - 1);
    if (is_known_never_negative(-distance)) know(-distance - 1);
    return;
  }
  if (std::optional<Solution> solution = solve(distance)) return replace_symbol(solution->symbol, solution->value);
  know(distance);
  know(-distance);
}

void ShapeFacts::replace_symbol(int symbol, SymInt value) {
  // What was known of the symbol is known of what it is.
  SizeRange range = known_.symbols[symbol];
  if (!value.is_constant()) {
    known_.never_negative.push_back(value - range.low);
    if (range.high != SizeRange::no_high) known_.never_negative.push_back(SymInt(range.high) - value);
  }
  std::vector<SymInt> step;
  for (size_t i = 0; i < symbols_.size(); ++i)
    step.push_back(SymInt::symbol(static_cast<int>(i), symbols_[i].hint / symbols_[i].multiple_of));
  step[symbol] = value.is_constant() ? value : substitute(value, step);  // with its value in the example
  for (SymInt& replacement : replacements_) replacement = substitute(replacement, step);
  for (SymInt& fact : known_.never_negative) fact = substitute(fact, step);
}

const ShapeGuard* ShapeFacts::broken_declaration() const {
  for (size_t i = 0; i < symbols_.size(); ++i) {
    if (!symbols_[i].is_declared || !replacements_[i].is_constant()) continue;
    for (const ShapeGuard& guard : guards_) {
      bool speaks_of_it = false;
      auto look = [&](int symbol) { speaks_of_it |= symbol == static_cast<int>(i); };
      visit_symbols(guard.left, look);
      visit_symbols(guard.right, look);
      if (guard.comparison == Comparison::equal && guard.holds && speaks_of_it) return &guard;
    }
  }
  return nullptr;
}

std::string ShapeFacts::identity() const {
  std::string text;
  for (const SizeSymbol& symbol : symbols_)
    text +=
        fmt::format("{}[{}] {} is {} in [{}, {}] by {}{}\n", symbol.argument, symbol.dim, symbol.source, symbol.hint,
                    symbol.range.low, symbol.range.high, symbol.multiple_of, symbol.is_declared ? " declared" : "");
  for (const ShapeGuard& guard : guards_)
    text += fmt::format("{} {} {} {} {}:{}\n", sinter::to_string(guard.left), static_cast<int>(guard.comparison),
                        sinter::to_string(guard.right), guard.holds, guard.where.file_name(), guard.where.line());
  return text + numbers.identity();
}

std::string in_words(SymInt value, const std::vector<SizeSymbol>& symbols) {
  std::string text = sinter::to_string(value), words;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    bool is_symbol = text[i] == 's' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1])));
    while (is_symbol && end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    size_t number = is_symbol && end > i + 1 ? std::stoul(text.substr(i + 1, end - i - 1)) : symbols.size();
    if (number < symbols.size()) {
      const SizeSymbol& symbol = symbols[number];
      words += symbol.multiple_of == 1 ? symbol.source : fmt::format("{}/{}", symbol.source, symbol.multiple_of);
    } else {
      words += text.substr(i, end - i);
    }
    i = end;
  }
  return words;
}

std::string to_string(const ShapeGuard& guard, const std::vector<SizeSymbol>& symbols) {
  std::string_view sign = guard.comparison == Comparison::equal ? (guard.holds ? "==" : "!=")
                          : guard.holds                         ? "<"
                                                                : ">=";
  return fmt::format("{} {} {}", in_words(guard.left, symbols), sign, in_words(guard.right, symbols));
}

}  // namespace sinter::graph

namespace sinter {

bool decide(SymInt a, Comparison comparison, SymInt b, Here here) {
  graph::ShapeFacts* facts = graph::active_shape_facts();
  if (facts) return facts->decide(a, comparison, b, here);
  return comparison == Comparison::equal ? a.hint() == b.hint() : a.hint() < b.hint();
}

int64_t SymInt::specialised() const {
  graph::ShapeFacts* facts = graph::active_shape_facts();
  SINTER_CHECK(facts, "a number is needed, but {} is symbolic", to_string(*this));
  SymInt known = facts->simplified(*this);
  if (known.is_constant()) return known.hint();
  facts->decide(known, Comparison::equal, hint_, Here::current());
  return hint_;
}

bool is_proven_at_least(SymInt a, SymInt b) {
  SymInt distance = a - b;
  if (distance.is_constant()) return distance.hint() >= 0;
  graph::ShapeFacts* facts = graph::active_shape_facts();
  return facts ? facts->is_known_never_negative(facts->simplified(distance)) : is_never_negative(distance);
}

}  // namespace sinter
