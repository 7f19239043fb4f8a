// Runs random programs in every way and compares.

#include "properties/check_program.h"

#include <sinter/graph/prepare_graph.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/runtime/compile.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/random.h>

#include <cmath>
#include <cstring>
#include <map>

#include "reference/evaluate.h"

namespace sinter::test {

namespace {

std::vector<std::byte> bytes_of(const StorageImpl* storage) {
  std::vector<std::byte> bytes(storage->bytes);
  runtime::copy_bytes(bytes.data(), cpu, storage->data, storage->device, storage->bytes);
  return bytes;
}

// --- Against the reference --------------------------------------------------------------------------------------

reference::Argument to_reference(const Value& value, const Parameter& parameter) {
  if (value.is_tensor()) return reference::read(value.tensor());
  bool is_operand =
      parameter.type == ArgType::tensor || (parameter.type == ArgType::scalar && parameter.name != "alpha");
  if (value.is_scalar() && is_operand) return reference::number(value.scalar());
  if (value.is_list() && parameter.type == ArgType::tensor) {
    std::vector<reference::Array> arrays;
    for (const Value& element : value.list()) arrays.push_back(reference::read(element.tensor()));
    return arrays;
  }
  return value;
}

struct BoundCall {
  const OpDef* op;
  Values values;

  bool writes() const { return !op->schema().parameters.empty() && op->schema().parameters[0].is_written; }
  const Tensor& target() const { return values[0].tensor(); }
  // Running statistics are written without the schema's saying so, as in ATen.
  std::vector<Tensor> written() const {
    std::vector<Tensor> written;
    for (size_t i = 0; i < values.size(); ++i) {
      const Parameter& parameter = op->schema().parameters[i];
      if (values[i].is_tensor() && (parameter.is_written || parameter.name.starts_with("running_")))
        written.push_back(values[i].tensor());
    }
    return written;
  }
};

BoundCall bind_call(const Call& call, const CallSequence& sequence) {
  Values positional;
  for (const Operand& operand : call.positional) positional.push_back(sequence.value(operand));
  NamedValues keywords;
  for (const auto& [name, operand] : call.keywords) keywords.emplace_back(name, sequence.value(operand));
  const OpDef* op = find_op(call.op);
  return {op, bind_arguments(op->schema(), positional, keywords, Here::current())};
}

std::optional<reference::Array> expected(const BoundCall& call) {
  reference::Arguments arguments;
  for (size_t i = 0; i < call.values.size(); ++i)
    arguments.push_back(to_reference(call.values[i], call.op->schema().parameters[i]));
  std::optional<std::vector<reference::Array>> results = reference::evaluate(call.op->name(), arguments);
  if (!results) return std::nullopt;
  return call.writes() ? reference::convert(results->at(0), call.target().dtype()) : results->at(0);
}

// The bytes of all memory that the program has met.
class MemoryWatch {
 public:
  void add(const Tensor& tensor) {
    const StorageImpl* storage = tensor.storage().get();
    held_.try_emplace(storage, tensor.storage());
    if (!before_.contains(storage)) before_.emplace(storage, bytes_of(storage));
  }

  void add_all(const Value& value) {
    if (value.is_tensor()) add(value.tensor());
    if (value.is_list())
      for (const Value& element : value.list()) add_all(element);
  }

  // Whether memory changed outside of the elements of `written`; then starts anew.
  std::string stray_write(const std::vector<Tensor>& written) {
    std::string found;
    for (auto& [storage, before] : before_) {
      std::vector<std::byte> now = bytes_of(storage);
      for (const Tensor& tensor : written)
        if (tensor.storage().get() == storage) mask(tensor, now, before);
      if (!std::equal(now.begin(), now.end(), before.begin(), before.end()))
        found = "memory is written that is not the call's";
      before = std::move(now);
    }
    return found;
  }

 private:
  static void mask(const Tensor& written, std::span<const std::byte> now, std::vector<std::byte>& before) {
    reference::Array shape = reference::read(written);
    if (shape.values.empty()) return;
    std::vector<int64_t> index(shape.sizes.size());
    int64_t bytes = byte_size(written.dtype());
    do {
      int64_t position = written.storage_offset().constant();
      for (size_t dim = 0; dim < index.size(); ++dim) position += index[dim] * written.strides()[dim].constant();
      std::memcpy(&before[position * bytes], &now[position * bytes], bytes);
    } while (reference::advance(index, shape.sizes));
  }

