// Operators that read and write by index, or size their result themselves on tensors of a size that only data tell.

#include "support/data_size_cases.h"

namespace sinter::test {
namespace {

TEST(DataSizePlaces, EqualEagerAtEveryCount) {
  DataSizeCases({
      SINTER_ROWS(gather(r, 1, i.unsqueeze(1))),
      SINTER_ROWS(gather(r, 1, (r > 0).to(i64))),
      SINTER_ROWS(gather(ones({4, 4}), 0, i.unsqueeze(1))),
      SINTER_ROWS(gather(r, 0, zeros({1, 4}, i64))),
      SINTER_ROWS(index_select(ones({4, 3}), 0, i)),
      SINTER_ROWS(index_select(r, 1, tensor_of({2, 0}, {2}, i64))),
      SINTER_ROWS(index_select(r, 0, tensor_of({0}, {1}, i64))),
      SINTER_ROWS(index_select(r, 0, arange(r.size(0), i64))),
      SINTER_ROWS(take(ones({8}), i)),
      SINTER_ROWS(take(r, tensor_of({0}, {1}, i64))),
      SINTER_ROWS(take_along_dim(r, i.unsqueeze(1), 1)),
      SINTER_ROWS(embedding(ones({4, 3}), i)),
      SINTER_ROWS(index(tensor_of({7, 8, 9, 10}, {4}), {i}) + 1),
      SINTER_ROWS(index(r, {Tensor(), tensor_of({1, 3}, {2}, i64)})),
      SINTER_ROWS(index(r, {arange(r.size(0), i64), i})),
      SINTER_ROWS(index(r, {c > 0})),
      SINTER_ROWS(index(r, {r > 0})),
      SINTER_ROWS(masked_select(r, r > 0) * 2),
      SINTER_ROWS(masked_select(r, (c > 0).unsqueeze(1))),
      SINTER_ROWS(nonzero(c > 0) + 1),
      SINTER_ROWS(nonzero(r) * 2),
      SINTER_ROWS(unique(c)),
      SINTER_ROWS(unique(i)),
      SINTER_ROWS(bincount(i)),
      SINTER_ROWS(bincount(i, c)),
      SINTER_ROWS(bincount(i, {}, 6)),
      SINTER_ROWS(one_hot(i)),
      SINTER_ROWS(one_hot(i, 5)),
      SINTER_ROWS(histc(c, 4, -1, 1)),
      SINTER_ROWS(histc(c, 4)),
      SINTER_ROWS(repeat_interleave(r, i, 0)),
      SINTER_ROWS(ops("aten::repeat_interleave.Tensor")(i)),
      SINTER_ROWS(scatter(zeros({4}), 0, i, c)),
      SINTER_ROWS(scatter(r, 1, i.unsqueeze(1), 9)),
      SINTER_ROWS(scatter(r, 1, i.unsqueeze(1), c.unsqueeze(1))),
      SINTER_ROWS(scatter_add(zeros({4}), 0, i, c)),
      SINTER_ROWS(scatter_reduce(zeros({4}), 0, i, c, "amax")),
      SINTER_ROWS(scatter_reduce(zeros({4}), 0, i, c, "mean")),
      SINTER_ROWS(index_add(zeros({4, 4}), 0, i, r)),
      SINTER_ROWS(index_copy(r, 1, tensor_of({1}, {1}, i64), c.unsqueeze(1))),
      SINTER_ROWS(index_fill(r, 1, tensor_of({1}, {1}, i64), 5)),
      SINTER_ROWS(index_fill(r, 0, arange(r.size(0), i64), 5)),
      SINTER_ROWS(index_put(r, {arange(r.size(0), i64), i}, c)),
      SINTER_ROWS(index_put(zeros({4}), {i}, c, true)),
      SINTER_ROWS(index_put(r, {c > 0}, zeros({}))),
      SINTER_ROWS(put(zeros({4}), i, c, true)),
      SINTER_ROWS(masked_scatter(r, r > 0, r * 2)),
      SINTER_ROWS(searchsorted(tensor_of({-1, 0, 1}, {3}), c)),
      SINTER_ROWS(bucketize(r, tensor_of({-1, 0, 1}, {3}))),
      SINTER_ROWS(searchsorted(cumsum(abs(c), 0), tensor_of({0.5, 2.0}, {2}))),
      SINTER_ROWS(isin(i, tensor_of({1, 2}, {2}, i64))),
      SINTER_ROWS(isin(tensor_of({1, 2}, {2}, i64), i)),
  });
}

}  // namespace
}  // namespace sinter::test
