// The vector types of generated code: N lanes of each element type, over the compilers' vector extensions.
//
// These headers are both compiled (the eager primitives) and printed, piece by piece, at the top of generated code.
// Whoever includes them has declared `enum { N = ... };`, a power of two: the lanes of every vector. A piece starts at
// a line `// piece: NAME needs: OTHER ...`, or at the comment right above it, and ends where the next one starts, or at
// `// end of pieces`. A need whose name stands in the piece's code (types, helpers) is found there; overloaded
// functions must be listed, as OPERATION_DTYPE. `inline` at the start of a line is where a piece can be put out of
// line.

#pragma once

// piece: contraction_off
#ifdef __clang__
#pragma clang fp contract(off)
#pragma clang diagnostic ignored "-Wpsabi"
#else
#pragma GCC optimize("fp-contract=off")
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
// end of pieces

namespace {

// piece: f32v
typedef float f32v __attribute__((vector_size(4 * N)));
// piece: f64v
typedef double f64v __attribute__((vector_size(8 * N)));
// piece: i8v
typedef signed char i8v __attribute__((vector_size(N)));
// piece: u8v
typedef unsigned char u8v __attribute__((vector_size(N)));
// piece: i16v
typedef short i16v __attribute__((vector_size(2 * N)));
// piece: u16v
typedef unsigned short u16v __attribute__((vector_size(2 * N)));
// piece: i32v
typedef int i32v __attribute__((vector_size(4 * N)));
// piece: u32v
typedef unsigned u32v __attribute__((vector_size(4 * N)));
// piece: i64v
typedef long i64v __attribute__((vector_size(8 * N)));
// piece: u64v
typedef unsigned long u64v __attribute__((vector_size(8 * N)));

// piece: f16v
struct f16v {
  u16v bits;
};
// piece: bf16v
struct bf16v {
  u16v bits;
};
// A bool in a register: each lane is 0 or -1.
// piece: b32v
struct b32v {
  i32v bits;
};
// Elements of these types in memory; a bool is one byte, 0 or 1.
// piece: f16
struct f16 {
  unsigned short bits;
};
// piece: bf16
struct bf16 {
  unsigned short bits;
};
// piece: bool8
struct bool8 {
  unsigned char byte;
};
// end of pieces

}  // namespace
