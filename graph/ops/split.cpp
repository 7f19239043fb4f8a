// A tensor cut into views along a dim, and the forms that copy the pieces.

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/split.h>
#include <sinter/graph/ops/view.h>

#include <algorithm>

namespace sinter {

namespace {

int64_t split_dim(const OpArgs& args, const Tensor& self, std::string_view parameter = "dim") {
  if (self.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim tensor cannot be split", "need at least 1 dim");
  return wrap_dim(args, args.integer(parameter), self.dim());
}

Values pieces_of(const Tensor& self, int64_t dim, const std::vector<SymInt>& lengths, Here here) {
  Values pieces;
  SymInt start = 0;
  for (SymInt length : lengths) {
    pieces.push_back(self.slice(dim, start, start + length, 1, here));
    start += length;
  }
  return pieces;
}

// Pieces of `size`, the last one shorter; at least one.
Values split_by(const OpArgs& args, const Tensor& self, int64_t dim, int64_t size) {
  SymInt whole = self.sizes()[dim];
  if (size < 0 || (size == 0 && !(whole == 0)))
    args.fail(ErrorKind::argument, fmt::format("pieces of size {} of a dim of size {}", size, to_string(whole)),
              "need a positive size");
  if (size == 0) return pieces_of(self, dim, {0}, args.here());
  if (is_unbacked(whole)) whole = whole.constant();  // which only data tell: an error
  // Of a symbolic size nothing counts but how many pieces it makes.
  int64_t count = std::max<int64_t>(1, (whole.hint() + size - 1) / size);
  SymInt all_but_last = (count - 1) * size;
  SINTER_CHECK(whole == 0 || (all_but_last < whole && whole <= all_but_last + size), "{} pieces of {}", count, size);
  std::vector<SymInt> lengths(static_cast<size_t>(count - 1), size);
  lengths.push_back(whole - all_but_last);
  return pieces_of(self, dim, lengths, args.here());
}

Values run_split(const OpArgs& args) {
  Tensor self = args.tensor(0);
  return split_by(args, self, split_dim(args, self), args.integer("split_size"));
}

Values split_by_sizes(const OpArgs& args, std::string_view parameter) {
  Tensor self = args.tensor(0);
  int64_t dim = split_dim(args, self);
  std::vector<SymInt> lengths;
  SymInt sum = 0;
  for (SymInt length : args.sizes(parameter)) {
    if (length < 0) args.fail(ErrorKind::argument, fmt::format("size {} is negative", to_string(length)));
    lengths.push_back(length);
    sum += length;
  }
  if (!(sum == self.sizes()[dim]))
    args.fail(ErrorKind::shape, fmt::format("the sizes add up to {}, but dim {} has size {}", to_string(sum), dim,
                                            to_string(self.sizes()[dim])));
  return pieces_of(self, dim, lengths, args.here());
}
Values run_split_with_sizes(const OpArgs& args) { return split_by_sizes(args, "split_sizes"); }
Values run_split_sizes(const OpArgs& args) { return split_by_sizes(args, "split_size"); }

// Pieces of equal size, fewer than asked for if they come out larger; of an empty dim as many as asked for.
Values run_chunk(const OpArgs& args) {
  Tensor self = args.tensor(0);
  int64_t dim = split_dim(args, self), chunks = args.integer("chunks");
  if (chunks <= 0) args.fail(ErrorKind::argument, fmt::format("{} chunks", chunks), "need at least one");
  SymInt length = ceil_div(self.sizes()[dim], chunks), all_but_last = length * (chunks - 1);
  if (!length.is_constant() && all_but_last < self.sizes()[dim]) {  // as many as asked for
    std::vector<SymInt> lengths(chunks - 1, length);
    lengths.push_back(self.sizes()[dim] - all_but_last);
    return pieces_of(self, dim, lengths, args.here());
  }
  int64_t size = length.constant();
  if (size == 0) return pieces_of(self, dim, std::vector<SymInt>(chunks, 0), args.here());
  return split_by(args, self, dim, size);
}

Values run_unbind(const OpArgs& args) {
  Tensor self = args.tensor(0);
  int64_t dim = split_dim(args, self);
  Values rows;
  for (int64_t i = 0; i < self.sizes()[dim].constant(); ++i) rows.push_back(self.select(dim, i, args.here()));
  return rows;
}

// --- tensor_split and its forms for one dim ---------------------------------------------------------------------

// The first ones are longer by one where it does not come out even.
Values split_in(const OpArgs& args, const Tensor& self, int64_t dim, int64_t sections) {
  if (sections <= 0) args.fail(ErrorKind::argument, fmt::format("{} sections", sections), "need at least one");
  constexpr int64_t most = int64_t{1} << 24;  // each is a tensor, if an empty one
  if (sections > most)
    args.fail(ErrorKind::argument, fmt::format("{} sections", sections), fmt::format("need at most {}", most));
  SymInt whole = self.sizes()[dim];
  std::vector<SymInt> lengths;
  for (int64_t i = 0; i < sections; ++i) lengths.push_back(floor_div(whole + (sections - 1 - i), sections));
  return pieces_of(self, dim, lengths, args.here());
}

// Indices as in slices: negative ones count from the end, what lies outside is cut off.
Values split_at(const OpArgs& args, const Tensor& self, int64_t dim, const SymDims& indices) {
  Values pieces;
  SymInt start = 0;
  for (SymInt end : indices) {
    pieces.push_back(self.slice(dim, start, end, 1, args.here()));
    start = end;
  }
  pieces.push_back(self.slice(dim, start, std::nullopt, 1, args.here()));
  return pieces;
}

Values run_tensor_split_sections(const OpArgs& args) {
  Tensor self = args.tensor(0);
  return split_in(args, self, split_dim(args, self), args.integer("sections"));
}
Values run_tensor_split_indices(const OpArgs& args) {
  Tensor self = args.tensor(0);
  return split_at(args, self, split_dim(args, self), args.sizes("indices"));
}

// Where to cut is data here.
Values run_tensor_split_tensor(const OpArgs& args) {
  Tensor self = args.tensor(0), places = args.tensor(1);
  int64_t dim = split_dim(args, self);
  if (places.dtype() != DType::i64 || places.dim() > 1)
    args.fail(ErrorKind::argument, "the indices or sections are no list of integers", "need i64 and at most 1 dim");
  if (places.dim() == 0) return split_in(args, self, dim, places.item<int64_t>(args.here()));
  SymDims indices;
  for (int64_t i = 0; i < places.numel().constant(); ++i) {
    SymInt at = places.select(0, i, args.here()).item(args.here()).size();
    indices.push_back(is_unbacked(at) ? max(counted_from_front(at, self.sizes()[dim]), 0) : at);
  }
  return split_at(args, self, dim, indices);
}

// hsplit, vsplit and dsplit cut dim 1 (of one dim: 0), 0 and 2.
int64_t dim_of(const OpArgs& args, const Tensor& self, int64_t dim) {
  int64_t least = dim == 1 ? 1 : dim == 0 ? 2 : 3;
  if (self.dim() < least)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.dim()),
              fmt::format("need at least {} dims", least));
  return self.dim() == 1 ? 0 : dim;
}

template <int64_t of>
Values run_split_in(const OpArgs& args) {
  Tensor self = args.tensor(0);
  int64_t dim = dim_of(args, self, of), sections = args.integer("sections");
  if (sections <= 0 || !(mod(self.sizes()[dim], sections) == 0))
    args.fail(ErrorKind::argument,
              fmt::format("{} sections of a dim of size {}", sections, to_string(self.sizes()[dim])),
              "need a number that divides the size");
  return split_in(args, self, dim, sections);
}
template <int64_t of>
Values run_split_at(const OpArgs& args) {
  Tensor self = args.tensor(0);
  return split_at(args, self, dim_of(args, self, of), args.sizes("indices"));
}

// --- Copies -----------------------------------------------------------------------------------------------------

template <Values (*split)(const OpArgs&)>
Values run_copies(const OpArgs& args) {
  Values copies;
  for (const Value& piece : split(args)) copies.push_back(clone_contiguous(piece.tensor(), args.here()));
  return copies;
}

}  // namespace

