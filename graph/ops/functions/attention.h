// Attention: softmax(query @ key.T * scale + mask) @ value, without the whole matrix of scores in memory.

#pragma once

#include <sinter/graph/tensor.h>

#include <optional>

namespace sinter {

// query [.., L, E], key [.., S, E], value [.., S, Ev]. The mask is bool (true: attend) or added; with is_causal row i
// attends to the first i + 1 keys. With enable_gqa a head of keys serves as many heads of queries as there are times
// more. The scale is 1 / sqrt(E) unless given.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& attn_mask = {}, double dropout_p = 0, bool is_causal = false,
                                    std::optional<double> scale = {}, bool enable_gqa = false,
                                    Here here = Here::current());

}  // namespace sinter
