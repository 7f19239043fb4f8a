// Losses and distances as functions, with ATen's names, argument order and defaults.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

// What becomes of the losses of single elements; as a number of ATen's: 0, 1, 2.
enum class Reduction : uint8_t { none, mean, sum };

Tensor mse_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean,
                Here here = Here::current());
Tensor l1_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean,
               Here here = Here::current());
Tensor smooth_l1_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean, double beta = 1,
                      Here here = Here::current());
Tensor huber_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean, double delta = 1,
                  Here here = Here::current());
Tensor soft_margin_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean,
                        Here here = Here::current());
Tensor kl_div(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean, bool log_target = false,
              Here here = Here::current());
Tensor poisson_nll_loss(const Tensor& x, const Tensor& target, bool log_input, bool full, double eps,
                        Reduction reduction, Here here = Here::current());
Tensor binary_cross_entropy(const Tensor& x, const Tensor& target, const Tensor& weight = {},
                            Reduction reduction = Reduction::mean, Here here = Here::current());
Tensor binary_cross_entropy_with_logits(const Tensor& x, const Tensor& target, const Tensor& weight = {},
                                        const Tensor& pos_weight = {}, Reduction reduction = Reduction::mean,
                                        Here here = Here::current());

// Targets are class numbers; classes lie along dim 1, or along the only dim.
Tensor nll_loss(const Tensor& x, const Tensor& target, const Tensor& weight = {}, Reduction reduction = Reduction::mean,
                int64_t ignore_index = -100, Here here = Here::current());
// Targets are class numbers, or probabilities in a tensor of x's sizes.
Tensor cross_entropy_loss(const Tensor& x, const Tensor& target, const Tensor& weight = {},
                          Reduction reduction = Reduction::mean, int64_t ignore_index = -100,
                          double label_smoothing = 0, Here here = Here::current());

Tensor hinge_embedding_loss(const Tensor& x, const Tensor& target, double margin = 1,
                            Reduction reduction = Reduction::mean, Here here = Here::current());
Tensor margin_ranking_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin = 0,
                           Reduction reduction = Reduction::mean, Here here = Here::current());
Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin = 0,
                             Reduction reduction = Reduction::mean, Here here = Here::current());
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin = 1,
                           double p = 2, double eps = 1e-6, bool swap = false, Reduction reduction = Reduction::mean,
                           Here here = Here::current());
Tensor multi_margin_loss(const Tensor& x, const Tensor& target, Scalar p = 1, Scalar margin = 1,
                         const Tensor& weight = {}, Reduction reduction = Reduction::mean, Here here = Here::current());
Tensor multilabel_margin_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean,
                              Here here = Here::current());

Tensor cosine_similarity(const Tensor& a, const Tensor& b, int64_t dim = 1, double eps = 1e-8,
                         Here here = Here::current());
Tensor pairwise_distance(const Tensor& a, const Tensor& b, double p = 2, double eps = 1e-6, bool keepdim = false,
                         Here here = Here::current());

}  // namespace sinter
