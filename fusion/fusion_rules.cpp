// Matching of axes through the buffers that pass between nests.

#include <sinter/fusion/fusion_rules.h>

#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::fusion {

namespace {

constexpr int unknown = -1;
constexpr int impossible = -2;

// The one axis that an index expression is, or `unknown`.
int plain_axis(const IndexExpr& expr) {
  if (expr.terms().size() != 1 || expr.terms()[0].axis < 0) return unknown;
  int axis = expr.terms()[0].axis;
  return expr.is_axis(axis) ? axis : unknown;
}

// match[k]: the nest's axis that must be the kernel's outer axis k.
class Matcher {
 public:
  Matcher(const Kernel& kernel, const Nest& nest) : kernel_(kernel), nest_(nest), match_(kernel.outer_axes, unknown) {}

  // Values stored at `stored` in the kernel are loaded at `loaded` in the nest.
  void flow(const Index& stored, const Index& loaded) {
    for (int k = 0; k < kernel_.outer_axes; ++k) {
      int found = impossible;
      for (size_t p = 0; p < stored.size(); ++p) {
        if (!stored[p].is_axis(k)) continue;
        int axis = plain_axis(loaded[p]);
        if (axis != unknown && fits(k, axis)) found = axis;
      }
      require(k, found);
    }
    any_flow_ = true;
  }

  // Without a flow, equal axes in equal order.
  void match_in_order() {
    int rank = parallel_rank(nest_);
    for (int k = 0; k < kernel_.outer_axes; ++k) require(k, k < rank && fits(k, k) ? k : impossible);
  }

  bool any_flow() const { return any_flow_; }
  const std::vector<int>& match() const { return match_; }

 private:
  bool fits(int k, int axis) const {
    const Axis& mine = nest_.axes[axis];
    return mine.kind == AxisKind::parallel && mine.extent.same(kernel_.nests[0].axes[k].extent);
  }
  void require(int k, int axis) {
    if (match_[k] == unknown)
      match_[k] = axis;
    else if (match_[k] != axis)
      match_[k] = impossible;
  }

  const Kernel& kernel_;
  const Nest& nest_;
  std::vector<int> match_;
  bool any_flow_ = false;
};

// With equal outer axes both loads go to the same part of the buffer: a plane and its transpose share nothing.
bool walk_together(const Load& a, const Load& b, int outer_axes) {
  for (size_t p = 0; p < a.index.size(); ++p)
    for (int k = 0; k < outer_axes; ++k)
      if (!a.index[p].coef_of(k).same(b.index[p].coef_of(k))) return false;
  return true;
}

bool reads_same_element_in_order(const Schedule& schedule, const Kernel& kernel, const Nest& nest) {
  for (const Nest& member : kernel.nests)
    for (const Load& mine : nest.body.loads)
      for (const Load& other : member.body.loads)
        if (mine.buffer == other.buffer && !schedule.buffers[mine.buffer].layout.sizes.empty() &&
            walk_together(mine, other, kernel.outer_axes))
          return true;
  return false;
}

// An argument that one of the two writes and the other reads or writes must be touched, in each shared iteration, at
// places that other iterations do not touch.
bool writes_stay_apart(const Schedule& schedule, const Nest& a, const Nest& b, const std::vector<int>& kernel_axes,
                       const std::vector<int>& nest_axes) {
  auto apart = [&](int buffer_a, const Index& index_a, int buffer_b, const Index& index_b) {
    if (memory_of(schedule, buffer_a) != memory_of(schedule, buffer_b)) return true;
    if (buffer_a != buffer_b) return false;
    for (size_t k = 0; k < kernel_axes.size(); ++k) {
      bool found = false;
      for (size_t p = 0; p < index_a.size(); ++p)
        found |= index_a[p].is_axis(kernel_axes[k]) && index_b[p].is_axis(nest_axes[k]);
      if (!found) return false;
    }
    return true;
  };
  auto reads_anywhere = [&](const Load& load, const Store& store) {
    return load.anywhere && memory_of(schedule, load.buffer) == memory_of(schedule, store.buffer);
  };
  for (const Store& store : a.stores) {
    if (!is_input(schedule, store.buffer)) continue;
    for (const Load& load : b.body.loads)
      if (reads_anywhere(load, store) || !apart(store.buffer, store.index, load.buffer, load.index)) return false;
    for (const Store& other : b.stores)
      if (!apart(store.buffer, store.index, other.buffer, other.index)) return false;
  }
  for (const Store& store : b.stores) {
    if (!is_input(schedule, store.buffer)) continue;
    for (const Load& load : a.body.loads)
      if (reads_anywhere(load, store) || !apart(load.buffer, load.index, store.buffer, store.index)) return false;
  }
  return true;
}

// A nest with its fit's axes first has one left, which a scan scans: -1 if it is not so.
int axis_left(const Nest& nest, const std::vector<int>& first) {
  if (nest.axes.size() != first.size() + 1) return -1;
  for (int axis = 0; axis < static_cast<int>(nest.axes.size()); ++axis)
    if (std::find(first.begin(), first.end(), axis) == first.end()) return axis;
  return -1;
}

// A scan takes many rows together, so it shares its loops only with what becomes one nest with it: all that flows does
// so within an element.
bool becomes_one_with(const Nest& member, const Nest& nest, const Fit& fit) {
  int member_axis = axis_left(member, fit.kernel_axes), nest_axis = axis_left(nest, fit.nest_axes);
  if (has_reduction(member) || has_reduction(nest) || member_axis < 0 || nest_axis < 0) return false;
  if (!member.axes[member_axis].extent.same(nest.axes[nest_axis].extent)) return false;
  Index axes(nest.axes.size());
  for (size_t k = 0; k < fit.nest_axes.size(); ++k) axes[fit.nest_axes[k]] = IndexExpr::axis(fit.kernel_axes[k]);
  axes[nest_axis] = IndexExpr::axis(member_axis);
  SymDims extents = extents_of(member);
  for (const Store& store : member.stores)
    for (const Load& load : nest.body.loads)
      if (load.buffer == store.buffer && !(substitute(load.index, axes, extents) == store.index)) return false;
  return true;
}

}  // namespace

