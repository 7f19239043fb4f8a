// Loop order by strides, as TensorIterator sorts dims; merging of axes that all addresses step through as one.

#include <sinter/runtime/interpreter/prepare_axes.h>

#include <algorithm>
#include <cstdlib>

namespace sinter::runtime {

using fusion::AxisKind;
using fusion::IndexExpr;
using fusion::IndexTerm;

namespace {

int64_t coefficient(const IndexExpr& expr, int axis) { return expr.coef_of(axis).constant(); }

bool is_inside_quotient(const IndexExpr& expr, int axis) {
  for (const IndexTerm& term : expr.terms())
    if (term.quotient && term.quotient->operand.uses(axis)) return true;
  return false;
}

// Axis a should lie inside axis b: the first address that tells them apart decides.
bool is_faster(const std::vector<const IndexExpr*>& exprs, int a, int b) {
  for (const IndexExpr* expr : exprs) {
    int64_t stride_a = std::abs(coefficient(*expr, a)), stride_b = std::abs(coefficient(*expr, b));
    if (stride_a == 0 || stride_b == 0 || stride_a == stride_b) continue;
    return stride_a < stride_b;
  }
  return false;
}

// Insertion sort: the relation is no total order.
void sort_by_stride(std::vector<int>& axes, const std::vector<const IndexExpr*>& exprs) {
  for (size_t i = 1; i < axes.size(); ++i)
    for (size_t at = i; at > 0 && is_faster(exprs, axes[at - 1], axes[at]); --at) std::swap(axes[at - 1], axes[at]);
}

// Some address steps by single elements along another axis than the last one, where it jumps: that axis comes second,
// so that tiles go both ways.
void bring_transposed_axis_in(std::vector<int>& axes, const fusion::Nest& nest,
                              const std::vector<const IndexExpr*>& exprs) {
  if (axes.size() < 2) return;
  int last = axes.back();
  for (const IndexExpr* expr : exprs) {
    if (std::abs(coefficient(*expr, last)) < 8) continue;
    for (size_t i = 0; i + 1 < axes.size(); ++i) {
      if (std::abs(coefficient(*expr, axes[i])) != 1 || nest.axes[axes[i]].extent.constant() < 16) continue;
      std::rotate(axes.begin() + i, axes.begin() + i + 1, axes.end() - 1);
      return;
    }
  }
}

class Merger {
 public:
  Merger(const fusion::Nest& nest, const std::vector<AccessExpr>& accesses) : nest_(nest), accesses_(accesses) {}

  bool may_merge(int outer, int inner) const {
    if (nest_.axes[outer].kind != nest_.axes[inner].kind) return false;
    for (const AccessExpr& access : accesses_)
      if (!steps_as_one(access.linear, outer, inner)) return false;
    for (const IndexExpr& expr : nest_.body.index_values)
      if (!steps_as_one(expr, outer, inner)) return false;
    return true;
  }

 private:
  bool steps_as_one(const IndexExpr& expr, int outer, int inner) const {
    if (is_inside_quotient(expr, outer) || is_inside_quotient(expr, inner)) return false;
    return coefficient(expr, outer) == coefficient(expr, inner) * nest_.axes[inner].extent.constant();
  }

  const fusion::Nest& nest_;
  const std::vector<AccessExpr>& accesses_;
};

}  // namespace

PreparedIndex AxisPlan::prepare(const IndexExpr& expr) const {
  PreparedIndex prepared;
  prepared.constant = expr.constant().constant();
  for (int position : last) prepared.strides.push_back(coefficient(expr, order[position]));
  for (const IndexTerm& term : expr.terms()) {
    if (!term.quotient) continue;
    prepared.quotients.push_back({term.coef.constant(), term.quotient->kind, term.quotient->divisor.constant(),
                                  prepare(term.quotient->operand)});
  }
  return prepared;
}

AxisPlan plan_axes(const fusion::Nest& nest, const std::vector<AccessExpr>& accesses, bool loads_first) {
  std::vector<const IndexExpr*> by_weight;
  for (bool stores : {!loads_first, loads_first})
    for (const AccessExpr& access : accesses)
      if (access.is_store == stores) by_weight.push_back(&access.linear);

  AxisPlan plan;
  std::vector<int> reductions;
  for (size_t i = 0; i < nest.axes.size(); ++i) {
    if (nest.axes[i].extent.constant() == 1) continue;
    (nest.axes[i].kind == AxisKind::parallel ? plan.order : reductions).push_back(static_cast<int>(i));
  }
  sort_by_stride(plan.order, by_weight);
  if (reductions.empty()) bring_transposed_axis_in(plan.order, nest, by_weight);
  plan.order.insert(plan.order.end(), reductions.begin(), reductions.end());

  Merger merger(nest, accesses);
  for (size_t i = 0; i < plan.order.size(); ++i) {
    int64_t extent = nest.axes[plan.order[i]].extent.constant();
    int at = static_cast<int>(i);
    if (!plan.last.empty() && merger.may_merge(plan.order[i - 1], plan.order[i])) {
      plan.extents.back() *= extent;
      plan.last.back() = at;
      continue;
    }
    plan.extents.push_back(extent);
    plan.first.push_back(at);
    plan.last.push_back(at);
    if (nest.axes[plan.order[i]].kind == AxisKind::parallel) ++plan.parallel_axes;
  }
  return plan;
}

namespace {

constexpr int64_t long_row = 256;  // rows of this length are tiles of their own: more addresses are contiguous then
constexpr int64_t transposed_rows = 64;  // several cache lines in each direction

bool goes_both_ways(const PreparedNest& nest) {
  size_t rank = nest.extents.size();
  if (rank < 2) return false;
  auto jumps = [&](const Access& access) {
    const std::vector<int64_t>& strides = access.index.strides;
    return std::abs(strides[rank - 1]) >= 8 && std::abs(strides[rank - 2]) == 1;
  };
  return nest.extents[rank - 2] >= 16 &&
         (std::any_of(nest.loads.begin(), nest.loads.end(), jumps) ||
          std::any_of(nest.stores.begin(), nest.stores.end(), [&](const PreparedStore& s) { return jumps(s.access); }));
}

}  // namespace

void choose_tiles(PreparedNest& nest, int64_t budget, bool reductions_whole) {
  size_t rank = nest.extents.size();
  nest.chunks.assign(rank, 1);
  int64_t left = budget;
  size_t at = rank;
  if (reductions_whole)
    for (; at > static_cast<size_t>(nest.parallel_axes); --at) {
      nest.chunks[at - 1] = nest.extents[at - 1];
      left /= std::max<int64_t>(nest.extents[at - 1], 1);
    }
  if (at == rank && goes_both_ways(nest)) {
    nest.chunks[rank - 2] = std::min(nest.extents[rank - 2], transposed_rows);
    nest.chunks[rank - 1] = std::min(nest.extents[rank - 1], std::max(left / nest.chunks[rank - 2], transposed_rows));
  } else {
    for (; at > 0 && left > 1; --at) {
      int64_t extent = nest.extents[at - 1];
      nest.chunks[at - 1] = std::max<int64_t>(std::min(extent, left), 1);
      if (extent >= std::min(left, long_row)) break;
      left /= std::max<int64_t>(extent, 1);
    }
  }
  nest.tile_elements = 1;
  for (int64_t chunk : nest.chunks) nest.tile_elements *= chunk;
}

}  // namespace sinter::runtime
