// Canonical, interned expressions over symbols, their text, and the hook for decisions on them.

#include <sinter/graph/sym_int.h>

#include <sinter/graph/error.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace sinter {

// A sum: constant + sum of coef * product of factors. A factor is a symbol or a call of floor_div, mod, min or max.
struct SymExpr {
  struct Factor {
    enum class Kind : uint8_t { symbol, floor_div, mod, min, max } kind = Kind::symbol;
    int symbol = 0;
    SymInt a, b;  // of a call
  };
  using Product = std::vector<const Factor*>;  // sorted; a power is repetition

  int64_t constant = 0;
  std::map<Product, int64_t> terms;  // no coefficient is 0
  std::string text;
};

SymInt make_sym_int(const SymExpr* expr, int64_t hint) {
  SymInt result(hint);
  result.expr_ = expr;
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
  std::unordered_map<const Factor*, std::string> factor_texts;
};
Tables& tables() {
  static auto* instance = new Tables;  // never destroyed: SymInts may outlive static objects
  return *instance;
}

std::string text_of(const Factor& factor) {
  switch (factor.kind) {
    case Factor::Kind::symbol: return fmt::format("s{}", factor.symbol);
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
    entry->second = new Factor(factor);
    tables().factor_texts[entry->second] = text;
  }
  return entry->second;
}

std::string text_of(const SymExpr& sum) {
  std::vector<std::string> parts;
  for (const auto& [product, coef] : sum.terms) {
    std::string part;
    for (const Factor* factor : product) part += (part.empty() ? "" : "*") + tables().factor_texts.at(factor);
    parts.push_back(coef == 1 ? part : fmt::format("{}*{}", coef, part));
  }
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " + ") + part;
  if (sum.constant != 0 || text.empty())
    text += text.empty() ? fmt::format("{}", sum.constant) : fmt::format(" + {}", sum.constant);
  return text;
}

SymInt intern(SymExpr sum, int64_t hint) {
  if (sum.terms.empty()) return SymInt(sum.constant);
  std::lock_guard lock(tables().mutex);
  sum.text = text_of(sum);
  auto [entry, is_new] = tables().sums.try_emplace(sum.text, nullptr);
  if (is_new) entry->second = new SymExpr(std::move(sum));
  return make_sym_int(entry->second, hint);
}

SymExpr sum_of(SymInt value) {
  if (!value.is_constant()) return *value.expr();
  SymExpr sum;
  sum.constant = value.hint();
  return sum;
}

SymInt from_factor(const Factor& factor, int64_t hint) {
  SymExpr sum;
  sum.terms[{intern(factor)}] = 1;
  return intern(std::move(sum), hint);
}

int64_t floor_div_number(int64_t a, int64_t b) {
  SINTER_CHECK(b > 0, "division of a size by {}", b);
  return a / b - (a % b < 0);
}

std::atomic<DecisionHook> decision_hook = nullptr;

}  // namespace

SymInt SymInt::symbol(int index, int64_t hint) {
  Factor factor;
  factor.symbol = index;
  return from_factor(factor, hint);
}

int64_t SymInt::constant() const {
  SINTER_CHECK(is_constant(), "a number is needed, but {} is symbolic", to_string(*this));
  return hint_;
}

SymInt SymInt::add(SymInt a, SymInt b) {
  SymExpr sum = sum_of(a);
  SymExpr other = sum_of(b);
  sum.constant += other.constant;
  for (const auto& [product, coef] : other.terms)
    if ((sum.terms[product] += coef) == 0) sum.terms.erase(product);
  return intern(std::move(sum), a.hint_ + b.hint_);
}

SymInt SymInt::mul(SymInt a, SymInt b) {
  SymExpr left = sum_of(a), right = sum_of(b), result;
  auto add_term = [&](Product product, int64_t coef) {
    std::sort(product.begin(), product.end());
    if ((result.terms[product] += coef) == 0) result.terms.erase(product);
  };
  result.constant = left.constant * right.constant;
  for (const auto& [product, coef] : left.terms)
    if (right.constant != 0) add_term(product, coef * right.constant);
  for (const auto& [product, coef] : right.terms)
    if (left.constant != 0) add_term(product, coef * left.constant);
  for (const auto& [p, pc] : left.terms)
    for (const auto& [q, qc] : right.terms) {
      Product both = p;
      both.insert(both.end(), q.begin(), q.end());
      add_term(std::move(both), pc * qc);
    }
  return intern(std::move(result), a.hint_ * b.hint_);
}

SymInt floor_div(SymInt a, SymInt b) {
  int64_t hint = floor_div_number(a.hint(), b.hint());
  if (a.is_constant() && b.is_constant()) return hint;
  if (b.is_constant() && b.hint() == 1) return a;
  return from_factor({Factor::Kind::floor_div, 0, a, b}, hint);
}

SymInt ceil_div(SymInt a, SymInt b) { return floor_div(a + b - 1, b); }

SymInt mod(SymInt a, SymInt b) {
  int64_t hint = a.hint() - floor_div_number(a.hint(), b.hint()) * b.hint();
  if (a.is_constant() && b.is_constant()) return hint;
  if (b.is_constant() && b.hint() == 1) return 0;
  return from_factor({Factor::Kind::mod, 0, a, b}, hint);
}

SymInt min(SymInt a, SymInt b) {
  int64_t hint = std::min(a.hint(), b.hint());
  if (a.is_constant() && b.is_constant()) return hint;
  return a.same(b) ? a : from_factor({Factor::Kind::min, 0, a, b}, hint);
}

SymInt max(SymInt a, SymInt b) {
  int64_t hint = std::max(a.hint(), b.hint());
  if (a.is_constant() && b.is_constant()) return hint;
  return a.same(b) ? a : from_factor({Factor::Kind::max, 0, a, b}, hint);
}

void set_decision_hook(DecisionHook hook) { decision_hook = hook; }

bool decide(SymInt a, std::string_view comparison, SymInt b, bool answer) {
  if (DecisionHook hook = decision_hook) hook(a, comparison, b, answer);
  return answer;
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

// sum := product {" + " product}; product := primary {"*" primary}; primary := number | sN | call "(" sum ", " sum ")"
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
    if (take("s")) {
      int index = static_cast<int>(number());
      return SymInt::symbol(index, hint_of_ ? hint_of_(index, context_) : 0);
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
