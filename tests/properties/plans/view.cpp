// Views, their copies, their scatters and their gradients: sizes that fit, places within bounds.

#include "properties/plans/plans.h"

#include <algorithm>

namespace sinter::test {

namespace {

Known first_of_rank(Draw& draw, int64_t least, int64_t most = 9) {
  Known self = draw.any(Types::any, least, most);
  draw.set_first(self);
  return self;
}

int64_t positive(int64_t dim, int64_t rank) { return dim < 0 ? dim + rank : dim; }

// Other sizes for the same elements: dims joined, split, or of size 1 added.
Sizes reshaped(Draw& draw, Sizes sizes) {
  for (int steps = 0; steps < 2; ++steps) {
    auto rank = static_cast<int64_t>(sizes.size());
    int64_t at = rank == 0 ? 0 : draw.random.below(rank);
    switch (draw.random.below(3)) {
      case 0:
        if (at + 1 < rank) {
          sizes[at] *= sizes[at + 1];
          sizes.erase(sizes.begin() + at + 1);
        }
        break;
      case 1:
        for (int64_t factor : {2, 3, 5})
          if (rank > 0 && sizes[at] > factor && sizes[at] % factor == 0) {
            sizes[at] /= factor;
            sizes.insert(sizes.begin() + at, factor);
            break;
          }
        break;
      default: sizes.insert(sizes.begin() + at, 1);
    }
  }
  return sizes;
}

void plan_reshape(Draw& draw) {
  Known self = first_of_rank(draw, 0);
  Sizes sizes = reshaped(draw, self.sizes());
  int64_t unknown = sizes.empty() ? 0 : draw.random.below(static_cast<int64_t>(sizes.size()));
  if (!sizes.empty() && self.count() > 0 && draw.random.chance(0.2)) sizes[unknown] = -1;
  draw.set("size", sizes);
  draw.set("shape", sizes);
}

void plan_reshape_alias(Draw& draw) {
  Known self = first_of_rank(draw, 0);
  SymDims wanted;
  for (int64_t size : reshaped(draw, self.sizes())) wanted.push_back(size);
  std::optional<SymDims> strides = view_strides(self.tensor.layout(), wanted);
  if (!strides) throw NothingFits();
  draw.set("size", Value(wanted));
  draw.set("stride", Value(*strides));
}

void plan_like_other(Draw& draw) {
  Known self = first_of_rank(draw, 0);
  Sizes sizes = draw.op.schema().name == "expand_as" ? Sizes() : reshaped(draw, self.sizes());
  if (draw.op.schema().name == "expand_as") {
    sizes = self.sizes();
    for (int64_t& size : sizes)
      if (size == 1) size = draw.random.between(1, 4);
  }
  draw.set("other", draw.tensor(draw.dtype(Types::any), sizes));
}

void plan_expand(Draw& draw) {
  Known self = first_of_rank(draw, 0);
  Sizes sizes = self.sizes();
  for (int64_t& size : sizes) {
    if (size == 1)
      size = draw.random.between(1, 4);
    else if (draw.random.chance(0.1))
      size = -1;
  }
  if (draw.flag()) sizes.insert(sizes.begin(), draw.random.between(1, 3));
  draw.set("size", sizes);
  draw.set("implicit", Value(false));
}

void plan_sum_to_size(Draw& draw) {
  Known self = first_of_rank(draw, 0);
  Sizes sizes = self.sizes();
  if (draw.flag() && !sizes.empty()) sizes.erase(sizes.begin());
  for (int64_t& size : sizes)
    if (draw.random.chance(0.3)) size = 1;
  draw.set("size", sizes);
}

void plan_flatten(Draw& draw) {
  Known self = first_of_rank(draw, 0);
  int64_t rank = std::max<int64_t>(self.rank(), 1), start = draw.random.below(rank);
  draw.set("start_dim", Value(start));
  draw.set("end_dim", Value(draw.random.between(start, rank - 1)));
}

void plan_unflatten(Draw& draw) {
  Known self = first_of_rank(draw, 1);
  int64_t dim = draw.dim(self.rank());
  Sizes sizes = reshaped(draw, {self.size(dim)});
  if (self.count() > 0 && draw.random.chance(0.3)) sizes[0] = -1;
  draw.set("dim", Value(dim));
  draw.set("sizes", sizes);
}

void plan_permute(Draw& draw) {
  Known self = first_of_rank(draw, 0);
  draw.set("dims", draw.distinct_dims(self.rank(), self.rank()));
}

void plan_matrix_view(Draw& draw) {
  first_of_rank(draw, draw.random.chance(0.9) ? 2 : 0, draw.random.chance(0.7) ? 2 : 4);
}

void plan_select(Draw& draw) {
  Known self = first_of_rank(draw, 1);
  int64_t dim = draw.dim(self.rank()), size = self.size(dim);
  if (size == 0) throw NothingFits();
  draw.set("dim", Value(dim));
  draw.set("index", Value(draw.random.between(-size, size - 1)));
  if (!draw.has("src")) return;
  Sizes sizes = self.sizes();
  sizes.erase(sizes.begin() + positive(dim, self.rank()));
  draw.set("src", draw.tensor(self.dtype(), sizes));
}

struct SliceOf {
  int64_t start, end, step, length;
};
SliceOf random_slice(Draw& draw, int64_t size) {
  int64_t start = draw.random.between(0, size), end = draw.random.between(0, size), step = draw.random.between(1, 3);
  return {start, end, step, end > start ? (end - start + step - 1) / step : 0};
}

void set_slice(Draw& draw, int64_t size, const SliceOf& slice) {
  bool counts_back = size > 0 && draw.random.chance(0.2);
  draw.set("start", Value(counts_back && slice.start < size ? slice.start - size : slice.start));
  bool reaches_past = slice.end == size && draw.flag();
  draw.set("end", Value(reaches_past ? size + 100 : slice.end));
  draw.set("step", Value(slice.step));
}

void plan_slice(Draw& draw) {
  Known self = first_of_rank(draw, 1);
  int64_t dim = draw.dim(self.rank()), size = self.size(dim);
  SliceOf slice = random_slice(draw, size);
  draw.set("dim", Value(dim));
  set_slice(draw, size, slice);
  if (!draw.has("src")) return;
  Sizes sizes = self.sizes();
  sizes[positive(dim, self.rank())] = slice.length;
  draw.set("src", draw.tensor(self.dtype(), sizes));
}

void plan_narrow(Draw& draw) {
  Known self = first_of_rank(draw, 1);
  int64_t dim = draw.dim(self.rank()), size = self.size(dim), start = draw.random.between(0, size);
  draw.set("dim", Value(dim));
  if (draw.parameter("start").type == ArgType::tensor)
    draw.set("start", draw.indices({}, 0, start + 1));
  else
    draw.set("start", Value(start));
  draw.set("length", Value(draw.random.between(0, size - start)));
}

// A window of the storage, from where the tensor begins.
void plan_as_strided(Draw& draw) {
  Known self = first_of_rank(draw, 0);
  int64_t room = self.tensor.storage()->bytes / byte_size(self.dtype());
  bool has_offset = draw.flag();
  int64_t offset = has_offset ? draw.random.below(std::max<int64_t>(room, 1)) : self.tensor.layout().offset.constant();
  Sizes sizes, strides;
  int64_t last = offset;
  for (int64_t dims = draw.random.between(0, 3); dims > 0; --dims) {
    int64_t size = draw.random.between(1, 4), stride = draw.random.between(draw.has("src") ? 1 : 0, 6);
    if (last + (size - 1) * stride >= room) continue;
    last += (size - 1) * stride;
    sizes.push_back(size);
    strides.push_back(stride);
  }
  if (last >= room) throw NothingFits();
  draw.set("size", sizes);
  draw.set("stride", strides);
  if (has_offset)
    draw.set("storage_offset", Value(offset));
  else
    draw.set("storage_offset", Value());
  if (draw.has("src")) draw.set("src", draw.tensor(self.dtype(), sizes));
}

void plan_unfold(Draw& draw) {
  Known self = first_of_rank(draw, 1);
  int64_t dim = draw.dim(self.rank());
  draw.set("dimension", Value(dim));
  draw.set("size", Value(draw.random.between(0, self.size(dim))));
  draw.set("step", Value(draw.random.between(1, 3)));
}

void plan_movedim(Draw& draw) {
  Known self = first_of_rank(draw, 0);
  int64_t count = draw.random.between(0, self.rank());
  draw.set("source", draw.distinct_dims(self.rank(), count));
  draw.set("destination", draw.distinct_dims(self.rank(), count));
}

void plan_diagonal(Draw& draw) {
  Known self = first_of_rank(draw, draw.op.schema().name == "diag_embed" ? 0 : 2);
  int64_t rank = self.rank() + (draw.op.schema().name == "diag_embed" ? 1 : 0);
  Sizes dims = draw.distinct_dims(std::max<int64_t>(rank, 2), 2);
  int64_t offset = draw.random.between(-1, 1);
  draw.set("dim1", Value(dims[0]));
  draw.set("dim2", Value(dims[1]));
  draw.set("offset", Value(offset));
  if (!draw.has("src")) return;
  int64_t a = positive(dims[0], rank), b = positive(dims[1], rank);
  Sizes sizes = self.sizes();
  int64_t rows = sizes[a] + std::min<int64_t>(offset, 0), columns = sizes[b] - std::max<int64_t>(offset, 0);
  sizes.erase(sizes.begin() + std::max(a, b));
  sizes.erase(sizes.begin() + std::min(a, b));
  sizes.push_back(std::max<int64_t>(std::min(rows, columns), 0));
  draw.set("src", draw.tensor(self.dtype(), sizes));
}

void plan_triangle(Draw& draw) { first_of_rank(draw, 2); }
void plan_vector_or_matrix(Draw& draw) { first_of_rank(draw, 1, 2); }
void plan_up_to_matrix(Draw& draw) { first_of_rank(draw, draw.op.schema().name == "t_copy" ? 0 : 0, 2); }

// The gradients of views: of sizes that the view had.
void plan_view_gradient(Draw& draw) {
  Sizes sizes = draw.small_sizes(1, 3, 6), gradient = sizes;
  auto rank = static_cast<int64_t>(sizes.size());
  int64_t dim = draw.random.below(rank), size = sizes[dim];
  const std::string& name = draw.op.schema().name;
  draw.set("dim", Value(dim));
  draw.set("input_sizes", sizes);
  if (name == "select_backward") {
    if (size == 0) throw NothingFits();
    draw.set("index", Value(draw.random.between(-size, size - 1)));
    gradient.erase(gradient.begin() + dim);
  } else if (name == "slice_backward") {
    SliceOf slice = random_slice(draw, size);
    draw.set("start", Value(slice.start));
    draw.set("end", Value(slice.end));
    draw.set("step", Value(slice.step));
    gradient[dim] = slice.length;
  } else if (name == "unfold_backward") {
    if (size == 0) throw NothingFits();
    int64_t window = draw.random.between(1, size), step = draw.random.between(1, 3);
    draw.set("size", Value(window));
    draw.set("step", Value(step));
    gradient[dim] = (size - window) / step + 1;
    gradient.push_back(window);
  } else {
    if (rank < 2) throw NothingFits();
    draw.set("offset", Value(0));
    draw.set("dim1", Value(0));
    draw.set("dim2", Value(1));
    gradient.erase(gradient.begin(), gradient.begin() + 2);
    gradient.push_back(std::min(sizes[0], sizes[1]));
  }
  draw.set_first(draw.tensor(draw.dtype(Types::floating), gradient));
}

void plan_split(Draw& draw) {
  const Schema& schema = draw.op.schema();
  int64_t least = schema.name == "dsplit" ? 3 : schema.name == "vsplit" ? 2 : 1;
  Known self = first_of_rank(draw, least);
  int64_t dim = draw.dim(self.rank());
  if (schema.name == "hsplit") dim = self.rank() == 1 ? 0 : 1;
  if (schema.name == "vsplit") dim = 0;
  if (schema.name == "dsplit") dim = 2;
  int64_t size = self.size(dim);
  draw.set("dim", Value(dim));
  int64_t divisor = size > 0 && size % 2 == 0 ? 2 : std::max<int64_t>(size > 4 ? 1 : size, 1);
  bool must_divide = least > 1 || schema.name == "hsplit";
  draw.set("sections", Value(must_divide ? divisor : draw.random.between(1, 4)));
  draw.set("chunks", Value(draw.random.between(1, 4)));
  Sizes at = {draw.random.between(0, size), draw.random.between(0, size)};
  std::sort(at.begin(), at.end());
  draw.set("indices", at);
  Sizes parts = {at[0], at[1] - at[0], size - at[1]};
  draw.set("split_sizes", parts);
  if (draw.has("split_size")) {
    if (draw.parameter("split_size").is_list)
      draw.set("split_size", parts);
    else
      draw.set("split_size", Value(draw.random.between(std::max<int64_t>(size / 4, 1), size + 1)));
  }
  if (draw.has("tensor_indices_or_sections")) draw.set("tensor_indices_or_sections", draw.indices({2}, 0, size + 1));
}

void plan_unbind(Draw& draw) {
  Known self = first_of_rank(draw, 1);
  for (int tries = 0; tries < 4; ++tries) {
    int64_t dim = draw.dim(self.rank());
    draw.set("dim", Value(dim));
    if (self.size(dim) <= 9) return;
  }
  throw NothingFits();
}

constexpr PlanEntry plans[] = {
    {"view reshape view_copy _unsafe_view _reshape_copy", plan_reshape},
    {"_reshape_alias _reshape_alias_copy", plan_reshape_alias},
    {"view_as reshape_as expand_as", plan_like_other},
    {"expand expand_copy broadcast_to", plan_expand},
    {"sum_to_size", plan_sum_to_size},
    {"flatten", plan_flatten},
    {"unflatten", plan_unflatten},
    {"permute permute_copy", plan_permute},
    {"mT mH adjoint matrix_H", plan_matrix_view},
    {"t t_copy", plan_up_to_matrix},
    {"select select_copy select_scatter", plan_select},
    {"slice slice_copy slice_scatter", plan_slice},
    {"narrow narrow_copy", plan_narrow},
    {"as_strided as_strided_copy as_strided_scatter", plan_as_strided},
    {"unfold unfold_copy", plan_unfold},
    {"movedim.intlist moveaxis.intlist", plan_movedim},
    {"diagonal linalg_diagonal diagonal_copy diagonal_scatter diag_embed", plan_diagonal},
    {"tril triu", plan_triangle},
    {"diag", plan_vector_or_matrix},
    {"select_backward slice_backward diagonal_backward unfold_backward", plan_view_gradient},
    {"split split_with_sizes chunk tensor_split hsplit vsplit dsplit unsafe_split unsafe_split_with_sizes unsafe_chunk "
     "split_copy split_with_sizes_copy",
     plan_split},
    {"unbind unbind_copy", plan_unbind},
};

}  // namespace

std::span<const PlanEntry> view_plans() { return plans; }

}  // namespace sinter::test
