// Arithmetic of numbers: integers stay integers, quotients and roots are floats, and floats are f64.

#include <sinter/graph/ops/number.h>

#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/plain_number.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/graph/trace.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinter {

namespace {

PointwiseTypes types_of_numbers(const OpArgs& args) {
  auto is_float = [](const Value& number) { return number.scalar().is_floating(); };
  return {{}, std::ranges::any_of(args.values(), is_float) ? DType::f64 : DType::i64};
}
PointwiseTypes types_of_float(const OpArgs&) { return {{}, DType::f64}; }

template <ScalarOp op, TypesRule types>
ScalarExpr number_formula(ScalarBuilder& s, const OpArgs& args, Inputs) {
  DType dtype = types(args).result;
  ScalarExpr x = s.constant(args[0].scalar(), dtype);
  if (args.values().size() == 1) return s.apply(op, {x});
  return s.apply(op, {x, s.constant(args[1].scalar(), dtype)});
}

template <ScalarOp op, TypesRule types>
constexpr OpDef number_op(std::string_view signature) {
  return pointwise(signature, types, number_formula<op, types>);
}

}  // namespace

namespace op_defs {

// The element of a zero-dim tensor of a floating type.
constinit const OpDef number_of = pointwise(
    "sinter::number_of(Tensor self) -> Scalar", [](const OpArgs&) { return PointwiseTypes{{DType::f64}, DType::f64}; },
    [](ScalarBuilder&, const OpArgs&, Inputs x) { return x[0]; });
constinit const OpDef number_add =
    number_op<ScalarOp::add, types_of_numbers>("sinter::number_add(Scalar self, Scalar other) -> Scalar");
constinit const OpDef number_sub =
    number_op<ScalarOp::sub, types_of_numbers>("sinter::number_sub(Scalar self, Scalar other) -> Scalar");
constinit const OpDef number_mul =
    number_op<ScalarOp::mul, types_of_numbers>("sinter::number_mul(Scalar self, Scalar other) -> Scalar");
constinit const OpDef number_div =
    number_op<ScalarOp::div, types_of_float>("sinter::number_div(Scalar self, Scalar other) -> Scalar");
constinit const OpDef number_pow =
    number_op<ScalarOp::pow, types_of_float>("sinter::number_pow(Scalar self, Scalar exponent) -> Scalar");
constinit const OpDef number_sqrt =
    number_op<ScalarOp::sqrt, types_of_float>("sinter::number_sqrt(Scalar self) -> Scalar");

}  // namespace op_defs

namespace {

Scalar call(const OpDef& op, std::initializer_list<Value> operands, Here here) {
  Value result = apply(op, operands, graph::users_line(here))[0];
  return result.is_tensor() ? result.tensor().item(here) : result.scalar();
}

}  // namespace

namespace {

// Beside tensors that are not on the CPU a size is what it is.
Scalar usable(const Scalar& number, Here here) {
  return number.is_traced() || graph::inherited_device().is_cpu() ? number : number.known(here);
}

// Plain numbers at once: the machine's f64 and wrapping i64 are those of the ops.
template <class OnFloats, class OnBits>
Scalar computed(const OpDef& op, const Scalar& left, const Scalar& right, Here here, OnFloats on_floats,
                OnBits on_bits) {
  Scalar a = usable(left, here), b = usable(right, here);
  if (!is_plain(a) || !is_plain(b)) return call(op, {a, b}, here);
  if (a.is_floating() || b.is_floating()) return on_floats(a.to_double(), b.to_double());
  return static_cast<int64_t>(on_bits(static_cast<uint64_t>(a.to_int()), static_cast<uint64_t>(b.to_int())));
}

}  // namespace

Scalar traced_item(const Tensor& tensor, Here here) {
  graph::note_size_question(here);
  graph::InheritLocation inherit(here);
  if (!must_equal(tensor.numel(), 1, here))
    throw Error(ErrorKind::shape, here, fmt::format("item: the tensor has {} elements", to_string(tensor.numel())),
                {{"self", to_string(tensor.meta())}}, "need a tensor of one element");
  graph::Trace& trace = *graph::active_trace();
  Tensor single = tensor.dim() == 0 ? tensor : tensor.reshape({}, here);
  const graph::Node* known = trace.same_call(op_defs::number_of, {trace.output_of(single, here)});
  if (known) return trace.value_of({const_cast<graph::Node*>(known), 0}).scalar();
  return apply(op_defs::number_of, {single}, here)[0].scalar();
}

namespace numbers {

Scalar sum(const Scalar& a, const Scalar& b, Here here) {
  auto add = [](auto x, auto y) { return x + y; };
  return computed(op_defs::number_add, a, b, here, add, add);
}
Scalar difference(const Scalar& a, const Scalar& b, Here here) {
  auto subtract = [](auto x, auto y) { return x - y; };
  return computed(op_defs::number_sub, a, b, here, subtract, subtract);
}
Scalar product(const Scalar& a, const Scalar& b, Here here) {
  auto multiply = [](auto x, auto y) { return x * y; };
  return computed(op_defs::number_mul, a, b, here, multiply, multiply);
}
Scalar quotient(const Scalar& left, const Scalar& right, Here here) {
  Scalar a = usable(left, here), b = usable(right, here);
  if (is_plain(a) && is_plain(b)) return a.to_double() / b.to_double();
  return call(op_defs::number_div, {a, b}, here);
}

}  // namespace numbers

Scalar pow(const Scalar& a, const Scalar& exponent, Here here) {
  std::optional<graph::ActivateTrace> suspend;
  if (is_plain(a) && is_plain(exponent)) suspend.emplace(nullptr);
  return call(op_defs::number_pow, {a, exponent}, here);
}
Scalar sqrt(const Scalar& number, Here here) {
  Scalar a = usable(number, here);
  return is_plain(a) ? Scalar(std::sqrt(a.to_double())) : call(op_defs::number_sqrt, {a}, here);
}

}  // namespace sinter
