// Views that are copied: the _copy forms, row-major.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/rearrange.h>
#include <sinter/graph/ops/view.h>
#include <sinter/graph/ops/view_copy.h>

namespace sinter {

namespace {

template <const OpDef& view>
Values run_copy_of(const OpArgs& args) {
  return {clone_contiguous(apply(view, args.values(), {}, args.here())[0].tensor(), args.here())};
}

// Any sizes that hold the elements, also where no view has them.
Values run_view_copy(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Tensor seen = self.reshape(args.sizes("size"), args.here());
  bool is_copy = seen.storage().get() != self.storage().get();
  return {is_copy ? seen : clone_contiguous(seen, args.here())};
}

template <const OpDef& view>
constexpr OpDef copy_of(std::string_view signature) {
  return decomposed(signature, run_copy_of<view>);
}

}  // namespace

namespace op_defs {

constinit const OpDef alias_copy_default = copy_of<alias_default>("aten::alias_copy(Tensor self) -> Tensor");
constinit const OpDef detach_copy_default = copy_of<detach_default>("aten::detach_copy(Tensor self) -> Tensor");
constinit const OpDef lift_fresh_copy_default = copy_of<alias_default>("aten::lift_fresh_copy(Tensor self) -> Tensor");
constinit const OpDef view_copy_default =
    decomposed("aten::view_copy(Tensor self, SymInt[] size) -> Tensor", run_view_copy);
constinit const OpDef reshape_copy_default =
    decomposed("aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor", run_view_copy);
constinit const OpDef reshape_alias_copy_default =
    copy_of<reshape_alias_default>("aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor");
constinit const OpDef permute_copy_default =
    copy_of<permute_default>("aten::permute_copy(Tensor self, int[] dims) -> Tensor");
constinit const OpDef transpose_copy_int =
    copy_of<transpose_int>("aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor");
constinit const OpDef t_copy_default = copy_of<t_default>("aten::t_copy(Tensor self) -> Tensor");
constinit const OpDef unsqueeze_copy_default =
    copy_of<unsqueeze_default>("aten::unsqueeze_copy(Tensor self, int dim) -> Tensor");
constinit const OpDef squeeze_copy_default = copy_of<squeeze_default>("aten::squeeze_copy(Tensor self) -> Tensor");
constinit const OpDef squeeze_copy_dim = copy_of<squeeze_dim>("aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor");
constinit const OpDef squeeze_copy_dims =
    copy_of<squeeze_dims>("aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor");
constinit const OpDef expand_copy_default =
    copy_of<expand_default>("aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor");
constinit const OpDef select_copy_int =
    copy_of<select_int>("aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor");
constinit const OpDef slice_copy_tensor = copy_of<slice_tensor>(
    "aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor");
constinit const OpDef narrow_copy_default =
    copy_of<narrow_default>("aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor");
constinit const OpDef unfold_copy_default =
    copy_of<unfold_default>("aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor");
// Two nodes at once: the view may reach past its argument, into storage that a single node would not name.
constinit const OpDef as_strided_copy_default = composite(
    "aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor",
    run_copy_of<as_strided_default>);

}  // namespace op_defs

}  // namespace sinter
