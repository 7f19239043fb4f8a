// Canonical, interned expressions over symbols, and their text.

#include <sinter/graph/sym_expr.h>

#include <sinter/graph/shape_facts.h>
#include <sinter/graph/size_proof.h>
#include <sinter/graph/trace.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace sinter {

SymInt make_sym_int(const SymExpr* expr, int64_t hint) {
  SymInt result(hint);
  result.expr_ = reinterpret_cast<uintptr_t>(expr);
  SINTER_CHECK(result.owner() == 0, "an address of more than 48 bits");
  return result;
}

namespace {

using Factor = SymExpr::Factor;
using Product = SymExpr::Product;

// Interned by text, which is canonical.
struct Tables {
  std::mutex mutex;
  std::unordered_map<std::string, const Factor*> factors;
  std::unordered_map<std::string, const SymExpr*> sums;
};
Tables& tables() {
  static auto* instance = new Tables;  // never destroyed: SymInts may outlive static objects
  return *instance;
}

std::string text_of(const Factor& factor) {
  switch (factor.kind) {
    case Factor::Kind::symbol: return fmt::format("{}{}", factor.is_unbacked ? 'u' : 's', factor.symbol);
    case Factor::Kind::floor_div: return fmt::format("floor_div({}, {})", to_string(factor.a), to_string(factor.b));
    case Factor::Kind::mod: return fmt::format("mod({}, {})", to_string(factor.a), to_string(factor.b));
    case Factor::Kind::min: return fmt::format("min({}, {})", to_string(factor.a), to_string(factor.b));
    case Factor::Kind::max: return fmt::format("max({}, {})", to_string(factor.a), to_string(factor.b));
  }
  __builtin_unreachable();
}

const Factor* intern(const Factor& factor) {
  std::string text = text_of(factor);
  std::lock_guard lock(tables().mutex);
  auto [entry, is_new] = tables().factors.try_emplace(text, nullptr);
  if (is_new) {
    auto* fresh = new Factor(factor);
    fresh->text = std::move(text);
    if (factor.kind != Factor::Kind::symbol) fresh->is_unbacked = is_unbacked(factor.a) || is_unbacked(factor.b);
    entry->second = fresh;
  }
  return entry->second;
}

std::string text_of(const SymExpr& sum) {
  std::vector<std::string> parts;
  for (const auto& [product, coef] : sum.terms) {
    std::string part;
    for (const Factor* factor : product) part += (part.empty() ? "" : "*") + factor->text;
    parts.push_back(coef == 1 ? part : fmt::format("{}*{}", coef, part));
  }
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " + ") + part;
  if (sum.constant != 0 || text.empty())
    text += text.empty() ? fmt::format("{}", sum.constant) : fmt::format(" + {}", sum.constant);
  return text;
}

}  // namespace

bool SymExpr::Order::operator()(const Factor* a, const Factor* b) const {
  bool a_is_call = a->kind != Factor::Kind::symbol, b_is_call = b->kind != Factor::Kind::symbol;
  if (a_is_call || b_is_call) return a_is_call == b_is_call ? a->text < b->text : b_is_call;
  return a->symbol != b->symbol ? a->symbol < b->symbol : a->is_unbacked < b->is_unbacked;
}

bool SymExpr::Order::operator()(const Product& a, const Product& b) const {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), *this);
}

SymInt intern(SymExpr sum, int64_t hint) {
  if (sum.terms.empty()) return SymInt(sum.constant);
  std::lock_guard lock(tables().mutex);
  sum.text = text_of(sum);
  auto [entry, is_new] = tables().sums.try_emplace(sum.text, nullptr);
  if (is_new) {
    sum.is_unbacked = false;  // it may be what is left of a sum that was
    for (const auto& [product, coef] : sum.terms)
      for (const Factor* factor : product) sum.is_unbacked |= factor->is_unbacked;
    entry->second = new SymExpr(std::move(sum));
  }
  return make_sym_int(entry->second, hint);
}

