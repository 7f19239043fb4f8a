// Keys of plans, making them, running them.

#include <sinter/runtime/eager_plan.h>

#include <sinter/fusion/schedule_graph.h>
#include <sinter/graph/passes/decompose.h>
#include <sinter/graph/passes/functionalize.h>
#include <sinter/graph/passes/remove_dead_nodes.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/cpu/allocator.h>
#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/options.h>

#include <bit>

namespace sinter::runtime {

using fusion::BufferKind;

namespace {

// Distinguishes kinds of values in a key.
enum class Word : uint64_t { none = 1, tensor, scalar, symbol, list, text, dtype, device, memory_format };

uint64_t word(Word kind, uint64_t detail = 0) { return static_cast<uint64_t>(kind) << 56 | detail; }

bool share_memory(const Tensor& a, const Tensor& b) { return a.storage() && a.storage().get() == b.storage().get(); }

}  // namespace

// --- Keys -------------------------------------------------------------------------------------------------------

EagerCall::EagerCall(const OpArgs& args) {
  key.push_back(reinterpret_cast<uint64_t>(&args.op()));
  for (const Value& value : args.values()) add(value);
  keeps_offsets = args.op().structured == Structured::strided_scatter;
  if (args.op().inplace_of && tensors.size() > 1) add_sharing();
  if (keeps_offsets)
    for (const Tensor* tensor : tensors) {
      key.push_back(tensor->layout().offset.hint());
      key.push_back(tensor->storage() ? tensor->storage()->bytes : 0);
    }
}

void EagerCall::add(const Value& value) {
  if (value.is_tensor()) {
    add_tensor(value.tensor());
  } else if (value.is_scalar()) {
    key.push_back(word(Word::scalar, static_cast<uint64_t>(value.scalar().kind())));
    key.push_back(value.scalar().bits());
  } else if (value.is_none()) {
    key.push_back(word(Word::none));
  } else if (value.is_list()) {
    key.push_back(word(Word::list, value.list().size()));
    for (const Value& element : value.list()) add(element);
  } else if (value.is_dtype()) {
    key.push_back(word(Word::dtype, static_cast<uint64_t>(value.dtype())));
  } else if (value.is_memory_format()) {
    key.push_back(word(Word::memory_format, static_cast<uint64_t>(value.memory_format())));
  } else if (value.is_device()) {
    key.push_back(word(Word::device, static_cast<uint64_t>(value.device().type) << 8 | uint8_t(value.device().index)));
  } else if (value.is_string()) {
    key.push_back(word(Word::text, value.string().size()));
    uint64_t packed = 0;
    for (size_t i = 0; i < value.string().size(); ++i) {
      packed = packed << 8 | static_cast<unsigned char>(value.string()[i]);
      if (i % 8 == 7) key.push_back(std::exchange(packed, 0));
    }
    key.push_back(packed);
  } else {
    key.push_back(word(Word::symbol));
    key.push_back(reinterpret_cast<uint64_t>(value.sym_int().expr()));
  }
}

void EagerCall::add_tensor(const Tensor& tensor) {
  tensors.push_back(&tensor);
  const TensorMeta& meta = tensor.meta();
  key.push_back(word(Word::tensor, static_cast<uint64_t>(meta.dtype) | static_cast<uint64_t>(meta.device.type) << 8 |
                                       uint64_t{uint8_t(meta.device.index)} << 16 |
                                       static_cast<uint64_t>(meta.layout.sizes.size()) << 24));
  for (SymInt size : meta.layout.sizes) key.push_back(size.hint());
  for (SymInt stride : meta.layout.strides) key.push_back(stride.hint());
}

// Which arguments lie in one memory, and which are one tensor.
void EagerCall::add_sharing() {
  for (size_t i = 1; i < tensors.size(); ++i) {
    size_t leader = 0;
    while (leader < i && !share_memory(*tensors[leader], *tensors[i])) ++leader;
    if (leader == i) continue;
    keeps_offsets = true;
    key.push_back(word(Word::tensor, leader << 9 | i << 1 | (tensors[leader]->impl() == tensors[i]->impl())));
  }
}

uint64_t EagerCall::hash() const {
  uint64_t hash = 0;
  for (uint64_t part : key) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

// --- Making a plan ----------------------------------------------------------------------------------------------

namespace {

// Fake arguments, memory shared as by the real ones. An argument that is given twice is one input.
class FakeArguments {
 public:
  FakeArguments(graph::Trace& trace, const EagerCall& call, Here here) : trace_(trace), call_(call), here_(here) {}

  Value of(const Value& value) {
    if (value.is_tensor()) return of_next_tensor();
    if (!value.is_list()) return value;
    Value::List list;
    for (const Value& element : value.list()) list.push_back(of(element));
    return list;
  }

  // Of each input of the trace: which of the call's tensors it is.
  std::vector<int> inputs;

 private:
  Tensor of_next_tensor() {
    int at = static_cast<int>(fakes_.size());
    const Tensor& tensor = *call_.tensors[at];
    TensorMeta meta = tensor.meta();
    int64_t storage = at;
    if (!call_.keeps_offsets) meta.layout.offset = 0;
    for (int i = 0; call_.keeps_offsets && i < at; ++i) {
      if (call_.tensors[i]->impl() == tensor.impl()) {
        fakes_.push_back(fakes_[i]);
        return fakes_[i];
      }
      if (share_memory(*call_.tensors[i], tensor)) storage = std::min<int64_t>(storage, i);
    }
    inputs.push_back(at);
    fakes_.push_back(trace_.add_input(meta, "arg", here_, storage,
                                      call_.keeps_offsets && tensor.storage() ? tensor.storage()->bytes : 0));
    return fakes_.back();
  }

  graph::Trace& trace_;
  const EagerCall& call_;
  Here here_;
  std::vector<Tensor> fakes_;  // of the call's tensors so far
};

}  // namespace

OneOpGraph trace_one_op(const OpArgs& args, const EagerCall& call) {
  graph::Trace trace;
  FakeArguments fake(trace, call, args.here());
  Values fakes;
  for (const Value& value : args.values()) fakes.push_back(fake.of(value));
  {
    graph::ActivateTrace activate(&trace);
    Values results = trace.record(OpArgs(args.op(), fakes, args.here()));
    std::vector<Tensor> tensors;
    if (!args.op().inplace_of)
      for (const Value& result : results) tensors.push_back(result.tensor());
    trace.set_results(tensors, args.here());
  }
  graph::Graph graph = trace.take_graph();
  graph::functionalize(graph);
  graph::decompose(graph);
  graph::remove_dead_nodes(graph);
  return {std::move(graph), std::move(fake.inputs)};
}

EagerPlan::EagerPlan(const OpArgs& args, const EagerCall& call)
    : key_(call.key), keeps_offsets_(call.keeps_offsets), writes_self_(args.op().inplace_of != nullptr) {
  OneOpGraph one = trace_one_op(args, call);
  fusion::Schedule schedule = fusion::lower_for_eager(one.graph);
  prepared_ = prepare(schedule, environment().isa.value_or(detect_isa()));
  buffers_ = std::move(schedule.buffers);
  results_ = std::move(schedule.results);
  inputs_ = std::move(one.inputs);
}

// --- Running it -------------------------------------------------------------------------------------------------

// What offset 0 of the argument's traced layout stands for.
void* EagerPlan::origin(const EagerCall& call, int input) const {
  const Tensor& tensor = *call.tensors[input];
  if (!tensor.storage()) return nullptr;
  char* data = static_cast<char*>(tensor.storage()->data);
  if (!data) return nullptr;  // an empty tensor's offset leads nowhere
  return keeps_offsets_ ? data : data + tensor.layout().offset.hint() * byte_size(tensor.dtype());
}

Values EagerPlan::run(const OpArgs& args, const EagerCall& call) const {
  SmallVector<void*, 8> addresses;
  std::vector<Storage> storages(results_.size());
  std::vector<Storage> temporaries;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (buffers_[i].kind == BufferKind::input) {
      addresses.push_back(origin(call, inputs_[buffers_[i].source]));
      continue;
    }
    Storage storage = new_host_storage(prepared_.buffer_bytes[i]);
    addresses.push_back(storage->data);
    size_t result = 0;
    while (result < results_.size() && results_[result].buffer != static_cast<int>(i)) ++result;
    if (result < results_.size())
      storages[result] = std::move(storage);
    else
      temporaries.push_back(std::move(storage));
  }
  runtime::run(prepared_, addresses);
  if (writes_self_) return {args[0]};
  Values results;
  results.reserve(results_.size());
  for (size_t i = 0; i < results_.size(); ++i)
    results.emplace_back(Tensor({buffers_[results_[i].buffer].dtype, cpu, results_[i].layout}, std::move(storages[i])));
  return results;
}

}  // namespace sinter::runtime