  std::map<const StorageImpl*, Storage> held_;
  std::map<const StorageImpl*, std::vector<std::byte>> before_;
};

// --- Against eager ----------------------------------------------------------------------------------------------

bool is_nan(DType dtype, const std::byte* at) {
  return is_floating(dtype) && visit(dtype, [&](auto zero) {
           using T = decltype(zero);
           T value;
           std::memcpy(&value, at, sizeof value);
           if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
           if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
             return std::isnan(static_cast<float>(value));
           return false;
         });
}

std::string byte_difference(DType dtype, std::span<const std::byte> got, std::span<const std::byte> want) {
  int64_t size = byte_size(dtype);
  for (int64_t i = 0; i + size <= static_cast<int64_t>(want.size()); i += size)
    if (std::memcmp(&got[i], &want[i], size) != 0 && !(is_nan(dtype, &got[i]) && is_nan(dtype, &want[i])))
      return fmt::format("element {} differs in its bits", i / size);
  return {};
}

// Row-major copies of the elements.
std::vector<std::byte> dense_bytes(const Tensor& tensor) {
  std::vector<std::byte> dense;
  reference::Array shape = reference::read(tensor);
  if (shape.values.empty()) return dense;
  std::vector<int64_t> index(shape.sizes.size());
  int64_t size = byte_size(tensor.dtype());
  std::vector<std::byte> bytes = bytes_of(tensor.storage().get());
  do {
    int64_t position = tensor.storage_offset().constant();
    for (size_t dim = 0; dim < index.size(); ++dim) position += index[dim] * tensor.strides()[dim].constant();
    dense.insert(dense.end(), &bytes[position * size], &bytes[position * size] + size);
  } while (reference::advance(index, shape.sizes));
  return dense;
}

enum class Compares { bits, layouts };

// On a CUDA device the last bits of reductions and library calls depend on what is fused with them, and what a program
// makes of them is then anything.
Compares comparison_of(const RandomProgram& program) {
  if (placement().is_cpu()) return Compares::bits;
  graph::Graph graph = trace_program(program);
  Stages stages;
  graph::prepare_graph(graph, stages);
  for (const auto& node : graph.nodes)
    if (node->op && (node->op->reduction.kind != ReductionKind::none || node->op->library != Library::none))
      return Compares::layouts;
  return Compares::bits;
}

std::string result_difference(const Tensor& got, const Tensor& want, Compares compares) {
  if (got.dtype() != want.dtype()) return fmt::format("dtype {}, eager {}", name(got.dtype()), name(want.dtype()));
  bool is_empty = want.numel().constant() == 0;
  Layout placed = got.layout();
  placed.offset = want.layout().offset;
  bool same_sizes = to_string(got.sizes()) == to_string(want.sizes());
  if (!same_sizes || (!is_empty && !same_layout(placed, want.layout())))
    return fmt::format("layout {}, eager {}", to_string(got.meta()), to_string(want.meta()));
  if (compares == Compares::layouts) return {};
  std::vector<std::byte> x = dense_bytes(got), y = dense_bytes(want);
  std::string difference = byte_difference(want.dtype(), x, y);
  if (difference.empty()) return {};
  reference::Array eager = reference::read(want);
  eager.error_units = 0;
  std::string values = reference::difference(reference::read(got), eager);
  return values.empty() ? difference : values;
}

int input_of_storage(const std::vector<Tensor>& inputs, const Tensor& tensor) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].storage() == tensor.storage()) return static_cast<int>(i);
  return -1;
}

}  // namespace

