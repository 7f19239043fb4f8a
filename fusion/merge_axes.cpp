// Tries each neighbouring pair: axis a becomes c // extent, axis b becomes c % extent; accepted if no address needs
// them.

#include <sinter/fusion/merge_axes.h>

#include <sinter/fusion/access.h>
#include <sinter/fusion/permute_axes.h>

namespace sinter::fusion {

namespace {

int quotients(const IndexExpr& expr) {
  int count = 0;
  for (const IndexTerm& term : expr.terms())
    if (term.quotient) count += 1 + quotients(term.quotient->operand);
  return count;
}

int address_quotients(const Schedule& schedule, const Nest& nest) {
  int count = 0;
  for (const Load& load : nest.body.loads) count += quotients(linear_of(schedule, load.buffer, load.index));
  for (const Store& store : nest.stores) count += quotients(linear_of(schedule, store.buffer, store.index));
  for (const IndexExpr& expr : nest.body.index_values) count += quotients(expr);
  return count;
}

// Axes a and a + 1 as one.
Nest with_merged(const Nest& nest, int a) {
  Nest merged = nest;
  std::vector<Axis> axes = nest.axes;
  SymInt inner = axes[a + 1].extent;
  axes[a].extent *= inner;
  axes.erase(axes.begin() + a + 1);
  SymDims extents = extents_of(axes);
  Index replacements;
  for (int axis = 0; axis < static_cast<int>(nest.axes.size()); ++axis) {
    IndexExpr whole = IndexExpr::axis(axis <= a ? axis : axis - 1);
    if (axis == a) whole = floor_div(whole, inner, extents);
    if (axis == a + 1) whole = mod(whole, inner, extents);
    replacements.push_back(std::move(whole));
  }
  replace_axes(merged, std::move(axes), replacements);
  return merged;
}

Nest without_axis(const Nest& nest, int gone) {
  Nest reduced = nest;
  std::vector<Axis> axes = nest.axes;
  axes.erase(axes.begin() + gone);
  Index replacements;
  for (int axis = 0; axis < static_cast<int>(nest.axes.size()); ++axis)
    replacements.push_back(axis == gone ? IndexExpr(0) : IndexExpr::axis(axis < gone ? axis : axis - 1));
  replace_axes(reduced, std::move(axes), replacements);
  return reduced;
}

bool drop_unit_axes(Kernel& kernel) {
  bool changed = false;
  for (int axis = kernel.outer_axes; axis-- > 0;) {
    if (!kernel.nests[0].axes[axis].extent.same(1)) continue;
    for (Nest& nest : kernel.nests) nest = without_axis(nest, axis);
    --kernel.outer_axes;
    changed = true;
  }
  for (Nest& nest : kernel.nests)
    for (int axis = static_cast<int>(nest.axes.size()); axis-- > kernel.outer_axes;) {
      // The last reduction axis stays, and a scan axis: without one the nest would be no reduction and no scan.
      bool is_only_ordered =
          nest.axes[axis].kind != AxisKind::parallel && static_cast<int>(nest.axes.size()) - parallel_rank(nest) == 1;
      if (!nest.axes[axis].extent.same(1) || is_only_ordered) continue;
      nest = without_axis(nest, axis);
      changed = true;
    }
  return changed;
}

bool merge_outer_pair(const Schedule& schedule, Kernel& kernel, int a) {
  std::vector<Nest> merged;
  for (const Nest& nest : kernel.nests) {
    if (nest.axes[a + 1].extent.same(0)) return false;
    merged.push_back(with_merged(nest, a));
    if (address_quotients(schedule, merged.back()) > address_quotients(schedule, nest)) return false;
  }
  kernel.nests = std::move(merged);
  --kernel.outer_axes;
  return true;
}

bool merge_inner_pair(const Schedule& schedule, Nest& nest, int a) {
  if (nest.axes[a].kind != nest.axes[a + 1].kind || nest.axes[a + 1].extent.same(0)) return false;
  Nest merged = with_merged(nest, a);
  if (address_quotients(schedule, merged) > address_quotients(schedule, nest)) return false;
  nest = std::move(merged);
  return true;
}

}  // namespace

bool merge_axes(Schedule& schedule) {
  bool changed = false;
  for (Kernel& kernel : schedule.kernels) {
    if (kernel.call) continue;
    changed |= drop_unit_axes(kernel);
    for (int a = kernel.outer_axes - 2; a >= 0; --a) changed |= merge_outer_pair(schedule, kernel, a);
    for (Nest& nest : kernel.nests)
      for (int a = static_cast<int>(nest.axes.size()) - 2; a >= kernel.outer_axes; --a)
        changed |= merge_inner_pair(schedule, nest, a);
  }
  return changed;
}

}  // namespace sinter::fusion
