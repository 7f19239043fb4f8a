// The prelude's functions over arrays, compiled once for each instruction set, lane count and compiler at hand.

#pragma once

#include <span>
#include <string_view>
#include <vector>

// A scalar operation over n elements: `from` names the dtypes of its inputs, one word each.
struct PreludeKernel {
  const char* name;  // as a piece: add_f32, to_f16_from_i64
  const char* from;
  const char* to;
  long row;  // inputs for each output: 1, or the width of a row reduction
  void (*run)(const void* const* inputs, void* output, long n);
};

// Compiled as C, so to say: nothing inline with external linkage, for its machine code may not run everywhere.
struct PreludeVariant {
  const char* name;
  const char* isa;
  int lanes;
  const PreludeKernel* kernels;
  long count;
  const char* (*check_memory)();  // the name of the first memory operation that is wrong, or null
};

// Those that this machine can run.
std::vector<const PreludeVariant*> prelude_variants();

const PreludeKernel& find_kernel(const PreludeVariant& variant, std::string_view name);