namespace {

// Calls `before(call)` with each call's arguments, then `after(call, results)`, which says what is wrong with them.
template <class Before, class After>
std::string first_difference(const RandomProgram& program, const Before& before, const After& after) {
  std::vector<Tensor> inputs = program.make_inputs();
  MemoryWatch watch;
  for (const Tensor& input : inputs) watch.add(input);
  CallSequence sequence(inputs);
  manual_seed(program.seed);
  for (size_t i = 0; i < program.calls.size(); ++i) {
    BoundCall bound = bind_call(program.calls[i], sequence);
    before(bound);
    std::vector<Tensor> written = bound.written();
    const Values& results = sequence.run(program.calls[i]);
    std::string difference = watch.stray_write(written);
    if (difference.empty()) difference = after(results);
    if (!difference.empty()) return fmt::format("call {} ({}): {}", i, program.calls[i].op, difference);
    for (const Value& result : results) watch.add_all(result);
  }
  return {};
}

std::string reference_difference(const RandomProgram& program, int* compared) {
  std::optional<reference::Array> want;
  return first_difference(
      program, [&](const BoundCall& call) { want = expected(call); },
      [&](const Values& results) -> std::string {
        if (!want) return {};
        if (compared) ++*compared;
        return reference::difference(reference::read(results[0].tensor()), *want);
      });
}

std::string writes_elsewhere(const RandomProgram& program) {
  return first_difference(program, [](const BoundCall&) {}, [](const Values&) { return std::string(); });
}

// What is left of the inputs: their own layouts (some calls change them) and their memory.
std::string input_difference(const std::vector<Tensor>& inputs, const std::vector<Tensor>& eager, Compares compares) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string difference;
    if (to_string(inputs[i].meta()) != to_string(eager[i].meta()))
      difference = fmt::format("{}, eager {}", to_string(inputs[i].meta()), to_string(eager[i].meta()));
    else if (compares == Compares::bits)
      difference =
          byte_difference(inputs[i].dtype(), bytes_of(inputs[i].storage().get()), bytes_of(eager[i].storage().get()));
    if (!difference.empty()) return fmt::format("input {} afterwards: {}", i, difference);
  }
  return {};
}

struct Outcome {
  std::vector<Tensor> inputs, results;
};

std::string outcome_difference(const Outcome& got, const Outcome& want, Compares compares) {
  if (got.results.size() != want.results.size())
    return fmt::format("{} results, eager {}", got.results.size(), want.results.size());
  for (size_t i = 0; i < got.results.size(); ++i) {
    std::string difference = result_difference(got.results[i], want.results[i], compares);
    if (difference.empty() &&
        input_of_storage(got.inputs, got.results[i]) != input_of_storage(want.inputs, want.results[i]))
      difference = "another aliasing with the inputs";
    if (!difference.empty()) return fmt::format("result {}: {}", i, difference);
  }
  return input_difference(got.inputs, want.inputs, compares);
}

// Runs on fresh inputs and the program's own seed.
template <class Function>
Outcome outcome_of(const RandomProgram& program, const Function& function) {
  Outcome outcome = {program.make_inputs(), {}};
  manual_seed(program.seed);
  outcome.results = function(outcome.inputs);
  return outcome;
}

// A first and a second call.
std::string eager_difference(const RandomProgram& program, const Options& options, int threads) {
  auto run = [&](std::vector<Tensor> arguments) { return program.run(std::move(arguments)); };
  Outcome want = outcome_of(program, run);
  Compares compares = comparison_of(program);
  auto function = compile(run, options);
  int threads_before = get_num_threads();
  set_num_threads(threads);
  std::string difference;
  for (const char* call : {"first", "second"}) {
    try {
      difference = outcome_difference(outcome_of(program, function), want, compares);
    } catch (const Error& error) {
      difference = fmt::format("{} error: {}", name(error.kind()), error.what());
    }
    if (!difference.empty()) {
      difference = fmt::format("{} call, {} threads: {}", call, threads, difference);
      break;
    }
  }
  set_num_threads(threads_before);
  return difference;
}

// Programs are made of calls that tracing accepted, so that no run of them may fail.
template <class Check>
std::string error_or(const Check& check) {
  try {
    return check();
  } catch (const Error& error) {
    return fmt::format("{} error of a call that tracing accepts: {}", name(error.kind()), error.what());
  }
}

}  // namespace

std::string difference_from_reference(const RandomProgram& program, int* compared) {
  return error_or([&] { return reference_difference(program, compared); });
}

