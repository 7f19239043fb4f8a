// A value may be rough if all that is made of it is rounded to bf16 in the end, and on the way its relative error
// cannot grow but by the errors of others: in products, quotients and sums of what is not negative.

#include <sinter/codegen/cuda/quick_operations.h>

#include <sinter/codegen/cpp/scalar_syntax.h>

#include <algorithm>

namespace sinter::codegen {

namespace {

// What the approximations, the operations around them and the CPU's own rounding come to, in units in the last place.
constexpr int units_of_exp = 10;
constexpr int units_of_sigmoid = 13;
constexpr int units_of_quotient = 3;
constexpr int units_of_step = 1;
// More would find ties too often.
constexpr int most_units = 32;

bool is_quick(const ScalarNode& node) {
  bool is_long =
      node.op == ScalarOp::div || node.op == ScalarOp::sqrt || node.op == ScalarOp::log || node.op == ScalarOp::exp;
  return is_long && node.dtype == DType::f32;
}

bool rounds_to_bf16(const ScalarNode& node) { return node.op == ScalarOp::convert && node.dtype == DType::bf16; }

}  // namespace

// From the users to what they use: an operand that has to stay exact makes what is made of it less rough, not more.
QuickOperations::QuickOperations(const fusion::Nest& nest) : nodes_(nest.body.dag.nodes) {
  find_rough_values();
  std::vector<bool> is_used_exactly(nodes_.size(), false);
  for (const fusion::Store& store : nest.stores) is_used_exactly[store.value] = true;
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (is_used_exactly[i]) units_[i] = 0;
    bool takes_rough = is_rough(static_cast<int>(i)) || rounds_to_bf16(nodes_[i]);
    for (int operand : nodes_[i].operands)
      if (operand >= 0 && !takes_rough) is_used_exactly[operand] = true;
  }
}

void QuickOperations::find_rough_values() {
  units_.assign(nodes_.size(), 0);
  is_positive_.assign(nodes_.size(), false);
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const ScalarNode& node = nodes_[i];
    bool is_function = node.op == ScalarOp::exp || node.op == ScalarOp::sigmoid;
    if (node.op == ScalarOp::constant) is_positive_[i] = constant_value(node).to_double() >= 0;
    if (node.op == ScalarOp::abs || is_function) is_positive_[i] = true;
    if (node.dtype != DType::f32) continue;
    int units = units_of(node);
    units_[i] = units <= most_units ? units : 0;
  }
}

int QuickOperations::units_of(const ScalarNode& node) const {
  auto of = [&](int k) { return units_[node.operands[k]]; };
  auto positive = [&](int k) { return is_positive_[node.operands[k]]; };
  switch (node.op) {
    case ScalarOp::exp: return of(0) == 0 ? units_of_exp : 0;
    case ScalarOp::sigmoid: return of(0) == 0 ? units_of_sigmoid : 0;
    case ScalarOp::div: return of(0) + of(1) + units_of_quotient;
    case ScalarOp::mul: return of(0) + of(1) == 0 ? 0 : of(0) + of(1) + units_of_step;
    case ScalarOp::neg:
    case ScalarOp::abs: return of(0);
    case ScalarOp::add:
      return of(0) + of(1) == 0 || !positive(0) || !positive(1) ? 0 : std::max(of(0), of(1)) + units_of_step;
    default: return 0;
  }
}

bool QuickOperations::empty() const {
  for (size_t i = 0; i < nodes_.size(); ++i)
    if (is_quick(nodes_[i]) || is_rough(static_cast<int>(i))) return false;
  return true;
}

std::string QuickOperations::text(KernelContext& context, int node, std::span<const std::string> operands) const {
  const ScalarNode& n = nodes_[node];
  if (rounds_to_bf16(n) && is_rough(n.operands[0])) {
    context.need("watched");
    context.need(conversion_piece(DType::f32, DType::bf16));
    return fmt::format("to_bf16(watched({}, {}, is_rare))", operands[0], units_[n.operands[0]]);
  }
  bool is_own = n.op == ScalarOp::exp || n.op == ScalarOp::sigmoid || n.op == ScalarOp::div;
  std::string prefix = is_rough(node) && is_own ? "rough" : is_quick(n) ? "quick" : "";
  if (prefix.empty()) return {};
  std::string function = fmt::format("{}_{}", prefix, info(n.op).name);
  context.need(function, n.dtype);
  return fmt::format("{}({}, is_rare)", function, fmt::join(operands, ", "));
}

}  // namespace sinter::codegen