namespace op_defs {

constinit const OpDef split_tensor =
    composite("aten::split.Tensor(Tensor(a) self, SymInt split_size, int dim=0) -> Tensor(a)[]", run_split);
constinit const OpDef split_sizes =
    composite("aten::split.sizes(Tensor(a) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]", run_split_sizes);
constinit const OpDef split_with_sizes_default = composite(
    "aten::split_with_sizes(Tensor(a) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]", run_split_with_sizes);
constinit const OpDef chunk_default =
    composite("aten::chunk(Tensor(a) self, int chunks, int dim=0) -> Tensor(a)[]", run_chunk);
constinit const OpDef unbind_int = composite("aten::unbind.int(Tensor(a) self, int dim=0) -> Tensor(a)[]", run_unbind);

constinit const OpDef tensor_split_sections =
    composite("aten::tensor_split.sections(Tensor(a) self, SymInt sections, int dim=0) -> Tensor(a)[]",
              run_tensor_split_sections);
constinit const OpDef tensor_split_indices = composite(
    "aten::tensor_split.indices(Tensor(a) self, SymInt[] indices, int dim=0) -> Tensor(a)[]", run_tensor_split_indices);
constinit const OpDef tensor_split_tensor_indices_or_sections = composite(
    "aten::tensor_split.tensor_indices_or_sections(Tensor(a) self, Tensor tensor_indices_or_sections, int dim=0) -> "
    "Tensor(a)[]",
    run_tensor_split_tensor);
constinit const OpDef hsplit_int =
    composite("aten::hsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]", run_split_in<1>);
constinit const OpDef hsplit_array =
    composite("aten::hsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]", run_split_at<1>);
constinit const OpDef vsplit_int =
    composite("aten::vsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]", run_split_in<0>);
constinit const OpDef vsplit_array =
    composite("aten::vsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]", run_split_at<0>);
constinit const OpDef dsplit_int =
    composite("aten::dsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]", run_split_in<2>);
constinit const OpDef dsplit_array =
    composite("aten::dsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]", run_split_at<2>);

constinit const OpDef unsafe_split_tensor =
    composite("aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", run_split);
constinit const OpDef unsafe_split_with_sizes_default = composite(
    "aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]", run_split_with_sizes);
constinit const OpDef unsafe_chunk_default =
    composite("aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]", run_chunk);

constinit const OpDef split_copy_tensor =
    decomposed("aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", run_copies<run_split>);
constinit const OpDef split_with_sizes_copy_default =
    decomposed("aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
               run_copies<run_split_with_sizes>);
constinit const OpDef unbind_copy_int =
    decomposed("aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", run_copies<run_unbind>);

}  // namespace op_defs

}  // namespace sinter
