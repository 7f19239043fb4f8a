// Decisions on symbolic sizes: what is known answers, the example otherwise, and each answer is one more thing known.

#include <sinter/graph/shape_facts.h>

#include <sinter/graph/sym_expr.h>
#include <sinter/graph/text/source_line.h>
#include <sinter/graph/trace.h>
#include <sinter/graph/usual_number.h>

#include <algorithm>

namespace sinter::graph {

namespace {

thread_local ShapeFacts* active = nullptr;
thread_local Here last_question;
thread_local int general_answers = 0;

// In one of our own files.
bool is_in_library(Here where) {
  constexpr std::string_view me = "graph/shape_facts.cpp";
  static const std::string_view own = Here::current().file_name();
  static const std::string_view root = own.substr(0, own.size() - me.size());
  std::string_view file = where.file_name();
  if (file.find("/sinter/graph/") != std::string_view::npos) return true;
  if (!file.starts_with(root)) return false;
  file.remove_prefix(root.size());
  for (std::string_view layer : {"graph/", "fusion/", "codegen/", "runtime/"})
    if (file.starts_with(layer)) return true;
  return false;
}

// A comparison there, or in a standard header, says nothing to the user.
bool is_our_own(Here where) { return std::string_view(where.file_name()).starts_with("/usr/") || is_in_library(where); }

// 0 and 1, and what stands for another size than itself, as -1 does.
bool is_special_size(SymInt size) { return size.is_constant() && size.hint() < 2; }

}  // namespace

// It may outlive the library that it is in.
Here users_line(Here where) {
  Here effective = effective_location(where);
  return kept_line(effective.line() == 0 || is_our_own(effective) ? last_question : effective);
}

// Counted round: of 65,535 compilations no two are taken for each other.
ShapeFacts::Owner::Owner() {
  static std::atomic<uint32_t> made = 0;
  constexpr uint32_t most = std::numeric_limits<uint16_t>::max();
  number = static_cast<uint16_t>(1 + made.fetch_add(1, std::memory_order_relaxed) % most);
}

ShapeFacts* active_shape_facts() { return active; }
ActivateShapeFacts::ActivateShapeFacts(ShapeFacts* facts) : before_(active) { active = facts; }
ActivateShapeFacts::~ActivateShapeFacts() { active = before_; }
SymInt with_example(SymInt value) { return active ? active->simplified(value) : value; }
void note_size_question(Here where) { last_question = where; }
void note_question(Here where) {
  if (!is_inside_op() && !is_in_library(where)) last_question = where;
}
AnswerGenerally::AnswerGenerally() { ++general_answers; }
AnswerGenerally::~AnswerGenerally() { --general_answers; }

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

SymInt ShapeFacts::add_unbacked(std::string_view op, SizeRange range, Here where) {
  int64_t usual = range.low < 0 ? number_taken() : large_number;
  int number = static_cast<int>(symbols_.size());
  int64_t hint = std::clamp(usual, range.low, std::max(range.low, range.high));
  known_.symbols.push_back(range);
  replacements_.push_back(unbacked_symbol(number, hint));
  symbols_.push_back({.hint = hint,
                      .range = range,
                      .source = fmt::format("u{}", number),
                      .made_by = fmt::format("{} at {}", op, short_location(effective_location(where)))});
  return replacements_.back();
}

void ShapeFacts::check_owner(SymInt value, Here where) const {
  if (value.owner() != 0 && value.owner() != owner()) fail_for_owner(value, where);
}

SymInt ShapeFacts::simplified(SymInt value) const {
  check_owner(value, Here());
  visit_symbols(value, [&](int symbol) {
    if (static_cast<size_t>(symbol) >= replacements_.size()) fail_for_owner(value, Here());
  });
  return substitute(value, replacements_);
}

bool ShapeFacts::is_known_equal(SymInt a, SymInt b) const { return simplified(a).same(simplified(b)); }

std::optional<bool> ShapeFacts::known_answer(SymInt left, Comparison comparison, SymInt right) const {
  SymInt distance = right - left;
  bool is_equality = comparison == Comparison::equal;
  if (distance.is_constant()) return is_equality ? distance.hint() == 0 : distance.hint() > 0;
  if (is_known_never_negative(distance - 1)) return !is_equality;
  if (is_known_never_negative(is_equality ? -distance - 1 : -distance)) return false;
  if (is_equality && is_known_never_negative(distance) && is_known_never_negative(-distance)) return true;
  for (const std::vector<ShapeGuard>* relations : {&guards_, &checked_})
    for (const ShapeGuard& guard : *relations)
      if (guard.comparison == comparison && guard.left.same(left) && guard.right.same(right)) return guard.holds;
  return std::nullopt;
}

namespace {

// What is true of both sides is true of them without what both are multiplied by, if that is above 0.
std::pair<SymInt, SymInt> without_common_factor(const ShapeFacts& facts, SymInt a, SymInt b) {
  if (a.is_constant() && b.is_constant()) return {a, b};
  SymInt both = common_factor(a, b, [&](const SymExpr::Factor& factor) {
    if (factor.kind == SymExpr::Factor::Kind::symbol && !factor.is_unbacked) return true;
    SymExpr single;
    single.terms[{&factor}] = 1;
    return facts.is_known_never_negative(intern(std::move(single), 1) - 1);
  });
  if (both.same(1)) return {a, b};
  return {facts.simplified(*exact_quotient(a, both)), facts.simplified(*exact_quotient(b, both))};
}

}  // namespace

bool ShapeFacts::decide(SymInt a, Comparison comparison, SymInt b, Here where) {
  check_owner(a, where);
  check_owner(b, where);
  auto [left, right] = without_common_factor(*this, simplified(a), simplified(b));
  bool is_equality = comparison == Comparison::equal;
  if (std::optional<bool> known = known_answer(left, comparison, right)) return *known;
  if (is_unbacked(right - left)) return decide_unbacked({left, right, comparison, true, users_line(where)}, where);
  bool holds = is_equality ? a.hint() == b.hint() : a.hint() < b.hint();
  if (is_unbacked(left)) {  // on both sides, as much
    right -= left;
    left = 0;
  }
  guards_.push_back({left, right, comparison, holds, users_line(where)});
  learn(guards_.back());
  return holds;
}

void ShapeFacts::fail_to_decide(const std::string& what, SymInt size, Here where) const {
  std::vector<ErrorNote> notes;
  std::vector<bool> is_noted(symbols_.size());
  visit_symbols(size, [&](int number) {
    const SizeSymbol& symbol = symbols_.at(number);
    if (!symbol.is_unbacked() || is_noted[number]) return;
    is_noted[number] = true;
    SizeRange range = known_.symbols[number];
    std::string low = range.low == SizeRange::no_low ? "any" : fmt::format("at least {}", range.low);
    std::string high = range.high == SizeRange::no_high ? "" : fmt::format(", at most {}", range.high);
    notes.push_back({symbol.source, fmt::format("from {}; {}{}", symbol.made_by, low, high)});
  });
  throw Error(ErrorKind::trace, where, fmt::format("compile: {}, and only data tell that size", what), std::move(notes),
              "check_size(size, min, max) before, where a range answers; or decide outside of the compiled function");
}

// The usual answer. Equal sizes are asked for where they must fit, 0 and 1 for what is special about them.
bool ShapeFacts::decide_unbacked(const ShapeGuard& question, Here asked) {
  const auto& [left, right, comparison, holds, where] = question;
  bool is_equality = comparison == Comparison::equal;
  bool is_special = is_equality && (is_special_size(left) || is_special_size(right));
  auto is_one_or_none = [&](SymInt one, SymInt size) { return one.same(1) && is_known_never_negative(1 - size); };
  bool is_usual = is_special && (is_one_or_none(left, right) || is_one_or_none(right, left));
  bool by_example = is_equality ? left.hint() == right.hint() : left.hint() < right.hint();
  if (general_answers > 0) return is_equality ? false : by_example;
  if (is_special && !takes_checks_) return false;
  bool is_users = !is_inside_op() && !is_in_library(asked);
  if (is_users || !takes_checks_) {
    std::string relation = graph::to_string(question, symbols_);
    fail_to_decide(is_users ? fmt::format("the function asks whether {}", relation)
                            : fmt::format("code depends on whether {}", relation),
                   right - left, where);
  }
  ShapeGuard answer = question;
  answer.holds = is_equality ? !is_special || is_usual : by_example;
  add_check(answer, {});
  learn(answer);
  return answer.holds;
}

bool ShapeFacts::require_equal(SymInt a, SymInt b, Here where) {
  ShapeGuard relation{simplified(a), simplified(b), Comparison::equal, true, users_line(where)};
  if (std::optional<bool> known = known_answer(relation.left, Comparison::equal, relation.right)) return *known;
  add_check(relation, {});
  learn(relation);
  return true;
}

void ShapeFacts::add_check(ShapeGuard relation, std::string_view stated_by) {
  checked_.push_back(relation);
  // As it reads best: the size that data tell comes first.
  if (relation.comparison == Comparison::equal && !is_unbacked(relation.left)) std::swap(relation.left, relation.right);
  new_checks_.push_back({std::move(relation), std::string(stated_by)});
}

void ShapeFacts::specialise(SymInt size, Here where) {
  check_owner(size, where);
  SymInt known = simplified(size);
  if (known.is_constant()) return;
  if (is_unbacked(known))
    fail_to_decide(fmt::format("a number is needed where the size is {}", in_words(known, symbols_)), known,
                   users_line(where));
  decide(known, Comparison::equal, size.hint(), where);
}

void ShapeFacts::state_range(SymInt size, int64_t min, int64_t max, std::string_view stated_by, Here where) {
  SymInt known = simplified(size);
  auto state = [&](SymInt left, SymInt right) {  // that left < right does not hold
    std::optional<bool> answer = known_answer(left, Comparison::less, right);
    if (answer == false) return;
    ShapeGuard stated{left, right, Comparison::less, false, where};
    if (answer == true || (!is_unbacked(known) && decide(left, Comparison::less, right, where)))
      throw Error(ErrorKind::argument, where,
                  fmt::format("{}: {} is not from {} to {}", stated_by, in_words(known, symbols_), min, max));
    if (!is_unbacked(known)) return;
    int symbol = symbol_number(known);
    if (symbol >= 0 && right.same(min)) known_.symbols[symbol].low = std::max(known_.symbols[symbol].low, min);
    if (symbol >= 0 && left.same(max)) known_.symbols[symbol].high = std::min(known_.symbols[symbol].high, max);
    add_check(stated, stated_by);
    if (symbol < 0) learn(stated);
  };
  state(known, min);
  if (max != SizeRange::no_high) state(max, known);
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

// The value if it is nothing but a remainder, else null.
const SymExpr::Factor* as_remainder(SymInt value) {
  if (value.is_constant() || value.expr()->constant != 0 || value.expr()->terms.size() != 1) return nullptr;
  const SymExpr::Product& product = value.expr()->terms.begin()->first;
  return product.size() == 1 && product[0]->kind == SymExpr::Factor::Kind::mod ? product[0] : nullptr;
}

}  // namespace

void ShapeFacts::learn(const ShapeGuard& guard) {
  SymInt distance = guard.right - guard.left;
  auto know = [&](SymInt never_negative) {
    known_.never_negative.push_back(never_negative);
    if (int symbol = symbol_number(never_negative - sum_of(never_negative).constant); symbol >= 0)
      known_.symbols[symbol].low = std::max(known_.symbols[symbol].low, -sum_of(never_negative).constant);
  };
  if (guard.comparison == Comparison::less) return know(guard.holds ? distance - 1 : -distance);
  if (!guard.holds) {
    if (is_known_never_negative(distance)) know(distance - 1);
    if (is_known_never_negative(-distance)) know(-distance - 1);
    return;
  }
  // What divides a size above 0 goes into it at least once.
  if (const SymExpr::Factor* remainder = as_remainder(distance); remainder && is_known_never_negative(remainder->a - 1))
    know(floor_div(remainder->a, remainder->b) - 1);
  if (std::optional<Solution> solution = solve(distance)) return replace_symbol(solution->symbol, solution->value);
  know(distance);
  know(-distance);
}

void ShapeFacts::replace_symbol(int symbol, SymInt value) {
  // What was known of the symbol is known of what it is.
  SizeRange range = known_.symbols[symbol];
  if (!value.is_constant()) {
    if (range.low != SizeRange::no_low) known_.never_negative.push_back(value - range.low);
    if (range.high != SizeRange::no_high) known_.never_negative.push_back(SymInt(range.high) - value);
  }
  std::vector<SymInt> step;
  for (size_t i = 0; i < symbols_.size(); ++i) {
    int64_t hint = symbols_[i].hint / symbols_[i].multiple_of;
    int number = static_cast<int>(i);
    step.push_back(symbols_[i].is_unbacked() ? unbacked_symbol(number, hint) : SymInt::symbol(number, hint));
  }
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
    text += fmt::format("{}[{}] {} in [{}, {}] by {}{}\n", symbol.argument, symbol.dim, symbol.source, symbol.range.low,
                        symbol.range.high, symbol.multiple_of, symbol.is_declared ? " declared" : "");
  for (const std::vector<ShapeGuard>* relations : {&guards_, &checked_})
    for (const ShapeGuard& guard : *relations)
      text += fmt::format("{} {} {} {} {}:{}\n", sinter::to_string(guard.left), static_cast<int>(guard.comparison),
                          sinter::to_string(guard.right), guard.holds, guard.where.file_name(), guard.where.line());
  return text + numbers.identity();
}

std::string ShapeFacts::examples() const {
  std::string text;
  for (const SizeSymbol& symbol : symbols_) text += fmt::format("{} is {}\n", symbol.source, symbol.hint);
  return text;
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
  for (SymInt side : {a, b})
    if (side.owner() != 0) fail_for_owner(side, here);
  return comparison == Comparison::equal ? a.hint() == b.hint() : a.hint() < b.hint();
}

void fail_for_owner(SymInt size, Here here) {
  std::string_view what = graph::active_shape_facts() ? "of another trace is used in this one"
                                                      : "of a finished trace is used outside of it";
  throw Error(ErrorKind::trace, graph::users_line(here), fmt::format("a symbolic size, {}, {}", to_string(size), what),
              {}, "keep sizes that a traced function asked for inside that function, or return them");
}

int64_t SymInt::specialised(Here here) const {
  graph::ShapeFacts* facts = graph::active_shape_facts();
  if (!facts) fail_for_owner(*this, here);
  facts->check_owner(*this, here);
  SymInt known = facts->simplified(*this);
  if (known.is_constant()) return known.hint();
  facts->specialise(known, here);
  return hint_;
}

bool must_equal(SymInt a, SymInt b, Here here) {
  graph::ShapeFacts* facts = graph::active_shape_facts();
  return facts && a.may_meet(b) && is_unbacked(a - b) ? facts->require_equal(a, b, here) : is_equal(a, b, here);
}

bool is_proven_equal(SymInt a, SymInt b) {
  graph::ShapeFacts* facts = graph::active_shape_facts();
  return facts ? facts->is_known_equal(a, b) : a.same(b);
}

bool is_proven_at_least(SymInt a, SymInt b) {
  SymInt distance = a - b;
  if (distance.is_constant()) return distance.hint() >= 0;
  graph::ShapeFacts* facts = graph::active_shape_facts();
  return facts ? facts->is_known_never_negative(facts->simplified(distance)) : is_never_negative(distance);
}

}  // namespace sinter
