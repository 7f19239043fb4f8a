// Finds the joints, copies the nest for each stretch between them, and folds what the stretch decides.

#include <sinter/fusion/split_at_joints.h>

#include <sinter/fusion/access.h>
#include <sinter/fusion/graft.h>
#include <sinter/fusion/permute_axes.h>

#include <algorithm>
#include <set>

namespace sinter::fusion {

namespace {

constexpr size_t most_joints = 63;
// Fewer rows leave too little for every thread once the inner axis is not shared.
constexpr int64_t least_rows = 16;

bool is_order(ScalarOp op) {
  return op == ScalarOp::lt || op == ScalarOp::le || op == ScalarOp::gt || op == ScalarOp::ge;
}

bool holds(ScalarOp op, int64_t a, int64_t b) {
  switch (op) {
    case ScalarOp::lt: return a < b;
    case ScalarOp::le: return a <= b;
    case ScalarOp::gt: return a > b;
    default: return a >= b;
  }
}

// `index expression <op> number`.
struct Condition {
  ScalarOp op;
  const IndexExpr* position;
  int64_t bound;
};

std::optional<Condition> condition_of(const Body& body, const ScalarNode& node) {
  if (!is_order(node.op)) return {};
  const ScalarNode &left = body.dag.nodes[node.operands[0]], &right = body.dag.nodes[node.operands[1]];
  if (left.op != ScalarOp::index || right.op != ScalarOp::constant) return {};
  return Condition{node.op, &body.index_values[left.payload], constant_value(right).to_int()};
}

// Where along `axis` the condition, which says nothing of other axes, changes; it does so once at most.
std::optional<int64_t> joint_of(const Condition& condition, int axis, int64_t extent) {
  const IndexExpr& position = *condition.position;
  if (extent < 2) return {};
  if (!position.is_affine() || position.terms().size() != 1 || !position.uses(axis)) return {};
  if (!position.coef_of(axis).is_constant() || !position.constant().is_constant()) return {};
  int64_t slope = position.coef_of(axis).hint(), start = position.constant().hint();
  auto at = [&](int64_t i) { return holds(condition.op, start + slope * i, condition.bound); };
  if (at(0) == at(extent - 1)) return {};
  int64_t low = 0, high = extent - 1;  // it changes in (low, high]
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (at(middle) == at(0) ? low : high) = middle;
  }
  return high;
}

std::set<int64_t> joints_of(const Nest& nest, int axis) {
  std::set<int64_t> joints;
  for (const ScalarNode& node : nest.body.dag.nodes)
    if (std::optional<Condition> condition = condition_of(nest.body, node))
      if (std::optional<int64_t> joint = joint_of(*condition, axis, nest.axes[axis].extent.constant()))
        joints.insert(*joint);
  return joints;
}

// A body in which conditions that hold everywhere, or nowhere, are gone.
class Folder {
 public:
  explicit Folder(const Nest& nest) : from_(nest.body), extents_(extents_of(nest)), scalars_(folded_.dag) {
    folded_.loads = from_.loads;
    folded_.index_values = from_.index_values;
  }

  void fold(Nest& nest) {
    for (size_t i = 0; i < from_.dag.nodes.size(); ++i) {
      values_.push_back(folded(from_.dag.nodes[i]));
      int origin = i < from_.origins.size() ? from_.origins[i] : -1;
      folded_.origins.resize(folded_.dag.nodes.size(), origin);
    }
    for (Store& store : nest.stores) store.value = node_of(store.value);
    nest.body = std::move(folded_);
    remove_dead_values(nest);
  }

 private:
  struct Value {
    int node = -1;              // in the folded body; -1: not made yet
    std::optional<bool> known;  // a condition that is decided
  };

  Value folded(const ScalarNode& node) {
    if (std::optional<Condition> condition = condition_of(from_, node))
      if (std::optional<bool> decided = decide(*condition)) return {-1, decided};
    if (node.op == ScalarOp::bit_and || node.op == ScalarOp::bit_or) {
      bool neutral = node.op == ScalarOp::bit_and;
      for (int side = 0; side < 2; ++side) {
        std::optional<bool> known = values_[node.operands[side]].known;
        if (known) return *known == neutral ? values_[node.operands[1 - side]] : Value{-1, known};
      }
    }
    if (node.op == ScalarOp::bit_not && values_[node.operands[0]].known) return {-1, !*values_[node.operands[0]].known};
    if (node.op == ScalarOp::select && values_[node.operands[0]].known)
      return values_[node.operands[*values_[node.operands[0]].known ? 1 : 2]];
    ScalarNode copy = node;
    if (node.op == ScalarOp::load && node.operands[0] >= 0 && values_[node.operands[0]].known) {
      if (!*values_[node.operands[0]].known) return {zero_of(scalars_, node.dtype).id};
      copy.operands[0] = -1;
    }
    for (int32_t& operand : copy.operands)
      if (operand >= 0) operand = node_of(operand);
    return {scalars_.add(copy).id};
  }

  std::optional<bool> decide(const Condition& condition) const {
    IndexRange range = range_of(*condition.position, extents_);
    if (!range.low.is_constant() || !range.high.is_constant()) return {};
    bool first = holds(condition.op, range.low.constant(), condition.bound);
    bool last = holds(condition.op, range.high.constant(), condition.bound);
    return first == last ? std::optional(first) : std::nullopt;
  }

  int node_of(int old) {
    Value& value = values_[old];
    if (value.node < 0) value.node = scalars_.constant(*value.known, DType::boolean).id;
    return value.node;
  }

  const Body from_;
  SymDims extents_;
  Body folded_;
  ScalarBuilder scalars_;
  std::vector<Value> values_;
};

// The stretch [begin, end) of the axis.
Nest stretch(const Nest& nest, int axis, int64_t begin, int64_t end) {
  Nest part = nest;
  std::vector<Axis> axes = nest.axes;
  axes[axis].extent = end - begin;
  Index replacements = identity_index(static_cast<int64_t>(axes.size()));
  replacements[axis] = replacements[axis] + IndexExpr(begin);
  replace_axes(part, std::move(axes), replacements);
  Folder(part).fold(part);
  return part;
}

bool split(Kernel& kernel) {
  if (kernel.call || kernel.nests.size() != 1 || is_ordered(kernel.nests[0])) return false;
  const Nest whole = kernel.nests[0];
  int axis = static_cast<int>(whole.axes.size()) - 1;
  if (axis < 1 || !whole.axes[axis].extent.is_constant()) return false;
  int64_t rows = 1;
  for (int outer = 0; outer < axis; ++outer) rows *= whole.axes[outer].extent.hint();
  std::set<int64_t> joints = joints_of(whole, axis);
  if (rows < least_rows || joints.empty() || joints.size() > most_joints) return false;
  joints.insert(whole.axes[axis].extent.constant());
  kernel.outer_axes = std::min(kernel.outer_axes, axis);
  kernel.nests.clear();
  int64_t begin = 0;
  for (int64_t end : joints) {
    kernel.nests.push_back(stretch(whole, axis, begin, end));
    begin = end;
  }
  return true;
}

}  // namespace

bool split_at_joints(Schedule& schedule) {
  bool changed = false;
  for (Kernel& kernel : schedule.kernels) changed |= split(kernel);
  return changed;
}

}  // namespace sinter::fusion
