// Each nest is merged into the first nest of its kernel that stands after all that it depends on and has the same axes.

#include <sinter/fusion/merge_nests.h>

#include <sinter/fusion/access.h>
#include <sinter/fusion/graft.h>
#include <sinter/fusion/permute_axes.h>

#include <algorithm>
#include <numeric>

namespace sinter::fusion {

namespace {

bool stores_to(const Nest& nest, int buffer) {
  return std::any_of(nest.stores.begin(), nest.stores.end(), [&](const Store& s) { return s.buffer == buffer; });
}

bool depends_on(const Schedule& schedule, const Nest& later, const Nest& earlier) {
  for (const Load& load : later.body.loads)
    if (stores_to(earlier, load.buffer)) return true;
  return touches_written_argument(schedule, later, earlier) || touches_written_argument(schedule, earlier, later);
}

// The order of `nest`'s axes under which they match `target`'s extents, outer axes fixed; nothing if there is none.
// Reductions and scans keep the order of their sequence, so only a nest without one may be turned.
std::optional<std::vector<int>> matching_order(const Nest& nest, const Nest& target, int outer_axes) {
  if (nest.axes.size() != target.axes.size()) return std::nullopt;
  std::vector<int> order(nest.axes.size());
  std::iota(order.begin(), order.end(), 0);
  auto matches = [&] {
    for (size_t i = 0; i < order.size(); ++i)
      if (!nest.axes[order[i]].extent.same(target.axes[i].extent)) return false;
    return true;
  };
  if (matches()) return order;
  if (is_ordered(nest)) return std::nullopt;
  std::vector<bool> is_taken(order.size());
  for (size_t i = static_cast<size_t>(outer_axes); i < order.size(); ++i) {
    size_t from = static_cast<size_t>(outer_axes);
    while (from < order.size() && (is_taken[from] || !nest.axes[from].extent.same(target.axes[i].extent))) ++from;
    if (from == order.size()) return std::nullopt;
    is_taken[from] = true;
    order[i] = static_cast<int>(from);
  }
  return order;
}

// A nest with two kinds of reduction order over the same axes cannot run in one loop.
bool reduces_alike(const Nest& a, const Nest& b) {
  for (const Store& x : a.stores)
    for (const Store& y : b.stores) {
      if (x.reduction == ReductionKind::none || y.reduction == ReductionKind::none) continue;
      if ((x.order.lanes == 1) != (y.order.lanes == 1) || parallel_rank(a) != parallel_rank(b)) return false;
    }
  return true;
}

// An axis cannot be taken in two orders.
bool walks_alike(const Nest& a, const Nest& b) {
  for (size_t axis = 0; axis < a.axes.size(); ++axis) {
    AxisKind x = a.axes[axis].kind, y = b.axes[axis].kind;
    if (x != y && x != AxisKind::parallel && y != AxisKind::parallel) return false;
  }
  return true;
}

class Merger {
 public:
  Merger(Schedule& schedule, Kernel& kernel) : schedule_(schedule), kernel_(kernel) {}

  bool run() {
    std::vector<Nest> merged;
    for (Nest& nest : kernel_.nests)
      if (!merge_into_one_of(merged, nest)) merged.push_back(std::move(nest));
    bool changed = merged.size() != kernel_.nests.size();
    kernel_.nests = std::move(merged);
    return changed;
  }

 private:
  bool merge_into_one_of(std::vector<Nest>& merged, const Nest& nest) {
    size_t first = 0;
    for (size_t i = 0; i < merged.size(); ++i)
      if (depends_on(schedule_, nest, merged[i])) first = i;
    for (size_t i = first; i < merged.size(); ++i)
      if (try_merge(merged[i], nest)) return true;
    return false;
  }

  bool try_merge(Nest& target, const Nest& nest) {
    if (std::optional<std::vector<int>> order = matching_order(nest, target, kernel_.outer_axes)) {
      Nest turned = nest;
      permute_axes(turned, *order);
      if (may_merge(target, turned)) {
        target = merge(target, turned);
        return true;
      }
    }
    // A reduction or scan cannot turn, but a pointwise nest before it can.
    if (is_ordered(target)) return false;
    std::optional<std::vector<int>> order = matching_order(target, nest, kernel_.outer_axes);
    if (!order) return false;
    Nest turned = target;
    permute_axes(turned, *order);
    if (!may_merge(turned, nest)) return false;
    target = merge(turned, nest);
    return true;
  }

  bool may_merge(const Nest& target, const Nest& nest) const {
    if (!reduces_alike(target, nest) || !walks_alike(target, nest)) return false;
    for (const Load& load : nest.body.loads)
      for (const Store& store : target.stores) {
        if (load.buffer != store.buffer) continue;
        if (load.anywhere || store.reduction != ReductionKind::none || !(load.index == store.index)) return false;
      }
    for (const Store& store : nest.stores)
      if (is_input(schedule_, store.buffer) && meets_elsewhere(schedule_, target, store.buffer, store.index))
        return false;
    for (const Store& store : target.stores)
      if (is_input(schedule_, store.buffer) && meets_elsewhere(schedule_, nest, store.buffer, store.index))
        return false;
    return true;
  }

  Nest merge(const Nest& target, const Nest& nest) const {
    Nest merged;
    merged.name = target.name;
    merged.axes = target.axes;
    for (size_t i = 0; i < merged.axes.size(); ++i)
      if (nest.axes[i].kind != AxisKind::parallel) merged.axes[i].kind = nest.axes[i].kind;
    Graft graft(merged);
    append(merged, graft, target, {});
    size_t stored = merged.stores.size();
    append(merged, graft, nest, [&](const Load& load, int mask) -> std::optional<int> {
      for (size_t i = 0; i < stored; ++i)
        if (merged.stores[i].buffer == load.buffer)
          return graft.masked(graft.convert(merged.stores[i].value, schedule_.buffers[load.buffer].dtype), mask);
      return std::nullopt;
    });
    sort_origins(merged);
    return merged;
  }

  static void append(Nest& merged, Graft& graft, const Nest& nest, const Graft::LoadValue& load_value) {
    std::vector<int> values = graft.copy_stored(nest, load_value);
    for (size_t i = 0; i < values.size(); ++i) {
      merged.stores.push_back(nest.stores[i]);
      merged.stores.back().value = values[i];
    }
  }

  Schedule& schedule_;
  Kernel& kernel_;
};

}  // namespace

bool merge_nests(Schedule& schedule) {
  bool changed = false;
  for (Kernel& kernel : schedule.kernels) changed |= Merger(schedule, kernel).run();
  return changed;
}

}  // namespace sinter::fusion
