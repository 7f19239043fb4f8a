// Finds the joints, copies the nest for each stretch between them, and folds what the stretch decides.

#include <sinter/fusion/split_at_joints.h>

#include <sinter/fusion/access.h>
#include <sinter/fusion/graft.h>
#include <sinter/fusion/permute_axes.h>

#include <algorithm>
#include <set>
#include <span>

namespace sinter::fusion {

namespace {

constexpr size_t most_joints = 4095;
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

// The innermost axis with joints.
struct Joints {
  int axis = -1;
  std::set<int64_t> places;
};

Joints find_joints(const Nest& nest) {
  for (int axis = static_cast<int>(nest.axes.size()); axis-- > 0;) {
    if (!nest.axes[axis].extent.is_constant()) continue;
    std::set<int64_t> places = joints_of(nest, axis);
    if (!places.empty()) return {axis, std::move(places)};
  }
  return {};
}

// With many joints one thread without conditions is faster than several with them: each element would ask them all.
bool pays_off(const Nest& nest, const Joints& joints, size_t many) {
  if (joints.places.size() >= many) return true;
  int64_t rows = 1;
  for (int outer = 0; outer < joints.axis; ++outer) rows *= nest.axes[outer].extent.hint();
  return joints.axis == static_cast<int>(nest.axes.size()) - 1 && rows >= least_rows;
}

// In halves, so that the body that is copied for a stretch is soon as small as what the stretch needs. `offset`: where
// the nest begins on the axis of the whole.
void add_stretches(const Nest& nest, int axis, std::span<const int64_t> places, int64_t offset,
                   std::vector<Nest>& stretches) {
  if (places.empty()) return stretches.push_back(nest);
  size_t middle = places.size() / 2;
  int64_t place = places[middle];
  Nest before = stretch(nest, axis, 0, place - offset);
  Nest after = stretch(nest, axis, place - offset, nest.axes[axis].extent.constant());
  add_stretches(before, axis, places.first(middle), offset, stretches);
  add_stretches(after, axis, places.subspan(middle + 1), place, stretches);
}

template <class Wanted>
bool split(Kernel& kernel, Wanted is_wanted) {
  if (kernel.call || kernel.nests.size() != 1 || is_ordered(kernel.nests[0])) return false;
  const Nest whole = kernel.nests[0];
  Joints joints = find_joints(whole);
  if (joints.places.empty() || joints.places.size() > most_joints || !is_wanted(whole, joints)) return false;
  kernel.outer_axes = std::min(kernel.outer_axes, joints.axis);
  kernel.nests.clear();
  std::vector<int64_t> places(joints.places.begin(), joints.places.end());
  add_stretches(whole, joints.axis, places, 0, kernel.nests);
  return true;
}

}  // namespace

bool split_at_joints(Schedule& schedule, const FusionLimits& limits) {
  auto is_wanted = [&](const Nest& nest, const Joints& joints) { return pays_off(nest, joints, limits.many_joints); };
  bool changed = false;
  for (Kernel& kernel : schedule.kernels) changed |= split(kernel, is_wanted);
  return changed;
}

void split_at_all_joints(Schedule& schedule) {
  for (Kernel& kernel : schedule.kernels) split(kernel, [](const Nest&, const Joints&) { return true; });
}

}  // namespace sinter::fusion
