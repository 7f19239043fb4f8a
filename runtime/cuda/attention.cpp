// Scores in f32 (f64 for f64), their softmax by a compiled function, then the product with the values.

#include <sinter/runtime/cuda/attention.h>

#include <sinter/graph/ops/attention.h>
#include <sinter/graph/ops/functions/attention.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/compile.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/matrix_product.h>

#include <limits>

namespace sinter::runtime {

namespace {

constexpr double lowest = -std::numeric_limits<double>::infinity();

// Probabilities, and the logarithm of each row's sum of exponentials. A row with no score that counts gives zeros.
std::pair<Tensor, Tensor> normalized(const Tensor& scores) {
  Tensor largest = amax(scores, {-1}, true);
  Tensor base = where(largest == lowest, Scalar(0.0), largest);
  Tensor weights = exp(scores - base);
  Tensor sum = weights.sum({-1}, true);
  Tensor some = where(sum == 0.0, Scalar(1.0), sum);
  return {weights / some, (base + log(sum)).squeeze(-1)};
}

std::pair<Tensor, Tensor> plain_softmax(const Tensor& scores, double scale) { return normalized(scores * scale); }

std::pair<Tensor, Tensor> causal_softmax(const Tensor& scores, double scale, const Tensor& rows,
                                         const Tensor& columns) {
  return normalized(where(columns <= rows, scores * scale, Scalar(lowest)));
}

std::pair<Tensor, Tensor> masked_softmax(const Tensor& scores, double scale, const Tensor& mask) {
  if (mask.dtype() == DType::boolean) return normalized(where(mask, scores * scale, Scalar(lowest)));
  return normalized(scores * scale + mask.to(scores.dtype()));
}

// Positions 0, 1, ... as a column or a row, on the device.
Tensor positions(SymInt count, Device device, bool as_column) {
  Tensor all = ops("aten::arange").call({Value(count)}, {{"device", Value(device)}})[0].tensor();
  return as_column ? all.unsqueeze(1) : all;
}

std::pair<Tensor, Tensor> softmax_of(const OpArgs& args, const Tensor& scores, double scale) {
  static const auto& plain = *new auto(compile(plain_softmax));
  static const auto& causal = *new auto(compile(causal_softmax));
  static const auto& masked = *new auto(compile(masked_softmax));
  if (args.flag("is_causal"))
    return causal(scores, scale, positions(scores.size(-2), scores.device(), true),
                  positions(scores.size(-1), scores.device(), false));
  if (!args["attn_mask"].is_none()) return masked(scores, scale, args["attn_mask"].tensor());
  return plain(scores, scale);
}

// [batch * heads, rows, features]; heads of keys that serve several heads of queries are repeated.
Tensor as_batch(const Tensor& x, SymInt heads) {
  Tensor all = x;
  SymInt own = x.size(1);
  if (!(own == heads)) {
    SymInt times = heads.constant() / own.constant();
    all = x.unsqueeze(2).expand({x.size(0), own, times, x.size(2), x.size(3)});
  }
  return all.reshape({x.size(0) * heads, x.size(2), x.size(3)});
}

Tensor product(const Tensor& a, const Tensor& b, DType dtype, Here here) {
  TensorMeta meta{dtype, a.device(), contiguous_layout({a.size(0), a.size(1), b.size(2)})};
  int64_t bytes = numel(meta.layout.sizes).constant() * byte_size(dtype);
  Storage storage = new_storage(meta.device, bytes);
  Tensor result(std::move(meta), std::move(storage));
  multiply_on_cuda(a, b, result, here);
  return result;
}

}  // namespace

bool attend_on_cuda(const OpArgs& args, std::span<const Tensor> outputs) {
  const OpDef& op = args.op();
  if (&op != &op_defs::attention_default && &op != &op_defs::flash_attention_for_cpu_default) return false;
  Tensor query = args["query"].tensor(), key = args["key"].tensor(), value = args["value"].tensor();
  SymInt heads = query.size(1);
  if (outputs[0].numel() == 0 || key.size(2) == 0) return false;
  DType wide = compute_type(query.dtype());
  Tensor scores = product(as_batch(query, heads), as_batch(key, heads).transpose(1, 2), wide, args.here());
  scores = scores.view({query.size(0), heads, query.size(2), key.size(2)});
  auto [weights, logarithms] = softmax_of(args, scores, attention_scale(args, query.size(3)));
  Tensor narrow = weights.to(query.dtype()).view({query.size(0) * heads, query.size(2), key.size(2)});
  Tensor result = product(narrow, as_batch(value, heads), query.dtype(), args.here());
  outputs[0].copy_(result.view({query.size(0), heads, query.size(2), value.size(3)}), args.here());
  outputs[1].copy_(logarithms, args.here());
  return true;
}

}  // namespace sinter::runtime
