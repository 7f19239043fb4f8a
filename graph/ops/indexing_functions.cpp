// The public functions of indexing, scattering, sorting and searching.

#include <sinter/graph/ops/functions/indexing.h>

#include <sinter/graph/op.h>
#include <sinter/graph/ops/embedding.h>
#include <sinter/graph/ops/index.h>
#include <sinter/graph/ops/masked.h>
#include <sinter/graph/ops/scatter.h>
#include <sinter/graph/ops/search.h>
#include <sinter/graph/ops/segment.h>
#include <sinter/graph/ops/sort.h>

namespace sinter {

namespace d = op_defs;

namespace {

ValuesAndIndices pair_of(const Values& results) { return {results[0].tensor(), results[1].tensor()}; }

Value or_none(std::optional<int64_t> number) { return number ? Value(*number) : Value(); }

}  // namespace

// --- Reading ----------------------------------------------------------------------------------------------------

Tensor index(const Tensor& x, const std::vector<Tensor>& indices, Here here) {
  return apply_one(d::index_tensor, {x, indices}, here);
}
Tensor index_select(const Tensor& x, int64_t dim, const Tensor& index, Here here) {
  return apply_one(d::index_select_default, {x, dim, index}, here);
}
Tensor gather(const Tensor& x, int64_t dim, const Tensor& index, Here here) {
  return apply_one(d::gather_default, {x, dim, index}, here);
}
Tensor take(const Tensor& x, const Tensor& index, Here here) { return apply_one(d::take_default, {x, index}, here); }
Tensor take_along_dim(const Tensor& x, const Tensor& indices, std::optional<int64_t> dim, Here here) {
  return apply_one(d::take_along_dim_default, {x, indices, or_none(dim)}, here);
}
Tensor embedding(const Tensor& weight, const Tensor& indices, Here here) {
  return apply_one(d::embedding_default, {weight, indices}, here);
}
Tensor masked_select(const Tensor& x, const Tensor& mask, Here here) {
  return apply_one(d::masked_select_default, {x, mask}, here);
}
Tensor nonzero(const Tensor& x, Here here) { return apply_one(d::nonzero_default, {x}, here); }
Tensor repeat_interleave(const Tensor& x, int64_t repeats, std::optional<int64_t> dim, Here here) {
  return apply_one(d::repeat_interleave_self_int, {x, repeats, or_none(dim)}, here);
}
Tensor repeat_interleave(const Tensor& x, const Tensor& repeats, std::optional<int64_t> dim,
                         std::optional<SymInt> output_size, Here here) {
  return apply_one(d::repeat_interleave_self_tensor, {x, repeats, or_none(dim), output_size}, here);
}
Tensor one_hot(const Tensor& x, int64_t num_classes, Here here) {
  return apply_one(d::one_hot_default, {x, num_classes}, here);
}

// --- Writing ----------------------------------------------------------------------------------------------------

Tensor index_put(const Tensor& x, const std::vector<Tensor>& indices, const Tensor& values, bool accumulate,
                 Here here) {
  return apply_one(d::index_put_default, {x, indices, values, accumulate}, here);
}
Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src, Here here) {
  return apply_one(d::scatter_src, {x, dim, index, src}, here);
}
Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, Scalar value, Here here) {
  return apply_one(d::scatter_value, {x, dim, index, value}, here);
}
Tensor scatter_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src, Here here) {
  return apply_one(d::scatter_add_default, {x, dim, index, src}, here);
}
Tensor scatter_reduce(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src, std::string reduce,
                      bool include_self, Here here) {
  return apply_one(d::scatter_reduce_two, {x, dim, index, src, std::move(reduce), include_self}, here);
}
Tensor index_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Scalar alpha, Here here) {
  return apply_one(d::index_add_default, {x, dim, index, source, alpha}, here);
}
Tensor index_copy(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Here here) {
  return apply_one(d::index_copy_default, {x, dim, index, source}, here);
}
Tensor index_fill(const Tensor& x, int64_t dim, const Tensor& index, Scalar value, Here here) {
  return apply_one(d::index_fill_int_scalar, {x, dim, index, value}, here);
}
Tensor put(const Tensor& x, const Tensor& index, const Tensor& source, bool accumulate, Here here) {
  return apply_one(d::put_default, {x, index, source, accumulate}, here);
}
Tensor masked_fill(const Tensor& x, const Tensor& mask, Scalar value, Here here) {
  return apply_one(d::masked_fill_scalar, {x, mask, value}, here);
}
Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value, Here here) {
  return apply_one(d::masked_fill_tensor, {x, mask, value}, here);
}
Tensor masked_scatter(const Tensor& x, const Tensor& mask, const Tensor& source, Here here) {
  return apply_one(d::masked_scatter_default, {x, mask, source}, here);
}

// --- Sorting and searching --------------------------------------------------------------------------------------

ValuesAndIndices sort(const Tensor& x, int64_t dim, bool descending, Here here) {
  return pair_of(apply(d::sort_default, {x, dim, descending}, here));
}
Tensor argsort(const Tensor& x, int64_t dim, bool descending, Here here) {
  return apply_one(d::argsort_default, {x, dim, descending}, here);
}
ValuesAndIndices topk(const Tensor& x, SymInt k, int64_t dim, bool largest, bool sorted, Here here) {
  return pair_of(apply(d::topk_default, {x, k, dim, largest, sorted}, here));
}
ValuesAndIndices kthvalue(const Tensor& x, SymInt k, int64_t dim, bool keepdim, Here here) {
  return pair_of(apply(d::kthvalue_default, {x, k, dim, keepdim}, here));
}
std::tuple<Tensor, Tensor, Tensor> unique(const Tensor& x, Here here) {
  Values results = apply(d::unique2_default, {x, true, true, true}, here);
  return {results[0].tensor(), results[1].tensor(), results[2].tensor()};
}
Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& values, bool right, Here here) {
  return apply_one(d::searchsorted_tensor, {sorted_sequence, values, false, right}, here);
}
Tensor bucketize(const Tensor& x, const Tensor& boundaries, bool right, Here here) {
  return apply_one(d::bucketize_tensor, {x, boundaries, false, right}, here);
}
Tensor isin(const Tensor& elements, const Tensor& test_elements, bool invert, Here here) {
  return apply_one(d::isin_tensor_tensor, {elements, test_elements, false, invert}, here);
}
Tensor bincount(const Tensor& x, const Tensor& weights, int64_t minlength, Here here) {
  return apply_one(d::bincount_default, {x, weights, minlength}, here);
}
Tensor histc(const Tensor& x, int64_t bins, Scalar min, Scalar max, Here here) {
  return apply_one(d::histc_default, {x, bins, min, max}, here);
}

}  // namespace sinter
