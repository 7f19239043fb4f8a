// Checks of matrices, their sizes, and wide products.

#include <sinter/graph/ops/matrix_arguments.h>

#include <sinter/graph/ops/matmul.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/plain_number.h>
#include <sinter/graph/ops/types.h>

namespace sinter {

void check_rank(const OpArgs& args, std::string_view parameter, int64_t rank) {
  int64_t actual = args[parameter].tensor().dim();
  if (actual != rank)
    args.fail(ErrorKind::shape, fmt::format("{} has {} dims", parameter, actual), fmt::format("need {} dims", rank));
}

void check_types(const OpArgs& args, const TensorMeta& a, const TensorMeta& b) {
  if (a.dtype != b.dtype)
    args.fail(ErrorKind::dtype, fmt::format("dtypes differ ({} vs {})", name(a.dtype), name(b.dtype)),
              "need two matrices of one dtype");
}

void check_number_type(const OpArgs& args, DType dtype) {
  if (dtype == DType::boolean) fail_for_type(args, dtype);
}

void check_inner(const OpArgs& args, SymInt a, SymInt b) {
  if (!(a == b))
    args.fail(ErrorKind::shape, fmt::format("inner sizes differ ({} vs {})", to_string(a), to_string(b)),
              "need lhs.size(-1) == rhs.size(-2)");
}

void check_factor(const OpArgs& args, std::string_view parameter, DType dtype) {
  if (args.scalar(parameter).is_floating() && !is_floating(dtype))
    args.fail(ErrorKind::argument, fmt::format("{} {} is a float, the tensors are {}", parameter,
                                               to_string(args.scalar(parameter)), name(dtype)));
  if (!is_floating(dtype)) check_fills(args, args.scalar(parameter), dtype);
}

void check_expands(const OpArgs& args, const Layout& self, const SymDims& sizes) {
  if (!expand_layout(self, sizes))
    args.fail(ErrorKind::shape,
              fmt::format("self of sizes {} does not expand to {}", to_string(self.sizes), to_string(sizes)));
}

void check_sum_with_product(const OpArgs& args, const TensorMeta& self, const TensorMeta& a, const TensorMeta& b) {
  check_types(args, a, b);
  check_types(args, self, a);
  check_number_type(args, a.dtype);
}

void check_factorisable(const OpArgs& args, const TensorMeta& matrices) {
  if (matrices.layout.rank() < 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", matrices.layout.rank()), "need at least 2 dims");
  if (matrices.dtype != DType::f32 && matrices.dtype != DType::f64) fail_for_type(args, matrices.dtype);
}

void check_square(const OpArgs& args, const Layout& matrices) {
  SymInt rows = matrices.sizes[matrices.rank() - 2], columns = matrices.sizes[matrices.rank() - 1];
  if (!(rows == columns))
    args.fail(ErrorKind::shape, fmt::format("matrices of {} by {}", to_string(rows), to_string(columns)),
              "need square matrices");
}

TensorMeta fresh_like(const TensorMeta& like, const SymDims& sizes) {
  return {like.dtype, like.device, contiguous_layout(sizes)};
}

TensorMeta fresh_columns(const TensorMeta& like, const SymDims& sizes) {
  TensorMeta meta = fresh_like(like, sizes);
  size_t rank = sizes.size();
  if (rank < 2) return meta;
  meta.layout.strides[rank - 2] = 1;
  meta.layout.strides[rank - 1] = max(sizes[rank - 2], 1);
  return meta;
}

Tensor swapped(const Tensor& x, Here here) { return x.transpose(-2, -1, here); }

Tensor copy_columns(const Tensor& x, Here here) { return swapped(clone_contiguous(swapped(x, here), here), here); }

SymDims batch_of(const SymDims& sizes) { return leading(sizes, static_cast<int64_t>(sizes.size()) - 2); }

SymDims broadcast_batch(const OpArgs& args, const SymDims& a, const SymDims& b) {
  std::optional<SymDims> batch = broadcast_sizes(a, b);
  if (!batch)
    args.fail(ErrorKind::shape, fmt::format("batch sizes do not broadcast ({} vs {})", to_string(a), to_string(b)));
  return *batch;
}

Tensor wide_mm(const Tensor& a, const Tensor& b, Here here) {
  if (!is_half(a.dtype())) return mm(a, b, here);
  return apply_one(op_defs::mm_dtype, {a, b, compute_type(a.dtype())}, here);
}

Tensor wide_bmm(const Tensor& a, const Tensor& b, Here here) {
  if (!is_half(a.dtype())) return bmm(a, b, here);
  return apply_one(op_defs::bmm_dtype, {a, b, compute_type(a.dtype())}, here);
}

Tensor sum_with_product(const OpArgs& args, const Tensor& self, Tensor product) {
  DType dtype = self.dtype(), wide = compute_type(dtype);
  Here here = args.here();
  // For integers, a factor loses its fraction.
  auto factor = [&](std::string_view parameter) {
    Scalar number = args.scalar(parameter);
    bool is_kept = is_floating(dtype) || (!is_plain(number) && !number.is_floating());
    return is_kept ? number : Scalar(static_cast<int64_t>(number.to_double()));
  };
  Scalar beta = factor("beta"), alpha = factor("alpha");
  // Times 1 changes nothing: it is left out where that is known.
  auto scaled = [](const Tensor& x, Scalar factor) {
    return is_plain(factor) && factor.to_double() == 1 ? x : x * factor;
  };
  product = scaled(product, alpha);
  if (!graph::ask(graph::NumberQuestion::is_zero, beta, DType::f64, here))
    product = scaled(self.to(wide, here), beta) + product;
  return contiguous(product.to(dtype, here), here);
}

}  // namespace sinter
