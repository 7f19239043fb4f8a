// Copies with the elements in another order: flip, roll, rot90, repeat; the op that all of these and the pads are.

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/memory_format.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reindex.h>

#include <algorithm>
#include <utility>

namespace sinter {

Reindexing::Reindexing(const SymDims& sizes)
    : sizes(sizes), strides(contiguous_strides(sizes)), start(sizes.size(), 0), step(sizes.size(), 1) {}

Tensor reindex(const Tensor& x, const Reindexing& by, Here here) {
  return apply_one(op_defs::reindex_default, {x, by.sizes, by.strides, by.start, by.step, by.outside, by.fill}, here);
}

namespace {

Metas reindex_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  Layout result{args.sizes("size"), args.sizes("stride"), 0};
  size_t rank = self.layout.sizes.size();
  for (size_t given :
       {result.sizes.size(), result.strides.size(), args.sizes("start").size(), args.dims("step").size()})
    if (given != rank) args.fail(ErrorKind::argument, fmt::format("{} numbers for a tensor of rank {}", given, rank));
  const std::string& outside = args["outside"].string();
  if (outside != "fill" && outside != "wrap" && outside != "clamp" && outside != "mirror")
    args.fail(ErrorKind::argument, fmt::format("outside is `{}`", outside), "need fill, wrap, clamp or mirror");
  SymInt have = numel(self.layout.sizes), wanted = numel(result.sizes);
  if (outside != "fill" && !have.same(wanted) && have == 0 && !(wanted == 0))
    args.fail(ErrorKind::shape, "an empty tensor has nothing to repeat");
  check_fills(args, args.scalar("fill"), self.dtype);
  return {{self.dtype, self.device, result}};
}

// --- flip, rot90 ------------------------------------------------------------------------------------------------

Tensor flipped(const Tensor& x, const Dims& dims, Here here) {
  Reindexing by(x.sizes());
  by.strides = preserved_strides(x.layout());
  for (int64_t dim : dims) {
    by.start[dim] = x.sizes()[dim] - 1;
    by.step[dim] = -1;
  }
  return reindex(x, by, here);
}

Dims flipped_dims(const OpArgs& args) {
  int64_t rank = args.meta(0).layout.rank();
  Dims dims = wrap_dims(args, args.dims("dims"), rank);
  if (rank == 0) dims.clear();
  return dims;
}

Metas flip_meta(const OpArgs& args) {
  flipped_dims(args);
  TensorMeta self = args.meta(0);
  return {{self.dtype, self.device, {self.layout.sizes, preserved_strides(self.layout), 0}}};
}

Values run_flip(const OpArgs& args) { return {flipped(args.tensor(0), flipped_dims(args), args.here())}; }

template <int64_t dim>
Values run_flip_of(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (self.dim() <= dim)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.dim()),
              fmt::format("need at least {} dims", dim + 1));
  return {apply_one(op_defs::flip_default, {self, Dims{dim}}, args.here())};
}

Values run_rot90(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Dims dims = args.dims("dims");
  if (dims.size() != 2) args.fail(ErrorKind::argument, fmt::format("{} dims to rotate in", dims.size()), "need 2 dims");
  if (self.dim() < 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.dim()), "need at least 2 dims");
  dims = wrap_dims(args, dims, self.dim());
  int64_t turns = args.integer("k") % 4;
  if (turns < 0) turns += 4;
  switch (turns) {
    case 1: return {flipped(self, {dims[1]}, args.here()).transpose(dims[0], dims[1], args.here())};
    case 2: return {flipped(self, dims, args.here())};
    case 3: return {flipped(self, {dims[0]}, args.here()).transpose(dims[0], dims[1], args.here())};
    default: return {clone_contiguous(self, args.here())};
  }
}

// --- roll -------------------------------------------------------------------------------------------------------

// Which element along a dim of this size comes first.
SymInt first_after(SymInt shift, SymInt size) {
  if (is_unbacked(size)) return mod(-shift, max(size, 1));
  return size == 0 ? SymInt(0) : mod(-shift, size);
}

bool rolls_flat(const OpArgs& args) { return args.dims("dims").empty() && args.dims("shifts").size() == 1; }

