// Normalisations: values less their mean, over their spread, by groups of channels or whole rows.

#pragma once

#include <optional>

#include <sinter/graph/tensor.h>

namespace sinter {

Tensor group_norm(const Tensor& x, int64_t num_groups, const Tensor& weight = {}, const Tensor& bias = {},
                  double eps = 1e-5, Here here = Here::current());
Tensor rms_norm(const Tensor& x, SymDims normalized_shape, const Tensor& weight = {}, std::optional<double> eps = {},
                Here here = Here::current());
// Running statistics may be absent; training updates them.
Tensor batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                  const Tensor& running_var, bool training, double momentum = 0.1, double eps = 1e-5,
                  Here here = Here::current());
Tensor instance_norm(const Tensor& x, const Tensor& weight = {}, const Tensor& bias = {},
                     const Tensor& running_mean = {}, const Tensor& running_var = {}, bool use_input_stats = true,
                     double momentum = 0.1, double eps = 1e-5, Here here = Here::current());

}  // namespace sinter
