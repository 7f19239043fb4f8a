// Pads: constant, reflected, replicated and circular, and the gradients of the middle two.

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/memory_format.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/pad.h>
#include <sinter/graph/ops/reindex.h>

#include <algorithm>

namespace sinter {

namespace {

template <class List>
void fill_widths(const List& list, int64_t rank, List& before, List& after) {
  before = after = List(rank, 0);
  for (size_t i = 0; i + 1 < list.size(); i += 2) {
    int64_t dim = rank - 1 - static_cast<int64_t>(i / 2);
    before[dim] = list[i];
    after[dim] = list[i + 1];
  }
}

}  // namespace

PadWidths padding_of(const Dims& list, int64_t rank) {
  PadWidths padding;
  fill_widths(list, rank, padding.before, padding.after);
  return padding;
}

namespace {

// The same of amounts that may be symbolic.
struct SymPadWidths {
  SymDims before, after;
};
SymPadWidths padding_of(const SymDims& list, int64_t rank) {
  SymPadWidths padding;
  fill_widths(list, rank, padding.before, padding.after);
  return padding;
}

template <class Widths>
SymDims padded_sizes(const SymDims& sizes, const Widths& padding) {
  SymDims padded = sizes;
  for (size_t dim = 0; dim < sizes.size(); ++dim) padded[dim] += padding.before[dim] + padding.after[dim];
  return padded;
}

template <class Widths>
Tensor padded(const Tensor& x, const Widths& padding, const Layout& result, const char* outside, Scalar fill,
              Here here) {
  Reindexing by(result.sizes);
  by.strides = result.strides;
  for (size_t dim = 0; dim < by.start.size(); ++dim) by.start[dim] = -SymInt(padding.before[dim]);
  by.outside = outside;
  by.fill = fill;
  return reindex(x, by, here);
}

template <class List>
void check_pairs(const OpArgs& args, const List& list, int64_t rank) {
  if (list.size() % 2 != 0)
    args.fail(ErrorKind::argument, fmt::format("{} numbers to pad by", list.size()), "need two for each padded dim");
  if (static_cast<int64_t>(list.size()) > 2 * rank)
    args.fail(ErrorKind::argument, fmt::format("pads {} dims of a tensor of rank {}", list.size() / 2, rank));
}

void check_sizes(const OpArgs& args, const SymDims& sizes, int64_t least) {
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] < least)
      args.fail(ErrorKind::shape, fmt::format("dim {} of the result would have size {}", dim, to_string(sizes[dim])));
}

// --- Constant ---------------------------------------------------------------------------------------------------

// A size that only data tell is one.
bool only_cuts(const SymDims& list) {
  return std::all_of(list.begin(), list.end(), [](SymInt amount) { return !is_unbacked(amount) && amount <= 0; });
}

// Where the padded tensor's kept elements lie in itself.
Layout kept_part(const Layout& self, const SymPadWidths& padding, const SymDims& sizes) {
  Layout kept{sizes, self.strides, self.offset};
  for (size_t dim = 0; dim < sizes.size(); ++dim) kept.offset -= self.strides[dim] * padding.before[dim];
  return kept;
}

Metas constant_pad_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  SymDims list = args.sizes("pad");
  check_pairs(args, list, self.layout.rank());
  SymPadWidths padding = padding_of(list, self.layout.rank());
  SymDims sizes = padded_sizes(self.layout.sizes, padding);
  check_sizes(args, sizes, 0);
  check_fills(args, args.scalar("value"), self.dtype);
  // A pad that only cuts is a copy of a view, with the view's memory order.
  SymDims strides = only_cuts(list) ? preserved_strides(kept_part(self.layout, padding, sizes))
                                    : suggested_strides(sizes, self.layout);
  return {{self.dtype, self.device, {sizes, strides, 0}}};
}

Values run_constant_pad(const OpArgs& args) {
  Tensor self = args.tensor(0);
  return {padded(self, padding_of(args.sizes("pad"), self.dim()), constant_pad_meta(args)[0].layout, "fill",
                 args.scalar("value"), args.here())};
}

// --- Reflection and replication ---------------------------------------------------------------------------------

enum class Edge { reflection, replication };

