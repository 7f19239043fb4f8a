// Views: a new layout on the same memory; reshape, which copies where it must; the in-place forms that change a handle.

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/graph.h>
#include <sinter/graph/late_guards.h>
#include <sinter/graph/ops/change_handle.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/view.h>

#include <algorithm>
#include <limits>

namespace sinter {

SymInt counted_from_front(SymInt place, SymInt size) {
  if (is_surely_at_least(place, 0)) return place;
  SymInt is_negative = max(min(-place, 1), 0);
  return place + is_negative * size;
}

namespace {

Layout alias_layout(const OpArgs&, const Layout& self) { return self; }

// Fills in the one size given as -1.
SymDims inferred_sizes(const OpArgs& args, const SymDims& wanted, SymInt count) {
  SymDims sizes = wanted;
  int64_t inferred = -1;
  SymInt known = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1) {
      if (inferred >= 0) args.fail(ErrorKind::shape, "more than one size is -1", "at most one size can be inferred");
      inferred = static_cast<int64_t>(i);
    } else if (sizes[i] < 0) {
      args.fail(ErrorKind::shape, fmt::format("size {} is negative", to_string(sizes[i])));
    } else {
      known *= sizes[i];
    }
  }
  std::string mismatch = fmt::format("sizes {} do not hold {} elements", to_string(wanted), to_string(count));
  if (inferred < 0) {
    if (!must_equal(known, count)) args.fail(ErrorKind::shape, mismatch);
    return sizes;
  }
  if (is_known_to_be(known, 0))
    args.fail(ErrorKind::shape, fmt::format("the -1 in {} could be any size", to_string(wanted)));
  if (!must_equal(mod(count, known), 0)) args.fail(ErrorKind::shape, mismatch);
  sizes[inferred] = floor_div(count, known);
  return sizes;
}

Layout view_layout(const OpArgs& args, const Layout& self) {
  SymDims sizes = inferred_sizes(args, args.sizes("size"), numel(self.sizes));
  std::optional<SymDims> strides = view_strides(self, sizes);
  if (!strides)
    args.fail(ErrorKind::shape,
              fmt::format("sizes {} are no view of strides {}", to_string(sizes), to_string(self.strides)),
              "use reshape, which copies");
  return {sizes, *strides, self.offset};
}

Values run_reshape(const OpArgs& args) {
  Tensor self = args.tensor(0);
  SymDims sizes = inferred_sizes(args, args.sizes("shape"), self.numel());
  auto [is_view, waiting] = graph::view_or_copy(self, sizes, view_strides);
  if (is_view) return {self.view(sizes, args.here())};
  Tensor copy = clone_contiguous(self, args.here()).view(sizes, args.here());
  graph::note_copy(self, copy, std::move(waiting));
  return {copy};
}

Values run_flatten(const OpArgs& args) {
  Tensor self = args.tensor(0);
  int64_t rank = self.dim();
  if (rank == 0) return {self.reshape({1}, args.here())};
  int64_t start = wrap_dim(args, args.integer("start_dim"), rank), end = wrap_dim(args, args.integer("end_dim"), rank);
  if (start > end) args.fail(ErrorKind::argument, "start_dim comes after end_dim");
  if (start == end) return {self};
  SymDims sizes;
  SymInt joined = 1;
  for (int64_t i = 0; i < rank; ++i) {
    bool is_inside = i >= start && i <= end;
    if (is_inside) joined *= self.sizes()[i];
    if (i == end) sizes.push_back(joined);
    if (!is_inside) sizes.push_back(self.sizes()[i]);
  }
  return {self.reshape(sizes, args.here())};
}

Layout permute_layout(const OpArgs& args, const Layout& self) {
  Dims dims = args.dims("dims");
  if (static_cast<int64_t>(dims.size()) != self.rank())
    args.fail(ErrorKind::argument, fmt::format("{} dims for a tensor of rank {}", dims.size(), self.rank()));
  Layout result{{}, {}, self.offset};
  for (int64_t dim : wrap_dims(args, dims, self.rank())) {
    result.sizes.push_back(self.sizes[dim]);
    result.strides.push_back(self.strides[dim]);
  }
  return result;
}

Layout swapped(Layout layout, int64_t a, int64_t b) {
  if (layout.rank() == 0) return layout;
  std::swap(layout.sizes[a], layout.sizes[b]);
  std::swap(layout.strides[a], layout.strides[b]);
  return layout;
}

Layout transpose_layout(const OpArgs& args, const Layout& self) {
  return swapped(self, wrap_dim(args, args.integer("dim0"), self.rank()),
                 wrap_dim(args, args.integer("dim1"), self.rank()));
}

