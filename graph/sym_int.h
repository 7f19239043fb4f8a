// A size, stride or offset: a number, or an expression over symbols (`s0`, `s0 + 1`, `s0 * 512`) with an example value.
//
// Expressions are canonical sums of products and are interned: equal expressions are the same pointer, so a SymInt
// copies like two words and compares at once. Interned expressions live as long as the process; they are few.
//
// Symbols of all traces have the same names. What a traced function gets hold of knows whose it is (its owner): a size
// that outlives its trace and is used in another one, or outside of any, is an error. Graphs and programs hold sizes
// without an owner.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <sinter/graph/error.h>
#include <sinter/graph/small_vector.h>

namespace sinter {

struct SymExpr;
struct LocatedSize;

class SymInt {
 public:
  SymInt() = default;
  template <class T>
    requires std::is_integral_v<T>
  constexpr SymInt(T value) : hint_(static_cast<int64_t>(value)) {}
  // Symbol number `index` (printed s0, s1, ...), whose value in the example is `hint`. A symbol is at least 1: it
  // stands for a size, and a dim of size 0 is traced as a number.
  static SymInt symbol(int index, int64_t hint);

  bool is_constant() const { return expr_ == 0; }
  // The value in the example; of a constant, its value.
  int64_t hint() const { return hint_; }
  // The value of a constant. A symbolic size becomes one: the compilation in progress decides that it has its example's
  // value (ShapeFacts). Outside of its compilation that is a trace error.
  int64_t constant(Here here = Here::current()) const { return is_constant() ? hint_ : specialised(here); }
  // Null for a constant.
  const SymExpr* expr() const { return reinterpret_cast<const SymExpr*>(expr_ & address_bits); }

  // The number of the compilation whose traced function holds it; 0: it belongs to none.
  uint16_t owner() const { return static_cast<uint16_t>(expr_ >> address_width); }
  // The same size as that compilation's. A constant is anybody's.
  SymInt owned_by(uint16_t owner) const {
    SymInt result = *this;
    if (!is_constant()) result.expr_ = (expr_ & address_bits) | uint64_t{owner} << address_width;
    return result;
  }

  // Constants wrap at 64 bits: layouts too large to address are refused where they arise (check_addressable).
  friend bool operator==(LocatedSize a, LocatedSize b);
  friend bool operator<(LocatedSize a, LocatedSize b);
  friend bool operator>(LocatedSize a, LocatedSize b);
  friend bool operator<=(LocatedSize a, LocatedSize b);
  friend bool operator>=(LocatedSize a, LocatedSize b);
  friend SymInt operator+(SymInt a, SymInt b) { return both(a, b) ? wrapped(bits(a) + bits(b)) : add(a, b); }
  friend SymInt operator-(SymInt a, SymInt b) { return both(a, b) ? wrapped(bits(a) - bits(b)) : add(a, mul(b, -1)); }
  friend SymInt operator*(SymInt a, SymInt b) { return both(a, b) ? wrapped(bits(a) * bits(b)) : mul(a, b); }
  SymInt operator-() const { return SymInt(0) - *this; }
  SymInt& operator+=(SymInt b) { return *this = *this + b; }
  SymInt& operator-=(SymInt b) { return *this = *this - b; }
  SymInt& operator*=(SymInt b) { return *this = *this * b; }

  // The same expression (or constant); says nothing about values that only happen to be equal.
  bool same(SymInt b) const { return ((expr_ ^ b.expr_) & address_bits) == 0 && (expr_ != 0 || hint_ == b.hint_); }
  // Neither belongs to a compilation that the other does not.
  bool may_meet(SymInt b) const { return owner() == b.owner() || owner() == 0 || b.owner() == 0; }

 private:
  static constexpr int address_width = 48;  // of what the allocator gives: the other bits are the owner
  static constexpr uint64_t address_bits = (uint64_t{1} << address_width) - 1;

  static bool both(SymInt a, SymInt b) { return a.expr_ == 0 && b.expr_ == 0; }
  static uint64_t bits(SymInt a) { return static_cast<uint64_t>(a.hint_); }
  static SymInt wrapped(uint64_t bits) { return SymInt(static_cast<int64_t>(bits)); }
  static SymInt add(SymInt a, SymInt b);
  static SymInt mul(SymInt a, SymInt b);
  int64_t specialised(Here here) const;
  friend SymInt make_sym_int(const SymExpr* expr, int64_t hint);

  int64_t hint_ = 0;
  uint64_t expr_ = 0;  // its address and its owner
};

// An expression with its value in the example; null: that number.
SymInt make_sym_int(const SymExpr* expr, int64_t hint);

// Rounds toward minus infinity; the divisor is positive.
SymInt floor_div(SymInt a, SymInt b);
SymInt ceil_div(SymInt a, SymInt b);
SymInt mod(SymInt a, SymInt b);
SymInt min(SymInt a, SymInt b);
SymInt max(SymInt a, SymInt b);

enum class Comparison : uint8_t { equal, less };

// What the compilation in progress decides on symbolic operands (ShapeFacts): known facts answer, else the example does
// and the answer becomes a guard.
bool decide(SymInt a, Comparison comparison, SymInt b, Here here);

// a >= b by what is known, without a decision.
bool is_proven_at_least(SymInt a, SymInt b);
inline bool is_surely_at_least(SymInt a, SymInt b) {
  return a.is_constant() && b.is_constant() ? a.hint() >= b.hint() : is_proven_at_least(a, b);
}

// A side of a comparison, with the line where it is written.
struct LocatedSize {
  LocatedSize(SymInt value, Here here = Here::current()) : value(value), here(here) {}
  template <class T>
    requires std::is_integral_v<T>
  LocatedSize(T value, Here here = Here::current()) : value(value), here(here) {}

  SymInt value;
  Here here;
};

inline bool is_equal(SymInt a, SymInt b, Here here) {
  if (a.is_constant() && b.is_constant()) return a.hint() == b.hint();
  return (a.same(b) && a.may_meet(b)) || decide(a, Comparison::equal, b, here);
}
inline bool is_less(SymInt a, SymInt b, Here here) {
  if (a.is_constant() && b.is_constant()) return a.hint() < b.hint();
  return !(a.same(b) && a.may_meet(b)) && decide(a, Comparison::less, b, here);
}

inline bool operator==(LocatedSize a, LocatedSize b) { return is_equal(a.value, b.value, a.here); }
inline bool operator<(LocatedSize a, LocatedSize b) { return is_less(a.value, b.value, a.here); }
inline bool operator>(LocatedSize a, LocatedSize b) { return is_less(b.value, a.value, a.here); }
inline bool operator<=(LocatedSize a, LocatedSize b) { return !is_less(b.value, a.value, a.here); }
inline bool operator>=(LocatedSize a, LocatedSize b) { return !is_less(a.value, b.value, a.here); }

std::string to_string(SymInt value);
// Reads what to_string writes; throws Error(argument) where it can't. Hints of symbols come from `hint_of`.
SymInt parse_sym_int(std::string_view text, int64_t (*hint_of)(int symbol, const void*), const void* context);

// Sizes, strides or dims.
using SymDims = SmallVector<SymInt, 6>;
using Dims = SmallVector<int64_t, 6>;

std::string to_string(const SymDims& dims);

}  // namespace sinter
