// Derived shape rules.

#include <sinter/graph/infer_meta.h>

#include <sinter/graph/called_op.h>
#include <sinter/graph/data_symbol.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/late_guards.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/view.h>
#include <sinter/graph/trace.h>

#include <algorithm>

namespace sinter {

namespace {

SymDims broadcast_slots(const OpArgs& args) {
  SymDims sizes;
  for (int slot : args.tensor_slots()) {
    TensorMeta meta = args.meta(slot);
    std::optional<SymDims> both = broadcast_sizes(sizes, meta.layout.sizes);
    if (!both)
      args.fail(ErrorKind::shape,
                fmt::format("sizes do not broadcast ({} vs {})", to_string(sizes), to_string(meta.layout.sizes)),
                "need sizes that are equal or 1, counted from the last dim");
    sizes = std::move(*both);
  }
  return sizes;
}

// All tensors on one device, where zero-dim CPU tensors may join any.
struct CommonDevice {
  const OpArgs& args;
  Device device = {};
  bool is_found = false;

  void add(const Value& value) {
    if (value.is_list())
      for (const Value& element : value.list()) add(element);
    if (!value.is_tensor()) return;
    const TensorMeta& meta = value.tensor().meta();
    if (meta.layout.sizes.empty() && meta.device.is_cpu()) return;
    if (is_found && !(meta.device == device))
      args.fail(ErrorKind::argument,
                fmt::format("tensors are on different devices ({} vs {})", to_string(device), to_string(meta.device)),
                "need all tensors on one device");
    device = meta.device;
    is_found = true;
  }
};
Device common_device(const OpArgs& args) {
  CommonDevice common{args};
  for (const Value& value : args.values()) common.add(value);
  return common.device;
}

bool copies_between_devices(const OpDef& op) {
  return &op == &op_defs::copy_default || &op == &op_defs::copy_inplace_default;
}

// Where the results lie, whatever the op's own rule says of it: on the device that is asked for, else on the tensors'.
void place_results(const OpArgs& args, Metas& metas) {
  const OpDef& op = args.op();
  int asked = op.schema().find("device");
  if (copies_between_devices(op) || op.view) return;
  bool is_asked = asked >= 0 && !args[asked].is_none();
  Device device = op.gives_number() && args.tensor_slots().empty() ? cpu
                  : is_asked                                       ? args[asked].device()
                                                                   : common_device(args);
  for (TensorMeta& meta : metas) meta.device = device;
}

std::string_view name_of(const OpArgs& args) { return args.op().schema().name; }

bool can_cast(DType from, DType to) {
  if (is_floating(from) && !is_floating(to)) return false;
  return from == DType::boolean || to != DType::boolean;
}

// As ATen's get_overlap_status: only dense tensors are compared.
bool overlap_in_part(const Tensor& a, const Tensor& b) {
  if (!a.storage() || a.storage().get() != b.storage().get() || a.impl() == b.impl()) return false;
  const Layout &la = a.layout(), &lb = b.layout();
  if (is_known_to_be(numel(la.sizes), 0) || is_known_to_be(numel(lb.sizes), 0)) return false;
  if (!is_dense(la) || !is_dense(lb)) return false;
  int64_t a_begin = la.offset.hint() * byte_size(a.dtype()), a_end = extent_end(la).hint() * byte_size(a.dtype());
  int64_t b_begin = lb.offset.hint() * byte_size(b.dtype()), b_end = extent_end(lb).hint() * byte_size(b.dtype());
  if (a_end <= b_begin || b_end <= a_begin) return false;
  bool same_range = a_begin == b_begin && a_end == b_end;
  return !(same_range && a.dtype() == b.dtype() && same_layout(la, lb));
}

Metas view_metas(const OpArgs& args) {
  TensorMeta meta = args.meta(0);
  meta.layout = args.op().view(args, meta.layout);
  return {std::move(meta)};
}

Metas reduction_metas(const OpArgs& args) {
  const ReductionRule& rule = args.op().reduction;
  DType dtype = rule.input_type ? rule.input_type(args) : args.meta(0).dtype;
  return {reduction_meta(args, rule.dims(args), rule.keepdim && rule.keepdim(args), dtype)};
}

Metas written_metas(const OpArgs& args) {
  OpArgs functional(*args.op().inplace_of, args.values(), args.here());
  graph::NameCalledOp called(args.op().schema().name);
  Metas results = infer_meta(functional);
  check_writable(args, results[0]);
  if (Device target = args.meta(0).device; !(results[0].device == target))
    args.fail(ErrorKind::argument,
              fmt::format("a result on {} can't be written to a tensor on {}", to_string(results[0].device),
                          to_string(target)),
              "need all tensors on one device");
  return {args.meta(0)};
}

// Runs the decomposition on fake tensors of its own.
Metas decomposed_metas(const OpArgs& args) {
  graph::Trace scratch;
  Values fakes = scratch.fake_copies(args);
  graph::ActivateTrace activate(&scratch);
  graph::LateGuards shows_nothing(nullptr);
  graph::InheritLocation inherit(args.here());
  graph::NameCalledOp called(args.op().schema().name);
  OpArgs fake_args(args.op(), fakes, args.here());
  graph::InheritDevice inherit_device(fake_args);
  Metas metas;
  for (const Value& result : args.op().decompose(fake_args)) metas.push_back(result.tensor().meta());
  return metas;
}

// Their strides can differ only where they mean nothing. A graph's node gives its own to what takes its place.
bool may_have_strides_of(const Tensor& made, const Layout& layout) {
  if (numel(layout.sizes).same(0)) return true;
  return made.storage() && same_layout(made.layout(), {layout.sizes, layout.strides, made.layout().offset});
}

}  // namespace

Values run_decomposition(const OpArgs& args) {
  Metas promised = args.op().meta ? args.op().meta(args) : Metas();
  Values results = args.op().decompose(args);
  for (size_t i = 0; i < promised.size() && i < results.size(); ++i) {
    const Layout& layout = promised[i].layout;
    if (!results[i].is_tensor()) continue;
    const Tensor& made = results[i].tensor();
    if (may_have_strides_of(made, layout) && !same_strides(made.layout(), layout))
      results[i] = apply_one(op_defs::as_strided_default, {made, layout.sizes, layout.strides, made.layout().offset},
                             args.here());
  }
  return results;
}

TensorMeta pointwise_meta(const OpArgs& args, DType dtype) {
  TensorMeta meta;
  meta.dtype = dtype;
  meta.device = common_device(args);
  meta.layout.sizes = broadcast_slots(args);
  std::vector<TensorMeta> inputs;
  for (int slot : args.tensor_slots()) inputs.push_back(args.meta(slot));
  SmallVector<const Layout*, 4> layouts;
  for (const TensorMeta& input : inputs) layouts.push_back(&input.layout);
  meta.layout.strides = pointwise_strides(meta.layout.sizes, layouts);
  return meta;
}

TensorMeta reduction_meta(const OpArgs& args, const Dims& dims, bool keepdim, DType dtype) {
  TensorMeta input = args.meta(0);
  TensorMeta meta{dtype, input.device, {}};
  for (int64_t i = 0; i < input.layout.rank(); ++i) {
    bool is_reduced = std::find(dims.begin(), dims.end(), i) != dims.end();
    if (!is_reduced)
      meta.layout.sizes.push_back(input.layout.sizes[i]);
    else if (keepdim)
      meta.layout.sizes.push_back(1);
  }
  meta.layout.strides = contiguous_strides(meta.layout.sizes);
  return meta;
}

void check_writable(const OpArgs& args, const TensorMeta& result) {
  const Value& self = args[0];
  if (!self.is_tensor()) args.fail(ErrorKind::argument, "a number cannot be written to");
  TensorMeta target = args.meta(0);
  if (!can_cast(result.dtype, target.dtype))
    args.fail(ErrorKind::dtype,
              fmt::format("result type {} can't be cast to self's type {}", name(result.dtype), name(target.dtype)));
  if (!(result.layout.sizes == target.layout.sizes))
    args.fail(ErrorKind::shape,
              fmt::format("self's sizes {} differ from the broadcast sizes {}", to_string(target.layout.sizes),
                          to_string(result.layout.sizes)),
              "need a result of self's sizes");
  bool writes_one_value = name_of(args) == "fill_" || name_of(args) == "zero_";
  if (!writes_one_value && is_expanded(target.layout))
    args.fail(ErrorKind::argument, "more than one element of the written tensor lies at one place in memory",
              "clone() the tensor before writing to it");
  for (int slot : args.tensor_slots())
    if (slot != 0 && args[slot].is_tensor() && overlap_in_part(self.tensor(), args[slot].tensor()))
      args.fail(ErrorKind::argument,
                fmt::format("`{}` overlaps the written tensor in part", args.op().schema().parameters[slot].name),
                "clone() it first");
}

namespace {

Metas unchecked_metas(const OpArgs& args) {
  const OpDef& op = args.op();
  if (op.meta) return op.meta(args);
  if (op.pointwise.formula) return {pointwise_meta(args, op.pointwise.types(args).result)};
  if (op.view) return view_metas(args);
  if (op.reduction.kind != ReductionKind::none) return reduction_metas(args);
  if (op.inplace_of) return written_metas(args);
  SINTER_CHECK(op.decompose, "{} says nothing of its result", op.name());
  return decomposed_metas(args);
}

}  // namespace

Metas infer_meta(const OpArgs& args) {
  graph::InheritLocation inherit(args.here());  // what rules ask of fake tensors is the op's question, not the user's
  Metas metas = unchecked_metas(args);
  place_results(args, metas);
  for (const TensorMeta& meta : metas) check_addressable(args, meta);
  return metas;
}

void check_addressable(const OpArgs& args, const TensorMeta& meta) {
  const Layout& layout = meta.layout;
  for (SymInt size : layout.sizes)
    if (size.hint() < 0)
      args.fail(ErrorKind::argument, fmt::format("a result of sizes {}", to_string(layout.sizes)),
                "need sizes of at least 0");
  if (is_addressable(layout, byte_size(meta.dtype))) return;
  std::string strides =
      same_layout(layout, contiguous_layout(layout.sizes))
          ? ""
          : fmt::format(", strides {} and offset {}", to_string(layout.strides), to_string(layout.offset));
  args.fail(ErrorKind::argument, fmt::format("a result of sizes {}{} in {} reaches past 2^63 bytes",
                                             to_string(layout.sizes), strides, name(meta.dtype)));
}

}  // namespace sinter
