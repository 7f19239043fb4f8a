// The public functions of views, splits, joins and reordering copies.

#include <sinter/graph/ops/all_ops.h>
#include <sinter/graph/ops/functions/view.h>

namespace sinter {

namespace {

std::vector<Tensor> several(const OpDef& op, std::initializer_list<Value> arguments, Here here) {
  std::vector<Tensor> tensors;
  for (const Value& result : apply(op, arguments, here)) tensors.push_back(result.tensor());
  return tensors;
}

}  // namespace

#define SINTER_OF_ONE(name) \
  Tensor name(const Tensor& x, Here here) { return apply_one(op_defs::name##_default, {x}, here); }
SINTER_OF_ONE(adjoint)
SINTER_OF_ONE(atleast_1d)
SINTER_OF_ONE(atleast_2d)
SINTER_OF_ONE(atleast_3d)
SINTER_OF_ONE(ravel)
SINTER_OF_ONE(fliplr)
SINTER_OF_ONE(flipud)
#undef SINTER_OF_ONE

#define SINTER_OF_LIST(name)                                    \
  Tensor name(const std::vector<Tensor>& tensors, Here here) {  \
    return apply_one(op_defs::name##_default, {tensors}, here); \
  }
SINTER_OF_LIST(hstack)
SINTER_OF_LIST(vstack)
SINTER_OF_LIST(dstack)
SINTER_OF_LIST(column_stack)
SINTER_OF_LIST(block_diag)
SINTER_OF_LIST(cartesian_prod)
#undef SINTER_OF_LIST

Tensor diagonal(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2, Here here) {
  return apply_one(op_defs::diagonal_default, {x, offset, dim1, dim2}, here);
}
Tensor swapaxes(const Tensor& x, int64_t axis0, int64_t axis1, Here here) {
  return apply_one(op_defs::swapaxes_default, {x, axis0, axis1}, here);
}
Tensor swapdims(const Tensor& x, int64_t dim0, int64_t dim1, Here here) {
  return apply_one(op_defs::swapdims_default, {x, dim0, dim1}, here);
}
Tensor movedim(const Tensor& x, int64_t source, int64_t destination, Here here) {
  return apply_one(op_defs::movedim_int, {x, source, destination}, here);
}
Tensor movedim(const Tensor& x, Dims source, Dims destination, Here here) {
  return apply_one(op_defs::movedim_intlist, {x, source, destination}, here);
}
Tensor unflatten(const Tensor& x, int64_t dim, SymDims sizes, Here here) {
  return apply_one(op_defs::unflatten_int, {x, dim, sizes}, here);
}
Tensor unfold(const Tensor& x, int64_t dimension, int64_t size, int64_t step, Here here) {
  return apply_one(op_defs::unfold_default, {x, dimension, size, step}, here);
}
Tensor broadcast_to(const Tensor& x, SymDims sizes, Here here) {
  return apply_one(op_defs::broadcast_to_default, {x, sizes}, here);
}
std::vector<Tensor> broadcast_tensors(const std::vector<Tensor>& tensors, Here here) {
  return several(op_defs::broadcast_tensors_default, {tensors}, here);
}

std::vector<Tensor> split(const Tensor& x, int64_t split_size, int64_t dim, Here here) {
  return several(op_defs::split_tensor, {x, split_size, dim}, here);
}
std::vector<Tensor> split_with_sizes(const Tensor& x, SymDims split_sizes, int64_t dim, Here here) {
  return several(op_defs::split_with_sizes_default, {x, split_sizes, dim}, here);
}
std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t dim, Here here) {
  return several(op_defs::chunk_default, {x, chunks, dim}, here);
}
std::vector<Tensor> tensor_split(const Tensor& x, int64_t sections, int64_t dim, Here here) {
  return several(op_defs::tensor_split_sections, {x, sections, dim}, here);
}
std::vector<Tensor> tensor_split(const Tensor& x, Dims indices, int64_t dim, Here here) {
  return several(op_defs::tensor_split_indices, {x, indices, dim}, here);
}
std::vector<Tensor> unbind(const Tensor& x, int64_t dim, Here here) {
  return several(op_defs::unbind_int, {x, dim}, here);
}

std::vector<Tensor> meshgrid(const std::vector<Tensor>& tensors, std::string indexing, Here here) {
  return several(op_defs::meshgrid_indexing, {tensors, std::move(indexing)}, here);
}
Tensor combinations(const Tensor& x, int64_t r, bool with_replacement, Here here) {
  return apply_one(op_defs::combinations_default, {x, r, with_replacement}, here);
}

Tensor flip(const Tensor& x, Dims dims, Here here) { return apply_one(op_defs::flip_default, {x, dims}, here); }
Tensor rot90(const Tensor& x, int64_t k, Dims dims, Here here) {
  return apply_one(op_defs::rot90_default, {x, k, dims}, here);
}
Tensor roll(const Tensor& x, Dims shifts, Dims dims, Here here) {
  return apply_one(op_defs::roll_default, {x, shifts, dims}, here);
}
Tensor repeat(const Tensor& x, SymDims repeats, Here here) {
  return apply_one(op_defs::repeat_default, {x, repeats}, here);
}
Tensor tile(const Tensor& x, SymDims dims, Here here) { return apply_one(op_defs::tile_default, {x, dims}, here); }
Tensor pad(const Tensor& x, SymDims pad, std::string mode, std::optional<double> value, Here here) {
  return apply_one(op_defs::pad_default, {x, pad, std::move(mode), value ? Value(*value) : Value()}, here);
}
Tensor constant_pad_nd(const Tensor& x, SymDims pad, Scalar value, Here here) {
  return apply_one(op_defs::constant_pad_nd_default, {x, pad, value}, here);
}
Tensor tril(const Tensor& x, int64_t diagonal, Here here) {
  return apply_one(op_defs::tril_default, {x, diagonal}, here);
}
Tensor triu(const Tensor& x, int64_t diagonal, Here here) {
  return apply_one(op_defs::triu_default, {x, diagonal}, here);
}
Tensor diag(const Tensor& x, int64_t diagonal, Here here) {
  return apply_one(op_defs::diag_default, {x, diagonal}, here);
}
Tensor diag_embed(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2, Here here) {
  return apply_one(op_defs::diag_embed_default, {x, offset, dim1, dim2}, here);
}
Tensor diagflat(const Tensor& x, int64_t offset, Here here) {
  return apply_one(op_defs::diagflat_default, {x, offset}, here);
}
Tensor select_scatter(const Tensor& x, const Tensor& src, int64_t dim, SymInt index, Here here) {
  return apply_one(op_defs::select_scatter_default, {x, src, dim, index}, here);
}
Tensor slice_scatter(const Tensor& x, const Tensor& src, int64_t dim, std::optional<SymInt> start,
                     std::optional<SymInt> end, SymInt step, Here here) {
  return apply_one(op_defs::slice_scatter_default, {x, src, dim, start, end, step}, here);
}
Tensor diagonal_scatter(const Tensor& x, const Tensor& src, int64_t offset, int64_t dim1, int64_t dim2, Here here) {
  return apply_one(op_defs::diagonal_scatter_default, {x, src, offset, dim1, dim2}, here);
}

Tensor eye(SymInt n, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::eye_default, {n, dtype}, here);
}
Tensor eye(SymInt n, SymInt m, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::eye_m, {n, m, dtype}, here);
}
Tensor logspace(Scalar start, Scalar end, int64_t steps, double base, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::logspace_default, {start, end, steps, base, dtype}, here);
}
Tensor tril_indices(int64_t rows, int64_t columns, int64_t offset, Here here) {
  return apply_one(op_defs::tril_indices_default, {rows, columns, offset}, here);
}
Tensor triu_indices(int64_t rows, int64_t columns, int64_t offset, Here here) {
  return apply_one(op_defs::triu_indices_default, {rows, columns, offset}, here);
}

}  // namespace sinter
