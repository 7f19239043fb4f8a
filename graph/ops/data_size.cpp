// Symbols without an example, and the calls that give and check their values when a program runs.

#include <sinter/graph/ops/data_size.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/index.h>
#include <sinter/graph/ops/segment.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/graph/trace.h>

namespace sinter {

namespace op_defs {

// The relation is between two sizes, in the sign of C++; `text` is how the user reads it, `stated_by` who says it.
constinit const OpDef check_sizes_default =
    routine("sinter::check_sizes(SymInt left, str relation, SymInt right, str text, str stated_by) -> ()",
            [](const OpArgs&) { return Metas(); });

// The tensor's number, which the program knows from here on as the symbol `value`.
constinit const OpDef item_default = sized_by_data("sinter::item(Tensor self, SymInt value) -> Tensor",
                                                   [](const OpArgs&) { return Metas{{i64, cpu, {}}}; });

}  // namespace op_defs

SymInt size_from_data(const OpArgs& args, SizeRange range) {
  graph::ShapeFacts* facts = graph::active_shape_facts();
  if (!facts)
    args.fail(ErrorKind::trace, "the sizes of its result are known only from data, which a fake tensor does not have",
              "call it outside of the traced function");
  return facts->add_unbacked(args.op().schema().name, range, args.here());
}

SymInt count_from_data(const OpArgs& args, SymInt most) {
  graph::ShapeFacts* facts = graph::active_shape_facts();
  if (!facts) return size_from_data(args, {0, SizeRange::no_high});
  most = facts->simplified(most);
  SymInt count = size_from_data(args, {0, facts->range_of(most).high});
  if (!most.is_constant()) facts->know_never_negative(most - count);
  return count;
}

namespace {

SizeRange range_of_type(DType dtype) {
  if (dtype == boolean) return {0, 1};
  if (dtype == i64) return {};
  return visit(dtype, [](auto zero) -> SizeRange {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      return {static_cast<int64_t>(std::numeric_limits<T>::min()), static_cast<int64_t>(std::numeric_limits<T>::max())};
    else
      return {};
  });
}

}  // namespace

Values lifted_arguments(const OpArgs& args) {
  const OpDef* op = args.op().inplace_of ? args.op().inplace_of : &args.op();
  for (const OpDef* masked :
       {&op_defs::index_tensor, &op_defs::unsafe_index_tensor, &op_defs::unsafe_index_put_default})
    if (op == masked) return with_positions(args);
  if (op == &op_defs::index_put_default) return with_positions_unless_filled(args);
  return op == &op_defs::one_hot_default ? with_class_count(args) : Values();
}

SymInt symbolic_item(const Tensor& tensor, Here here) {
  graph::note_size_question(here);
  graph::InheritLocation inherit(here);
  graph::Trace& trace = *graph::active_trace();
  graph::ShapeFacts* facts = graph::active_shape_facts();
  std::vector<ErrorNote> notes = {{"self", to_string(tensor.meta())}};
  if (!facts || !is_integer(tensor.dtype()))
    throw Error(ErrorKind::trace, here, "item: a traced function has no data, so nothing can be decided by a value",
                notes, "use where(condition, a, b) in place of a branch on data");
  SymInt count = tensor.numel();
  bool is_one = is_unbacked(count) ? facts->require_equal(count, 1, here) : count == 1;
  if (!is_one)
    throw Error(ErrorKind::shape, here, fmt::format("item: the tensor has {} elements", to_string(tensor.numel())),
                notes, "need a tensor of one element");
  graph::NodeOutput self = trace.output_of(tensor, here);
  if (const graph::Node* known = trace.same_call(op_defs::item_default, {self}))
    return known->args[1].value().sym_int().owned_by(trace.owner);
  SymInt value = facts->add_unbacked("item", range_of_type(tensor.dtype()), here);
  apply(op_defs::item_default, {tensor, value}, here);
  return value.owned_by(trace.owner);
}

SymInt check_size(SymInt size, int64_t min, int64_t max, Here here) {
  graph::ShapeFacts* facts = graph::active_shape_facts();
  bool is_inside = size.is_constant() && size.hint() >= min && size.hint() <= max;
  if (is_inside) return size;
  if (size.is_constant() || !facts)
    throw Error(ErrorKind::argument, here,
                fmt::format("check_size: {} is not from {} to {}", to_string(size), min, max));
  facts->state_range(size, min, max, "check_size", here);
  return size;
}

namespace {

thread_local std::string_view maker;  // whose fake function runs

}  // namespace

SymInt new_unknown_size(int64_t min, int64_t max, Here here) {
  graph::ShapeFacts* facts = graph::active_shape_facts();
  if (min < 0 || max < min)
    throw Error(ErrorKind::argument, here, fmt::format("new_unknown_size: no size is from {} to {}", min, max));
  if (!facts)
    throw Error(ErrorKind::trace, here, "new_unknown_size: nothing is being compiled", {},
                "call it in the fake function of a custom op");
  std::string_view op = maker.empty() ? "new_unknown_size" : maker;
  SymInt size = facts->add_unbacked(op, {0, SizeRange::no_high}, here);
  facts->state_range(size, min, max, fmt::format("{}: what its fake function says of its result", op), here);
  return size;
}

NameSizesAfter::NameSizesAfter(std::string_view op) : before_(maker) { maker = op; }
NameSizesAfter::~NameSizesAfter() { maker = before_; }

}  // namespace sinter
