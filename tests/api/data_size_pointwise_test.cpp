// Pointwise operators and losses on tensors of a size that only data tell.

#include "support/data_size_cases.h"

namespace sinter::test {
namespace {

TEST(DataSizePointwise, EqualEagerAtEveryCount) {
  DataSizeCases({
      SINTER_ROWS(r + 1),
      SINTER_ROWS(r * c.unsqueeze(1)),
      SINTER_ROWS(r * tensor_of({1, 2, 3, 4}, {4})),
      SINTER_ROWS(r + ones({1, 4})),
      SINTER_ROWS(r + ones({1, 1})),
      SINTER_ROWS(r + ones({3, 1, 1})),
      SINTER_ROWS(r.t() + c),
      SINTER_ROWS(r.t() * 2),
      SINTER_ROWS(where(r > 0, r, c.unsqueeze(1))),
      SINTER_ROWS(clamp(r, -1, 1)),
      SINTER_ROWS(gelu(r)),
      SINTER_ROWS((r > 0).to(i64) * 3),
      SINTER_ROWS(i % 3),
      SINTER_ROWS(c.unsqueeze(0) * c.unsqueeze(1)),
      SINTER_ROWS(r.to(f16) * 2),
      SINTER_ROWS(r.to(bf16).to(f64)),
      SINTER_ROWS(lerp(r, r * 2, 0.25)),
      SINTER_ROWS(addcmul(r, r, r, 0.5)),
      SINTER_ROWS(masked_fill(r, r > 0, 7)),
      SINTER_ROWS(r.clone().add_(1)),
      SINTER_ROWS((r + 0).mul_(c.unsqueeze(1))),
      SINTER_ROWS(r + q),
      SINTER_ROWS(r * q.t().contiguous().t()),
      SINTER_ROWS(c + q.select(1, 0)),
      SINTER_ROWS(r.t() + q.t()),
      SINTER_ROWS(maximum(r, q)),
      SINTER_ROWS(r.unsqueeze(1) * q.unsqueeze(0)),
      SINTER_ROWS(prelu(r, ones({4}))),
      SINTER_ROWS(nan_to_num(r)),
      SINTER_ROWS(c * scalar_tensor(2.0)),
      SINTER_ROWS(isclose(r, q)),
      SINTER_ROWS(r[0] * 2),
      SINTER_ROWS(glu(r, 1)),
      SINTER_ROWS(cosine_similarity(r, q)),
      SINTER_ROWS(pairwise_distance(r, q)),
      SINTER_ROWS(frexp(r)),
      SINTER_ROWS(r.expand({3, r.size(0), 4}) + c.unsqueeze(1)),
      SINTER_ROWS(mse_loss(r, q)),
      SINTER_ROWS(l1_loss(r, q, Reduction::sum)),
      SINTER_ROWS(cross_entropy_loss(r, i)),
      SINTER_ROWS(nll_loss(log_softmax(r, 1), i)),
      SINTER_ROWS(cross_entropy_loss(r, i, {}, Reduction::none)),
      SINTER_ROWS(kl_div(r, q)),
      SINTER_ROWS(binary_cross_entropy_with_logits(r, q)),
      SINTER_ROWS(huber_loss(r, q)),
  });
}

}  // namespace
}  // namespace sinter::test
