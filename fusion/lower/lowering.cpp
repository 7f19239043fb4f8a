// Buffers, and the loads of nests under construction.

#include <sinter/fusion/lower/lowering.h>

#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::fusion {

Layout layout_in_buffer(graph::NodeOutput value, const Placed& placed) {
  Layout layout = meta_of(value).layout;
  layout.offset -= placed.origin;
  return layout;
}

int Lowering::add_buffer(graph::NodeOutput output) {
  Buffer buffer;
  buffer.name = output.output == 0 ? output.node->name : fmt::format("{}_{}", output.node->name, output.output);
  buffer.dtype = meta_of(output).dtype;
  buffer.layout = meta_of(output).layout;
  buffer.layout.offset = 0;
  schedule.buffers.push_back(std::move(buffer));
  int id = static_cast<int>(schedule.buffers.size()) - 1;
  place(output, {id, identity_index(meta_of(output).layout.rank()), meta_of(output).layout.offset});
  return id;
}

namespace {

// Without a decision on symbolic sizes: two views that may be equal at some calls are two buffers.
bool is_surely_same(const Layout& a, const Layout& b) {
  auto same = [](SymInt x, SymInt y) { return x.same(y); };
  auto is_symbolic = [](SymInt size) { return !size.is_constant(); };
  if (std::ranges::equal(a.sizes, b.sizes, same) && std::ranges::equal(a.strides, b.strides, same))
    return a.offset.same(b.offset);
  for (const Layout* layout : {&a, &b})
    if (std::ranges::any_of(layout->sizes, is_symbolic) || std::ranges::any_of(layout->strides, is_symbolic) ||
        is_symbolic(layout->offset))
      return false;
  return same_layout(a, b);
}

}  // namespace

int Lowering::input_buffer(int source, const TensorMeta& meta, std::string_view name) {
  for (size_t i = 0; i < schedule.buffers.size(); ++i) {
    const Buffer& known = schedule.buffers[i];
    if (known.kind == BufferKind::input && known.source == source && is_surely_same(known.layout, meta.layout))
      return static_cast<int>(i);
  }
  Buffer buffer;
  buffer.name = name;
  buffer.dtype = meta.dtype;
  buffer.layout = meta.layout;
  buffer.kind = BufferKind::input;
  buffer.source = source;
  schedule.buffers.push_back(std::move(buffer));
  return static_cast<int>(schedule.buffers.size()) - 1;
}

void Lowering::add_nest(Nest nest) {
  Kernel kernel;
  kernel.name = nest.name;
  kernel.nests.push_back(std::move(nest));
  schedule.kernels.push_back(std::move(kernel));
}

NestBuilder::NestBuilder(Lowering& lowering, const graph::Node& node) : lowering(lowering), scalars(nest.body.dag) {
  nest.name = node.name;
  nest.origins.push_back(&node);
}

namespace {

bool same_row(const Load& a, const Load& b) {
  return a.buffer == b.buffer && a.index == b.index && a.anywhere == b.anywhere;
}

}  // namespace

ScalarExpr NestBuilder::add_load(Load load, int mask, int offset) {
  DType dtype = lowering.schedule.buffers[load.buffer].dtype;
  std::vector<Load>& loads = nest.body.loads;
  size_t row = 0;
  while (row < loads.size() && !same_row(loads[row], load)) ++row;
  if (row == loads.size()) loads.push_back(std::move(load));
  return scalars.add({ScalarOp::load, dtype, {mask, offset, -1}, row});
}

ScalarExpr NestBuilder::load(graph::NodeOutput value, const Index& index, std::optional<ScalarExpr> mask) {
  const Placed& placed = lowering.placed(value);
  return add_load({placed.buffer, substitute(placed.index, index, extents_of(nest))}, mask ? mask->id : -1, -1);
}

ScalarExpr NestBuilder::load_at(const Placed& placed, const Index& index, ScalarExpr offset, ScalarExpr mask) {
  Load load{placed.buffer, substitute(placed.index, index, extents_of(nest)), /*anywhere=*/true};
  return add_load(std::move(load), mask.id, offset.id);
}

size_t NestBuilder::index_row(const IndexExpr& expr) {
  Index& rows = nest.body.index_values;
  size_t row = 0;
  while (row < rows.size() && !(rows[row] == expr)) ++row;
  if (row == rows.size()) rows.push_back(expr);
  return row;
}

ScalarExpr NestBuilder::index_value(const IndexExpr& expr) { return scalars.index(static_cast<int>(index_row(expr))); }

ScalarExpr NestBuilder::is_before(const IndexExpr& expr, SymInt end) {
  if (end.is_constant()) return index_value(expr) < Scalar(end.hint());
  return index_value(expr - IndexExpr(end)) < Scalar(0);
}

void NestBuilder::store(graph::NodeOutput result, Index index, ScalarExpr value) {
  nest.stores.push_back({lowering.add_buffer(result), std::move(index), value.id});
}

namespace {

// Sizes that formulas compute with become rows of the table of index values.
void take_over_sizes(NestBuilder& builder) {
  ScalarDag& dag = builder.nest.body.dag;
  for (ScalarNode& node : dag.nodes) {
    if (node.op != ScalarOp::index || node.payload < ScalarDag::first_size) continue;
    node.payload = builder.index_row(dag.sizes[node.payload - ScalarDag::first_size]);
  }
  dag.sizes.clear();
}

// Numbers that are inputs of the function become loads of the one element that each is.
void take_over_numbers(NestBuilder& builder) {
  ScalarDag& dag = builder.nest.body.dag;
  std::vector<Load>& loads = builder.nest.body.loads;
  for (ScalarNode& node : dag.nodes) {
    if (node.op != ScalarOp::input || node.payload < ScalarDag::first_number) continue;
    Scalar number = dag.numbers[node.payload - ScalarDag::first_number];
    const Placed& placed = builder.lowering.placed(builder.lowering.node_of(number));
    size_t row = 0;
    Load load{placed.buffer, placed.index};
    while (row < loads.size() && !same_row(loads[row], load)) ++row;
    if (row == loads.size()) loads.push_back(load);
    node.op = ScalarOp::load;
    node.payload = row;
  }
  dag.numbers.clear();
}

}  // namespace

void NestBuilder::finish() {
  take_over_sizes(*this);
  take_over_numbers(*this);
  nest.body.origins.assign(nest.body.dag.nodes.size(), 0);
  lowering.add_nest(std::move(nest));
}

Index broadcast_index(const SymDims& value_sizes, const SymDims& sizes) {
  Index index;
  size_t lead = sizes.size() - value_sizes.size();
  for (size_t i = 0; i < value_sizes.size(); ++i)
    index.push_back(value_sizes[i].same(1) ? IndexExpr(0) : IndexExpr::axis(static_cast<int>(lead + i)));
  return index;
}

}  // namespace sinter::fusion
