// The gated linear unit: the first half of a dim times the sigmoid of the second.

#include <sinter/graph/ops/glu.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/activation.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

struct Halves {
  Tensor first, gate;  // in compute type; gate: the sigmoid of the second half
  int64_t dim;
};

Halves halves_of(const OpArgs& args, const Tensor& self) {
  if (!is_floating(self.dtype())) fail_for_type(args, self.dtype());
  if (self.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim tensor has no halves");
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  SymInt size = self.sizes()[dim], half = floor_div(size, 2);
  if (!(size == half * 2))
    args.fail(ErrorKind::shape, fmt::format("dim {} has the odd size {}", dim, to_string(size)),
              "need a dim of even size");
  DType wide = compute_type(self.dtype());
  return {narrow(self, dim, 0, half).to(wide), sigmoid(narrow(self, dim, half, half).to(wide)), dim};
}

Values run_glu(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Halves halves = halves_of(args, self);
  return {(halves.first * halves.gate).to(self.dtype())};
}

Values run_glu_backward(const OpArgs& args) {
  Tensor self = args.tensor(1);
  Halves halves = halves_of(args, self);
  if (!(args.tensor(0).sizes() == halves.first.sizes()))
    args.fail(ErrorKind::shape, fmt::format("the gradient has sizes {}, the result of glu {}",
                                            to_string(args.tensor(0).sizes()), to_string(halves.first.sizes())));
  Tensor first_grad = args.tensor(0).to(halves.gate.dtype()) * halves.gate;
  Tensor second_grad = first_grad * (1.0 - halves.gate) * halves.first;
  return {cat({first_grad, second_grad}, halves.dim).to(self.dtype())};
}

}  // namespace

namespace op_defs {

constinit const OpDef glu_default = decomposed("aten::glu(Tensor self, int dim=-1) -> Tensor", run_glu);
constinit const OpDef glu_backward_default =
    decomposed("aten::glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor", run_glu_backward);

}  // namespace op_defs

Tensor glu(const Tensor& x, int64_t dim, Here here) { return apply_one(op_defs::glu_default, {x, dim}, here); }

}  // namespace sinter
