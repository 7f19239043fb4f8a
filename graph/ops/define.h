// Short forms for writing op definitions, and the formulas that many of them share.

#pragma once

#include <sinter/graph/op.h>
#include <sinter/graph/ops/types.h>

namespace sinter {

using Inputs = std::span<const ScalarExpr>;
using TypesRule = PointwiseTypes (*)(const OpArgs&);
using Formula = ScalarExpr (*)(ScalarBuilder&, const OpArgs&, Inputs);

constexpr OpDef pointwise(std::string_view signature, TypesRule types, Formula formula,
                          Metas (*meta)(const OpArgs&) = nullptr) {
  return {.signature = signature, .meta = meta, .pointwise = {types, formula}};
}
constexpr OpDef inplace(std::string_view signature, const OpDef& functional) {
  return {.signature = signature, .inplace_of = &functional};
}
constexpr OpDef view(std::string_view signature, Layout (*layout)(const OpArgs&, const Layout&)) {
  return {.signature = signature, .view = layout};
}
// A routine of runtime/routines, which has the definition's name.
constexpr OpDef routine(std::string_view signature, Metas (*meta)(const OpArgs&)) {
  return {.signature = signature, .meta = meta, .library = Library::routine, .may_fail_on_data = true};
}
constexpr OpDef composite(std::string_view signature, Values (*run)(const OpArgs&)) {
  return {.signature = signature, .composite = run};
}
// A second name of an op with the same parameters; the op itself is recorded.
template <const OpDef& target>
constexpr OpDef alias(std::string_view signature) {
  return composite(signature, [](const OpArgs& args) { return apply(target, args.values(), {}, args.here()); });
}
constexpr OpDef decomposed(std::string_view signature, Values (*run)(const OpArgs&),
                           Metas (*meta)(const OpArgs&) = nullptr) {
  return {.signature = signature, .meta = meta, .decompose = run};
}

// --- Formulas ---------------------------------------------------------------------------------------------------

// op(x)
template <ScalarOp op>
ScalarExpr unary(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return s.apply(op, {x[0]});
}
// op(x, y)
template <ScalarOp op>
ScalarExpr binary(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return s.apply(op, {x[0], x[1]});
}
// x itself, converted to the result type.
inline ScalarExpr same_value(ScalarBuilder&, const OpArgs&, Inputs x) { return x[0]; }

// A number argument as ATen's kernels see it: first rounded to `dtype`, then in its compute type.
ScalarExpr number_in(ScalarBuilder& s, Scalar value, DType dtype);
// op(x, other), where `other` is a number of the common type.
template <ScalarOp op>
ScalarExpr binary_with_number(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return s.apply(op, {x[0], number_in(s, args.scalar("other"), common_type(args))});
}

// x != 0
ScalarExpr is_nonzero(ScalarExpr x);

}  // namespace sinter
