// Formulas over broadcast inputs, and copies into arguments.

#include <sinter/fusion/lower/lowering.h>

#include <algorithm>

namespace sinter::fusion {

namespace {

void add_parallel_axes(Nest& nest, const SymDims& sizes) {
  for (SymInt size : sizes) nest.axes.push_back({size, AxisKind::parallel});
}

}  // namespace

void lower_pointwise(Lowering& lowering, const graph::Node& node) {
  const TensorMeta& meta = node.metas[0];
  NestBuilder builder(lowering, node);
  add_parallel_axes(builder.nest, meta.layout.sizes);
  // An op's formula may ask for the index along any dim of its result: row d of the table is dim d.
  builder.nest.body.index_values = identity_index(meta.layout.rank());

  Values fakes = graph::fake_arguments(node);
  OpArgs args(*node.op, fakes, node.where);
  PointwiseTypes types = node.op->pointwise.types(args);
  std::vector<ScalarExpr> inputs;
  for (int slot : args.tensor_slots()) {
    if (types.inputs.empty()) break;  // tensors that only say of what type a result is need not broadcast to it
    DType dtype = types.inputs[inputs.size()];
    if (args[slot].is_tensor()) {
      graph::NodeOutput input = node.args[slot].output();
      ScalarExpr value = builder.load(input, broadcast_index(meta_of(input).layout.sizes, meta.layout.sizes));
      inputs.push_back(builder.scalars.convert(builder.scalars.convert(value, dtype), compute_type(dtype)));
    } else {
      inputs.push_back(builder.scalars.constant(args[slot].scalar(), compute_type(dtype)));
    }
  }
  ScalarExpr result = node.op->pointwise.formula(builder.scalars, args, inputs);
  // An index that nothing asks for must not keep axes from merging.
  const std::vector<ScalarNode>& nodes = builder.nest.body.dag.nodes;
  bool asks = std::any_of(nodes.begin(), nodes.end(), [](const ScalarNode& n) {
    return n.op == ScalarOp::index && n.payload < ScalarDag::first_size;
  });
  if (!asks) builder.nest.body.index_values.clear();
  builder.store({const_cast<graph::Node*>(&node), 0}, identity_index(meta.layout.rank()),
                builder.scalars.convert(result, meta.dtype));
  builder.finish();
}

void lower_copy_into(Lowering& lowering, const graph::Node& node) {
  graph::NodeOutput target = node.args[0].output();
  graph::NodeOutput source = node.args[1].output();
  const SymDims& sizes = meta_of(target).layout.sizes;
  NestBuilder builder(lowering, node);
  add_parallel_axes(builder.nest, sizes);
  ScalarExpr value = builder.load(source, broadcast_index(meta_of(source).layout.sizes, sizes));
  const Placed& placed = lowering.placed(target);
  SINTER_CHECK(lowering.schedule.buffers[placed.buffer].kind == BufferKind::input, "{} writes no argument", node.name);
  builder.nest.stores.push_back(
      {placed.buffer, placed.index, builder.scalars.convert(value, meta_of(target).dtype).id});
  builder.finish();
}

}  // namespace sinter::fusion