// Sizes of the padded result of an op that pads the last `dims` dims.
SymDims check_edge_pad(const OpArgs& args, const Layout& self, int64_t dims, Edge edge) {
  Dims list = args.dims("padding");
  if (static_cast<int64_t>(list.size()) != 2 * dims)
    args.fail(ErrorKind::argument, fmt::format("{} numbers to pad by", list.size()), fmt::format("need {}", 2 * dims));
  int64_t rank = self.rank();
  if (rank != dims + 1 && rank != dims + 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", rank),
              fmt::format("need rank {} or {}", dims + 1, dims + 2));
  for (int64_t dim = rank == dims + 2 ? 1 : 0; dim < rank; ++dim)
    if (self.sizes[dim] == 0)
      args.fail(ErrorKind::shape, fmt::format("dim {} is empty", dim), "only the batch may be empty");
  PadWidths padding = padding_of(list, rank);
  for (int64_t dim = rank - dims; edge == Edge::reflection && dim < rank; ++dim)
    if (self.sizes[dim] <= padding.before[dim] || self.sizes[dim] <= padding.after[dim])
      args.fail(ErrorKind::argument,
                fmt::format("pads dim {} of size {} by {} and {}", dim, to_string(self.sizes[dim]), padding.before[dim],
                            padding.after[dim]),
                "need less than the dim's size");
  SymDims sizes = padded_sizes(self.sizes, padding);
  for (int64_t dim = rank - dims; dim < rank; ++dim)
    if (sizes[dim] < 1)
      args.fail(ErrorKind::shape, fmt::format("dim {} of the result would have size {}", dim, to_string(sizes[dim])));
  return sizes;
}

template <int64_t dims, Edge edge>
Metas edge_pad_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  if (self.dtype == DType::boolean) fail_for_type(args, self.dtype);
  SymDims sizes = check_edge_pad(args, self.layout, dims, edge);
  return {{self.dtype, self.device, {sizes, suggested_strides(sizes, self.layout), 0}}};
}

template <int64_t dims, Edge edge>
Values run_edge_pad(const OpArgs& args) {
  Tensor self = args.tensor(0);
  return {padded(self, padding_of(args.dims("padding"), self.dim()), edge_pad_meta<dims, edge>(args)[0].layout,
                 edge == Edge::reflection ? "mirror" : "clamp", 0, args.here())};
}

template <int64_t dims, Edge edge>
constexpr OpDef edge_pad(std::string_view signature) {
  return decomposed(signature, run_edge_pad<dims, edge>, edge_pad_meta<dims, edge>);
}

template <int64_t dims, Edge edge>
Metas edge_pad_backward_meta(const OpArgs& args) {
  TensorMeta grad = args.meta(0), self = args.meta(1);
  if (!is_floating(grad.dtype)) fail_for_type(args, grad.dtype);
  SymDims sizes = check_edge_pad(args, self.layout, dims, edge);
  if (!(grad.layout.sizes == sizes))
    args.fail(ErrorKind::shape,
              fmt::format("the gradient has sizes {}, not {}", to_string(grad.layout.sizes), to_string(sizes)));
  return {{grad.dtype, grad.device, {self.layout.sizes, suggested_strides(self.layout.sizes, self.layout), 0}}};
}

template <int64_t dims, Edge edge>
constexpr OpDef edge_pad_backward(std::string_view signature) {
  return routine(signature, edge_pad_backward_meta<dims, edge>);
}

// --- Circular, and any of them by name --------------------------------------------------------------------------

Metas circular_pad_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  Dims list = args.dims("pad");
  int64_t rank = self.layout.rank(), padded_dims = static_cast<int64_t>(list.size() / 2);
  check_pairs(args, list, rank);
  if (rank != padded_dims + 1 && rank != padded_dims + 2)
    args.fail(ErrorKind::argument, fmt::format("pads {} dims of a tensor of rank {}", padded_dims, rank),
              "need one or two dims that are not padded");
  PadWidths padding = padding_of(list, rank);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (self.layout.sizes[dim] < padding.before[dim] || self.layout.sizes[dim] < padding.after[dim])
      args.fail(ErrorKind::argument,
                fmt::format("pads dim {} of size {} by {} and {}", dim, to_string(self.layout.sizes[dim]),
                            padding.before[dim], padding.after[dim]),
                "need at most the dim's size: it goes round once");
  SymDims sizes = padded_sizes(self.layout.sizes, padding);
  check_sizes(args, sizes, 0);
  return {{self.dtype, self.device, contiguous_layout(sizes)}};
}

// What is taken away does not come round again.
Values run_circular_pad(const OpArgs& args) {
  Tensor self = args.tensor(0);
  PadWidths padding = padding_of(args.dims("pad"), self.dim());
  for (int64_t dim = 0; dim < self.dim(); ++dim) {
    int64_t& before = padding.before[dim];
    int64_t& after = padding.after[dim];
    if (before >= 0 && after >= 0) continue;
    SymInt end = self.sizes()[dim] + std::min<int64_t>(after, 0);
    self = self.slice(dim, std::max<int64_t>(-before, 0), end, 1, args.here());
    before = std::max<int64_t>(before, 0);
    after = std::max<int64_t>(after, 0);
  }
  return {padded(self, padding, contiguous_layout(padded_sizes(self.sizes(), padding)), "wrap", 0, args.here())};
}

