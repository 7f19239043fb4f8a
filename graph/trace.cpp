// Recording of ops into a graph.

#include <sinter/graph/trace.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/graph/sym_expr.h>
#include <sinter/graph/text/argument_text.h>

#include <algorithm>

namespace sinter::graph {

namespace {

thread_local Trace* active = nullptr;
thread_local const Here* inherited = nullptr;
std::atomic<int64_t> next_trace_id = 1;

}  // namespace

Trace* active_trace() { return active; }

ActivateTrace::ActivateTrace(Trace* trace) : before_(active) { active = trace; }
ActivateTrace::~ActivateTrace() { active = before_; }

// The outermost location is the user's.
InheritLocation::InheritLocation(Here here) : before_(inherited), here_(here) {
  if (!inherited) inherited = &here_;
}
InheritLocation::~InheritLocation() { inherited = before_; }
bool is_inside_op() { return inherited != nullptr; }
Here effective_location(Here here) { return inherited ? *inherited : here; }

Trace::Trace() : id_(next_trace_id.fetch_add(1)) {}
Trace::~Trace() = default;

Storage Trace::storage_of(int64_t id) {
  Storage& storage = storages_[id];
  if (!storage) {
    storage = Storage(new StorageImpl);
    storage->fake_id = id;
  }
  return storage;
}

Tensor Trace::add_input(const TensorMeta& meta, std::string_view target, Here where, int64_t storage,
                        int64_t storage_bytes) {
  Node* node = graph_.append_placeholder(meta, target, where);
  if (storage < 0) storage = next_storage_;
  next_storage_ = std::max(next_storage_, storage + 1);
  node->storages.push_back(storage);
  know_bytes(storage, storage_bytes);
  return fake_of({node, 0});
}

Scalar Trace::add_number(Scalar number, std::string_view target, Here where) {
  Node* node = graph_.append_placeholder({number.dtype(), cpu, {}}, target, where);
  node->storages.push_back(next_storage_++);
  node->number = number;
  numbers_[number.traced_number().id] = node;
  return value_of({node, 0}).scalar();
}

NodeOutput Trace::output_of_number(Scalar number, Here where) const {
  check_owner(number.traced_number(), where);
  auto found = numbers_.find(number.traced_number().id);
  if (found == numbers_.end())
    throw Error(ErrorKind::trace, where, "a number of another trace is used in this one", {},
                "keep numbers that a traced function was given inside that function, or return them");
  return {found->second, 0};
}

Value Trace::value_of(NodeOutput output) {
  if (!output.node->number) return Value(fake_of(output));
  const TracedNumber& number = output.node->number->traced_number();
  return traced_number(number.id, number.example, owner);
}

bool Trace::is_storage(const Storage& storage) const {
  auto found = storages_.find(storage.get()->fake_id);
  return found != storages_.end() && found->second.get() == storage.get();
}

void Trace::note_stride_question(const Tensor& tensor, int dim) {
  const FakeOrigin& origin = tensor.impl()->fake;
  auto is_it = [&](const StrideQuestion& known) { return known.node == origin.node && known.dim == dim; };
  if (std::ranges::none_of(stride_questions_, is_it)) stride_questions_.push_back({origin.node, dim});
}

namespace {

// The trace of the tensor, if its function asks and no op does.
Trace* asked_by_function(const Tensor& tensor) {
  bool is_asked = active && !inherited && tensor.impl()->fake.trace == active->id();
  return is_asked ? active : nullptr;
}

}  // namespace

void note_layout_question(const Tensor& tensor) {
  tensor.impl()->is_read = true;
  Trace* trace = asked_by_function(tensor);
  if (!trace) return;
  trace->note_stride_question(tensor, -1);
  if (tensor.impl()->storage) tensor.impl()->storage->offset_is_read = true;
}

void note_stride_question(const Tensor& tensor, int64_t dim) {
  if (Trace* trace = asked_by_function(tensor)) trace->note_stride_question(tensor, static_cast<int>(dim));
}

void Trace::know_bytes(int64_t storage, int64_t bytes) {
  Storage known = storage_of(storage);
  known->bytes = std::max(known->bytes, bytes);
}

Tensor Trace::fake_of(NodeOutput output) {
  const TensorMeta& meta = meta_of(output);
  Storage storage = storage_of(output.node->storages[output.output]);
  storage->bytes = std::max(storage->bytes, extent_end(meta.layout).hint() * byte_size(meta.dtype));
  Tensor fake(meta, std::move(storage), {id_, output.node, output.output});
  Layout& layout = fake.impl()->meta.layout;
  for (SymInt& size : layout.sizes) size = size.owned_by(owner);
  for (SymInt& stride : layout.strides) stride = stride.owned_by(owner);
  layout.offset = layout.offset.owned_by(owner);
  return fake;
}

namespace {

Value fake_copy(Trace& trace, std::unordered_map<StorageImpl*, int64_t>& storages, const Value& value, Here where) {
  if (value.is_tensor()) {
    const Tensor& tensor = value.tensor();
    int64_t id = storages.try_emplace(tensor.storage().get(), static_cast<int64_t>(storages.size())).first->second;
    // Tensors without storage have nothing to share.
    if (!tensor.storage()) storages[nullptr] = static_cast<int64_t>(storages.size());
    return trace.add_input(tensor.meta(), "arg", where, id, tensor.storage() ? tensor.storage()->bytes : 0);
  }
  if (value.is_scalar() && value.scalar().is_traced()) return trace.add_number(value.scalar(), "number", where);
  if (!value.is_list()) return value;
  Value::List list;
  for (const Value& element : value.list()) list.push_back(fake_copy(trace, storages, element, where));
  return list;
}

}  // namespace

Values Trace::fake_copies(const OpArgs& args) {
  std::unordered_map<StorageImpl*, int64_t> storages;
  Values fakes;
  for (const Value& value : args.values()) fakes.push_back(fake_copy(*this, storages, value, args.here()));
  return fakes;
}

Node* Trace::copy_node(const Node& node, std::vector<Argument> args) {
  auto copy = std::make_unique<Node>();
  copy->kind = node.kind;
  copy->target = node.target;
  copy->op = node.op;
  copy->args = std::move(args);
  copy->metas = node.metas;
  copy->where = node.where;
  copy->number = node.number;
  for (size_t i = 0; i < node.metas.size(); ++i) copy->storages.push_back(next_storage_++);
  Node* added = graph_.append(std::move(copy), node.op ? node.op->schema().name : node.name);
  if (node.number) numbers_[node.number->traced_number().id] = added;
  return added;
}

NodeOutput Trace::output_of(const Tensor& tensor, Here where) {
  const FakeOrigin& origin = tensor.impl()->fake;
  if (origin.trace == id_) return {origin.node, origin.output};
  if (tensor.is_fake())
    throw Error(ErrorKind::trace, where, "a fake tensor of another trace is used in this one",
                {{"tensor", to_string(tensor.meta())}},
                "keep tensors that a traced function makes inside that function, or return them");
  // The function captured a real tensor: a hidden input, whose data is read at each call.
  Node*& node = lifted_[tensor.impl()];
  if (!node) {
    auto fresh = std::make_unique<Node>();
    fresh->kind = NodeKind::get_attr;
    fresh->target = fmt::format("captured_{}", graph_.attributes.size());
    fresh->metas.push_back(tensor.meta());
    fresh->where = where;
    int64_t storage = -1;  // captured tensors that share memory go on sharing it
    for (const auto& [impl, other] : lifted_)
      if (other && impl->storage.get() == tensor.storage().get()) storage = other->storages[0];
    fresh->storages.push_back(storage >= 0 ? storage : next_storage_++);
    if (tensor.storage()) know_bytes(fresh->storages[0], tensor.storage()->bytes);
    identity.add_captured(storage_of(fresh->storages[0]), tensor);
    std::string name = fresh->target;
    graph_.attributes.push_back(tensor);
    node = graph_.append(std::move(fresh), name);
  }
  return {node, 0};
}

std::vector<Argument> Trace::to_arguments(std::span<const Value> values, Here where) {
  std::vector<Argument> arguments;
  arguments.reserve(values.size());
  for (const Value& value : values) arguments.push_back(to_argument(value, where));
  return arguments;
}

namespace {

bool is_same(const Argument& a, const Argument& b) {
  if (a.is_output() || b.is_output()) return a.is_output() && b.is_output() && a.output() == b.output();
  if (a.is_list() || b.is_list()) return a.is_list() && b.is_list() && std::ranges::equal(a.list(), b.list(), is_same);
  return is_same_value(a, b.value());
}

}  // namespace

const Node* Trace::same_call(const OpDef& op, std::span<const Argument> arguments) const {
  for (size_t i = graph_.nodes.size(); i-- > 0;) {
    const Node& node = *graph_.nodes[i];
    if (node.op && node.op->inplace_of) return nullptr;
    if (node.op == &op && std::ranges::equal(arguments, std::span(node.args).first(arguments.size()), is_same))
      return &node;
  }
  return nullptr;
}

namespace {

// Nodes hold sizes without an owner.
SymInt recorded(SymInt size, Here where) {
  if (size.owner() == 0) return size;
  ShapeFacts* facts = active_shape_facts();
  if (!facts) fail_for_owner(size, where);
  facts->check_owner(size, where);
  return size.owned_by(0);
}

}  // namespace

Argument Trace::to_argument(const Value& value, Here where) {
  if (value.is_tensor()) return output_of(value.tensor(), where);
  if (value.is_sym_int()) return Argument(recorded(value.sym_int(), where));
  if (value.is_scalar() && value.scalar().is_traced()) return output_of_number(value.scalar(), where);
  if (!value.is_list()) return Argument(value);
  Argument::List list;
  list.reserve(value.list().size());
  for (const Value& element : value.list()) list.push_back(to_argument(element, where));
  return list;
}

namespace {

// Sizes that turned out to be others are written as these from the start.
void simplify(Metas& metas, const ShapeFacts& facts) {
  for (TensorMeta& meta : metas) {
    for (SymInt& size : meta.layout.sizes) size = facts.simplified(size);
    for (SymInt& stride : meta.layout.strides) stride = facts.simplified(stride);
    meta.layout.offset = facts.simplified(meta.layout.offset);
  }
}

}  // namespace

namespace {

// Traced numbers by what they have in the example; a tensor's, of which there is none, is made up.
Scalar example_of(const Value& operand) {
  if (operand.is_tensor()) return 0.5;
  Scalar number = operand.scalar();
  if (number.is_traced()) return number.traced_number().example;
  return number.is_symbolic() ? Scalar(number.size().hint()) : number;
}

}  // namespace

// Its value in the example is what the op gives there. Where a tensor has it, it depends on a size that only data tell:
// fixing it fails by that.
void Trace::make_number(Node& node, std::span<const Value> operands) {
  Values examples;
  std::vector<int> depends_on;
  std::vector<SymInt> sizes;
  ShapeFacts* facts = active_shape_facts();
  bool is_data = false;
  for (const Value& operand : operands) {
    examples.push_back(example_of(operand));
    is_data |= operand.is_tensor();
    if (operand.is_tensor()) {
      if (facts) sizes.push_back(facts->add_unbacked("item", {}, node.where));
      continue;
    }
    if (operand.scalar().is_traced()) depends_on.push_back(operand.scalar().traced_number().id);
    if (operand.scalar().is_symbolic()) sizes.push_back(operand.scalar().size().owned_by(0));
  }
  ActivateTrace suspend(nullptr);
  Scalar example = is_data ? examples[0].scalar() : apply(*node.op, examples, {}, node.where)[0].tensor().item();
  // A graph without a compilation, as a text gives it, has no facts: any number will do that no argument has.
  constexpr int first_unknown = 1 << 20;
  int id = facts ? facts->numbers.add_result(depends_on, std::move(sizes))
                 : first_unknown + static_cast<int>(numbers_.size());
  node.number = traced_number(id, example);
  numbers_[node.number->traced_number().id] = &node;
}

Values Trace::record(const OpArgs& args) {
  const OpDef& op = args.op();
  InheritLocation decided_here(args.here());  // decisions on sizes belong to the line of the op
  if (decomposes && op.decompose) {
    InheritDevice inherit_device(args);
    return run_decomposition(args);
  }
  if (Values lifted = lifted_arguments(args); !lifted.empty()) return record(OpArgs(op, lifted, args.here()));
  // What the same data decide is the same size.
  const Node* same =
      op.library == Library::sizing_routine ? same_call(op, to_arguments(args.values(), args.here())) : nullptr;
  Metas metas = same ? same->metas : infer_meta(args);
  if (const ShapeFacts* facts = same ? nullptr : active_shape_facts()) simplify(metas, *facts);
  std::vector<Argument> arguments = to_arguments(args.values(), args.here());
  Node* node = graph_.append_call(op, std::move(arguments), std::move(metas), args.here());

  bool shares = op.view || op.inplace_of;
  int64_t shared = -1;
  if (shares) {
    NodeOutput self = node->args[0].output();
    shared = self.node->storages[self.output];
  }
  for (size_t i = 0; i < node->metas.size(); ++i) node->storages.push_back(shares ? shared : next_storage_++);
  if (op.inplace_of) return {args[0]};
  // Of what an eager call has, plain numbers and tensors, the result is a zero-dim tensor.
  bool has_inputs = std::ranges::any_of(args.values(), [](const Value& value) {
    if (value.is_tensor()) return active_shape_facts() != nullptr;
    return value.is_scalar() && (value.scalar().is_traced() || value.scalar().is_symbolic());
  });
  if (op.gives_number() && has_inputs) make_number(*node, args.values());
  Values results;
  for (size_t i = 0; i < node->metas.size(); ++i) results.push_back(value_of({node, static_cast<int>(i)}));
  return results;
}

void Trace::set_results(std::span<const Tensor> results, Here where) {
  graph_.results.clear();
  for (const Tensor& result : results)
    graph_.results.push_back(result.defined() ? Argument(output_of(result, where)) : Argument());
}

}  // namespace sinter::graph
