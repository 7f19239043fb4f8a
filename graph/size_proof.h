// Proofs about symbolic sizes: an expression is never negative whatever the symbols are, as far as simple rules show.
//
// A symbol is its least value plus something that is never negative: a sum whose terms are then all positive is proven.
// Known inequalities may be taken off first, and min and max are each of their operands in turn.

#pragma once

#include <limits>
#include <vector>

#include <sinter/graph/sym_int.h>

namespace sinter {

// Inclusive; the ends stand for "no bound".
struct SizeRange {
  static constexpr int64_t no_low = std::numeric_limits<int64_t>::min();
  static constexpr int64_t no_high = std::numeric_limits<int64_t>::max();
  int64_t low = no_low;
  int64_t high = no_high;
};

// No size is larger: memory does not hold as many elements.
inline constexpr int64_t most_elements = int64_t{1} << 47;

struct KnownSizes {
  std::vector<SizeRange> symbols;  // by number; of others nothing is known but that sizes of arguments are at least 1
  std::vector<SymInt> never_negative;  // expressions that are known to be

  SizeRange range_of_symbol(int symbol, bool is_unbacked) const {
    if (static_cast<size_t>(symbol) < symbols.size()) return symbols[symbol];
    return is_unbacked ? SizeRange{} : SizeRange{1, most_elements};
  }
};

SizeRange range_of(SymInt value, const KnownSizes& known);
bool is_never_negative(SymInt value, const KnownSizes& known);
// Of symbols of which nothing is known but that sizes of arguments are at least 1.
bool is_never_negative(SymInt value);

}  // namespace sinter
