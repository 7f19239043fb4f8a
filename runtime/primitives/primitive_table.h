// The operations of the eager interpreter: one function for each scalar operation and element type, on whole blocks.
//
// Built from the prelude of generated code once for each instruction set, so that eager and compiled code give the same
// bits. Blocks are contiguous, hold elements as memory does (a bool is a byte of 0 or 1) and need no alignment. The
// result of an operation may be the same block as an operand of equally large elements.

#pragma once

#include <cstdint>

#include <sinter/graph/op.h>
#include <sinter/runtime/cpu_features.h>

namespace sinter::runtime {

using Primitive = void (*)(void* result, const void* a, const void* b, const void* c, int64_t n);

// One kind of reduction of one type. A block of the sequence is reduced in wide_lanes(type) lanes, or as one of many
// columns; see fusion::ReductionOrder.
struct ReductionPrimitives {
  // The combination of two partial results, the earlier one first; the same operation takes in elements.
  Primitive combine = nullptr;
  void (*fill_identity)(void* values, int64_t n) = nullptr;
  // Takes in n elements of which the first belongs to lane `phase`.
  void (*lanes)(void* accumulators, const void* values, int64_t n, int64_t phase) = nullptr;
  // The lanes of a block become one value.
  void (*halve)(void* result, const void* accumulators) = nullptr;
  // Each row of n elements, at most one block, becomes one value.
  void (*rows)(void* results, const void* values, int64_t rows, int64_t n) = nullptr;
  // accumulators[j] takes in values[i * row_stride + j] for each i in turn.
  void (*columns)(void* accumulators, const void* values, int64_t rows, int64_t n, int64_t row_stride) = nullptr;
};

// to[c * to_stride + r] = from[r * from_stride + c], strides in elements.
using Transposition = void (*)(const void* from, int64_t from_stride, void* to, int64_t to_stride, int64_t rows,
                               int64_t columns);

// Running sums of so many rows of f32 that lie row_step apart, kept in f64 from the first column to the last; past the
// caches if `streams`.
struct RunningSums {
  int64_t rows = 0;
  void (*run)(const float* in, float* out, int64_t row_step, int64_t columns, bool streams) = nullptr;
};

inline constexpr int scalar_op_count = static_cast<int>(ScalarOp::fma) + 1;
inline constexpr int dtype_count = static_cast<int>(DType::f64) + 1;
inline constexpr int reduction_kind_count = static_cast<int>(ReductionKind::all) + 1;

// What does not exist is null.
struct PrimitiveTable {
  // By the type of the last operand: the result's, but for comparisons and is_nan.
  Primitive scalar[scalar_op_count][dtype_count] = {};
  Primitive convert[dtype_count][dtype_count] = {};  // [from][to]
  ReductionPrimitives reduction[reduction_kind_count][dtype_count] = {};
  Transposition transpose[4] = {};  // of elements of 1, 2, 4 and 8 bytes
  RunningSums running_sums;
};

inline constexpr int transpose_row(int element_bytes) {
  return element_bytes <= 2 ? element_bytes - 1 : element_bytes / 4 + 1;
}

// The functions of one instruction set.
const PrimitiveTable& primitives(Isa isa);

}  // namespace sinter::runtime
