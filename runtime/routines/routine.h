// Ops that are a routine of our own on whole host buffers (sorting, data-dependent sizes, dense linear algebra ...).
//
// A file of this folder defines routines under the names of their OpDefs; routine_table.cpp lists them. Arguments are
// real CPU tensors of any strides, results are made by the op's meta and are not cleared.

#pragma once

#include <sinter/graph/op.h>

#include <span>
#include <vector>

namespace sinter::runtime {

using Results = std::span<const Tensor>;
using Routine = void (*)(const OpArgs& args, Results results);
// Makes its results itself.
using SizingRoutine = std::vector<Tensor> (*)(const OpArgs& args);

#define SINTER_ROUTINE(name) void name(const OpArgs& args, Results results)
#define SINTER_SIZING_ROUTINE(name) std::vector<Tensor> name(const OpArgs& args)

// Throw Error(internal) if the op has none.
Routine find_routine(const OpDef& op);
SizingRoutine find_sizing_routine(const OpDef& op);

// Contiguous, not cleared.
Tensor new_tensor(DType dtype, Dims sizes);

}  // namespace sinter::runtime