Metas roll_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  Dims shifts = args.dims("shifts"), dims = args.dims("dims");
  if (shifts.empty()) args.fail(ErrorKind::argument, "no shifts are given");
  if (!rolls_flat(args) && shifts.size() != dims.size())
    args.fail(ErrorKind::argument, fmt::format("{} shifts for {} dims", shifts.size(), dims.size()),
              "need one shift for each dim");
  for (int64_t dim : dims) {
    wrap_dim(args, dim, self.layout.rank());
    if (self.layout.rank() == 0) args.fail(ErrorKind::argument, "a zero-dim tensor has no dim to roll along");
  }
  const SymDims& sizes = self.layout.sizes;
  SymDims strides = rolls_flat(args) ? contiguous_strides(sizes) : suggested_strides(sizes, self.layout);
  return {{self.dtype, self.device, {sizes, strides, 0}}};
}

Values run_roll(const OpArgs& args) {
  Tensor self = args.tensor(0);
  SymDims sizes = self.sizes();
  Dims shifts = args.dims("shifts"), dims = args.dims("dims");
  bool is_flat = rolls_flat(args);
  Tensor source = is_flat ? self.reshape({self.numel()}, args.here()) : self;
  if (is_flat) dims = {0};
  Reindexing by(source.sizes());
  by.outside = "wrap";
  if (!is_flat) by.strides = roll_meta(args)[0].layout.strides;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t dim = dims[i] < 0 ? dims[i] + source.dim() : dims[i];
    by.start[dim] = first_after(shifts[i] - by.start[dim], source.sizes()[dim]);
  }
  Tensor rolled = reindex(source, by, args.here());
  return {is_flat ? rolled.view(sizes, args.here()) : rolled};
}

// --- repeat -----------------------------------------------------------------------------------------------------

// A view with a dim for each count before each of the tensor's, expanded, copied, and the pairs of dims joined.
Tensor repeated(const Tensor& x, const SymDims& repeats, Here here) {
  size_t lead = repeats.size() - x.sizes().size();
  SymDims expanded, joined;
  Tensor copies = x;
  for (size_t i = 0; i < repeats.size(); ++i) {
    copies = copies.unsqueeze(static_cast<int64_t>(expanded.size()), here);
    expanded.push_back(repeats[i]);
    if (i >= lead) expanded.push_back(x.sizes()[i - lead]);
    joined.push_back(i < lead ? repeats[i] : repeats[i] * x.sizes()[i - lead]);
  }
  return clone_contiguous(copies.expand(expanded, here), here).view(joined, here);
}

Values run_repeat(const OpArgs& args) {
  Tensor self = args.tensor(0);
  SymDims repeats = args.sizes("repeats");
  if (static_cast<int64_t>(repeats.size()) < self.dim())
    args.fail(ErrorKind::argument, fmt::format("{} counts for a tensor of rank {}", repeats.size(), self.dim()),
              "need a count for each dim");
  for (SymInt count : repeats)
    if (count < 0) args.fail(ErrorKind::argument, fmt::format("count {} is negative", to_string(count)));
  return {repeated(self, repeats, args.here())};
}

Values run_tile(const OpArgs& args) {
  Tensor self = args.tensor(0);
  SymDims counts = args.sizes("dims");
  while (static_cast<int64_t>(counts.size()) < self.dim()) counts.insert(counts.begin(), 1);
  return {apply_one(op_defs::repeat_default, {self, counts}, args.here())};
}

}  // namespace

namespace op_defs {

constinit const OpDef reindex_default = {
    .signature =
        "sinter::reindex(Tensor self, SymInt[] size, SymInt[] stride, SymInt[] start, int[] step, str outside, "
        "Scalar fill=0) -> Tensor",
    .meta = reindex_meta,
    .structured = Structured::reindex,
};
constinit const OpDef flip_default = decomposed("aten::flip(Tensor self, int[] dims) -> Tensor", run_flip, flip_meta);
constinit const OpDef fliplr_default = composite("aten::fliplr(Tensor self) -> Tensor", run_flip_of<1>);
constinit const OpDef flipud_default = composite("aten::flipud(Tensor self) -> Tensor", run_flip_of<0>);
constinit const OpDef rot90_default =
    decomposed("aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", run_rot90);
constinit const OpDef roll_default =
    decomposed("aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor", run_roll, roll_meta);
constinit const OpDef repeat_default = decomposed("aten::repeat(Tensor self, SymInt[] repeats) -> Tensor", run_repeat);
constinit const OpDef tile_default = composite("aten::tile(Tensor self, SymInt[] dims) -> Tensor", run_tile);

}  // namespace op_defs

}  // namespace sinter
