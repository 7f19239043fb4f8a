// Reductions: the kept dims are parallel axes, the reduced ones follow in the order of the reduction's sequence.

#include <sinter/fusion/lower/lowering.h>
#include <sinter/graph/reduction_order.h>

#include <algorithm>

namespace sinter::fusion {

namespace {

bool contains(const Dims& dims, int64_t dim) { return std::find(dims.begin(), dims.end(), dim) != dims.end(); }

// Wide lanes if the fastest axis of the input, as eager would see it, is reduced.
ReductionOrder order_of(const Layout& input, const Dims& reduced, DType accumulator) {
  ReductionOrder order;
  if (graph::fastest_is_reduced(input, reduced)) order.lanes = wide_lanes(accumulator);
  return order;
}

// Sums and extremes of truth values are any and all.
ReductionKind kind_for(ReductionKind kind, DType accumulator) {
  if (accumulator != DType::boolean) return kind;
  if (kind == ReductionKind::sum || kind == ReductionKind::maximum) return ReductionKind::any;
  if (kind == ReductionKind::prod || kind == ReductionKind::minimum) return ReductionKind::all;
  return kind;
}

}  // namespace

void lower_reduction(Lowering& lowering, const graph::Node& node) {
  const ReductionRule& rule = node.op->reduction;
  Values fakes = graph::fake_arguments(node);
  OpArgs args(*node.op, fakes, node.where);
  graph::NodeOutput input = node.args[0].output();
  const Layout& layout = meta_of(input).layout;
  Dims reduced = rule.dims(args);
  bool keepdim = rule.keepdim && rule.keepdim(args);

  NestBuilder builder(lowering, node);
  Index load_index(layout.sizes.size()), store_index;
  for (int64_t dim = 0; dim < layout.rank(); ++dim) {
    if (contains(reduced, dim)) {
      if (keepdim) store_index.push_back(0);
      continue;
    }
    load_index[dim] = IndexExpr::axis(static_cast<int>(builder.nest.axes.size()));
    store_index.push_back(load_index[dim]);
    builder.nest.axes.push_back({layout.sizes[dim], AxisKind::parallel});
  }
  for (int64_t dim : stride_order(layout)) {
    if (!contains(reduced, dim)) continue;
    load_index[dim] = IndexExpr::axis(static_cast<int>(builder.nest.axes.size()));
    builder.nest.axes.push_back({layout.sizes[dim], AxisKind::reduction});
  }

  ScalarExpr value = builder.load(input, load_index);
  DType dtype = rule.input_type ? rule.input_type(args) : meta_of(input).dtype;
  value = builder.scalars.convert(builder.scalars.convert(value, dtype), compute_type(dtype));
  builder.store({const_cast<graph::Node*>(&node), 0}, std::move(store_index), value);
  Store& store = builder.nest.stores.back();
  store.reduction = kind_for(rule.kind, value.dtype());
  store.order = order_of(layout, reduced, value.dtype());
  builder.finish();
}

}  // namespace sinter::fusion
