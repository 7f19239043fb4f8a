// Index arithmetic: sums of axes and quotients and remainders of such sums, kept in a canonical form.
//
// An expression is constant + sum of coef * atom. An atom is an axis of the nest, floor_div of another expression by a
// positive divisor, or its remainder, of which there are three kinds. Construction simplifies with the ranges of the
// axes (each runs over [0, extent)).

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sinter/graph/sym_int.h>

namespace sinter::fusion {

struct IndexQuotient;

struct IndexTerm {
  SymInt coef = 1;
  int axis = -1;                                  // of an axis
  std::shared_ptr<const IndexQuotient> quotient;  // else
};

class IndexExpr {
 public:
  IndexExpr() = default;
  IndexExpr(SymInt constant) : constant_(constant) {}
  IndexExpr(int64_t constant) : constant_(constant) {}
  IndexExpr(int constant) : constant_(constant) {}
  static IndexExpr axis(int axis);

  SymInt constant() const { return constant_; }
  const std::vector<IndexTerm>& terms() const { return terms_; }
  bool is_constant() const { return terms_.empty(); }
  bool is_axis(int axis) const;  // exactly that axis
  // The coefficient of the axis among the plain terms; 0 if it is not there.
  SymInt coef_of(int axis) const;
  // The axis occurs anywhere, inside quotients too.
  bool uses(int axis) const;
  // No floor_div or mod anywhere.
  bool is_affine() const;

  friend IndexExpr operator+(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator-(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator*(const IndexExpr& a, SymInt b);
  bool operator==(const IndexExpr& other) const;

 private:
  friend class IndexSimplifier;
  void add_term(const IndexTerm& term);

  SymInt constant_ = 0;
  std::vector<IndexTerm> terms_;  // sorted; no coef is 0
};

// Remainders bring an expression into [0, divisor).
enum class QuotientKind : uint8_t {
  floor_div,
  mod,     // going round: ... n-1 | 0 1 ... n-1 | 0 ...
  clamp,   // staying at the ends: ... 0 | 0 1 ... n-1 | n-1 ...
  mirror,  // going back and forth: ... 1 | 0 1 ... n-1 | n-2 ...
};
struct IndexQuotient {
  QuotientKind kind;
  IndexExpr operand;
  SymInt divisor;
};

// Extents of the axes, by axis number.
using Extents = std::span<const SymInt>;

struct IndexRange {
  SymInt low, high;  // inclusive
};
IndexRange range_of(const IndexExpr& expr, Extents extents);

// Simplified by what the extents allow; floor rounding; divisor > 0.
IndexExpr floor_div(const IndexExpr& a, SymInt divisor, Extents extents);
IndexExpr mod(const IndexExpr& a, SymInt divisor, Extents extents);
IndexExpr clamp(const IndexExpr& a, SymInt divisor, Extents extents);
IndexExpr mirror(const IndexExpr& a, SymInt divisor, Extents extents);
// Axis k becomes replacement[k]; extents are those of the axes in the replacements.
IndexExpr substitute(const IndexExpr& expr, std::span<const IndexExpr> replacements, Extents extents);
// The value for a number, and that of an expression at a point.
int64_t evaluate(QuotientKind kind, int64_t operand, int64_t divisor);
int64_t evaluate(const IndexExpr& expr, std::span<const int64_t> axes);

// `16*i0 + i1`, `i0 // 4`, `i0 % 4`, `clamp(i0 - 2, 4)`, `mirror(i0 - 2, 4)`.
std::string to_string(const IndexExpr& expr);

// One index per dim of a buffer or value.
using Index = std::vector<IndexExpr>;
// i0, i1, ... of that many dims.
Index identity_index(int64_t rank);
Index substitute(const Index& index, std::span<const IndexExpr> replacements, Extents extents);
// offset + sum of index * stride.
IndexExpr linear_index(const Index& index, const SymDims& strides, SymInt offset);
// The logical index of the element at `linear` (offset included) of a layout whose dims nest (each stride is a multiple
// of what lies inside), and, if not null, the conditions 0 <= expr under which it exists are appended to `conditions`.
Index index_from_linear(const IndexExpr& linear, const SymDims& sizes, const SymDims& strides, SymInt offset,
                        Extents extents, std::vector<IndexExpr>* conditions);

std::string to_string(const Index& index);

}  // namespace sinter::fusion
