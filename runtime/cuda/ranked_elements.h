// Elements as kernels order them, as CUDA text: a rank, which orders as the numbers do, and a position.

#pragma once

#include <sinter/graph/dtype.h>

#include <string>
#include <vector>

namespace sinter::runtime {

// E, Rank, element(rank, position), rank_in(E), position_of(E), is_before(E, E) and last().
const char* ranked_text(DType dtype);
// These, T with its conversions, and rank_of(T): NaN ranks after all numbers, zeros are equal.
std::string ranked_element_text(DType dtype);

// From and element_of(from, position, flip): kernels read elements of rows, or such as were made before. A `flip` of -1
// turns the order around.
inline constexpr const char* of_rows = R"(
typedef T From;
__device__ inline E element_of(T x, long position, long flip) { return element(rank_of(x) ^ (Rank)flip, position); }
)";
inline constexpr const char* of_ranked = R"(
typedef E From;
__device__ inline E element_of(E e, long position, long flip) { return e; }
)";

// 64-bit words of an E.
int64_t words_of_ranked(DType dtype);

// Where the digits of 8 bits begin that tell ranks of this type apart, from the least on.
std::vector<int> digits_of_ranks(DType dtype);

}  // namespace sinter::runtime
