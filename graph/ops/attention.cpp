// Attention. One op is a routine that never holds all scores; the others bring their arguments into its form:
// [batch, heads, rows, features], where a head of keys may serve several heads of queries.

#include <sinter/graph/ops/attention.h>

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/known_layout.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/attention.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/spatial.h>

#include <cmath>

namespace sinter {

double attention_scale(const OpArgs& args, const SymInt& features) {
  if (!args["scale"].is_none()) return args.number("scale");
  return 1.0 / std::sqrt(static_cast<double>(features.constant()));
}

namespace {

void check_arguments(const OpArgs& args, int first) {
  TensorMeta query = args.meta(first), key = args.meta(first + 1), value = args.meta(first + 2);
  for (const TensorMeta* meta : {&query, &key, &value})
    if (meta->layout.rank() < 2)
      args.fail(ErrorKind::shape, fmt::format("a tensor of {} dims", meta->layout.rank()),
                "need rows and features at least");
  check_same_dtype(args, first, first + 1);
  check_same_dtype(args, first, first + 2);
  if (!is_floating(query.dtype)) fail_for_type(args, query.dtype);
  auto at = [](const TensorMeta& meta, int64_t back) { return meta.layout.sizes[meta.layout.rank() - back]; };
  if (!(at(query, 1) == at(key, 1)))
    args.fail(ErrorKind::shape,
              fmt::format("query has {} features, key {}", to_string(at(query, 1)), to_string(at(key, 1))));
  if (!(at(key, 2) == at(value, 2)))
    args.fail(ErrorKind::shape,
              fmt::format("key has {} rows, value {}", to_string(at(key, 2)), to_string(at(value, 2))));
}

void check_mask(const OpArgs& args, DType dtype) {
  const Value& mask = args["attn_mask"];
  if (mask.is_none()) return;
  if (args.flag("is_causal")) args.fail(ErrorKind::argument, "attn_mask beside is_causal", "need at most one of them");
  DType type = mask.tensor().dtype();
  if (type != DType::boolean && type != dtype && type != DType::f32)
    args.fail(ErrorKind::dtype, fmt::format("attn_mask is {}", name(type)),
              fmt::format("need bool, f32 or {}", name(dtype)));
}

// --- The routine's own op ---------------------------------------------------------------------------------------

void check_heads(const OpArgs& args, const Layout& query, const Layout& key, const Layout& value) {
  bool fits = query.rank() == 4 && key.rank() == 4 && value.rank() == 4 && query.sizes[0] == key.sizes[0] &&
              key.sizes[0] == value.sizes[0] && key.sizes[1] == value.sizes[1] &&
              (key.sizes[1].same(query.sizes[1]) || (key.sizes[1] > 0 && mod(query.sizes[1], key.sizes[1]) == 0));
  if (!fits)
    args.fail(ErrorKind::shape, "batches or heads differ",
              "need [batch, heads, rows, features] with one batch, and heads of keys that divide those of queries");
}

// The result where the queries are in memory, and a logarithm for each row.
Metas results_beside(const TensorMeta& query, const Layout& value) {
  TensorMeta result = query, logarithms = query;
  SymDims sizes = query.layout.sizes;
  sizes[3] = value.sizes[3];
  // Row-major is what either way gives.
  bool keeps = !is_row_major(query.layout) && sizes == query.layout.sizes;
  result.layout = keeps ? Layout{sizes, preserved_strides(query.layout), 0} : contiguous_layout(sizes);
  logarithms.dtype = compute_type(query.dtype);
  logarithms.layout = {{sizes[0], sizes[1], sizes[2]}, {sizes[2] * sizes[1], 1, sizes[1]}, 0};
  return {result, logarithms};
}

void check_mask_sizes(const OpArgs& args, const Layout& query, const Layout& key) {
  const Value& mask = args["attn_mask"];
  if (mask.is_none()) return;
  SymDims scores = {query.sizes[0], query.sizes[1], query.sizes[2], key.sizes[2]};
  if (!expand_layout(mask.tensor().layout(), scores))
    args.fail(ErrorKind::shape, fmt::format("attn_mask of sizes {} for scores of {}", to_string(mask.tensor().sizes()),
                                            to_string(scores)));
}

// Where they do not, ATen goes by products of matrices, and its result is row-major.
bool features_lie_together(const OpArgs& args) {
  for (int slot : args.tensor_slots())
    if (args.meta(slot).layout.rank() > 0 && !is_known_to_be(args.meta(slot).layout.strides.back(), 1)) return false;
  return true;
}

Metas attention_meta(const OpArgs& args) {
  check_arguments(args, 0);
  TensorMeta query = args.meta(0);
  check_mask(args, query.dtype);
  check_heads(args, query.layout, args.meta(1).layout, args.meta(2).layout);
  check_mask_sizes(args, query.layout, args.meta(1).layout);
  Metas metas = results_beside(query, args.meta(2).layout);
  if (!features_lie_together(args)) metas[0].layout = contiguous_layout(metas[0].layout.sizes);
  return metas;
}

void check_no_dropout(const OpArgs& args) {
  if (args.number("dropout_p") != 0)
    args.fail(ErrorKind::unsupported, fmt::format("dropout_p {}", args.number("dropout_p")),
              "need 0, or scaled_dot_product_attention");
}

Metas flash_meta(const OpArgs& args) {
  check_no_dropout(args);
  return attention_meta(args);
}

Metas flash_backward_meta(const OpArgs& args) {
  check_no_dropout(args);
  check_arguments(args, 1);
  TensorMeta query = args.meta(1), key = args.meta(2), value = args.meta(3);
  check_mask(args, query.dtype);
  check_heads(args, query.layout, key.layout, value.layout);
  check_mask_sizes(args, query.layout, key.layout);
  Metas results = {query, key, value};
  for (TensorMeta& meta : results)  // rows of all heads side by side
    meta.layout = {meta.layout.sizes, strides_in_order(meta.layout.sizes, {0, 2, 1, 3}), 0};
  return results;
}

// --- Any number of leading dims ---------------------------------------------------------------------------------

SymDims in_front_of(const Tensor& x, int64_t count) {
  return leading(x.sizes(), std::max<int64_t>(x.dim() - count, 0));
}

SymDims broadcast(const OpArgs& args, const SymDims& a, const SymDims& b) {
  std::optional<SymDims> both = broadcast_sizes(a, b);
  if (!both)
    args.fail(ErrorKind::shape, fmt::format("batch sizes do not broadcast ({} vs {})", to_string(a), to_string(b)));
  return *both;
}

// Sizes in front of [rows, features]: `batch`, then heads, which may be fewer for keys.
struct Batches {
  SymDims batch;
  SymInt query_heads = 1, key_heads = 1;
};

Batches batches_of(const OpArgs& args, const Tensor& query, const Tensor& key, const Tensor& value) {
  Batches b;
  if (args.flag("enable_gqa") && query.dim() > 2 && key.dim() > 2 && value.dim() > 2) {
    b.batch = broadcast(args, broadcast(args, in_front_of(query, 3), in_front_of(key, 3)), in_front_of(value, 3));
    b.query_heads = query.size(-3);
    b.key_heads = key.size(-3);
    if (!(value.size(-3) == b.key_heads))
      args.fail(ErrorKind::shape,
                fmt::format("key has {} heads, value {}", to_string(b.key_heads), to_string(value.size(-3))));
    return b;
  }
  b.batch = broadcast(args, broadcast(args, in_front_of(query, 2), in_front_of(key, 2)), in_front_of(value, 2));
  if (!b.batch.empty()) {
    b.query_heads = b.key_heads = b.batch.back();
    b.batch.pop_back();
  }
  return b;
}

Tensor in_four_dims(const Tensor& x, const SymDims& batch, SymInt heads, SymInt rows, SymInt columns, Here here) {
  bool is_whole = x.dim() == static_cast<int64_t>(batch.size()) + 3;
  if (is_whole && batch.size() == 1 && x.sizes() == joined(batch, {heads, rows, columns})) return x;
  return x.expand(joined(batch, {heads, rows, columns}), here).reshape({numel(batch), heads, rows, columns}, here);
}

// --- With dropout -----------------------------------------------------------------------------------------------

Tensor repeated_heads(const Tensor& x, SymInt times, Here here) {
  SymDims sizes = x.sizes();
  Tensor spread = x.unsqueeze(2, here).expand({sizes[0], sizes[1], times, sizes[2], sizes[3]}, here);
  return spread.reshape({sizes[0], sizes[1] * times, sizes[2], sizes[3]}, here);
}

Tensor additive_mask(const OpArgs& args, const Tensor& mask, DType dtype) {
  if (mask.dtype() != DType::boolean) return mask.to(dtype, args.here());
  return where(mask, full({}, 0.0, dtype, args.here()), full({}, -INFINITY, dtype, args.here()), args.here());
}

// The scores are needed whole, to drop some of them.
Tensor attention_with_dropout(const OpArgs& args, const Tensor& query, Tensor key, Tensor value, const Value& mask,
                              double scale) {
  Here here = args.here();
  if (!(key.sizes()[1] == query.sizes()[1])) {
    SymInt times = floor_div(query.sizes()[1], key.sizes()[1]);
    key = repeated_heads(key, times, here);
    value = repeated_heads(value, times, here);
  }
  DType wide = compute_type(query.dtype());
  Tensor scores = matmul(query, key.transpose(-2, -1, here), here).to(wide, here) * Scalar(scale);
  if (args.flag("is_causal")) {
    SymInt rows = query.size(-2), columns = key.size(-2);
    Tensor row = arange(rows, i64, here).unsqueeze(1, here), column = arange(columns, i64, here);
    scores = scores + additive_mask(args, le(column, row, here), wide);
  }
  if (!mask.is_none()) scores = scores + additive_mask(args, mask.tensor(), wide);
  Tensor weights = softmax(scores, -1, {}, here);
  double kept = 1 - args.number("dropout_p");
  Tensor keeps = lt(rand(weights.sizes(), DType::f32, here), full({}, kept, DType::f32, here), here);
  weights = weights * keeps.to(wide, here) * Scalar(kept > 0 ? 1 / kept : 0.0);
  return matmul(weights.to(query.dtype(), here), value, here);
}

Values run_attention(const OpArgs& args) {
  check_arguments(args, 0);
  Tensor query = args.tensor(0), key = args.tensor(1), value = args.tensor(2);
  check_mask(args, query.dtype());
  double dropout = args.number("dropout_p");
  if (!(dropout >= 0 && dropout <= 1))
    args.fail(ErrorKind::argument, fmt::format("dropout_p is {}", dropout), "need a probability");
  Here here = args.here();
  Batches b = batches_of(args, query, key, value);
  SymInt rows = query.size(-2), columns = key.size(-2), features = query.size(-1), values = value.size(-1);
  Scalar scale = args["scale"].is_none() ? 1.0 / sqrt(floating_count(features)) : args.scalar("scale");
  Value mask;
  if (!args["attn_mask"].is_none()) {
    Tensor given = args["attn_mask"].tensor();
    SymDims scores = joined(b.batch, {b.query_heads, rows, columns});
    if (!expand_layout(given.layout(), scores))
      args.fail(ErrorKind::shape,
                fmt::format("attn_mask of sizes {} for scores of {}", to_string(given.sizes()), to_string(scores)));
    mask = in_four_dims(given, b.batch, b.query_heads, rows, columns, here);
  }
  Tensor q = in_four_dims(query, b.batch, b.query_heads, rows, features, here);
  Tensor k = in_four_dims(key, b.batch, b.key_heads, columns, features, here);
  Tensor v = in_four_dims(value, b.batch, b.key_heads, columns, values, here);
  Tensor result = dropout > 0
                      ? attention_with_dropout(args, q, k, v, mask, scale.to_double())
                      : apply(op_defs::attention_default, {q, k, v, mask, args["is_causal"], scale}, here)[0].tensor();
  bool has_heads = query.dim() > 2 || key.dim() > 2 || value.dim() > 2;
  SymDims sizes = has_heads ? joined(b.batch, {b.query_heads, rows, values}) : SymDims{rows, values};
  return {result.reshape(sizes, here)};
}

}  // namespace

namespace op_defs {

constinit const OpDef scaled_dot_product_attention_default = decomposed(
    "aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float "
    "dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor",
    run_attention);
// The results, and for each row the logarithm of the sum of its scores' exponentials.
constinit const OpDef attention_default = total_routine(
    "sinter::attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask, bool is_causal, float? scale) -> "
    "(Tensor, Tensor)",
    attention_meta);
constinit const OpDef flash_attention_for_cpu_default = total_routine(
    "aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float dropout_p=0.0, "
    "bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor output, Tensor logsumexp)",
    flash_meta);
constinit const OpDef flash_attention_for_cpu_backward_default = total_routine(
    "aten::_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, Tensor "
    "value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, float? "
    "scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)",
    flash_backward_meta);

}  // namespace op_defs

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& attn_mask, double dropout_p, bool is_causal,
                                    std::optional<double> scale, bool enable_gqa, Here here) {
  Value factor = scale ? Value(*scale) : Value();
  return apply(op_defs::scaled_dot_product_attention_default,
               std::vector<Value>{query, key, value, attn_mask, dropout_p, is_causal},
               {{"scale", factor}, {"enable_gqa", enable_gqa}}, here)[0]
      .tensor();
}

}  // namespace sinter
