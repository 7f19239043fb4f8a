// Finding symbols and their example values in the sizes of a graph.

#include <sinter/graph/text/symbols.h>

#include <charconv>

namespace sinter::graph {

int parse_symbol(std::string_view text) {
  int index = -1;
  if (text.size() < 2 || (text[0] != 's' && text[0] != 'u')) return -1;
  auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
  return error == std::errc{} && end == text.data() + text.size() ? index : -1;
}

namespace {

int64_t value_of(int symbol, const void* context) {
  const auto& symbols = *static_cast<const SymbolValues*>(context);
  auto found = symbols.find(symbol);
  if (found == symbols.end())
    throw Error(ErrorKind::argument, Here::current(), fmt::format("the symbol s{} has no example value", symbol));
  return found->second.value;
}

// Expressions remember their own value, not those of their symbols. A symbol that stands alone somewhere (nearly all
// do) says it; else it follows from an expression that is linear in it.
class Collector {
 public:
  void add(SymInt size) {
    if (size.is_constant()) return;
    std::string text = sinter::to_string(size);
    if (int symbol = parse_symbol(text); symbol >= 0)
      known_[symbol] = {size.hint(), text[0] == 'u'};
    else
      compound_.emplace_back(std::move(text), size.hint());
  }
  void add(const SymDims& dims) {
    for (SymInt size : dims) add(size);
  }
  void add(const Argument& argument) {
    if (argument.is_list())
      for (const Argument& element : argument.list()) add(element);
    else if (argument.is_value() && argument.value().is_sym_int())
      add(argument.value().sym_int());
  }

  SymbolValues values() {
    for (const auto& [text, value] : compound_)
      for (Named symbol : symbols_in(text))
        if (!known_.contains(symbol.number)) solve(symbol, text, value);
    return known_;
  }

 private:
  struct Named {
    int number;
    bool is_unbacked;
  };
  static std::vector<Named> symbols_in(const std::string& text) {
    std::vector<Named> symbols;
    for (size_t i = 0; i < text.size(); ++i) {
      bool starts =
          (text[i] == 's' || text[i] == 'u') && (i == 0 || !std::isalpha(static_cast<unsigned char>(text[i - 1])));
      size_t end = starts ? text.find_first_not_of("0123456789", i + 1) : i;
      if (int symbol = starts ? parse_symbol(std::string_view(text).substr(i, end - i)) : -1; symbol >= 0)
        symbols.push_back({symbol, text[i] == 'u'});
    }
    return symbols;
  }

  void solve(Named symbol, const std::string& text, int64_t value) {
    auto with = [&](int64_t candidate) {
      SymbolValues values = known_;
      for (Named other : symbols_in(text)) values.try_emplace(other.number, SymbolValue{});
      values[symbol.number].value = candidate;
      return parse_sym_int(text, value_of, &values).hint();
    };
    int64_t at_zero = with(0), slope = with(1) - at_zero;
    known_[symbol.number] = {slope != 0 ? (value - at_zero) / slope : 0, symbol.is_unbacked};
  }

  SymbolValues known_;
  std::vector<std::pair<std::string, int64_t>> compound_;
};

}  // namespace

SymbolValues symbol_values(const Graph& graph) {
  Collector collector;
  for (const auto& node : graph.nodes) {
    if (!node) continue;
    for (const TensorMeta& meta : node->metas) {
      collector.add(meta.layout.sizes);
      collector.add(meta.layout.strides);
      collector.add(meta.layout.offset);
    }
    for (const Argument& argument : node->args) collector.add(argument);
  }
  return collector.values();
}

SymInt parse_size(std::string_view text, const SymbolValues& symbols) {
  return parse_sym_int(text, value_of, &symbols);
}

}  // namespace sinter::graph
