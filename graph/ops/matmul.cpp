// Matrix products: mm and bmm are library calls, the rest is made of them.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/matmul.h>
#include <sinter/graph/ops/matrix_arguments.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

// The type asked for by argument out_dtype: that of the matrices, or f32 for halves.
DType result_type_of(const OpArgs& args, DType dtype) {
  if (args.op().schema().find("out_dtype") < 0) return dtype;
  DType asked = args["out_dtype"].dtype();
  if (asked != dtype && !(is_half(dtype) && asked == DType::f32))
    args.fail(ErrorKind::dtype, fmt::format("out_dtype is {}", name(asked)),
              fmt::format("need {} or, for halves, f32", name(dtype)));
  return asked;
}

Metas mm_meta(const OpArgs& args) {
  check_rank(args, "self", 2);
  check_rank(args, "mat2", 2);
  TensorMeta a = args.meta(0), b = args.meta(1);
  check_inner(args, a.layout.sizes[1], b.layout.sizes[0]);
  check_types(args, a, b);
  check_number_type(args, a.dtype);
  return {{result_type_of(args, a.dtype), a.device, contiguous_layout({a.layout.sizes[0], b.layout.sizes[1]})}};
}

Metas bmm_meta(const OpArgs& args) {
  check_rank(args, "self", 3);
  check_rank(args, "mat2", 3);
  TensorMeta a = args.meta(0), b = args.meta(1);
  if (!(a.layout.sizes[0] == b.layout.sizes[0]))
    args.fail(ErrorKind::shape,
              fmt::format("batch sizes differ ({} vs {})", to_string(a.layout.sizes[0]), to_string(b.layout.sizes[0])));
  check_inner(args, a.layout.sizes[2], b.layout.sizes[1]);
  check_types(args, a, b);
  check_number_type(args, a.dtype);
  return {{result_type_of(args, a.dtype), a.device,
           contiguous_layout({a.layout.sizes[0], a.layout.sizes[1], b.layout.sizes[2]})}};
}

// --- addmm ------------------------------------------------------------------------------------------------------

Metas addmm_meta(const OpArgs& args) {
  check_rank(args, "mat1", 2);
  check_rank(args, "mat2", 2);
  TensorMeta self = args.meta(0), a = args.meta(1), b = args.meta(2);
  check_inner(args, a.layout.sizes[1], b.layout.sizes[0]);
  check_sum_with_product(args, self, a, b);
  check_factor(args, "beta", a.dtype);
  check_factor(args, "alpha", a.dtype);
  SymDims sizes = {a.layout.sizes[0], b.layout.sizes[1]};
  check_expands(args, self.layout, sizes);
  return {{a.dtype, a.device, contiguous_layout(sizes)}};
}

Values run_addmm(const OpArgs& args) {
  return {sum_with_product(args, args.tensor(0), wide_mm(args.tensor(1), args.tensor(2), args.here()))};
}

Values run_addmm_activation(const OpArgs& args) {
  Tensor sum = apply(op_defs::addmm_default, args.values().first(5), {}, args.here())[0].tensor();
  return {args.flag("use_gelu") ? gelu(sum, "none", args.here()) : relu(sum, args.here())};
}

// --- matmul and linear ------------------------------------------------------------------------------------------

// Both of at least 2 dims, one of more than 2.
Tensor batched(const OpArgs& args, const Tensor& a, const Tensor& b) {
  Here here = args.here();
  SymInt m = a.size(-2), k = a.size(-1), n = b.size(-1);
  check_inner(args, k, b.size(-2));
  SymDims a_batch = batch_of(a.sizes()), b_batch = batch_of(b.sizes());
  if (b_batch.empty()) {  // one right-hand side: the batch is more rows
    Tensor rows = a.reshape({numel(a_batch) * m, k}, here);
    return mm(rows, b, here).view(joined(a_batch, {m, n}), here);
  }
  SymDims batch = broadcast_batch(args, a_batch, b_batch);
  SymInt count = numel(batch);
  Tensor left = a.expand(joined(batch, {m, k}), here).reshape({count, m, k}, here);
  Tensor right = b.expand(joined(batch, {k, n}), here).reshape({count, k, n}, here);
  return bmm(left, right, here).view(joined(batch, {m, n}), here);
}

