// Symbols of sizes that only data tell when a program runs (u0: unbacked). No argument has such a size, so there is no
// example of it: the hint is made up, and nothing is known of it but what ShapeFacts say.

#pragma once

#include <sinter/graph/sym_int.h>

namespace sinter {

// Symbol number `index`, printed u0, u1, ...; in one numbering with those of arguments.
SymInt unbacked_symbol(int index, int64_t hint);
// Such a symbol is in the size.
bool is_unbacked(SymInt size);

// By what is known, without a decision.
bool is_proven_equal(SymInt a, SymInt b);
// The sizes must be equal, whatever they are: a == b, but with a check of the program where only data tell them.
bool must_equal(SymInt a, SymInt b, Here here = Here::current());
// size == number, but false without a check for a size that only data tell and that is not known to be so: where what
// follows is right for all sizes.
inline bool is_known_to_be(SymInt size, int64_t number, Here here = Here::current()) {
  return is_unbacked(size) ? is_proven_equal(size, number) : is_equal(size, number, here);
}

}  // namespace sinter
