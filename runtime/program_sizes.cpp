// Symbols from the sizes of arguments, expressions from symbols.

#include <sinter/runtime/program_sizes.h>

#include <sinter/graph/sym_expr.h>

#include <algorithm>

namespace sinter::runtime {

Layout LayoutAmounts::in(const SizeValues& values) const {
  Layout layout;
  for (Amount size : sizes) layout.sizes.push_back(size.in(values));
  for (Amount stride : strides) layout.strides.push_back(stride.in(values));
  layout.offset = offset.in(values);
  return layout;
}

ProgramSizes::ProgramSizes(std::span<const TensorMeta> inputs, int data_symbols) : has_data_(data_symbols > 0) {
  int count = data_symbols;
  for (size_t input = 0; input < inputs.size(); ++input) {
    const SymDims& sizes = inputs[input].layout.sizes;
    for (size_t dim = 0; dim < sizes.size(); ++dim) {
      if (sizes[dim].is_constant()) continue;
      // A symbol, or a multiple of one; other sizes follow from these.
      SymExpr sum = sum_of(sizes[dim]);
      if (sum.constant != 0 || sum.terms.size() != 1 || sum.terms.begin()->first.size() != 1) continue;
      auto [product, coef] = *sum.terms.begin();
      if (product[0]->kind != SymExpr::Factor::Kind::symbol) continue;
      int symbol = product[0]->symbol;
      count = std::max(count, symbol + 1);
      bool is_known = std::ranges::any_of(sources_, [&](const Source& source) { return source.symbol == symbol; });
      if (!is_known) sources_.push_back({symbol, static_cast<int>(input), static_cast<int>(dim), coef, false});
    }
  }
  program_ = graph::SizeProgram(count);
}

Amount ProgramSizes::amount(SymInt size) {
  if (size.is_constant()) return {size.hint(), -1};
  visit_symbols(size, [&](int symbol) {
    for (Source& source : sources_) source.is_used |= source.symbol == symbol;
  });
  return {0, program_.slot_of(size)};
}

LayoutAmounts ProgramSizes::amounts(const Layout& layout) {
  LayoutAmounts amounts;
  for (SymInt size : layout.sizes) amounts.sizes.push_back(amount(size));
  for (SymInt stride : layout.strides) amounts.strides.push_back(amount(stride));
  amounts.offset = amount(layout.offset);
  return amounts;
}

int64_t ProgramSizes::number(SymInt size, const SizeValues& values) const {
  return size.is_constant() ? size.hint() : values[program_.known_slot(size)];
}

void ProgramSizes::bind(std::span<const Tensor* const> inputs, SizeValues& values) const {
  values.resize(program_.slots(), 0);
  for (const Source& source : sources_) {
    if (!source.is_used) continue;
    int64_t size = inputs[source.input]->layout().sizes[source.dim].hint();
    values[source.symbol] = source.multiple_of == 1 ? size : size / source.multiple_of;
  }
  program_.run({values.data(), values.size()});
}

void ProgramSizes::give(int symbol, int64_t value, SizeValues& values) const {
  values[symbol] = value;
  program_.run({values.data(), values.size()});
}

}  // namespace sinter::runtime
