// Printing of sums, products and calls over symbols.

#include <sinter/codegen/cpp/size_syntax.h>

#include <sinter/graph/sym_expr.h>

namespace sinter::codegen {

using Factor = SymExpr::Factor;

std::string as_factor(std::string text) {
  bool is_word = text.find_first_of(" -") == std::string::npos;
  return is_word ? text : fmt::format("({})", text);
}

std::string SizeNames::name_of(SymInt symbol) {
  size_t place = 0;
  while (place < symbols_.size() && !symbols_[place].same(symbol)) ++place;
  if (place == symbols_.size()) symbols_.push_back(symbol);
  return fmt::format("s{}", place);
}

std::string SizeNames::text(SymInt size, PreludeUse& use) {
  if (size.is_constant()) return fmt::format("{}", size.hint());
  auto call_text = [&](const Factor& factor) {
    std::string a = text(factor.a, use), b = text(factor.b, use);
    bool is_plain = is_surely_at_least(factor.a, 0);
    switch (factor.kind) {
      case Factor::Kind::min: return fmt::format("({0} < {1} ? {0} : {1})", a, b);
      case Factor::Kind::max: return fmt::format("({0} > {1} ? {0} : {1})", a, b);
      case Factor::Kind::floor_div:
        if (is_plain) return fmt::format("({} / {})", as_factor(a), as_factor(b));
        use.pieces.insert("div_down");
        return fmt::format("div_down({}, {})", a, b);
      case Factor::Kind::mod:
        if (is_plain) return fmt::format("({} % {})", as_factor(a), as_factor(b));
        use.pieces.insert("mod_down");
        return fmt::format("mod_down({}, {})", a, b);
      case Factor::Kind::symbol: break;
    }
    return name_of(symbol_of(factor, 0));
  };
  std::string whole;
  auto append = [&](int64_t coef, const std::string& product) {
    bool is_negative = coef < 0;
    uint64_t magnitude = is_negative ? -static_cast<uint64_t>(coef) : static_cast<uint64_t>(coef);
    whole += whole.empty() ? (is_negative ? "-" : "") : (is_negative ? " - " : " + ");
    if (product.empty())
      whole += fmt::format("{}", magnitude);
    else
      whole += magnitude == 1 ? product : fmt::format("{} * {}", magnitude, product);
  };
  for (const auto& [product, coef] : size.expr()->terms) {
    std::string factors;
    for (const Factor* factor : product) factors += (factors.empty() ? "" : " * ") + call_text(*factor);
    append(coef, factors);
  }
  if (size.expr()->constant != 0) append(size.expr()->constant, "");
  return whole;
}

}  // namespace sinter::codegen