Layout t_layout(const OpArgs& args, const Layout& self) {
  if (self.rank() > 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.rank()), "need at most 2 dims");
  return self.rank() == 2 ? swapped(self, 0, 1) : self;
}

Layout unsqueeze_layout(const OpArgs& args, const Layout& self) {
  int64_t dim = wrap_dim(args, args.integer("dim"), self.rank() + 1);
  Layout result = self;
  SymInt stride = dim < self.rank() ? self.sizes[dim] * self.strides[dim] : SymInt(1);
  result.sizes.insert(result.sizes.begin() + dim, 1);
  result.strides.insert(result.strides.begin() + dim, stride);
  return result;
}

// Without the dims of size 1 among `dims`.
Layout squeezed(const Layout& self, const Dims& dims) {
  Layout result{{}, {}, self.offset};
  for (int64_t i = 0; i < self.rank(); ++i) {
    if (std::find(dims.begin(), dims.end(), i) != dims.end() && self.sizes[i] == 1) continue;
    result.sizes.push_back(self.sizes[i]);
    result.strides.push_back(self.strides[i]);
  }
  return result;
}

Layout squeeze_all_layout(const OpArgs&, const Layout& self) {
  Dims all;
  for (int64_t i = 0; i < self.rank(); ++i) all.push_back(i);
  return squeezed(self, all);
}
Layout squeeze_dim_layout(const OpArgs& args, const Layout& self) {
  return squeezed(self, {wrap_dim(args, args.integer("dim"), self.rank())});
}
Layout squeeze_dims_layout(const OpArgs& args, const Layout& self) {
  return squeezed(self, wrap_dims(args, args.dims("dim"), self.rank()));
}

Layout expand_op_layout(const OpArgs& args, const Layout& self) {
  SymDims sizes = args.sizes("size");
  size_t rank = self.sizes.size();
  if (sizes.size() < rank)
    args.fail(ErrorKind::shape, fmt::format("{} sizes for a tensor of rank {}", sizes.size(), rank));
  size_t lead = sizes.size() - rank;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!(sizes[i] == -1)) continue;
    if (i < lead) args.fail(ErrorKind::shape, "-1 stands for a dim that the tensor does not have");
    sizes[i] = self.sizes[i - lead];
  }
  for (SymInt size : sizes)
    if (size < 0) args.fail(ErrorKind::shape, fmt::format("size {} is negative", to_string(size)));
  std::optional<Layout> result = expand_layout(self, sizes);
  if (!result)
    args.fail(ErrorKind::shape, fmt::format("sizes {} do not expand to {}", to_string(self.sizes), to_string(sizes)),
              "only dims of size 1 expand");
  return *result;
}

Layout select_layout(const OpArgs& args, const Layout& self) {
  if (self.rank() == 0) args.fail(ErrorKind::argument, "a zero-dim tensor has nothing to select from");
  int64_t dim = wrap_dim(args, args.integer("dim"), self.rank());
  SymInt index = args.size("index"), size = self.sizes[dim];
  if (index >= size || index < -size)
    args.fail(ErrorKind::argument,
              fmt::format("index {} is out of range for dim {} of size {}", to_string(index), dim, to_string(size)));
  if (index < 0) index += size;
  Layout result = self;
  result.offset += index * self.strides[dim];
  result.sizes.erase(result.sizes.begin() + dim);
  result.strides.erase(result.strides.begin() + dim);
  return result;
}

// Between low and size, of which data tell more when the program runs.
SymInt clipped_by_data(SymInt at, SymInt low, SymInt size) {
  if (at.same(std::numeric_limits<int64_t>::max()) || is_surely_at_least(at, size)) return size;
  SymInt lower = is_surely_at_least(at, low) ? at : max(at, low);
  return is_surely_at_least(size, lower) ? lower : min(lower, size);
}

// From where to where a slice goes, and how many elements lie between.
struct SliceRange {
  SymInt start, end, span;
};

// Of a size that data tell.
SliceRange range_of_data(SymInt start, SymInt end, SymInt size) {
  start = clipped_by_data(start, 0, size);
  end = clipped_by_data(end, start, size);
  return {start, end, end - start};
}

// Where the example leaves an end as it is, that is asked for, and the slice has the length that it says; where the
// example clips one, so will other sizes or not: the least or greatest of two is right for all of them.
SliceRange clipped_range(SymInt start, SymInt end, SymInt size) {
  bool clips_start = !start.is_constant() && start.hint() < 0 && size.hint() > 0;
  SymInt from = clips_start ? max(start, 0) : start < 0 ? SymInt(0) : start > size ? size : start;
  bool clips_end = !is_surely_at_least(end, size) && end.hint() > size.hint() && from.hint() < size.hint();
  SymInt to = is_surely_at_least(end, size) ? size : clips_end ? min(end, size) : end > size ? size : end;
  if (!is_surely_at_least(to, from) && to < from) to = from;
  // Without the maximum in it, which other operators would have to see through.
  SymInt span = clips_start && !from.same(start) ? min(to - start, to) : to - from;
  return {from, to, span};
}

