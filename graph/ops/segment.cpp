// Runs of elements: reduced each to one (segment_reduce), or made of one each (repeat_interleave, one_hot).

#include <sinter/graph/ops/segment.h>

#include <sinter/graph/ops/check_range.h>
#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/index.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/scatter.h>
#include <sinter/graph/shape_facts.h>

namespace sinter {

namespace {

// --- segment_reduce ---------------------------------------------------------------------------------------------

void check_reduction(const OpArgs& args) {
  const std::string& asked = args["reduce"].string();
  for (std::string_view known : {"sum", "mean", "prod", "max", "min"})
    if (asked == known) return;
  args.fail(ErrorKind::argument, fmt::format("there is no reduction \"{}\"", asked),
            "need sum, mean, prod, max or min");
}

// The sizes of the reduced data: those of the lengths, then data's dims after axis.
SymDims reduced_sizes(const OpArgs& args, const TensorMeta& data) {
  bool by_length = !args["lengths"].is_none();
  if (!by_length && args["offsets"].is_none())
    args.fail(ErrorKind::argument, "neither lengths nor offsets are given", "give one of them");
  std::string_view parameter = by_length ? "lengths" : "offsets";
  check_index_type(args, parameter);
  SymDims sizes = args[parameter].tensor().sizes();
  int64_t axis = wrap_dim(args, args.integer("axis"), data.layout.rank());
  bool fits = !sizes.empty() && axis == int64_t(sizes.size()) - 1 && axis < data.layout.rank();
  for (int64_t i = 0; fits && i < axis; ++i) fits = sizes[i] == data.layout.sizes[i];
  if (!fits)
    args.fail(ErrorKind::shape, fmt::format("{} of sizes {} do not fit axis {} of data of sizes {}", parameter,
                                            to_string(sizes), axis, to_string(data.layout.sizes)));
  if (!by_length) {
    if (sizes.back() < 1) args.fail(ErrorKind::shape, "offsets are empty", "need one more than there are segments");
    sizes.back() -= 1;
  }
  for (int64_t i = axis + 1; i < data.layout.rank(); ++i) sizes.push_back(data.layout.sizes[i]);
  return sizes;
}

Metas segment_reduce_meta(const OpArgs& args) {
  TensorMeta data = args.meta(0);
  check_reduction(args);
  if (!is_floating(data.dtype)) fail_for_type(args, data.dtype);
  if (!args["indices"].is_none()) args.fail(ErrorKind::unsupported, "indices are not supported", "give lengths");
  return {fresh_meta(args, data.dtype, reduced_sizes(args, data))};
}

Metas segment_reduce_backward_meta(const OpArgs& args) {
  TensorMeta data = args.meta(2);
  check_reduction(args);
  if (!is_floating(data.dtype)) fail_for_type(args, data.dtype);
  SymDims wanted = reduced_sizes(args, data);
  for (int slot : {0, 1})
    if (!(args.meta(slot).layout.sizes == wanted))
      args.fail(ErrorKind::shape,
                fmt::format("sizes {} instead of {}", to_string(args.meta(slot).layout.sizes), to_string(wanted)));
  return {fresh_meta(args, data.dtype, data.layout.sizes)};
}

// --- repeat_interleave ------------------------------------------------------------------------------------------

// The position of each element that is repeated, as often as it is. How many there are in all only data tell, unless
// the caller does.
Metas repeat_interleave_meta(const OpArgs& args) {
  TensorMeta repeats = args.meta(0);
  if (is_floating(repeats.dtype) || repeats.dtype == DType::boolean) fail_for_type(args, repeats.dtype);
  if (repeats.layout.rank() != 1)
    args.fail(ErrorKind::shape, fmt::format("repeats has rank {}", repeats.layout.rank()), "need a vector");
  if (!args["output_size"].is_none()) return {fresh_meta(args, repeats.dtype, {args.size("output_size")})};
  return {fresh_meta(args, repeats.dtype, {size_from_data(args, {0, SizeRange::no_high})})};
}

Values run_repeat_each(const OpArgs& args) {
  Here here = args.here();
  Tensor self = args.tensor(0), repeats = args.tensor(1);
  if (repeats.dtype() != i32 && !is_floating(repeats.dtype()) && repeats.dtype() != boolean)
    repeats = repeats.to(i64, here);  // positions in a narrower type would be cut
  bool is_flat = args["dim"].is_none();
  if (is_flat || self.dim() == 0) self = self.reshape({-1}, here);
  int64_t dim = is_flat ? 0 : wrap_dim(args, args.integer("dim"), self.dim());
  SymInt size = self.sizes()[dim];
  if (repeats.dim() == 0 || (repeats.dim() == 1 && is_known_to_be(repeats.sizes()[0], 1)))
    repeats = repeats.reshape({1}, here).expand({size}, here);
  else if (repeats.dim() != 1 || !(repeats.sizes()[0] == size))
    args.fail(ErrorKind::shape, fmt::format("repeats of sizes {} for dim {} of size {}", to_string(repeats.sizes()),
                                            dim, to_string(size)));
  Tensor positions = apply_one(op_defs::repeat_interleave_tensor, {repeats, args["output_size"]}, here);
  return apply(op_defs::index_select_default, {self, dim, positions}, here);
}

Values run_repeat_all(const OpArgs& args) {
  Here here = args.here();
  Tensor self = args.tensor(0);
  SymInt repeats = args.size("repeats");
  if (repeats < 0) args.fail(ErrorKind::argument, fmt::format("repeats {} is negative", to_string(repeats)));
  bool is_flat = args["dim"].is_none();
  if (is_flat || self.dim() == 0) self = self.reshape({-1}, here);
  int64_t dim = is_flat ? 0 : wrap_dim(args, args.integer("dim"), self.dim());
  SymDims sizes = self.sizes();
  SymDims wide = sizes, result = sizes;
  wide.insert(wide.begin() + dim + 1, repeats);
  result[dim] *= repeats;
  return {clone_contiguous(self.unsqueeze(dim + 1, here).expand(wide, here), here).view(result, here)};
}

// --- one_hot ----------------------------------------------------------------------------------------------------

SymInt class_count(const OpArgs& args) {
  SymInt classes = args.size("num_classes");
  if (is_unbacked(classes)) return classes;
  const Tensor self = args.tensor(0);
  if (classes < -1 || (classes == 0 && !(self.numel() == 0)))
    args.fail(ErrorKind::argument, fmt::format("num_classes {}", to_string(classes)), "need a positive number, or -1");
  if (classes >= 0) return classes;
  if (self.is_fake() && !graph::active_shape_facts())
    args.fail(ErrorKind::trace, "how many classes there are is known only from data, which a fake tensor does not have",
              "pass num_classes");
  if (self.numel() == 0) args.fail(ErrorKind::argument, "an empty tensor does not tell how many classes there are");
  return amax(self, {}, false, args.here()).item(args.here()).size() + 1;
}

Metas one_hot_meta(const OpArgs& args) {
  check_long(args, "self");
  SymDims sizes = args.meta(0).layout.sizes;
  sizes.push_back(class_count(args));
  return {fresh_meta(args, i64, sizes)};
}

// 1 where the class is the position along the last dim.
Values run_one_hot(const OpArgs& args) {
  Here here = args.here();
  Tensor self = contiguous(args.tensor(0), here);
  SymInt classes = class_count(args);
  check_elements(args, self, 0, classes - 1, "class {} is none of {size} classes", "");
  Tensor positions = arange(classes, i64, here);
  return {eq(self.unsqueeze(-1, here), positions, here).to(i64, here)};
}

// Where the forward pass read an element, its gradient is added.
Values run_gather_backward(const OpArgs& args) {
  Tensor zero = zeros(args.meta(1).layout.sizes, args.meta(0).dtype, args.here());
  return apply(op_defs::scatter_add_default, {zero, args["dim"], args["index"], args[0]}, args.here());
}

}  // namespace

// With the number of classes, where the data tell it.
Values with_class_count(const OpArgs& args) {
  if (!args["num_classes"].sym_int().same(-1) || !graph::active_shape_facts()) return {};
  check_long(args, "self");
  return {args[0], check_size(class_count(args), 0, SizeRange::no_high, args.here())};
}

namespace op_defs {

constinit const OpDef segment_reduce_default = routine(
    "aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, "
    "Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor",
    segment_reduce_meta);
constinit const OpDef segment_reduce_backward_default = routine(
    "aten::_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, Tensor? lengths=None, "
    "Tensor? offsets=None, int axis=0, Scalar? initial=None) -> Tensor",
    segment_reduce_backward_meta);

constinit const OpDef repeat_interleave_tensor = sized_by_data(
    "aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor", repeat_interleave_meta);
constinit const OpDef repeat_interleave_self_tensor = composite(
    "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> "
    "Tensor",
    run_repeat_each);
constinit const OpDef repeat_interleave_self_int = decomposed(
    "aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> "
    "Tensor",
    run_repeat_all);

constinit const OpDef one_hot_default =
    decomposed("aten::one_hot(Tensor self, int num_classes=-1) -> Tensor", run_one_hot, one_hot_meta);
constinit const OpDef gather_backward_default =
    decomposed("aten::gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> Tensor",
               run_gather_backward);

}  // namespace op_defs

}  // namespace sinter
