// Which strides of arguments the traced function asked for, also where the sizes give them no meaning: those of dims of
// one element, and of empty tensors.

#pragma once

#include <sinter/graph/trace.h>

namespace sinter::runtime {

// Of each argument the dims, as bits. What it asked of a tensor that ops made depends on all dims of all arguments that
// these were given.
std::vector<uint64_t> asked_strides(std::span<const graph::Trace::StrideQuestion> questions,
                                    std::span<const graph::NodeOutput> placeholders);

}  // namespace sinter::runtime
