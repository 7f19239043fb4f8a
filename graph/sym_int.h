// A size, stride or offset: a number, or an expression over symbols (`s0`, `s0 + 1`, `s0 * 512`) with an example value.
//
// Expressions are canonical sums of products and are interned: equal expressions are the same pointer, so a SymInt
// copies like two words and compares at once. Interned expressions live as long as the process; they are few.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <sinter/graph/small_vector.h>

namespace sinter {

struct SymExpr;

class SymInt {
 public:
  SymInt() = default;
  template <class T>
    requires std::is_integral_v<T>
  constexpr SymInt(T value) : hint_(static_cast<int64_t>(value)) {}
  // Symbol number `index` (printed s0, s1, ...), whose value in the example is `hint`.
  static SymInt symbol(int index, int64_t hint);

  bool is_constant() const { return expr_ == nullptr; }
  // The value in the example; of a constant, its value.
  int64_t hint() const { return hint_; }
  // The value of a constant. Asking it of a symbolic size is an internal error.
  int64_t constant() const;
  // Null for a constant.
  const SymExpr* expr() const { return expr_; }

  // Constants wrap at 64 bits: layouts too large to address are refused where they arise (check_addressable).
  friend SymInt operator+(SymInt a, SymInt b) { return both(a, b) ? wrapped(bits(a) + bits(b)) : add(a, b); }
  friend SymInt operator-(SymInt a, SymInt b) { return both(a, b) ? wrapped(bits(a) - bits(b)) : add(a, mul(b, -1)); }
  friend SymInt operator*(SymInt a, SymInt b) { return both(a, b) ? wrapped(bits(a) * bits(b)) : mul(a, b); }
  SymInt operator-() const { return SymInt(0) - *this; }
  SymInt& operator+=(SymInt b) { return *this = *this + b; }
  SymInt& operator-=(SymInt b) { return *this = *this - b; }
  SymInt& operator*=(SymInt b) { return *this = *this * b; }

  // The same expression (or constant); says nothing about values that only happen to be equal.
  bool same(SymInt b) const { return expr_ == b.expr_ && (expr_ != nullptr || hint_ == b.hint_); }

 private:
  static bool both(SymInt a, SymInt b) { return a.expr_ == nullptr && b.expr_ == nullptr; }
  static uint64_t bits(SymInt a) { return static_cast<uint64_t>(a.hint_); }
  static SymInt wrapped(uint64_t bits) { return SymInt(static_cast<int64_t>(bits)); }
  static SymInt add(SymInt a, SymInt b);
  static SymInt mul(SymInt a, SymInt b);
  friend SymInt make_sym_int(const SymExpr* expr, int64_t hint);

  int64_t hint_ = 0;
  const SymExpr* expr_ = nullptr;
};

// Rounds toward minus infinity; the divisor is positive.
SymInt floor_div(SymInt a, SymInt b);
SymInt ceil_div(SymInt a, SymInt b);
SymInt mod(SymInt a, SymInt b);
SymInt min(SymInt a, SymInt b);
SymInt max(SymInt a, SymInt b);

// Comparisons answer for the example. On symbolic operands the answer is a decision of the trace in progress, which
// records it as a guard through the hook.
using DecisionHook = void (*)(SymInt a, std::string_view comparison, SymInt b, bool answer);
void set_decision_hook(DecisionHook hook);
bool decide(SymInt a, std::string_view comparison, SymInt b, bool answer);

inline bool operator==(SymInt a, SymInt b) {
  bool answer = a.hint() == b.hint();
  return a.is_constant() && b.is_constant() ? answer : a.same(b) || decide(a, "==", b, answer);
}
inline bool operator<(SymInt a, SymInt b) {
  bool answer = a.hint() < b.hint();
  return a.is_constant() && b.is_constant() ? answer : !a.same(b) && decide(a, "<", b, answer);
}
inline bool operator>(SymInt a, SymInt b) { return b < a; }
inline bool operator<=(SymInt a, SymInt b) { return !(b < a); }
inline bool operator>=(SymInt a, SymInt b) { return !(a < b); }
#define SINTER_COMPARE(op)          \
  template <class T>                \
    requires std::is_integral_v<T>  \
  bool operator op(SymInt a, T b) { \
    return a op SymInt(b);          \
  }                                 \
  template <class T>                \
    requires std::is_integral_v<T>  \
  bool operator op(T a, SymInt b) { \
    return SymInt(a) op b;          \
  }
SINTER_COMPARE(<)
SINTER_COMPARE(>)
SINTER_COMPARE(<=)
SINTER_COMPARE(>=)
#undef SINTER_COMPARE
template <class T>
  requires std::is_integral_v<T>
bool operator==(SymInt a, T b) {
  return a == SymInt(b);
}

std::string to_string(SymInt value);
// Reads what to_string writes; throws Error(argument) where it can't. Hints of symbols come from `hint_of`.
SymInt parse_sym_int(std::string_view text, int64_t (*hint_of)(int symbol, const void*), const void* context);

// Sizes, strides or dims.
using SymDims = SmallVector<SymInt, 6>;
using Dims = SmallVector<int64_t, 6>;

std::string to_string(const SymDims& dims);

}  // namespace sinter
