// How generated C++ spells types, constants and scalar operations, and which prelude piece each spelling needs.

#pragma once

#include <sinter/graph/op.h>
#include <sinter/graph/scalar.h>

#include <string>
#include <string_view>

namespace sinter::codegen {

// Of an element in memory: `float`, `bool8`, `f16`.
std::string_view element_type(DType dtype);
// Of a register: `f32v`, `b32v`.
std::string_view vector_type(DType dtype);
// `in_f32` is `<what>_<dtype>`: the name of a prelude piece.
std::string piece_name(std::string_view what, DType dtype);

// One value as C++: `2.5f`, `-7L`, `true`.
std::string literal(const Scalar& value, DType dtype);
// In all lanes: `splat_f32(2.5f)`.
std::string splat(const Scalar& value, DType dtype);

// The piece that the operation of this node comes from; `operand` is the type of its values (of select: of the
// choices).
std::string operation_piece(ScalarOp op, DType operand);
std::string conversion_piece(DType from, DType to);

// How a reduction combines two values, and what it starts from.
struct Combine {
  std::string_view function;  // of two vectors: `add`
  std::string_view halve;     // of the lanes of an accumulator: `halve_add`
  std::string_view name;      // of the result: `sum`
};
Combine combine_of(ReductionKind kind, DType dtype);
std::string identity(ReductionKind kind, DType dtype);

// About how many machine instructions an operation costs a vector; loads and constants count little.
int cost_of(ScalarOp op, DType dtype);
// A math function of many instructions, worth a call rather than a copy where it occurs often.
bool is_long(ScalarOp op, DType dtype);

}  // namespace sinter::codegen
