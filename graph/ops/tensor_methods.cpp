// The operators as methods of Tensor.

#include <sinter/graph/ops/activation.h>
#include <sinter/graph/ops/arithmetic.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/view.h>

namespace sinter {

namespace d = op_defs;

Tensor Tensor::operator[](LocatedIndex at) const { return select(0, at.index, at.here); }
Tensor Tensor::view(SymDims sizes, Here here) const { return apply_one(d::view_default, {*this, sizes}, here); }
Tensor Tensor::reshape(SymDims sizes, Here here) const { return apply_one(d::reshape_default, {*this, sizes}, here); }
Tensor Tensor::permute(Dims dims, Here here) const { return apply_one(d::permute_default, {*this, dims}, here); }
Tensor Tensor::transpose(int64_t dim0, int64_t dim1, Here here) const {
  return apply_one(d::transpose_int, {*this, dim0, dim1}, here);
}
Tensor Tensor::t(Here here) const { return apply_one(d::t_default, {*this}, here); }
Tensor Tensor::unsqueeze(int64_t dim, Here here) const { return apply_one(d::unsqueeze_default, {*this, dim}, here); }
Tensor Tensor::squeeze(Here here) const { return apply_one(d::squeeze_default, {*this}, here); }
Tensor Tensor::squeeze(int64_t dim, Here here) const { return apply_one(d::squeeze_dim, {*this, dim}, here); }
Tensor Tensor::expand(SymDims sizes, Here here) const { return apply_one(d::expand_default, {*this, sizes}, here); }
Tensor Tensor::select(int64_t dim, SymInt index, Here here) const {
  return apply_one(d::select_int, {*this, dim, index}, here);
}
Tensor Tensor::slice(int64_t dim, std::optional<SymInt> start, std::optional<SymInt> end, SymInt step,
                     Here here) const {
  return apply_one(d::slice_tensor, {*this, dim, start, end, step}, here);
}
Tensor Tensor::contiguous(Here here) const { return sinter::contiguous(*this, here); }
Tensor Tensor::clone(Here here) const { return sinter::clone(*this, here); }
Tensor Tensor::to(DType dtype, Here here) const { return apply_one(d::to_dtype, {*this, dtype}, here); }
Tensor Tensor::to(Device device, Here here) const { return apply_one(d::to_device, {*this, device, dtype()}, here); }
Tensor Tensor::sum(Here here) const { return sinter::sum(*this, here); }
Tensor Tensor::sum(Dims dims, bool keepdim, Here here) const { return sinter::sum(*this, dims, keepdim, {}, here); }
Tensor Tensor::mean(Here here) const { return sinter::mean(*this, here); }
Tensor Tensor::mean(Dims dims, bool keepdim, Here here) const { return sinter::mean(*this, dims, keepdim, {}, here); }

namespace {

const Tensor& written(const Tensor& self, const OpDef& op, std::initializer_list<Value> args, Here here) {
  apply(op, args, here);
  return self;
}

}  // namespace

const Tensor& Tensor::add_(const Tensor& other, Scalar alpha, Here here) const {
  return written(*this, d::add_inplace_tensor, {*this, other, alpha}, here);
}
const Tensor& Tensor::add_(Scalar other, Scalar alpha, Here here) const {
  return written(*this, d::add_inplace_scalar, {*this, other, alpha}, here);
}
const Tensor& Tensor::sub_(const Tensor& other, Scalar alpha, Here here) const {
  return written(*this, d::sub_inplace_tensor, {*this, other, alpha}, here);
}
const Tensor& Tensor::sub_(Scalar other, Scalar alpha, Here here) const {
  return written(*this, d::sub_inplace_scalar, {*this, other, alpha}, here);
}
const Tensor& Tensor::mul_(const Tensor& other, Here here) const {
  return written(*this, d::mul_inplace_tensor, {*this, other}, here);
}
const Tensor& Tensor::mul_(Scalar other, Here here) const {
  return written(*this, d::mul_inplace_scalar, {*this, other}, here);
}
const Tensor& Tensor::div_(const Tensor& other, Here here) const {
  return written(*this, d::div_inplace_tensor, {*this, other}, here);
}
const Tensor& Tensor::div_(Scalar other, Here here) const {
  return written(*this, d::div_inplace_scalar, {*this, other}, here);
}
const Tensor& Tensor::copy_(const Tensor& source, Here here) const {
  return written(*this, d::copy_inplace_default, {*this, source}, here);
}
const Tensor& Tensor::fill_(Scalar value, Here here) const {
  return written(*this, d::fill_inplace_scalar, {*this, value}, here);
}
const Tensor& Tensor::zero_(Here here) const { return written(*this, d::zero_inplace_default, {*this}, here); }
const Tensor& Tensor::relu_(Here here) const { return written(*this, d::relu_inplace_default, {*this}, here); }

}  // namespace sinter
