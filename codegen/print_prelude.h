// Prints the part of the SIMD layer that a kernel uses, to stand at the top of its source.

#pragma once

#include <set>
#include <string>
#include <string_view>

namespace sinter::codegen {

// Pieces by name, OPERATION_DTYPE in most cases: add_f32, load_n_bf16, to_f16_from_f32, halve_add_f64, iota_i64.
struct PreludeUse {
  std::set<std::string> pieces;
  std::set<std::string> out_of_line;  // those of them (or of what they need) that are called, not inlined
};

bool has_piece(std::string_view name);

// The pieces and what they need, each once, in an order that compiles; `lanes` is N, a power of two from 4 to 64.
std::string print_prelude(int lanes, const PreludeUse& use);

// The same for CUDA, where N is 1: a thread works on one element at a time.
std::string print_cuda_prelude(const PreludeUse& use);

}  // namespace sinter::codegen
