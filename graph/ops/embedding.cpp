// Rows of a table picked by index (embedding), and sums, means and maxima of bags of them (embedding_bag).

#include <sinter/graph/ops/embedding.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/pick.h>

namespace sinter {

namespace {

SymDims row_sizes(SymDims indices, SymInt width) {
  indices.push_back(width);
  return indices;
}

Metas embedding_meta(const OpArgs& args) {
  TensorMeta weight = args.meta(0);
  if (weight.layout.rank() != 2)
    args.fail(ErrorKind::shape, fmt::format("weight has rank {}", weight.layout.rank()), "need a matrix");
  check_index_type(args, "indices");
  return {fresh_meta(args, weight.dtype, row_sizes(args.meta(1).layout.sizes, weight.layout.sizes[1]))};
}

Values run_embedding(const OpArgs& args) { return {pick(args, args.tensor(0), {args.tensor(1), Tensor()}, {})}; }

void refuse_sparse(const OpArgs& args) {
  if (args.flag("sparse")) args.fail(ErrorKind::unsupported, "a sparse gradient", "use sparse=False");
}

Metas embedding_dense_backward_meta(const OpArgs& args) {
  TensorMeta grad = args.meta(0), indices = args.meta(1);
  check_index_type(args, "indices");
  if (!is_floating(grad.dtype)) fail_for_type(args, grad.dtype);
  SymDims rows = grad.layout.sizes;
  if (rows.empty()) args.fail(ErrorKind::shape, "the gradient has no dims", "need one row for each index");
  SymInt width = rows.back();
  if (!(rows == row_sizes(indices.layout.sizes, width)))
    args.fail(ErrorKind::shape, fmt::format("a gradient of sizes {} for indices of sizes {}", to_string(rows),
                                            to_string(indices.layout.sizes)));
  return {fresh_meta(args, grad.dtype, {args.size("num_weights"), width})};
}

Values run_embedding_backward(const OpArgs& args) {
  refuse_sparse(args);
  return apply(op_defs::embedding_dense_backward_default,
               {args[0], args[1], args["num_weights"], args["padding_idx"], args["scale_grad_by_freq"]}, args.here());
}

Metas embedding_renorm_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  if (self.layout.rank() != 2)
    args.fail(ErrorKind::shape, fmt::format("self has rank {}", self.layout.rank()), "need a matrix");
  check_index_type(args, "indices");
  if (!is_floating(self.dtype)) fail_for_type(args, self.dtype);
  return preserved_like_self(args);
}

// --- Bags -------------------------------------------------------------------------------------------------------

enum Mode : int64_t { sum_of_bag, mean_of_bag, maximum_of_bag };

void check_mode(const OpArgs& args) {
  int64_t mode = args.integer("mode");
  if (mode < sum_of_bag || mode > maximum_of_bag)
    args.fail(ErrorKind::argument, fmt::format("mode {}", mode), "need 0 (sum), 1 (mean) or 2 (max)");
}

void check_bag_arguments(const OpArgs& args) {
  TensorMeta weight = args.meta(0), indices = args.meta(1), offsets = args.meta(2);
  check_index_type(args, "indices");
  check_index_type(args, "offsets");
  if (weight.layout.rank() != 2 || indices.layout.rank() != 1 || offsets.layout.rank() != 1)
    args.fail(ErrorKind::shape,
              fmt::format("ranks {}, {} and {}", weight.layout.rank(), indices.layout.rank(), offsets.layout.rank()),
              "need a matrix and vectors of indices and offsets");
  if (!is_floating(weight.dtype)) fail_for_type(args, weight.dtype);
  check_mode(args);
  if (args.flag("include_last_offset") && offsets.layout.sizes[0] == 0)
    args.fail(ErrorKind::argument, "include_last_offset needs at least one offset");
}

void check_sample_weights(const OpArgs& args) {
  if (args["per_sample_weights"].is_none()) return;
  if (args.integer("mode") != sum_of_bag) args.fail(ErrorKind::argument, "per_sample_weights is for mode 0 (sum) only");
  const Tensor& weights = args["per_sample_weights"].tensor();
  if (weights.dtype() != args.meta(0).dtype)
    args.fail(ErrorKind::dtype,
              fmt::format("per_sample_weights is {}, weight is {}", name(weights.dtype()), name(args.meta(0).dtype)));
  if (!(weights.sizes() == args.meta(1).layout.sizes))
    args.fail(ErrorKind::shape, fmt::format("per_sample_weights has sizes {}, indices {}", to_string(weights.sizes()),
                                            to_string(args.meta(1).layout.sizes)));
}

// ATen leaves offset2bag empty where its fast sums need none: rows without gaps, no padding.
bool needs_no_bag_of_index(const OpArgs& args) {
  const TensorMeta weight = args.meta(0);
  bool has_fast_type = weight.dtype == f32 || is_half(weight.dtype);
  bool is_plain = args.integer("mode") == sum_of_bag && has_fast_type && args.integer("padding_idx") < 0;
  if (!is_plain || !(weight.layout.strides[1] == 1)) return false;
  return args["per_sample_weights"].is_none() || args["per_sample_weights"].tensor().strides()[0] == 1;
}

Metas embedding_bag_meta(const OpArgs& args) {
  check_bag_arguments(args);
  check_sample_weights(args);
  TensorMeta weight = args.meta(0), indices = args.meta(1), offsets = args.meta(2);
  DType position = indices.dtype == i64 || offsets.dtype == i64 ? i64 : i32;
  SymInt bags = offsets.layout.sizes[0], width = weight.layout.sizes[1];
  if (args.flag("include_last_offset")) bags -= 1;
  SymInt index_count = needs_no_bag_of_index(args) ? SymInt(0) : indices.layout.sizes[0];
  bool is_maximum = args.integer("mode") == maximum_of_bag;
  bool counts = args.integer("mode") != sum_of_bag || &args.op() == &op_defs::inner_embedding_bag_default;
  SymDims bag_size{counts ? bags : offsets.layout.sizes[0]};
  return {fresh_meta(args, weight.dtype, {bags, width}), fresh_meta(args, position, {index_count}),
          fresh_meta(args, position, bag_size),
          fresh_meta(args, position, is_maximum ? SymDims{bags, width} : bag_size)};
}

Values run_embedding_bag(const OpArgs& args) {
  int64_t padding = -1;
  if (int slot = args.op().schema().find("padding_idx"); slot >= 0 && args.has(slot)) {
    int64_t rows = args.meta(0).layout.sizes.empty() ? 0 : args.meta(0).layout.sizes[0].constant();
    padding = args.integer("padding_idx");
    if (padding < -rows || padding >= rows)
      args.fail(ErrorKind::argument, fmt::format("padding_idx {} is out of range for {} rows", padding, rows));
    if (padding < 0) padding += rows;
  }
  return apply(op_defs::embedding_bag_forward_only_default,
               {args[0], args[1], args[2], args["scale_grad_by_freq"], args["mode"], args["sparse"],
                args["per_sample_weights"], args["include_last_offset"], padding},
               args.here());
}

Metas bag_backward_meta(const OpArgs& args) {
  if (args.op().schema().find("sparse") >= 0) refuse_sparse(args);
  TensorMeta grad = args.meta(0);
  if (!is_floating(grad.dtype)) fail_for_type(args, grad.dtype);
  if (grad.layout.rank() != 2)
    args.fail(ErrorKind::shape, fmt::format("the gradient has rank {}", grad.layout.rank()), "need a matrix");
  check_mode(args);
  return {fresh_meta(args, grad.dtype, {args.size("num_weights"), grad.layout.sizes[1]})};
}

Metas sample_weights_backward_meta(const OpArgs& args) {
  TensorMeta grad = args.meta(0), weight = args.meta(1), indices = args.meta(2);
  if (grad.layout.rank() != 2 || weight.layout.rank() != 2 || indices.layout.rank() != 1)
    args.fail(ErrorKind::shape,
              fmt::format("ranks {}, {} and {}", grad.layout.rank(), weight.layout.rank(), indices.layout.rank()),
              "need two matrices and a vector of indices");
  if (!(grad.layout.sizes[1] == weight.layout.sizes[1]))
    args.fail(ErrorKind::shape,
              fmt::format("rows of {} and of {}", to_string(grad.layout.sizes[1]), to_string(weight.layout.sizes[1])),
              "need rows of one width");
  return {fresh_meta(args, grad.dtype, indices.layout.sizes)};
}

}  // namespace