std::string stray_write_of(const RandomProgram& program) {
  return error_or([&] { return writes_elsewhere(program); });
}

std::string difference_from_eager(const RandomProgram& program, const Options& options, int threads) {
  return error_or([&] { return eager_difference(program, options, threads); });
}

std::string difference_after_parsing(const RandomProgram& program) {
  std::string text = to_string(trace_program(program));
  std::string again = to_string(graph::parse_graph(text));
  return again == text ? "" : fmt::format("printed:\n{}\nread and printed:\n{}", text, again);
}

namespace {

bool mentions(const Operand& operand, int call) {
  if (const auto* result = std::get_if<CallResult>(&operand.held)) return result->call == call;
  if (const auto* list = std::get_if<Operand::List>(&operand.held))
    for (const Operand& element : *list)
      if (mentions(element, call)) return true;
  return false;
}

bool is_used(const RandomProgram& program, int call) {
  for (const Operand& returned : program.returns)
    if (mentions(returned, call)) return true;
  for (const Call& other : program.calls) {
    for (const Operand& operand : other.positional)
      if (mentions(operand, call)) return true;
    for (const auto& [name, operand] : other.keywords)
      if (mentions(operand, call)) return true;
  }
  return false;
}

void renumber(Operand& operand, int removed) {
  if (auto* result = std::get_if<CallResult>(&operand.held); result && result->call > removed) --result->call;
  if (auto* list = std::get_if<Operand::List>(&operand.held))
    for (Operand& element : *list) renumber(element, removed);
}

RandomProgram without_call(RandomProgram program, int call) {
  program.calls.erase(program.calls.begin() + call);
  for (Operand& returned : program.returns) renumber(returned, call);
  for (Call& other : program.calls) {
    for (Operand& operand : other.positional) renumber(operand, call);
    for (auto& [name, operand] : other.keywords) renumber(operand, call);
  }
  return program;
}

bool mentions(const Operand& operand, InputIndex input) {
  if (const auto* held = std::get_if<InputIndex>(&operand.held)) return held->index == input.index;
  if (const auto* list = std::get_if<Operand::List>(&operand.held))
    for (const Operand& element : *list)
      if (mentions(element, input)) return true;
  return false;
}

void renumber(Operand& operand, InputIndex removed) {
  if (auto* held = std::get_if<InputIndex>(&operand.held); held && held->index > removed.index) --held->index;
  if (auto* list = std::get_if<Operand::List>(&operand.held))
    for (Operand& element : *list) renumber(element, removed);
}

template <class Visit>
void for_each_operand(RandomProgram& program, const Visit& visit) {
  for (Operand& returned : program.returns) visit(returned);
  for (Call& call : program.calls) {
    for (Operand& operand : call.positional) visit(operand);
    for (auto& [name, operand] : call.keywords) visit(operand);
  }
}

RandomProgram without_unused_inputs(RandomProgram program) {
  for (int i = static_cast<int>(program.inputs.size()) - 1; i >= 0; --i) {
    bool is_used = false;
    for_each_operand(program, [&](const Operand& operand) { is_used |= mentions(operand, InputIndex{i}); });
    if (is_used) continue;
    for_each_operand(program, [&](Operand& operand) { renumber(operand, InputIndex{i}); });
    program.inputs.erase(program.inputs.begin() + i);
  }
  return program;
}

}  // namespace

RandomProgram shrink(RandomProgram program, const std::function<std::string(const RandomProgram&)>& check) {
  for (int call = static_cast<int>(program.calls.size()) - 1; call >= 0; --call) {  // the earliest value that differs
    RandomProgram candidate = program;
    candidate.returns = {{CallResult{call, -1}}};
    if (!check(candidate).empty()) program = candidate;
  }
  for (int call = static_cast<int>(program.calls.size()) - 1; call >= 0; --call) {
    if (is_used(program, call)) continue;
    RandomProgram candidate = without_call(program, call);
    if (!check(candidate).empty()) program = candidate;
  }
  RandomProgram candidate = without_unused_inputs(program);
  return check(candidate).empty() ? program : candidate;
}

}  // namespace sinter::test
