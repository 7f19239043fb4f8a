// A predicate on a call's arguments that a trace relied on, as data.

#pragma once

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
  size,      // of dim `dim`
  stride,    // of dim `dim`
  offset,    // storage offset
  distance,  // elements from the storage origin of tensor `dim` to that of this one (both lie in one memory)
  disjoint,  // what the function writes overlaps no other tensor but those in a fixed distance
  storage,   // bytes that its storage holds, at least: the function looks past the tensor's own elements
};

struct Guard {
  GuardKind kind;
  int argument = 0;  // which flattened tensor, or which word
  int dim = 0;
  int64_t expected = 0;
  std::string subject;   // the user's way to say it: `arg1[2]`
  std::string readable;  // the expected value in words
  Here where;            // the user's line that caused it
};

// `arg0.size(1) == 16`.
std::string to_string(const Guard& guard);
// One a line, with the user's line where known.
std::string to_string(std::span<const Guard> guards);

// What each dtype, device, ... is as an expected value, and back as text.
int64_t guard_code(Device device);
std::string guard_value(GuardKind kind, int64_t code);

}  // namespace sinter::graph