// In the order of _pad_enum's numbers.
constexpr std::string_view modes[] = {"constant", "reflect", "replicate", "circular"};

const OpDef& edge_pad_op(const OpArgs& args, std::string_view mode, int64_t rank, size_t amounts) {
  const OpDef* reflections[] = {&op_defs::reflection_pad1d_default, &op_defs::reflection_pad2d_default,
                                &op_defs::reflection_pad3d_default};
  const OpDef* replications[] = {&op_defs::replication_pad1d_default, &op_defs::replication_pad2d_default,
                                 &op_defs::replication_pad3d_default};
  int64_t dims = static_cast<int64_t>(amounts / 2);
  bool fits = amounts % 2 == 0 && dims >= 1 && dims <= 3 && (rank == dims + 1 || rank == dims + 2);
  if (!fits)
    args.fail(ErrorKind::argument, fmt::format("mode {} by {} numbers of a tensor of rank {}", mode, amounts, rank),
              "need the last 1, 2 or 3 dims of a tensor with one or two more");
  return mode == "reflect" ? *reflections[dims - 1] : *replications[dims - 1];
}

Values pad_by_mode(const OpArgs& args, std::string_view mode) {
  const Value &self = args[0], &pad = args["pad"], &value = args["value"];
  if (mode == "constant")
    return {
        apply_one(op_defs::constant_pad_nd_default, {self, pad, value.is_none() ? Value(0.0) : value}, args.here())};
  if (!value.is_none() && value.scalar().to_double() != 0)
    args.fail(ErrorKind::argument, fmt::format("mode {} takes no value", mode));
  if (mode == "circular") return {apply_one(op_defs::pad_circular_default, {self, pad}, args.here())};
  const OpDef& op = edge_pad_op(args, mode, args.meta(0).layout.rank(), pad.list().size());
  return {apply_one(op, {self, pad}, args.here())};
}

Values run_pad(const OpArgs& args) {
  const std::string& mode = args["mode"].string();
  if (std::find(std::begin(modes), std::end(modes), mode) == std::end(modes))
    args.fail(ErrorKind::argument, fmt::format("there is no mode `{}`", mode),
              "need constant, reflect, replicate or circular");
  return pad_by_mode(args, mode);
}

Values run_pad_enum(const OpArgs& args) {
  int64_t mode = args.integer("mode");
  if (mode < 0 || mode > 3) args.fail(ErrorKind::argument, fmt::format("there is no mode {}", mode), "need 0 to 3");
  return pad_by_mode(args, modes[mode]);
}

}  // namespace

namespace op_defs {

constinit const OpDef constant_pad_nd_default = decomposed(
    "aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", run_constant_pad, constant_pad_meta);
constinit const OpDef pad_default =
    composite("aten::pad(Tensor self, SymInt[] pad, str mode='constant', float? value=None) -> Tensor", run_pad);
constinit const OpDef pad_enum_default =
    composite("aten::_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor", run_pad_enum);
constinit const OpDef pad_circular_default =
    decomposed("aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor", run_circular_pad, circular_pad_meta);

constinit const OpDef reflection_pad1d_default =
    edge_pad<1, Edge::reflection>("aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor");
constinit const OpDef reflection_pad2d_default =
    edge_pad<2, Edge::reflection>("aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor");
constinit const OpDef reflection_pad3d_default =
    edge_pad<3, Edge::reflection>("aten::reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor");
constinit const OpDef replication_pad1d_default =
    edge_pad<1, Edge::replication>("aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor");
constinit const OpDef replication_pad2d_default =
    edge_pad<2, Edge::replication>("aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor");
constinit const OpDef replication_pad3d_default =
    edge_pad<3, Edge::replication>("aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor");

constinit const OpDef reflection_pad1d_backward_default = edge_pad_backward<1, Edge::reflection>(
    "aten::reflection_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor");
constinit const OpDef reflection_pad2d_backward_default = edge_pad_backward<2, Edge::reflection>(
    "aten::reflection_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor");
constinit const OpDef reflection_pad3d_backward_default = edge_pad_backward<3, Edge::reflection>(
    "aten::reflection_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor");
constinit const OpDef replication_pad1d_backward_default = edge_pad_backward<1, Edge::replication>(
    "aten::replication_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor");
constinit const OpDef replication_pad2d_backward_default = edge_pad_backward<2, Edge::replication>(
    "aten::replication_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor");
constinit const OpDef replication_pad3d_backward_default = edge_pad_backward<3, Edge::replication>(
    "aten::replication_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor");

}  // namespace op_defs

}  // namespace sinter
