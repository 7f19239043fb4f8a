// Element types, their names and sizes, and ATen's type promotion.
//
// No switch in the project assumes that this list is closed: more types (complex, fp8) may follow.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sinter {

enum class DType : uint8_t { boolean, u8, i8, i16, i32, i64, f16, bf16, f32, f64 };

inline constexpr DType boolean = DType::boolean;
inline constexpr DType u8 = DType::u8;
inline constexpr DType i8 = DType::i8;
inline constexpr DType i16 = DType::i16;
inline constexpr DType i32 = DType::i32;
inline constexpr DType i64 = DType::i64;
inline constexpr DType f16 = DType::f16;
inline constexpr DType bf16 = DType::bf16;
inline constexpr DType f32 = DType::f32;
inline constexpr DType f64 = DType::f64;

inline constexpr DType all_dtypes[] = {boolean, u8, i8, i16, i32, i64, f16, bf16, f32, f64};

// "f32", "bool", ...: the spelling of graph text, JSON and messages.
std::string_view name(DType dtype);
std::optional<DType> parse_dtype(std::string_view text);

int64_t byte_size(DType dtype);
bool is_floating(DType dtype);
// Integers and not bool.
bool is_integer(DType dtype);
bool is_integral_or_bool(DType dtype);
bool is_signed(DType dtype);
// f16 and bf16: types that compute in f32.
bool is_half(DType dtype);

// The type in which an op works on values of this type (ATen's opmath): f32 for f16 and bf16, else itself.
DType compute_type(DType dtype);
// The type of sums: i64 for bool and integers, else itself.
DType sum_type(DType dtype);

// The result type of a binary op on two dense tensors of these types.
DType promote(DType a, DType b);

// What a floating op on integers gives; f32 unless changed.
inline constexpr DType default_dtype = DType::f32;

// How much an operand weighs in promotion: a number weighs less than a zero-dim tensor, that less than other tensors.
enum class Rank : uint8_t { number, zero_dim, dense };
struct TypedOperand {
  DType dtype;
  Rank rank;
};
DType result_type(std::span<const TypedOperand> operands);

// Storage-only types: arithmetic happens in f32.
struct Half {
  uint16_t bits;
  Half() = default;
  explicit Half(float value);
  explicit operator float() const;
  bool operator==(const Half&) const = default;
};
struct BFloat16 {
  uint16_t bits;
  BFloat16() = default;
  explicit BFloat16(float value);
  explicit operator float() const;
  bool operator==(const BFloat16&) const = default;
};

template <class T>
inline constexpr bool is_element_type = false;
template <class T>
struct ElementType;
#define SINTER_ELEMENT_TYPE(T, D)                  \
  template <>                                      \
  inline constexpr bool is_element_type<T> = true; \
  template <>                                      \
  struct ElementType<T> {                          \
    static constexpr DType dtype = D;              \
  }
SINTER_ELEMENT_TYPE(bool, DType::boolean);
SINTER_ELEMENT_TYPE(uint8_t, DType::u8);
SINTER_ELEMENT_TYPE(int8_t, DType::i8);
SINTER_ELEMENT_TYPE(int16_t, DType::i16);
SINTER_ELEMENT_TYPE(int32_t, DType::i32);
SINTER_ELEMENT_TYPE(int64_t, DType::i64);
SINTER_ELEMENT_TYPE(Half, DType::f16);
SINTER_ELEMENT_TYPE(BFloat16, DType::bf16);
SINTER_ELEMENT_TYPE(float, DType::f32);
SINTER_ELEMENT_TYPE(double, DType::f64);
#undef SINTER_ELEMENT_TYPE

template <class T>
inline constexpr DType dtype_of = ElementType<T>::dtype;

// Calls f with a value-initialised element of the type: visit(f32, [&](auto zero) { using T = decltype(zero); ... }).
template <class F>
decltype(auto) visit(DType dtype, F&& f) {
  switch (dtype) {
    case DType::boolean: return f(bool{});
    case DType::u8: return f(uint8_t{});
    case DType::i8: return f(int8_t{});
    case DType::i16: return f(int16_t{});
    case DType::i32: return f(int32_t{});
    case DType::i64: return f(int64_t{});
    case DType::f16: return f(Half{});
    case DType::bf16: return f(BFloat16{});
    case DType::f32: return f(float{});
    case DType::f64: return f(double{});
  }
  __builtin_unreachable();
}

}  // namespace sinter
