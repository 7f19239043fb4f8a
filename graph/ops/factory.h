// What ops that make tensors from nothing share: their common parameters, the meta of a fresh result, constants of its
// type.

#pragma once

#include <sinter/graph/ops/define.h>

namespace sinter {

#define SINTER_FACTORY "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"

// Row-major, of parameters `dtype` and `device` where they are given.
TensorMeta fresh(const OpArgs& args, const SymDims& sizes, DType dtype, Device device = cpu);

// The value alone makes the result: no tensor is an operand, whatever its sizes are.
PointwiseTypes types_generated(const OpArgs& args);
ScalarExpr result_constant(ScalarBuilder& s, const OpArgs& args, Scalar value);

template <int value>
ScalarExpr constant_formula(ScalarBuilder& s, const OpArgs& args, Inputs) {
  return result_constant(s, args, value);
}
inline ScalarExpr full_formula(ScalarBuilder& s, const OpArgs& args, Inputs) {
  return result_constant(s, args, args.scalar("fill_value"));
}

// Of linspace and logspace: so many points from start to end, which are taken in the result's type.
Metas points_meta(const OpArgs& args);
PointwiseTypes types_points(const OpArgs& args);

constexpr OpDef generator(std::string_view signature, Metas (*meta)(const OpArgs&), Formula formula) {
  return pointwise(signature, types_generated, formula, meta);
}

}  // namespace sinter
