// A scalar formula given as C++ text: one expression in the op's parameters, or one function of them.
//
//   0.5f * x * (1.0f + erf(x * 0.70710678f))
//   float leaky(float x, float s) { if (x > 0) return x; return s * x; }
//
// The text means what a C++ compiler makes of it, types and conversions included (0.5 is a double, 1 / 2 is 0), with no
// contraction: it is translated to the scalar vocabulary, so that it fuses, runs in vectors and gives the same bits on
// every target. `T`, or the parameter of a `template <class T>`, is the type that the op computes in. Of statements it
// may have declarations, assignments, if, return, and for loops whose count does not depend on data.

#pragma once

#include <sinter/graph/error.h>
#include <sinter/graph/scalar.h>
#include <memory>

namespace sinter::graph {

struct Syntax;

class FormulaText {
 public:
  // `parameters` of the op, in order. Throws Error(argument) with the column for what is not C++ or not supported.
  FormulaText(std::string_view text, std::vector<std::string> parameters, Here here);
  FormulaText(const FormulaText&) = delete;
  ~FormulaText();

  // The formula's value. A bool stays one; any other is in the type of the operands.
  ScalarExpr build(ScalarBuilder& builder, std::span<const ScalarExpr> operands) const;

 private:
  std::string text_;
  std::vector<std::string> parameters_;
  Here here_;
  std::unique_ptr<const Syntax> syntax_;
};

}  // namespace sinter::graph
