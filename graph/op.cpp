// Calling ops: binding, argument access, the executor hook.

#include <sinter/graph/op.h>

#include <sinter/graph/called_op.h>
#include <sinter/graph/infer_meta.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/creation.h>
#include <sinter/graph/trace.h>

#include <memory>
#include <new>
#include <stdexcept>

namespace sinter {

const Schema& OpDef::schema() const {
  if (const Schema* ready = parsed.load(std::memory_order_acquire)) return *ready;
  auto fresh = std::make_unique<Schema>(parse_schema(signature));
  const Schema* expected = nullptr;
  if (parsed.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *expected;
}

// --- OpArgs -----------------------------------------------------------------------------------------------------

const Value& OpArgs::operator[](std::string_view parameter) const {
  int i = op_->schema().find(parameter);
  SINTER_CHECK(i >= 0, "{} has no parameter {}", op_->name(), parameter);
  return values_[i];
}

TensorMeta OpArgs::meta(int i) const {
  const Value& value = values_[i];
  if (value.is_tensor()) return value.tensor().meta();
  SINTER_CHECK(value.is_scalar(), "argument {} of {} is no tensor", i, op_->name());
  return {typed(i).dtype, cpu, {}};
}

TypedOperand OpArgs::typed(int i) const {
  const Value& value = values_[i];
  if (!value.is_tensor()) return {value.scalar().dtype(), Rank::number};
  const Tensor& tensor = value.tensor();
  return {tensor.dtype(), tensor.dim() == 0 ? Rank::zero_dim : Rank::dense};
}

Tensor OpArgs::tensor(int i) const {
  const Value& value = values_[i];
  if (value.is_tensor()) return value.tensor();
  if (value.is_none()) return {};
  Scalar scalar = value.scalar();
  DType dtype = scalar.is_floating() ? default_dtype : scalar.dtype();
  return apply_one(op_defs::scalar_tensor_default, {scalar, dtype}, here_);
}

SmallVector<int, 4> OpArgs::tensor_slots() const {
  SmallVector<int, 4> slots;
  const Schema& schema = op_->schema();
  for (size_t i = 0; i < values_.size(); ++i)
    if (schema.parameters[i].type == ArgType::tensor && !schema.parameters[i].is_list && !values_[i].is_none())
      slots.push_back(static_cast<int>(i));
  return slots;
}

SymDims OpArgs::sizes(std::string_view parameter) const {
  SymDims sizes;
  for (const Value& element : (*this)[parameter].list()) sizes.push_back(element.sym_int());
  return sizes;
}

Dims OpArgs::dims(std::string_view parameter) const {
  Dims dims;
  for (const Value& element : (*this)[parameter].list()) dims.push_back(element.sym_int().constant());
  return dims;
}

std::vector<Tensor> OpArgs::tensors(std::string_view parameter) const {
  std::vector<Tensor> tensors;
  for (const Value& element : (*this)[parameter].list())
    tensors.push_back(element.is_none() ? Tensor() : element.tensor());
  return tensors;
}

namespace {

void note_tensors(std::vector<ErrorNote>& notes, const std::string& label, const Value& value) {
  if (value.is_tensor()) notes.push_back({label, to_string(value.tensor().meta())});
  if (value.is_list())
    for (size_t i = 0; i < value.list().size(); ++i)
      note_tensors(notes, fmt::format("{}[{}]", label, i), value.list()[i]);
}

}  // namespace

void OpArgs::fail(ErrorKind kind, std::string message, std::string need) const {
  std::vector<ErrorNote> notes;
  const Schema& schema = op_->schema();
  for (size_t i = 0; i < values_.size(); ++i) note_tensors(notes, schema.parameters[i].name, values_[i]);
  throw Error(kind, here_, fmt::format("{}: {}", graph::called_op(schema.name), message), std::move(notes),
              std::move(need));
}

// --- Calling ----------------------------------------------------------------------------------------------------

namespace {

std::atomic<Executor> executor = nullptr;

bool holds_fake(const Value& value) {
  if (value.is_tensor()) return value.tensor().is_fake();
  if (value.is_sym_int()) return value.sym_int().owner() != 0;
  if (value.is_scalar()) return value.scalar().is_traced();
  if (!value.is_list()) return false;
  for (const Value& element : value.list())
    if (holds_fake(element)) return true;
  return false;
}

std::string_view kind_of_fake(const Value& value) {
  if (value.is_list())
    for (const Value& element : value.list())
      if (holds_fake(element)) return kind_of_fake(element);
  return value.is_sym_int() ? "symbolic size" : value.is_scalar() ? "number" : "fake tensor";
}

// Of an op that makes tensors from nothing. Those that copy a tensor's properties find its device themselves.
void name_device(const Schema& schema, Values& values, Device device) {
  int place = schema.find("device");
  bool has_tensor = !schema.parameters.empty() && schema.parameters[0].type == ArgType::tensor;
  if (place >= 0 && !has_tensor && values[place].is_none()) values[place] = device;
}

}  // namespace

void install_executor(Executor replacement) { executor = replacement; }
Executor installed_executor() { return executor; }

namespace {

Values run_or_record(const OpArgs& args) {
  const OpDef& op = args.op();
  if (op.composite) {
    graph::InheritLocation inherit(args.here());
    graph::InheritDevice inherit_device(args);
    graph::NameCalledOp called(op.schema().name);
    return op.composite(args);
  }
  if (graph::Trace* trace = graph::active_trace()) return trace->record(args);
  for (const Value& value : args.values())
    if (holds_fake(value))
      args.fail(ErrorKind::trace, fmt::format("a {} of a finished trace is used outside of it", kind_of_fake(value)),
                "keep tensors that a traced function makes inside that function, or return them");
  Executor run = executor.load(std::memory_order_acquire);
  if (!run)
    args.fail(ErrorKind::environment, "nothing is installed that runs ops on real tensors", "link sinter whole");
  return run(args);
}

}  // namespace

Values apply(const OpDef& op, std::span<const Value> positional, const NamedValues& keywords, Here here) {
  here = graph::effective_location(here);
  Values bound = bind_arguments(op.schema(), positional, keywords, here);
  if (Device device = graph::inherited_device(); !device.is_cpu()) [[unlikely]]
    name_device(op.schema(), bound, device);
  OpArgs args(op, bound, here);
  try {
    return run_or_record(args);
  } catch (const std::bad_alloc&) {
    args.fail(ErrorKind::environment, "out of memory");
  } catch (const std::length_error&) {  // of a list that no memory could hold
    args.fail(ErrorKind::environment, "out of memory");
  }
}

Tensor apply_one(const OpDef& op, std::initializer_list<Value> positional, Here here) {
  Values results = apply(op, positional, here);
  SINTER_CHECK(results.size() == 1 && results[0].is_tensor(), "{} gives no single tensor", op.name());
  return results[0].tensor();
}

}  // namespace sinter
