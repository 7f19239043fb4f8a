// Views (index changes), cat and as_strided_scatter (masked regions), and calls on whole buffers.

#include <sinter/fusion/access.h>
#include <sinter/fusion/lower/lowering.h>
#include <sinter/fusion/lower/window_search.h>
#include <sinter/graph/custom/user_kernel.h>
#include <sinter/graph/ops/view.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/graph/sym_expr.h>

#include <algorithm>

namespace sinter::fusion {

namespace {

graph::NodeOutput result_of(const graph::Node& node) { return {const_cast<graph::Node*>(&node), 0}; }

int64_t integer(const graph::Argument& argument) { return argument.value().sym_int().constant(); }

Layout layout_argument(const graph::Node& node, int sizes, int strides, int offset, SymInt default_offset) {
  Layout layout;
  for (const graph::Argument& size : node.args[sizes].list()) layout.sizes.push_back(size.value().sym_int());
  for (const graph::Argument& stride : node.args[strides].list()) layout.strides.push_back(stride.value().sym_int());
  layout.offset = node.args[offset].is_none() ? default_offset : node.args[offset].value().sym_int();
  return layout;
}

}  // namespace

void lower_view(Lowering& lowering, const graph::Node& node) {
  graph::NodeOutput base = node.args[0].output();
  const Placed& placed = lowering.placed(base);
  const TensorMeta& meta = node.metas[0];
  const Buffer& buffer = lowering.schedule.buffers[placed.buffer];
  if (buffer.kind == BufferKind::input) {  // argument memory may be seen with any layout
    int view = lowering.input_buffer(buffer.source, meta, buffer.name);
    lowering.place(result_of(node), {view, identity_index(meta.layout.rank())});
    return;
  }
  const Layout& from = meta_of(base).layout;
  IndexExpr linear = linear_index(identity_index(meta.layout.rank()), meta.layout.strides, meta.layout.offset);
  const SymDims& extents = meta.layout.sizes;
  Index base_index = index_from_linear(linear, from.sizes, from.strides, from.offset, extents, nullptr);
  lowering.place(result_of(node), {placed.buffer, substitute(placed.index, base_index, extents), placed.origin});
}

void lower_cat(Lowering& lowering, const graph::Node& node) {
  const TensorMeta& meta = node.metas[0];
  NestBuilder builder(lowering, node);
  for (SymInt size : meta.layout.sizes) builder.nest.axes.push_back({size, AxisKind::parallel});
  int64_t dim = integer(node.args[1]);
  if (dim < 0) dim += meta.layout.rank();

  IndexExpr along = IndexExpr::axis(static_cast<int>(dim));
  ScalarExpr position = builder.index_value(along);
  std::optional<ScalarExpr> value;
  SymInt start = 0;
  for (const graph::Argument& argument : node.args[0].list()) {
    graph::NodeOutput part = argument.output();
    if (meta_of(part).layout.rank() != meta.layout.rank()) continue;  // ATen lets tensors of sizes [0] stand anywhere
    SymInt end = start + meta_of(part).layout.sizes[dim];
    if (end.same(start)) continue;
    Index index = identity_index(meta.layout.rank());
    index[dim] = index[dim] - IndexExpr(start);
    bool is_first = start.same(0), is_last = end.same(meta.layout.sizes[dim]);
    std::optional<ScalarExpr> mask;
    if (!is_first)
      mask =
          start.is_constant() ? position >= Scalar(start) : builder.index_value(along - IndexExpr(start)) >= Scalar(0);
    if (!is_last) mask = mask ? *mask & builder.is_before(along, end) : builder.is_before(along, end);
    ScalarExpr loaded = builder.scalars.convert(builder.load(part, index, mask), meta.dtype);
    value = value ? select(*mask, loaded, *value) : loaded;
    start = end;
  }
  if (!value) value = builder.scalars.convert(builder.scalars.constant(0, compute_type(meta.dtype)), meta.dtype);
  builder.store(result_of(node), identity_index(meta.layout.rank()), *value);
  builder.finish();
}

namespace {

// A window that is a slice of the base along each dim: which of the window's dims runs along a base dim (-1: none, the
// window has one index there), from where, in which steps.
struct Slices {
  Dims window_dim;
  SymDims start, step;
  std::vector<bool> may_start_at_end;  // an empty window, if sizes that only data tell are such
};

// The part of a symbolic size whose terms are multiples of the stride, in strides.
SymInt multiple_in(SymInt size, SymInt stride) {
  SymExpr sum = sum_of(size);
  SymInt whole = exact_quotient(SymInt(sum.constant), stride).value_or(0);
  for (const auto& [product, coef] : sum.terms) {
    SymExpr term;
    term.terms[product] = coef;
    whole += exact_quotient(intern(std::move(term), 0), stride).value_or(0);
  }
  return graph::with_example(whole);
}

// The base's places nest: the largest stride that still fits tells each coordinate of the window's first element.
bool find_start(const Layout& base, SymInt offset, Slices& slices) {
  SymInt rest = offset - base.offset;
  if (!is_surely_at_least(rest, 0)) return false;
  for (int64_t dim : stride_order(base)) {
    SymInt stride = base.strides[dim];
    if (base.sizes[dim].same(1) || stride.same(0)) continue;
    // Of symbolic offsets: the terms that are multiples of the stride.
    bool is_number = rest.is_constant() && stride.is_constant();
    slices.start[dim] = is_number ? floor_div(rest, stride) : multiple_in(rest, stride);
    rest -= slices.start[dim] * stride;
    if (slices.start[dim].same(0)) continue;  // of an empty dim there is no window
    if (is_surely_at_least(base.sizes[dim] - 1, slices.start[dim])) continue;
    if (is_unbacked(base.sizes[dim] - slices.start[dim]) && is_surely_at_least(base.sizes[dim], slices.start[dim])) {
      slices.may_start_at_end[dim] = true;
      continue;
    }
    if (slices.start[dim] >= base.sizes[dim]) return false;
  }
  return rest.same(0);
}

// The outermost base dim along which the window's dim stays inside; the first time only such as it surely does, before
// symbolic sizes are compared.
bool find_dim(const Layout& base, SymInt size, SymInt stride, int64_t window_dim, Slices& slices, bool decides) {
  for (int64_t dim : stride_order(base)) {
    SymInt base_stride = base.strides[dim];
    if (slices.window_dim[dim] >= 0 || base.sizes[dim].same(1) || base_stride.same(0)) continue;
    std::optional<SymInt> step = exact_quotient(stride, base_stride);
    if (!step || !is_surely_at_least(*step, 1)) continue;
    SymInt last = slices.start[dim] + (size - 1) * *step;
    if (!is_surely_at_least(base.sizes[dim] - 1, last) && (!decides || last >= base.sizes[dim])) continue;
    slices.window_dim[dim] = window_dim;
    slices.step[dim] = *step;
    return true;
  }
  return false;
}

std::optional<Slices> as_slices(const Layout& base, const Layout& window) {
  size_t rank = base.sizes.size();
  Slices slices{Dims(rank, -1), SymDims(rank, 0), SymDims(rank, 1), std::vector<bool>(rank)};
  if (!find_start(base, window.offset, slices)) return std::nullopt;
  for (int64_t k = 0; k < window.rank(); ++k)
    if (!window.sizes[k].same(1) && !find_dim(base, window.sizes[k], window.strides[k], k, slices, false) &&
        !find_dim(base, window.sizes[k], window.strides[k], k, slices, true))
      return std::nullopt;
  // Where the window's dim ends inside the base's, it is empty if it starts at the end.
  for (size_t dim = 0; dim < rank; ++dim)
    if (slices.may_start_at_end[dim] && slices.window_dim[dim] < 0) return std::nullopt;
  return slices;
}

// The window's index at the base's element, and the conditions 0 <= expr under which there is one.
Index index_in_slices(const Slices& slices, const SymDims& window_sizes, Extents extents,
                      std::vector<IndexExpr>& conditions) {
  Index index(window_sizes.size());
  for (size_t dim = 0; dim < slices.start.size(); ++dim) {
    IndexExpr from_start = IndexExpr::axis(static_cast<int>(dim)) - IndexExpr(slices.start[dim]);
    int64_t k = slices.window_dim[dim];
    SymInt step = slices.step[dim];
    SymInt last = k < 0 ? SymInt(0) : (window_sizes[k] - 1) * step;
    conditions.push_back(from_start);
    conditions.push_back(IndexExpr(last) - from_start);
    if (k < 0) continue;
    if (!step.same(1)) conditions.push_back(mod(from_start, step, extents) * -1);
    index[k] = floor_div(from_start, step, extents);
  }
  return index;
}

}  // namespace

void lower_strided_scatter(Lowering& lowering, const graph::Node& node) {
  graph::NodeOutput base = node.args[0].output();
  graph::NodeOutput source = node.args[1].output();
  const TensorMeta& meta = node.metas[0];
  const Layout layout = scattered_memory(meta_of(base).layout);
  Layout window = layout_argument(node, 2, 3, 4, layout.offset);
  NestBuilder builder(lowering, node);
  for (SymInt size : meta.layout.sizes) builder.nest.axes.push_back({size, AxisKind::parallel});
  SymDims extents = extents_of(builder.nest);

  bool writes_nothing = numel(window.sizes).same(0);
  if (!writes_nothing && needs_search(window)) {
    IndexExpr place = linear_index(identity_index(layout.rank()), layout.strides, layout.offset);
    ScalarExpr before = builder.load(base, identity_index(layout.rank()));
    ScalarExpr value = search_window(builder, node, window, place, before);
    builder.store(result_of(node), identity_index(meta.layout.rank()), value);
    return builder.finish();
  }
  std::vector<IndexExpr> conditions;
  Index index;
  if (std::optional<Slices> slices = as_slices(layout, window)) {
    index = index_in_slices(*slices, window.sizes, extents, conditions);
  } else {
    IndexExpr linear = linear_index(identity_index(layout.rank()), layout.strides, layout.offset);
    index = index_from_linear(linear, window.sizes, window.strides, window.offset, extents, &conditions);
  }
  std::optional<ScalarExpr> inside;
  for (const IndexExpr& condition : conditions) {
    IndexRange range = range_of(condition, extents);
    if (is_surely_at_least(range.low, 0)) continue;
    ScalarExpr holds = builder.index_value(condition) >= Scalar(0);
    inside = inside ? *inside & holds : holds;
  }
  std::optional<ScalarExpr> value;
  if (!writes_nothing) value = builder.scalars.convert(builder.load(source, index, inside), meta.dtype);
  if (writes_nothing || inside) {
    ScalarExpr before = builder.load(base, identity_index(layout.rank()));
    value = value ? select(*inside, *value, before) : before;
  }
  builder.store(result_of(node), identity_index(meta.layout.rank()), *value);
  builder.finish();
}

namespace {

// The buffer and layout that a library sees for an argument.
void add_input(Lowering& lowering, ExternCall& call, const graph::Argument& argument) {
  if (argument.is_list())
    for (const graph::Argument& element : argument.list()) add_input(lowering, call, element);
  if (!argument.is_output()) return;
  graph::NodeOutput input = argument.output();
  if (call.node->op->library == Library::launch && graph::is_uninitialised(input)) return;  // only its result is
  const Placed& placed = lowering.placed(input);
  call.inputs.push_back(placed.buffer);
  call.input_layouts.push_back(layout_in_buffer(input, placed));
  call.numbers.push_back(input.node->number.has_value());
}

}  // namespace

void lower_call(Lowering& lowering, const graph::Node& node) {
  Kernel kernel;
  kernel.name = node.name;
  kernel.call.emplace();
  kernel.call->node = &node;
  for (const graph::Argument& argument : node.args) add_input(lowering, *kernel.call, argument);
  for (size_t i = 0; i < node.metas.size(); ++i)
    kernel.call->outputs.push_back(lowering.add_buffer({const_cast<graph::Node*>(&node), static_cast<int>(i)}));
  lowering.schedule.kernels.push_back(std::move(kernel));
}

}  // namespace sinter::fusion