Fit fit_nest(const Schedule& schedule, const Kernel& kernel, const Nest& nest) {
  Matcher matcher(kernel, nest);
  for (const Nest& member : kernel.nests)
    for (const Store& store : member.stores)
      for (const Load& load : nest.body.loads) {
        if (load.buffer != store.buffer) continue;
        if (load.anywhere) return {.refusal = "data tell where it reads"};
        matcher.flow(store.index, load.index);
      }
  if (!matcher.any_flow()) {
    if (!reads_same_element_in_order(schedule, kernel, nest)) return {.refusal = "no shared data"};
    matcher.match_in_order();
  }

  Fit fit;
  for (int k = 0; k < kernel.outer_axes; ++k) {
    int axis = matcher.match()[k];
    bool is_taken = std::find(fit.nest_axes.begin(), fit.nest_axes.end(), axis) != fit.nest_axes.end();
    if (axis < 0 || is_taken) continue;
    fit.kernel_axes.push_back(k);
    fit.nest_axes.push_back(axis);
  }
  bool scans = has_scan(nest) || std::any_of(kernel.nests.begin(), kernel.nests.end(), has_scan);
  bool is_one_nest = scans && std::all_of(kernel.nests.begin(), kernel.nests.end(),
                                          [&](const Nest& member) { return becomes_one_with(member, nest, fit); });
  if (scans && !is_one_nest) {
    fit.refusal = "a scan's loops are its own";
    return fit;
  }
  bool both_scalar = kernel.outer_axes == 0 && parallel_rank(nest) == 0;
  if (fit.kernel_axes.empty() && !both_scalar && !is_one_nest) {
    fit.refusal = fmt::format("no shared axis (outer {} vs {})", to_string(extents_of(kernel.nests[0])),
                              to_string(extents_of(nest)));
    return fit;
  }
  if (!matcher.any_flow() && !is_one_nest && static_cast<int>(fit.kernel_axes.size()) != kernel.outer_axes) {
    fit.refusal = "shared reads, but different domains";
    return fit;
  }
  for (const Nest& member : kernel.nests)
    if (!writes_stay_apart(schedule, member, nest, fit.kernel_axes, fit.nest_axes)) {
      fit.refusal = "an argument is written where the other reads";
      return fit;
    }
  return fit;
}

}  // namespace sinter::fusion
