// A scalar formula given as C++ text: one expression in the op's parameters, or one function of them.
//
//   0.5f * x * (1.0f + erf(x * 0.70710678f))
//   float leaky(float x, float s) { if (x > 0) return x; return s * x; }
//
// The text means what a C++ compiler makes of it, types and conversions included (0.5 is a double, 1 / 2 is 0), with no
// contraction; what it can't mean here (unsigned numbers, long double) is refused. It is translated to the scalar
// vocabulary, so that it fuses, runs in vectors and gives the same bits on every target. `T`, or the parameter of a
// `template <class T>`, is the type that the op computes in. An expression sees tensors and floating parameters as T,
// an int parameter as int64_t, a bool one as bool; a function gets each converted to the type that it declares. Of
// statements it may have declarations, assignments, if, return, and for loops whose count does not depend on data.

#pragma once

#include <sinter/graph/error.h>
#include <sinter/graph/scalar.h>
#include <sinter/graph/schema.h>

#include <memory>

namespace sinter::graph {

struct Syntax;

struct FormulaParameter {
  std::string name;
  ArgType type = ArgType::tensor;  // or a number's
};

class FormulaText {
 public:
  // `parameters` of the op, in order. Throws Error(argument) with the column for what is not C++ or not supported.
  FormulaText(std::string_view text, std::vector<FormulaParameter> parameters, Here here);
  FormulaText(const FormulaText&) = delete;
  ~FormulaText();

  // The formula's value. A bool stays one; any other is converted to `compute`. The operands are in types of their own:
  // an integer's exact value, a number's f64, i64 or bool.
  ScalarExpr build(ScalarBuilder& builder, std::span<const ScalarExpr> operands, DType compute) const;

 private:
  void try_out(int64_t integers) const;

  std::string text_;
  std::vector<FormulaParameter> parameters_;
  Here here_;
  std::unique_ptr<const Syntax> syntax_;
};

}  // namespace sinter::graph
