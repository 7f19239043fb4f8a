// sinter::reindex: one load at an index that steps through the input in another order, wraps around its ends, or is
// masked outside of it.

#include <sinter/fusion/access.h>
#include <sinter/fusion/lower/lowering.h>
#include <sinter/graph/ops/plain_number.h>

#include <cmath>

namespace sinter::fusion {

namespace {

// Both conditions, where one may be missing.
std::optional<ScalarExpr> both(std::optional<ScalarExpr> a, ScalarExpr b) { return a ? *a & b : b; }

// The conditions under which 0 <= expr < size, which are not known to hold.
std::optional<ScalarExpr> inside(NestBuilder& builder, const IndexExpr& expr, SymInt size,
                                 std::optional<ScalarExpr> before) {
  IndexRange range = range_of(expr, extents_of(builder.nest));
  if (!is_surely_at_least(range.low, 0)) before = both(before, builder.index_value(expr) >= Scalar(0));
  if (!is_surely_at_least(size - 1, range.high)) before = both(before, builder.is_before(expr, size));
  return before;
}

IndexExpr brought_inside(const std::string& outside, const IndexExpr& expr, SymInt size, Extents extents) {
  if (outside == "wrap") return mod(expr, size, extents);
  if (outside == "clamp") return clamp(expr, size, extents);
  return mirror(expr, size, extents);
}

}  // namespace

void lower_reindex(Lowering& lowering, const graph::Node& node) {
  graph::NodeOutput input = node.args[0].output();
  const SymDims& sizes = meta_of(input).layout.sizes;
  const TensorMeta& meta = node.metas[0];
  const std::string& outside = node.args[5].value().string();
  Scalar fill = graph::to_value(node.args[6], graph::fake_value).scalar();
  auto number = [&](int argument, size_t dim) { return node.args[argument].list()[dim].value().sym_int(); };

  NestBuilder builder(lowering, node);
  for (SymInt size : meta.layout.sizes) builder.nest.axes.push_back({size, AxisKind::parallel});
  SymDims extents = extents_of(builder.nest);
  Index index;
  std::optional<ScalarExpr> mask;
  bool reads_nothing = numel(sizes).same(0);
  for (size_t dim = 0; !reads_nothing && dim < sizes.size(); ++dim) {
    IndexExpr expr = IndexExpr::axis(static_cast<int>(dim)) * number(4, dim) + IndexExpr(number(3, dim));
    if (outside == "fill")
      mask = inside(builder, expr, sizes[dim], mask);
    else
      expr = brought_inside(outside, expr, sizes[dim], extents);
    index.push_back(std::move(expr));
  }

  ScalarExpr filling = builder.scalars.convert(builder.scalars.constant(fill, compute_type(meta.dtype)), meta.dtype);
  ScalarExpr value = reads_nothing ? filling : builder.load(input, index, mask);
  // A masked load gives 0 where it reads nothing.
  bool is_zero = is_plain(fill) && fill.to_double() == 0 && !std::signbit(fill.to_double());
  if (mask && !reads_nothing && !is_zero) value = select(*mask, value, filling);
  builder.store({const_cast<graph::Node*>(&node), 0}, identity_index(meta.layout.rank()), value);
  builder.finish();
}

}  // namespace sinter::fusion