SymExpr sum_of(SymInt value) {
  if (!value.is_constant()) return *value.expr();
  SymExpr sum;
  sum.constant = value.hint();
  return sum;
}

namespace {

SymInt from_factor(const Factor& factor, int64_t hint) {
  SymExpr sum;
  sum.terms[{intern(factor)}] = 1;
  return intern(std::move(sum), hint);
}

[[noreturn]] void fail_for_zero(const char* function) {
  Here where = graph::active_trace() ? graph::users_line({}) : Here();
  throw Error(ErrorKind::argument, where, fmt::format("{}: a size is divided by 0", function));
}

int64_t floor_div_number(int64_t a, int64_t b) {
  if (b == -1) return static_cast<int64_t>(-static_cast<uint64_t>(a));
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// With a divisor above 0: one below 0 is turned around with what it divides.
struct Division {
  SymInt a, b;
  bool is_turned = false;
};

// What the user's own function divides by is guarded to be as it is, or checked; ops know what they divide by.
Division with_positive_divisor(SymInt a, SymInt b, const char* function) {
  if (b.is_constant()) {
    if (b.hint() == 0) fail_for_zero(function);
    return b.hint() > 0 ? Division{a, b} : Division{-a, -b, true};
  }
  graph::ShapeFacts* facts = graph::active_shape_facts();
  bool is_users = facts && graph::active_trace() && !graph::is_inside_op();
  if (!is_users || is_proven_at_least(b, 1)) return {a, b};
  Here where = graph::users_line({});
  if (is_unbacked(b)) {
    facts->state_range(b, 1, SizeRange::no_high, function, where);
    return {a, b};
  }
  if (is_less(0, b, where)) return {a, b};
  if (is_equal(b, 0, where)) fail_for_zero(function);
  return {-a, -b, true};
}

// At the ends of the range they stay there, so that a sign, which is what proofs are about, is never wrong: slices
// count up to the largest number.
int64_t limited_sum(int64_t a, int64_t b) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

int64_t limited_product(int64_t a, int64_t b) {
  int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) != (b < 0) ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

}  // namespace

SymInt symbol_of(const Factor& factor, int64_t hint) {
  Factor symbol;
  symbol.symbol = factor.symbol;
  symbol.is_unbacked = factor.is_unbacked;
  return from_factor(symbol, hint);
}

SymInt SymInt::symbol(int index, int64_t hint) {
  Factor factor;
  factor.symbol = index;
  return from_factor(factor, hint);
}

SymInt unbacked_symbol(int index, int64_t hint) {
  Factor factor;
  factor.symbol = index;
  factor.is_unbacked = true;
  return from_factor(factor, hint);
}

bool is_unbacked(SymInt size) { return !size.is_constant() && size.expr()->is_unbacked; }

uint16_t joint_owner(SymInt a, SymInt b) {
  if (!a.may_meet(b)) fail_for_owner(a, Here());
  return a.owner() != 0 ? a.owner() : b.owner();
}

SymInt SymInt::add(SymInt a, SymInt b) {
  SymExpr sum = sum_of(a);
  SymExpr other = sum_of(b);
  sum.constant = limited_sum(sum.constant, other.constant);
  for (const auto& [product, coef] : other.terms) {
    int64_t& joint = sum.terms[product];
    joint = limited_sum(joint, coef);
    if (joint == 0) sum.terms.erase(product);
  }
  return intern(std::move(sum), limited_sum(a.hint_, b.hint_)).owned_by(joint_owner(a, b));
}

SymInt SymInt::mul(SymInt a, SymInt b) {
  SymExpr left = sum_of(a), right = sum_of(b), result;
  auto add_term = [&](Product product, int64_t coef) {
    std::sort(product.begin(), product.end(), SymExpr::Order());
    int64_t& joint = result.terms[product];
    joint = limited_sum(joint, coef);
    if (joint == 0) result.terms.erase(product);
  };
  result.constant = limited_product(left.constant, right.constant);
  for (const auto& [product, coef] : left.terms)
    if (right.constant != 0) add_term(product, limited_product(coef, right.constant));
  for (const auto& [product, coef] : right.terms)
    if (left.constant != 0) add_term(product, limited_product(coef, left.constant));
  for (const auto& [p, pc] : left.terms)
    for (const auto& [q, qc] : right.terms) {
      Product both = p;
      both.insert(both.end(), q.begin(), q.end());
      add_term(std::move(both), limited_product(pc, qc));
    }
  return intern(std::move(result), limited_product(a.hint_, b.hint_)).owned_by(joint_owner(a, b));
}

namespace {

// A divisor that is 0 in the example makes the example meaningless, not the expression.
int64_t example_quotient(SymInt a, SymInt b) {
  return b.hint() == 0 && !b.is_constant() ? 0 : floor_div_number(a.hint(), b.hint());
}

SymInt with_hint(SymInt value, int64_t hint) { return value.is_constant() ? value : make_sym_int(value.expr(), hint); }

// Never 0.
bool is_size_of_argument(const Factor& factor) { return factor.kind == Factor::Kind::symbol && !factor.is_unbacked; }

// Of sizes without owners, as factors are.
SymInt quotient_of(SymInt dividend, SymInt divisor) {
  auto [a, b, is_turned] = with_positive_divisor(dividend, divisor, "floor_div");
  if (dividend.is_constant() && divisor.is_constant()) return floor_div_number(dividend.hint(), divisor.hint());
  if (std::optional<SymInt> exact = exact_quotient(a, b)) return *exact;
  if (SymInt both = common_factor(a, b, is_size_of_argument); !both.same(1))
    return with_hint(quotient_of(*exact_quotient(a, both), *exact_quotient(b, both)), example_quotient(a, b));
  return from_factor({Factor::Kind::floor_div, 0, false, a, b, {}}, example_quotient(a, b));
}

SymInt remainder_of(SymInt dividend, SymInt divisor) {
  auto [a, b, is_turned] = with_positive_divisor(dividend, divisor, "mod");
  if (is_turned) return -remainder_of(a, b);  // it has the divisor's sign
  int64_t hint = a.hint() - example_quotient(a, b) * b.hint();
  if (a.is_constant() && b.is_constant()) return hint;
  if (exact_quotient(a, b)) return 0;
  if (SymInt both = common_factor(a, b, is_size_of_argument); !both.same(1))
    return with_hint(both * remainder_of(*exact_quotient(a, both), *exact_quotient(b, both)), hint);
  return from_factor({Factor::Kind::mod, 0, false, a, b, {}}, hint);
}

SymInt least_of(SymInt a, SymInt b) {
  int64_t hint = std::min(a.hint(), b.hint());
  if (a.is_constant() && b.is_constant()) return hint;
  if (a.same(b) || is_never_negative(b - a)) return a;
  if (is_never_negative(a - b)) return b;
  return from_factor({Factor::Kind::min, 0, false, a, b, {}}, hint);
}

SymInt greatest_of(SymInt a, SymInt b) {
  int64_t hint = std::max(a.hint(), b.hint());
  if (a.is_constant() && b.is_constant()) return hint;
  if (a.same(b) || is_never_negative(a - b)) return a;
  if (is_never_negative(b - a)) return b;
  return from_factor({Factor::Kind::max, 0, false, a, b, {}}, hint);
}

SymInt without_owners(SymInt (*call)(SymInt, SymInt), SymInt a, SymInt b) {
  return call(a.owned_by(0), b.owned_by(0)).owned_by(joint_owner(a, b));
}

}  // namespace

SymInt floor_div(SymInt a, SymInt b) { return without_owners(quotient_of, a, b); }
SymInt ceil_div(SymInt dividend, SymInt divisor) {
  auto [a, b, is_turned] = with_positive_divisor(dividend, divisor, "ceil_div");
  return floor_div(a + b - 1, b);
}
SymInt mod(SymInt a, SymInt b) { return without_owners(remainder_of, a, b); }
SymInt min(SymInt a, SymInt b) { return without_owners(least_of, a, b); }
SymInt max(SymInt a, SymInt b) { return without_owners(greatest_of, a, b); }

SymInt apply_factor(Factor::Kind kind, SymInt a, SymInt b) {
  switch (kind) {
    case Factor::Kind::floor_div: return floor_div(a, b);
    case Factor::Kind::mod: return mod(a, b);
    case Factor::Kind::min: return min(a, b);
    case Factor::Kind::max: return max(a, b);
    case Factor::Kind::symbol: break;
  }
  internal_error(Here::current(), "apply_factor", "a symbol is no call");
}

int symbol_number(SymInt value) {
  if (value.is_constant()) return -1;
  const SymExpr& sum = *value.expr();
  if (sum.constant != 0 || sum.terms.size() != 1) return -1;
  const auto& [product, coef] = *sum.terms.begin();
  if (coef != 1 || product.size() != 1 || product[0]->kind != Factor::Kind::symbol) return -1;
  return product[0]->symbol;
}

void visit_symbol_factors(SymInt value, void (*visit)(void* context, const Factor& symbol), void* context) {
  if (value.is_constant()) return;
  for (const auto& [product, coef] : value.expr()->terms)
    for (const Factor* factor : product) {
      if (factor->kind == Factor::Kind::symbol) {
        visit(context, *factor);
        continue;
      }
      visit_symbol_factors(factor->a, visit, context);
      visit_symbol_factors(factor->b, visit, context);
    }
}

SymInt substitute(SymInt value, std::span<const SymInt> replacements) {
  if (value.is_constant()) return value;
  SymInt result = value.expr()->constant;
  for (const auto& [product, coef] : value.expr()->terms) {
    SymInt term = coef;
    for (const Factor* factor : product) {
      if (factor->kind != Factor::Kind::symbol)
        term *= apply_factor(factor->kind, substitute(factor->a, replacements), substitute(factor->b, replacements));
      else
        term *= replacements[factor->symbol];
    }
    result += term;
  }
  return result;
}

namespace {

// p without the factors of q, which must all be in it.
std::optional<Product> without(const Product& p, const Product& q) {
  Product rest;
  size_t next = 0;
  for (const Factor* factor : p) {
    if (next < q.size() && factor == q[next])
      ++next;
    else
      rest.push_back(factor);
  }
  return next == q.size() ? std::optional(std::move(rest)) : std::nullopt;
}

// Of sums; `b` is coef * product.
std::optional<SymExpr> divided_by_term(const SymExpr& a, const Product& product, int64_t coef) {
  SymExpr result;
  if (a.constant % coef != 0 || (a.constant != 0 && !product.empty())) return std::nullopt;
  result.constant = a.constant / coef;
  for (const auto& [p, c] : a.terms) {
    std::optional<Product> rest = without(p, product);
    if (!rest || c % coef != 0) return std::nullopt;
    if (rest->empty())
      result.constant += c / coef;
    else
      result.terms[*rest] += c / coef;
  }
  return result;
}

}  // namespace

std::optional<SymInt> exact_quotient(SymInt a, SymInt b) {
  if (a.same(0)) return SymInt(0);
  if (b.same(0)) return std::nullopt;
  if (a.is_constant() && b.is_constant())
    return a.hint() % b.hint() == 0 ? std::optional(SymInt(a.hint() / b.hint())) : std::nullopt;
  if (a.is_constant()) return std::nullopt;
  SymExpr numerator = sum_of(a), divisor = sum_of(b);
  int64_t hint = b.hint() == 0 ? 0 : a.hint() / b.hint();
  auto found = [&](const SymExpr& sum) { return intern(sum, hint); };
  if (divisor.terms.empty()) {
    auto result = divided_by_term(numerator, {}, divisor.constant);
    return result ? std::optional(found(*result)) : std::nullopt;
  }
  if (divisor.constant == 0 && divisor.terms.size() == 1) {
    auto& [product, coef] = *divisor.terms.begin();
    auto result = divided_by_term(numerator, product, coef);
    return result ? std::optional(found(*result)) : std::nullopt;
  }
  // Of a longer divisor: a quotient of one term, which takes the divisor's first term to one of the numerator's.
  const auto& [first, first_coef] = *divisor.terms.begin();
  for (const auto& [p, c] : numerator.terms) {
    std::optional<Product> rest = without(p, first);
    if (!rest || c % first_coef != 0) continue;
    SymExpr quotient;
    if (rest->empty())
      quotient.constant = c / first_coef;
    else
      quotient.terms[*rest] = c / first_coef;
    SymInt candidate = found(quotient);
    if ((candidate * b).same(a)) return candidate;
  }
  return std::nullopt;
}

SymInt common_factor(SymInt a, SymInt b, const std::function<bool(const Factor&)>& counts) {
  std::optional<Product> shared;
  for (SymInt side : {a, b}) {
    if (side.same(0)) continue;
    if (side.is_constant() || side.expr()->constant != 0) return 1;
    for (const auto& [product, coef] : side.expr()->terms) {
      if (!shared) {
        shared.emplace();
        std::ranges::copy_if(product, std::back_inserter(*shared),
                             [&](const Factor* factor) { return counts(*factor); });
        continue;
      }
      Product both;
      std::ranges::set_intersection(*shared, product, std::back_inserter(both), SymExpr::Order());
      shared = std::move(both);
    }
  }
  if (!shared || shared->empty()) return 1;
  SymExpr product;
  product.terms[*shared] = 1;
  return intern(std::move(product), 1);
}

std::string to_string(SymInt value) {
  return value.is_constant() ? fmt::format("{}", value.hint()) : value.expr()->text;
}

std::string to_string(const SymDims& dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) text += (i == 0 ? "" : ", ") + to_string(dims[i]);
  return text + "]";
}

