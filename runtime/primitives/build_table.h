// The tables of one instruction set: `narrow` has what touches elements of up to 4 bytes only, `wide` the rest, so that
// each is compiled with vectors as long as a register; see elementwise.h for how this file is used.

#pragma once

#include <sinter/runtime/primitives/reductions.h>
#include <sinter/runtime/primitives/running_sums.h>

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

namespace {

template <class T>
struct Type {
  using Element = T;
};

template <class T>
constexpr sinter::DType dtype_of_element() {
  using sinter::DType;
  if constexpr (requires(T t) { t.byte; }) return DType::boolean;
  if constexpr (__is_same(T, unsigned char)) return DType::u8;
  if constexpr (__is_same(T, signed char)) return DType::i8;
  if constexpr (__is_same(T, short)) return DType::i16;
  if constexpr (__is_same(T, int)) return DType::i32;
  if constexpr (__is_same(T, long)) return DType::i64;
  if constexpr (__is_same(T, f16)) return DType::f16;
  if constexpr (__is_same(T, bf16)) return DType::bf16;
  if constexpr (__is_same(T, float)) return DType::f32;
  return DType::f64;
}
template <class T>
constexpr int row_of = static_cast<int>(dtype_of_element<T>());

template <class F>
constexpr void for_each_narrow_type(F f) {
  f(Type<bool8>{}), f(Type<unsigned char>{}), f(Type<signed char>{}), f(Type<short>{}), f(Type<int>{});
  f(Type<f16>{}), f(Type<bf16>{}), f(Type<float>{});
}
template <class F>
constexpr void for_each_wide_type(F f) {
  f(Type<long>{}), f(Type<double>{});
}

template <class F>
constexpr auto& row_of_op(F& table, sinter::ScalarOp op) {
  return table.scalar[static_cast<int>(op)];
}
template <class F>
constexpr auto& row_of_kind(F& table, sinter::ReductionKind kind) {
  return table.reduction[static_cast<int>(kind)];
}

// Everything whose operands are of type T, but conversions.
template <class T>
constexpr void add_operations(sinter::runtime::PrimitiveTable& table) {
  using sinter::ReductionKind;
  using sinter::ScalarOp;
#define SINTER_ADD_UNARY(name) row_of_op(table, ScalarOp::name)[row_of<T>] = unary<call_##name, T>();
#define SINTER_ADD_BINARY(name) row_of_op(table, ScalarOp::name)[row_of<T>] = binary<call_##name, T>();
  SINTER_UNARY_OPERATIONS(SINTER_ADD_UNARY)
  SINTER_BINARY_OPERATIONS(SINTER_ADD_BINARY)
#undef SINTER_ADD_UNARY
#undef SINTER_ADD_BINARY
  row_of_op(table, ScalarOp::select)[row_of<T>] = ternary<call_select, bool8, T>();
  row_of_op(table, ScalarOp::fma)[row_of<T>] = ternary<call_fma, T, T>();
  if constexpr (row_of<T> == static_cast<int>(sinter::DType::boolean)) {
    row_of_kind(table, ReductionKind::sum)[row_of<T>] = Reduce<Any, T>::all();
    row_of_kind(table, ReductionKind::prod)[row_of<T>] = Reduce<All, T>::all();
    row_of_kind(table, ReductionKind::minimum)[row_of<T>] = Reduce<All, T>::all();
    row_of_kind(table, ReductionKind::maximum)[row_of<T>] = Reduce<Any, T>::all();
    row_of_kind(table, ReductionKind::any)[row_of<T>] = Reduce<Any, T>::all();
    row_of_kind(table, ReductionKind::all)[row_of<T>] = Reduce<All, T>::all();
  } else if constexpr (!requires(T t) { t.bits; }) {
    row_of_kind(table, ReductionKind::sum)[row_of<T>] = Reduce<Sum, T>::all();
    row_of_kind(table, ReductionKind::prod)[row_of<T>] = Reduce<Product, T>::all();
    row_of_kind(table, ReductionKind::minimum)[row_of<T>] = Reduce<Minimum, T>::all();
    row_of_kind(table, ReductionKind::maximum)[row_of<T>] = Reduce<Maximum, T>::all();
  }
}

template <class From, class To>
constexpr sinter::runtime::Primitive conversion() {
  using sinter::runtime::Primitive;
  Primitive found = nullptr;
#define SINTER_TRY_CONVERSION(name)                      \
  if constexpr (requires(VectorOf<From> v) { name(v); }) \
    if constexpr (__is_same(decltype(name(VectorOf<From>{})), VectorOf<To>)) found = unary<call_##name, From>();
  SINTER_CONVERSIONS(SINTER_TRY_CONVERSION)
#undef SINTER_TRY_CONVERSION
  return found;
}

template <class From, class To>
constexpr void add_conversion(sinter::runtime::PrimitiveTable& table) {
  table.convert[row_of<From>][row_of<To>] = conversion<From, To>();
}

// Of elements that are lanes of V; I is a vector of signed integers of their size.
template <class T, class V, class I>
constexpr sinter::runtime::Transposition transposition() {
  return [](const void* from, long from_stride, void* to, long to_stride, long rows, long columns) {
    copy_transposed<V, I>(static_cast<const T*>(from), from_stride, static_cast<T*>(to), to_stride, rows, columns);
  };
}

constexpr sinter::runtime::PrimitiveTable build_narrow() {
  sinter::runtime::PrimitiveTable table;
  table.transpose[0] = transposition<unsigned char, u8v, i8v>();
  table.transpose[1] = transposition<unsigned short, u16v, i16v>();
  table.transpose[2] = transposition<unsigned, u32v, i32v>();
  table.running_sums = {N, running_sums};
  for_each_narrow_type([&](auto from) {
    using From = typename decltype(from)::Element;
    add_operations<From>(table);
    for_each_narrow_type([&](auto to) { add_conversion<From, typename decltype(to)::Element>(table); });
  });
  return table;
}

constexpr sinter::runtime::PrimitiveTable build_wide() {
  sinter::runtime::PrimitiveTable table;
  table.transpose[3] = transposition<unsigned long, u64v, i64v>();
  for_each_wide_type([&](auto wide) {
    using Wide = typename decltype(wide)::Element;
    add_operations<Wide>(table);
    for_each_wide_type([&](auto to) { add_conversion<Wide, typename decltype(to)::Element>(table); });
    for_each_narrow_type([&](auto narrow) {
      add_conversion<Wide, typename decltype(narrow)::Element>(table);
      add_conversion<typename decltype(narrow)::Element, Wide>(table);
    });
  });
  return table;
}

}  // namespace