namespace op_defs {

constinit const OpDef embedding_default = decomposed(
    "aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool "
    "sparse=False) -> Tensor",
    run_embedding, embedding_meta);
constinit const OpDef embedding_dense_backward_default = routine(
    "aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool "
    "scale_grad_by_freq) -> Tensor",
    embedding_dense_backward_meta);
constinit const OpDef embedding_backward_default = composite(
    "aten::embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, bool "
    "scale_grad_by_freq, bool sparse) -> Tensor",
    run_embedding_backward);
constinit const OpDef embedding_renorm_default =
    routine("aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor",
            embedding_renorm_meta);
constinit const OpDef embedding_renorm_inplace_default =
    inplace("aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)",
            embedding_renorm_default);

constinit const OpDef embedding_bag_default = composite(
    "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, "
    "bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False) -> "
    "(Tensor, Tensor, Tensor, Tensor)",
    run_embedding_bag);
constinit const OpDef embedding_bag_padding_idx = composite(
    "aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, "
    "bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> "
    "(Tensor, Tensor, Tensor, Tensor)",
    run_embedding_bag);
constinit const OpDef inner_embedding_bag_default = routine(
    "aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, "
    "bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> "
    "(Tensor, Tensor, Tensor, Tensor)",
    embedding_bag_meta);
constinit const OpDef embedding_bag_forward_only_default = routine(
    "aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
    "int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, "
    "int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
    embedding_bag_meta);
constinit const OpDef embedding_bag_backward_default = routine(
    "aten::_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, "
    "Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, bool sparse, "
    "Tensor? per_sample_weights, int padding_idx=-1) -> Tensor",
    bag_backward_meta);
constinit const OpDef embedding_bag_dense_backward_default = routine(
    "aten::_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, "
    "Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights, "
    "int padding_idx=-1) -> Tensor",
    bag_backward_meta);
constinit const OpDef embedding_bag_per_sample_weights_backward_default = routine(
    "aten::_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, "
    "Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor",
    sample_weights_backward_meta);

}  // namespace op_defs

}  // namespace sinter