namespace {

// sum := product {" + " product}; product := primary {"*" primary}; primary := number | sN | uN | call "(" sum ", " sum
// ")"
class Parser {
 public:
  Parser(std::string_view text, int64_t (*hint_of)(int, const void*), const void* context)
      : text_(text), hint_of_(hint_of), context_(context) {}

  SymInt whole() {
    SymInt value = sum();
    if (!rest().empty()) fail();
    return value;
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  [[noreturn]] void fail() const {
    throw Error(ErrorKind::argument, Here::current(), fmt::format("`{}` is no size: unexpected `{}`", text_, rest()));
  }
  bool take(std::string_view token) {
    if (!rest().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  int64_t number() {
    int64_t value = 0;
    auto [end, code] = std::from_chars(rest().data(), rest().data() + rest().size(), value);
    if (code != std::errc{}) fail();
    at_ = end - text_.data();
    return value;
  }
  SymInt sum() {
    SymInt value = product();
    while (take(" + ")) value += product();
    return value;
  }
  SymInt product() {
    SymInt value = primary();
    while (take("*")) value *= primary();
    return value;
  }
  SymInt primary() {
    using Call = SymInt (*)(SymInt, SymInt);
    static constexpr std::pair<std::string_view, Call> calls[] = {
        {"floor_div(", floor_div}, {"mod(", mod}, {"min(", min}, {"max(", max}};
    for (auto [name, call] : calls) {
      if (!take(name)) continue;
      SymInt a = sum();
      if (!take(", ")) fail();
      SymInt b = sum();
      if (!take(")")) fail();
      return call(a, b);
    }
    bool is_unbacked = rest().starts_with("u");
    if (is_unbacked ? take("u") : take("s")) {
      int index = static_cast<int>(number());
      int64_t hint = hint_of_ ? hint_of_(index, context_) : 0;
      return is_unbacked ? unbacked_symbol(index, hint) : SymInt::symbol(index, hint);
    }
    return number();
  }

  std::string_view text_;
  int64_t (*hint_of_)(int, const void*);
  const void* context_;
  size_t at_ = 0;
};

}  // namespace

SymInt parse_sym_int(std::string_view text, int64_t (*hint_of)(int symbol, const void*), const void* context) {
  return Parser(text, hint_of, context).whole();
}

}  // namespace sinter
