// The operations by kind of operand.

#include <sinter/graph/scalar_types.h>

namespace sinter {

namespace {

bool takes(ScalarOp op, DType dtype) {
  bool is_bool = dtype == DType::boolean;
  switch (op) {
    case ScalarOp::convert:
    case ScalarOp::select:
    case ScalarOp::add:
    case ScalarOp::mul:
    case ScalarOp::minimum:
    case ScalarOp::maximum:
    case ScalarOp::eq:
    case ScalarOp::ne:
    case ScalarOp::lt:
    case ScalarOp::le:
    case ScalarOp::gt:
    case ScalarOp::ge: return true;
    case ScalarOp::bit_not:
    case ScalarOp::bit_and:
    case ScalarOp::bit_or:
    case ScalarOp::bit_xor: return !is_floating(dtype);
    case ScalarOp::shift_left:
    case ScalarOp::shift_right:
    case ScalarOp::gcd: return !is_floating(dtype) && !is_bool;
    case ScalarOp::neg:
    case ScalarOp::abs:
    case ScalarOp::sub:
    case ScalarOp::pow:
    case ScalarOp::div_trunc:
    case ScalarOp::div_floor:
    case ScalarOp::remainder:
    case ScalarOp::fmod: return !is_bool;
    default: return is_floating(dtype);
  }
}

}  // namespace

void check_types(const ScalarDag& dag) {
  for (const ScalarNode& node : dag.nodes) {
    const ScalarOpInfo& row = info(node.op);
    if (row.operands == 0) continue;
    DType dtype = dag.nodes[node.operands[row.operands - 1]].dtype;
    if (!takes(node.op, dtype)) throw ScalarTypeError(fmt::format("{} of {}", row.name, name(dtype)));
  }
}

}  // namespace sinter