Layout sliced(const OpArgs& args, const Layout& self, int64_t dim, SymInt start, SymInt end, SymInt step) {
  if (step <= 0) args.fail(ErrorKind::argument, fmt::format("step {}", to_string(step)), "need a positive step");
  SymInt size = self.sizes[dim];
  for (SymInt* end_of_slice : {&start, &end})
    if (*end_of_slice < 0) *end_of_slice += size;
  bool is_data = is_unbacked(start) || is_unbacked(end) || is_unbacked(size);
  auto [from, to, span] = is_data ? range_of_data(start, end, size) : clipped_range(start, end, size);
  Layout result = self;
  result.offset += from * self.strides[dim];
  // Of a symbolic span without asking whether it is 0; of a number such that no step overflows.
  if (!span.is_constant())
    result.sizes[dim] = ceil_div(span, step);
  else
    result.sizes[dim] = span == 0 ? SymInt(0) : floor_div(span - 1, step) + 1;
  result.strides[dim] *= step;
  return result;
}

Layout slice_layout(const OpArgs& args, const Layout& self) {
  if (self.rank() == 0) args.fail(ErrorKind::argument, "a zero-dim tensor cannot be sliced");
  int64_t dim = wrap_dim(args, args.integer("dim"), self.rank());
  SymInt start = args["start"].is_none() ? SymInt(0) : args.size("start");
  SymInt end = args["end"].is_none() ? SymInt(std::numeric_limits<int64_t>::max()) : args.size("end");
  return sliced(args, self, dim, start, end, args.size("step"));
}

Values run_narrow(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (self.dim() == 0) args.fail(ErrorKind::argument, "a zero-dim tensor cannot be narrowed");
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  SymInt start = args.size("start"), length = args.size("length"), size = self.sizes()[dim];
  if (start < 0) start += size;
  if (length < 0 || start < 0 || start > size || length > size - start)
    args.fail(ErrorKind::argument, fmt::format("start {} and length {} leave dim {} of size {}", to_string(start),
                                               to_string(length), dim, to_string(size)));
  return {self.slice(dim, start, start + length, 1, args.here())};
}

// How many elements of the tensor's type lie in a traced tensor's memory: what it is a view of reaches as far.
SymInt traced_elements(const Tensor& tensor) {
  const FakeOrigin& origin = tensor.impl()->fake;
  graph::NodeOutput base{origin.node, origin.output};
  while (base.node->op && base.node->op->view) base = base.node->args[0].output();
  const TensorMeta& meta = meta_of(base);
  SymInt elements = extent_end(meta.layout);
  int64_t own = byte_size(tensor.dtype()), of_base = byte_size(meta.dtype);
  return own == of_base ? elements : floor_div(elements * of_base, own);
}

// The layout must stay inside the memory that `self` has: its tensor's storage, or if that is expanded, for a copy of
// it, the elements of the copy.
void check_reach(const OpArgs& args, const Layout& layout, const Layout& self) {
  if (!args[0].is_tensor() || !args[0].tensor().storage() || is_known_to_be(numel(layout.sizes), 0)) return;
  const TensorMeta& meta = args[0].tensor().meta();
  int64_t element = byte_size(meta.dtype);
  if (!is_addressable(layout, element)) return;  // said in full by check_addressable
  auto check = [&](SymInt needed, SymInt have) {
    if (needed > have)
      args.fail(ErrorKind::argument, fmt::format("needs {} elements, has {}", to_string(needed), to_string(have)));
  };
  const Tensor& tensor = args[0].tensor();
  bool is_copied = !same_layout(self, meta.layout);
  SymInt needed = extent_end(layout), own = extent_end(self);
  SymInt have = is_copied ? own : tensor.is_fake() ? traced_elements(tensor) : SymInt(0);
  if (is_unbacked(needed) || is_unbacked(have)) return check(needed, have);
  check(needed.constant(), is_copied ? own.constant() : tensor.storage()->bytes / element);
}

Layout as_strided_layout(const OpArgs& args, const Layout& self) {
  Layout result{args.sizes("size"), args.sizes("stride"), self.offset};
  if (!args["storage_offset"].is_none()) result.offset = args.size("storage_offset");
  if (result.sizes.size() != result.strides.size())
    args.fail(ErrorKind::argument, "sizes and strides differ in number");
  for (SymInt stride : result.strides)
    if (stride < 0)
      args.fail(ErrorKind::argument, fmt::format("negative strides are not supported (stride {})", to_string(stride)));
  for (SymInt size : result.sizes)
    if (size < 0) args.fail(ErrorKind::argument, fmt::format("size {} is negative", to_string(size)));
  if (result.offset < 0)
    args.fail(ErrorKind::argument, fmt::format("storage_offset {} is negative", to_string(result.offset)));
  check_reach(args, result, self);
  return result;
}

