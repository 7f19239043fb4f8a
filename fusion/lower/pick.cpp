// sinter::pick: loads at places that index tensors hold. An index becomes an offset from the element at 0, and a mask
// that keeps what is out of range from touching memory (a check before it has the caller told).

#include <sinter/fusion/access.h>
#include <sinter/fusion/lower/lowering.h>

#include <algorithm>

namespace sinter::fusion {

namespace {

// The value in memory of its own, row-major.
Placed copied(Lowering& lowering, const graph::Node& node, graph::NodeOutput value) {
  NestBuilder builder(lowering, node);
  const TensorMeta& meta = meta_of(value);
  for (SymInt size : meta.layout.sizes) builder.nest.axes.push_back({size, AxisKind::parallel});
  Index index = identity_index(meta.layout.rank());
  Buffer buffer;
  buffer.name = node.name + "_self";
  buffer.dtype = meta.dtype;
  buffer.layout = contiguous_layout(meta.layout.sizes);
  lowering.schedule.buffers.push_back(std::move(buffer));
  int id = static_cast<int>(lowering.schedule.buffers.size()) - 1;
  builder.nest.stores.push_back({id, index, builder.load(value, index).id});
  builder.finish();
  return {id, index};
}

bool is_plain_in(const IndexExpr& linear, int axis) {
  for (const IndexTerm& term : linear.terms())
    if (term.quotient && term.quotient->operand.uses(axis)) return false;
  return true;
}

// Where the value lies, such that a step along each indexed dim is a step of one size in memory.
Placed with_plain_steps(Lowering& lowering, const graph::Node& node, graph::NodeOutput value,
                        const std::vector<bool>& is_indexed) {
  const Placed& placed = lowering.placed(value);
  IndexExpr linear = linear_of(lowering.schedule, placed.buffer, placed.index);
  for (size_t dim = 0; dim < is_indexed.size(); ++dim)
    if (is_indexed[dim] && !is_plain_in(linear, static_cast<int>(dim))) return copied(lowering, node, value);
  return placed;
}

// Which of self's dims have an index, and where result axes stand for dims and for the indices' dims.
struct Axes {
  std::vector<bool> is_indexed;
  Index of_dim;      // of self; 0 where it is indexed
  int first = 0;     // axis of the indices' first dim
  int64_t rank = 0;  // of the indices, broadcast
};

Axes axes_of_pick(const graph::Node& node, int64_t self_rank, bool aligned) {
  const graph::Argument::List& list = node.args[1].list();
  Axes axes;
  int64_t kept = 0;
  bool side_by_side = true;
  for (int64_t dim = 0; dim < self_rank; ++dim) {
    bool has_index = dim < static_cast<int64_t>(list.size()) && list[dim].is_output();
    if (has_index && dim > 0 && !axes.is_indexed.back() &&
        std::find(axes.is_indexed.begin(), axes.is_indexed.end(), true) != axes.is_indexed.end())
      side_by_side = false;
    axes.is_indexed.push_back(has_index);
    kept += !has_index;
  }
  axes.rank = node.metas[0].layout.rank() - (aligned ? 0 : kept);
  auto first_index = std::find(axes.is_indexed.begin(), axes.is_indexed.end(), true);
  if (!aligned && side_by_side) axes.first = static_cast<int>(first_index - axes.is_indexed.begin());
  int next = 0;
  for (int64_t dim = 0; dim < self_rank; ++dim) {
    if (aligned) {
      axes.of_dim.push_back(axes.is_indexed[dim] ? IndexExpr(0) : IndexExpr::axis(static_cast<int>(dim)));
    } else if (axes.is_indexed[dim]) {
      axes.of_dim.push_back(IndexExpr(0));
    } else {
      int axis = next < axes.first ? next : next + static_cast<int>(axes.rank);
      axes.of_dim.push_back(IndexExpr::axis(axis));
      ++next;
    }
  }
  return axes;
}

// The index into an index tensor that broadcasts to the indices' axes.
Index index_of_indices(const SymDims& sizes, const Axes& axes) {
  Index index;
  int64_t lead = axes.rank - static_cast<int64_t>(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    int axis = axes.first + static_cast<int>(lead) + static_cast<int>(i);
    index.push_back(sizes[i].same(1) ? IndexExpr(0) : IndexExpr::axis(axis));
  }
  return index;
}

}  // namespace

void lower_pick(Lowering& lowering, const graph::Node& node) {
  graph::NodeOutput self = node.args[0].output();
  const TensorMeta& meta = node.metas[0];
  bool aligned = node.args[2].value().scalar().to_bool(), wraps = node.args[3].value().scalar().to_bool();
  Axes axes = axes_of_pick(node, meta_of(self).layout.rank(), aligned);
  Placed placed = with_plain_steps(lowering, node, self, axes.is_indexed);
  IndexExpr linear = linear_of(lowering.schedule, placed.buffer, placed.index);

  NestBuilder builder(lowering, node);
  for (SymInt size : meta.layout.sizes) builder.nest.axes.push_back({size, AxisKind::parallel});
  ScalarExpr zero = builder.scalars.constant(0, DType::i64);
  std::optional<ScalarExpr> inside, offset;
  for (size_t dim = 0; dim < axes.is_indexed.size(); ++dim) {
    if (!axes.is_indexed[dim]) continue;
    graph::NodeOutput index = node.args[1].list()[dim].output();
    Scalar size = meta_of(self).layout.sizes[dim];
    ScalarExpr at =
        builder.scalars.convert(builder.load(index, index_of_indices(meta_of(index).layout.sizes, axes)), DType::i64);
    if (wraps) at = select(at < Scalar(0), at + size, at);
    ScalarExpr holds = (at >= Scalar(0)) & (at < size);
    ScalarExpr step = select(holds, at, zero) * Scalar(linear.coef_of(static_cast<int>(dim)));
    inside = inside ? *inside & holds : holds;
    offset = offset ? *offset + step : step;
  }
  SINTER_CHECK(offset, "{} has no index", node.name);
  ScalarExpr value = builder.load_at(placed, axes.of_dim, *offset, *inside);
  builder.store({const_cast<graph::Node*>(&node), 0}, identity_index(meta.layout.rank()), value);
  builder.finish();
}

}  // namespace sinter::fusion
