// cat and stack.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/join.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

// ATen lets tensors of sizes [0] stand beside tensors of any rank.
bool is_skipped(const Tensor& tensor) { return tensor.dim() == 1 && tensor.sizes()[0] == 0; }

Metas cat_meta(const OpArgs& args) {
  std::vector<Tensor> tensors = args.tensors("tensors");
  if (tensors.empty()) args.fail(ErrorKind::argument, "the list of tensors is empty");
  SmallVector<TypedOperand, 6> operands;
  const Tensor* first = nullptr;
  for (const Tensor& tensor : tensors) {
    if (tensor.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim tensor has no dim to join along");
    operands.push_back({tensor.dtype(), Rank::dense});
    if (!is_skipped(tensor) && !first) first = &tensor;
  }
  DType dtype = result_type(operands);
  if (!first) {
    wrap_dim(args, args.integer("dim"), 1);
    return {{dtype, tensors[0].device(), contiguous_layout({0})}};
  }
  int64_t dim = wrap_dim(args, args.integer("dim"), first->dim());
  SymDims sizes = first->sizes();
  sizes[dim] = 0;
  for (const Tensor& tensor : tensors) {
    if (is_skipped(tensor)) continue;
    bool fits = tensor.dim() == first->dim();
    for (int64_t i = 0; fits && i < tensor.dim(); ++i) fits = i == dim || tensor.sizes()[i] == sizes[i];
    if (!fits)
      args.fail(ErrorKind::shape, fmt::format("sizes differ beside dim {} ({} vs {})", dim, to_string(first->sizes()),
                                              to_string(tensor.sizes())));
    sizes[dim] += tensor.sizes()[dim];
  }
  return {{dtype, first->device(), contiguous_layout(sizes)}};
}

Values run_stack(const OpArgs& args) {
  std::vector<Tensor> tensors = args.tensors("tensors");
  if (tensors.empty()) args.fail(ErrorKind::argument, "the list of tensors is empty");
  int64_t dim = wrap_dim(args, args.integer("dim"), tensors[0].dim() + 1);
  std::vector<Tensor> rows;
  for (const Tensor& tensor : tensors) {
    if (!(tensor.sizes() == tensors[0].sizes()))
      args.fail(ErrorKind::shape,
                fmt::format("sizes differ ({} vs {})", to_string(tensors[0].sizes()), to_string(tensor.sizes())),
                "need tensors of equal sizes");
    rows.push_back(tensor.unsqueeze(dim, args.here()));
  }
  return {cat(rows, dim, args.here())};
}

}  // namespace

namespace op_defs {

constinit const OpDef cat_default = {
    .signature = "aten::cat(Tensor[] tensors, int dim=0) -> Tensor",
    .meta = cat_meta,
    .structured = Structured::cat,
};
constinit const OpDef stack_default = decomposed("aten::stack(Tensor[] tensors, int dim=0) -> Tensor", run_stack);

}  // namespace op_defs

Tensor cat(const std::vector<Tensor>& tensors, int64_t dim, Here here) {
  return apply_one(op_defs::cat_default, {tensors, dim}, here);
}
Tensor stack(const std::vector<Tensor>& tensors, int64_t dim, Here here) {
  return apply_one(op_defs::stack_default, {tensors, dim}, here);
}

}  // namespace sinter
