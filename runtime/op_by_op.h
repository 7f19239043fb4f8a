// What runs in place of a program at a call whose sizes, which only data tell, are not what its passes took them for
// (that none is 0 or 1, for one): the traced graph op by op, which takes nothing for granted.

#pragma once

#include <sinter/runtime/backend.h>

namespace sinter::runtime {

// A relation that the passes relied on does not hold at this call.
struct UnusualSize : Error {
  using Error::Error;
};

// A relation that the traced function itself relied on does not hold at this call: sizes that only data tell do not fit
// an op, or ask for another one.
struct UnfitSize : Error {
  using Error::Error;
};
// The same where the program has changed nothing so far: the user's function may be called in its place.
struct CallUncompiled : UnfitSize {
  explicit CallUncompiled(const UnfitSize& unfit) : UnfitSize(unfit) {}
};

// The traced graph as it is; null if it has no sizes that only data tell.
std::unique_ptr<const Executable> op_by_op(const graph::Graph& traced);
// Whether calls may stop in the middle and begin anew: nothing is written, no random numbers are drawn, and no code of
// the user's runs. `prepared`: as the passes left it.
bool may_begin_anew(const graph::Graph& prepared);
// The program, or where that stops at an UnusualSize what runs instead; with an UnfitSize it asks for the user's
// function. Null: it stops with the error.
std::unique_ptr<Executable> with_instead(std::unique_ptr<Executable> program,
                                         std::unique_ptr<const Executable> instead);

}  // namespace sinter::runtime