Values run_matmul(const OpArgs& args) {
  Tensor a = args.tensor(0), b = args.tensor(1);
  Here here = args.here();
  if (a.dim() == 0 || b.dim() == 0)
    args.fail(ErrorKind::shape, fmt::format("a zero-dim tensor is no matrix ({} and {} dims)", a.dim(), b.dim()));
  check_types(args, a.meta(), b.meta());
  bool drops_rows = a.dim() == 1, drops_columns = b.dim() == 1;
  if (drops_rows) a = a.unsqueeze(0, here);
  if (drops_columns) b = b.unsqueeze(1, here);
  check_inner(args, a.size(-1), b.size(-2));
  Tensor product = a.dim() == 2 && b.dim() == 2 ? mm(a, b, here) : batched(args, a, b);
  if (drops_columns) product = product.squeeze(-1, here);
  if (drops_rows) product = product.squeeze(drops_columns ? -1 : -2, here);
  return {product};
}

Values run_linear(const OpArgs& args) {
  Tensor input = args.tensor(0), weight = args.tensor(1);
  Here here = args.here();
  if (weight.dim() != 1 && weight.dim() != 2)
    args.fail(ErrorKind::shape, fmt::format("the weight has {} dims", weight.dim()),
              "need a weight of 1 or 2 dims: [out, in]");
  if (input.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim input has no features");
  check_inner(args, input.size(-1), weight.size(-1));
  check_types(args, input.meta(), weight.meta());
  if (weight.dim() == 1) {  // one output feature, whose dim goes away
    Tensor product = matmul(input, weight, here);
    if (args["bias"].is_none()) return {product};
    Tensor sum = product + args["bias"].tensor();
    if (!(sum.sizes() == product.sizes()))
      args.fail(ErrorKind::shape,
                fmt::format("the bias does not broadcast to the result's sizes {}", to_string(product.sizes())));
    return {sum};
  }
  SymDims lead = leading(input.sizes(), input.dim() - 1);
  Tensor rows = input.reshape({numel(lead), input.size(-1)}, here);
  Tensor product = wide_mm(rows, weight.t(here), here).view(joined(lead, {weight.size(0)}), here);
  if (!args["bias"].is_none()) {
    Tensor bias = args["bias"].tensor();
    check_types(args, input.meta(), bias.meta());
    product = product + bias.to(product.dtype(), here);
  }
  return {contiguous(product.to(input.dtype(), here), here)};
}

}  // namespace

namespace op_defs {

constinit const OpDef mm_default = {
    .signature = "aten::mm(Tensor self, Tensor mat2) -> Tensor", .meta = mm_meta, .library = Library::mm};
constinit const OpDef bmm_default = {
    .signature = "aten::bmm(Tensor self, Tensor mat2) -> Tensor", .meta = bmm_meta, .library = Library::bmm};
// The result may be f32 for f16 and bf16 matrices.
constinit const OpDef mm_dtype = {
    .signature = "aten::mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor",
    .meta = mm_meta,
    .library = Library::mm};
constinit const OpDef bmm_dtype = {
    .signature = "aten::bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor",
    .meta = bmm_meta,
    .library = Library::bmm};
constinit const OpDef addmm_default =
    decomposed("aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
               run_addmm, addmm_meta);
constinit const OpDef addmm_inplace_default =
    inplace("aten::addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)",
            addmm_default);
constinit const OpDef addmm_activation_default = decomposed(
    "aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool "
    "use_gelu=False) -> Tensor",
    run_addmm_activation);
constinit const OpDef matmul_default = composite("aten::matmul(Tensor self, Tensor other) -> Tensor", run_matmul);
constinit const OpDef linalg_matmul_default =
    composite("aten::linalg_matmul(Tensor self, Tensor other) -> Tensor", run_matmul);
constinit const OpDef linear_default =
    decomposed("aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", run_linear);

}  // namespace op_defs

Tensor mm(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::mm_default, {a, b}, here); }
Tensor bmm(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::bmm_default, {a, b}, here); }
Tensor addmm(const Tensor& self, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha, Here here) {
  return apply_one(op_defs::addmm_default, {self, a, b, beta, alpha}, here);
}
Tensor matmul(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::matmul_default, {a, b}, here); }
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias, Here here) {
  return apply_one(op_defs::linear_default, {input, weight, bias}, here);
}

}  // namespace sinter
