// Scans: the other dims are parallel axes, the scanned one follows as the nest's scan axis.

#include <sinter/fusion/lower/lowering.h>
#include <sinter/fusion/scan_kind.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/scan.h>

namespace sinter::fusion {

namespace {

bool is_extremum(const OpDef& op) { return &op == &op_defs::cummax_default || &op == &op_defs::cummin_default; }

ReductionKind kind_of(const OpDef& op) {
  if (&op == &op_defs::cummax_default) return ReductionKind::maximum;
  if (&op == &op_defs::cummin_default) return ReductionKind::minimum;
  if (&op == &op_defs::logcumsumexp_default) return log_add_exp_scan;
  return &op == &op_defs::cumprod_default ? ReductionKind::prod : ReductionKind::sum;
}

// Sums and products of f16 and bf16 run in f32, those of f32 in f64. Extrema of bools are those of numbers.
DType running_type(const OpDef& op, DType dtype) {
  if (dtype == DType::boolean) return DType::u8;
  return dtype == DType::f32 && !is_extremum(op) ? DType::f64 : compute_type(dtype);
}

ScalarExpr scanned(NestBuilder& builder, ReductionKind kind, ScalarExpr value) {
  return builder.scalars.add({scan_op, value.dtype(), {value.id, -1, -1}, static_cast<uint64_t>(kind)});
}

// The place of the last element that became the extremum: it equals it, or is NaN.
ScalarExpr place_of_extremum(NestBuilder& builder, ScalarExpr value, ScalarExpr extremum, const IndexExpr& position) {
  ScalarExpr takes_over = value == extremum;
  if (is_floating(value.dtype())) takes_over = takes_over | is_nan(value);
  ScalarExpr place = select(takes_over, builder.index_value(position), builder.scalars.constant(0, DType::i64));
  return scanned(builder, ReductionKind::maximum, place);
}

}  // namespace

bool is_loop_scan(const graph::Node& node) {
  const OpDef& op = *node.op;
  if (node.metas.empty()) return false;  // a check
  // The prelude of CUDA lacks the step of the one, and its scans of masks were not tried on a device.
  bool is_of_cpu = &op == &op_defs::logcumsumexp_default || node.metas[0].dtype == DType::boolean;
  if (is_of_cpu && !node.metas[0].device.is_cpu()) return false;
  return is_extremum(op) || &op == &op_defs::cumsum_default || &op == &op_defs::cumprod_default ||
         &op == &op_defs::logcumsumexp_default;
}

void lower_scan(Lowering& lowering, const graph::Node& node) {
  Values fakes = graph::fake_arguments(node);
  OpArgs args(*node.op, fakes, node.where);
  const TensorMeta& meta = node.metas[0];
  int64_t rank = meta.layout.rank(), dim = wrap_dim(args, args.integer("dim"), rank);

  NestBuilder builder(lowering, node);
  Index index(static_cast<size_t>(rank));
  auto add_axis = [&](int64_t d, AxisKind kind) {
    index[d] = IndexExpr::axis(static_cast<int>(builder.nest.axes.size()));
    builder.nest.axes.push_back({meta.layout.sizes[d], kind});
  };
  for (int64_t d = 0; d < rank; ++d)
    if (d != dim) add_axis(d, AxisKind::parallel);
  if (rank > 0)
    add_axis(dim, AxisKind::scan);
  else
    builder.nest.axes.push_back({1, AxisKind::scan});

  ScalarExpr value = builder.scalars.convert(builder.load(node.args[0].output(), index), meta.dtype);
  value = builder.scalars.convert(value, running_type(*node.op, meta.dtype));
  ScalarExpr running = scanned(builder, kind_of(*node.op), value);
  auto* result = const_cast<graph::Node*>(&node);
  builder.store({result, 0}, index, builder.scalars.convert(running, meta.dtype));
  if (is_extremum(*node.op)) {
    IndexExpr position = rank > 0 ? index[dim] : IndexExpr(0);
    builder.store({result, 1}, index, place_of_extremum(builder, value, running, position));
  }
  builder.finish();
}

}  // namespace sinter::fusion