Metas as_strided_scatter_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0), source = args.meta(1);
  self.layout = scattered_memory(self.layout);
  Layout window = as_strided_layout(args, self.layout);
  if (!std::ranges::equal(window.sizes, source.layout.sizes, [](SymInt x, SymInt y) { return must_equal(x, y); }))
    args.fail(ErrorKind::shape,
              fmt::format("src has sizes {}, the window {}", to_string(source.layout.sizes), to_string(window.sizes)));
  self.layout.offset = 0;
  return {self};  // ATen clones the memory with its gaps
}

// The op named `view`, applied to the handle itself.
template <const OpDef& view>
Values run_on_handle(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Tensor seen = apply(view, args.values(), {}, args.here())[0].tensor();
  change_handle(self, seen, args.op().schema().name, args.here());
  return {self};
}

}  // namespace

namespace op_defs {

constinit const OpDef alias_default = view("aten::alias(Tensor(a) self) -> Tensor(a)", alias_layout);
constinit const OpDef detach_default = view("aten::detach(Tensor(a) self) -> Tensor(a)", alias_layout);
constinit const OpDef view_default = view("aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)", view_layout);
constinit const OpDef reshape_default =
    composite("aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", run_reshape);
constinit const OpDef flatten_using_ints =
    composite("aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)", run_flatten);
constinit const OpDef permute_default = view("aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", permute_layout);
constinit const OpDef transpose_int =
    view("aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", transpose_layout);
constinit const OpDef transpose_inplace_default =
    composite("aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", run_on_handle<transpose_int>);
constinit const OpDef t_default = view("aten::t(Tensor(a) self) -> Tensor(a)", t_layout);
constinit const OpDef t_inplace_default =
    composite("aten::t_(Tensor(a!) self) -> Tensor(a!)", run_on_handle<t_default>);
constinit const OpDef unsqueeze_default =
    view("aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", unsqueeze_layout);
constinit const OpDef unsqueeze_inplace_default =
    composite("aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", run_on_handle<unsqueeze_default>);
constinit const OpDef squeeze_default = view("aten::squeeze(Tensor(a) self) -> Tensor(a)", squeeze_all_layout);
constinit const OpDef squeeze_dim = view("aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", squeeze_dim_layout);
constinit const OpDef squeeze_dims =
    view("aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", squeeze_dims_layout);
constinit const OpDef squeeze_inplace_default =
    composite("aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", run_on_handle<squeeze_default>);
constinit const OpDef squeeze_inplace_dim =
    composite("aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", run_on_handle<squeeze_dim>);
constinit const OpDef squeeze_inplace_dims =
    composite("aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", run_on_handle<squeeze_dims>);
constinit const OpDef expand_default =
    view("aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)", expand_op_layout);
constinit const OpDef select_int =
    view("aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", select_layout);
constinit const OpDef slice_tensor = view(
    "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)",
    slice_layout);
constinit const OpDef narrow_default =
    composite("aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)", run_narrow);
constinit const OpDef as_strided_default =
    view("aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)",
         as_strided_layout);
constinit const OpDef as_strided_scatter_default = {
    .signature =
        "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, "
        "SymInt? storage_offset=None) -> Tensor",
    .meta = as_strided_scatter_meta,
    .structured = Structured::strided_scatter,
};

}  // namespace op_defs

Layout scattered_memory(const Layout& self) {
  return is_expanded(self) ? Layout{self.sizes, preserved_strides(self), 0} : self;
}
Tensor clone_contiguous(const Tensor& x, Here here) {
  return apply_one(op_defs::clone_default, {x, MemoryFormat::contiguous}, here);
}
Tensor as_strided(const Tensor& x, SymDims sizes, SymDims strides, std::optional<SymInt> offset, Here here) {
  return apply_one(op_defs::as_strided_default, {x, sizes, strides, offset}, here);
}
Tensor narrow(const Tensor& x, int64_t dim, SymInt start, SymInt length, Here here) {
  return apply_one(op_defs::narrow_default, {x, dim, start, length}, here);
}
Tensor flatten(const Tensor& x, int64_t start_dim, int64_t end_dim, Here here) {
  return apply_one(op_defs::flatten_using_ints, {x, start_dim, end_dim}, here);
}
Tensor alias(const Tensor& x, Here here) { return apply_one(op_defs::alias_default, {x}, here); }
Tensor detach(const Tensor& x, Here here) { return apply_one(op_defs::detach_default, {x}, here); }

}  // namespace sinter
