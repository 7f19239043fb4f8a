// A predicate on a call's arguments that a trace relied on, as data.

#pragma once

#include <sinter/graph/size_proof.h>
#include <sinter/graph/tensor.h>

#include <span>
#include <string>
#include <vector>

namespace sinter::graph {

enum class GuardKind : uint8_t {
  word,     // a length, a presence, a number: `expected` is its 64 bits
  defined,  // a tensor argument is there (1) or undefined (0)
  dtype,
  device,
  rank,
  unused,       // nothing is asked of the tensor but that it is there
  size,         // of dim `dim`
  symbol,       // the size of dim `dim` is symbol number `expected`: in a range, and a multiple of a number
  stride,       // of dim `dim`; `right`, if that is symbolic
  number,       // an answer (`holds`) about the number whose value is word `argument`: question `dim`, dtype `expected`
  relation,     // between sizes: `left` == or < `right`, or not
  offset,       // storage offset
  distance,     // elements from the storage origin of tensor `dim` to that of this one (both lie in one memory)
  disjoint,     // what the function writes overlaps no other tensor but those in a fixed distance
  storage,      // bytes that its storage holds, at least: the function looks past the tensor's own elements
  same_tensor,  // it is tensor `dim` (-1: `captured`), or is not (`holds`)
  same_storage,  // it lies in the storage of tensor `dim` (-1: `captured_storage`), or does not
};

struct Guard {
  GuardKind kind;
  int argument = 0;  // which flattened tensor, or which word
  int dim = 0;
  int64_t expected = 0;
  std::string subject;   // the user's way to say it: `arg1[2]`
  std::string readable;  // the expected value in words
  Here where = {};       // the user's line that caused it

  SizeRange range = {};        // of a symbol's size
  int64_t multiple_of = 1;     // what a symbol's size is a multiple of: the symbol counts these
  SymInt left = 0, right = 0;  // of a relation, over symbols
  Comparison comparison = Comparison::equal;
  bool holds = true;      // a relation that must hold, or must not
  bool is_asked = false;  // of a stride: the function looks at it whatever the sizes are
  Tensor captured = {};   // what an argument is compared with
  Storage captured_storage = {};
};

// `arg0.size(1) == 16`.
std::string to_string(const Guard& guard);
// One a line, with the user's line where known.
std::string to_string(std::span<const Guard> guards);

// What each dtype, device, ... is as an expected value, and back as text.
int64_t guard_code(Device device);
std::string guard_value(GuardKind kind, int64_t code);

}  // namespace sinter::graph
