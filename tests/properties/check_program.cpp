// Runs random programs in every way and compares.

#include "properties/check_program.h"

#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/runtime/compile.h>
#include <sinter/runtime/parallel.h>

#include <cmath>
#include <cstring>
#include <map>

#include "reference/evaluate.h"

namespace sinter::test {

namespace {

std::span<const std::byte> bytes_of(const StorageImpl* storage) {
  return {static_cast<const std::byte*>(storage->data), static_cast<size_t>(storage->bytes)};
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

  bool writes() const { return op->schema().parameters[0].is_written; }
  const Tensor& target() const { return values[0].tensor(); }
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
    auto bytes = bytes_of(storage);
    held_.try_emplace(storage, tensor.storage());
    before_.try_emplace(storage, bytes.begin(), bytes.end());
  }

  // Whether memory changed outside of the elements of `written` (or anywhere); then starts anew.
  std::string stray_write(const Tensor* written) {
    std::string found;
    for (auto& [storage, before] : before_) {
      auto now = bytes_of(storage);
      if (written && written->storage().get() == storage) mask(*written, now, before);
      if (!std::equal(now.begin(), now.end(), before.begin(), before.end()))
        found = "memory is written that is not the call's";
      before.assign(now.begin(), now.end());
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
  auto bytes = bytes_of(tensor.storage().get());
  do {
    int64_t position = tensor.storage_offset().constant();
    for (size_t dim = 0; dim < index.size(); ++dim) position += index[dim] * tensor.strides()[dim].constant();
    dense.insert(dense.end(), &bytes[position * size], &bytes[position * size] + size);
  } while (reference::advance(index, shape.sizes));
  return dense;
}

std::string result_difference(const Tensor& got, const Tensor& want) {
  if (got.dtype() != want.dtype()) return fmt::format("dtype {}, eager {}", name(got.dtype()), name(want.dtype()));
  bool is_empty = want.numel().constant() == 0;
  Layout placed = got.layout();
  placed.offset = want.layout().offset;
  bool same_sizes = to_string(got.sizes()) == to_string(want.sizes());
  if (!same_sizes || (!is_empty && !same_layout(placed, want.layout())))
    return fmt::format("layout {}, eager {}", to_string(got.meta()), to_string(want.meta()));
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

std::string reference_difference(const RandomProgram& program, int* compared) {
  std::vector<Tensor> inputs = program.make_inputs();
  MemoryWatch watch;
  for (const Tensor& input : inputs) watch.add(input);
  CallSequence sequence(inputs);
  for (size_t i = 0; i < program.calls.size(); ++i) {
    BoundCall bound = bind_call(program.calls[i], sequence);
    std::optional<reference::Array> want = expected(bound);
    Tensor result = sequence.run(program.calls[i])[0].tensor();
    std::string difference = watch.stray_write(bound.writes() ? &bound.target() : nullptr);
    if (want && difference.empty()) difference = reference::difference(reference::read(result), *want);
    if (want && compared) ++*compared;
    if (!difference.empty()) return fmt::format("call {} ({}): {}", i, program.calls[i].op, difference);
    watch.add(result);
  }
  return {};
}

std::string eager_difference(const RandomProgram& program, const Options& options, int threads) {
  std::vector<Tensor> eager_inputs = program.make_inputs(), inputs = program.make_inputs();
  std::vector<Tensor> want = program.run(eager_inputs);
  auto function = compile([&](std::vector<Tensor> arguments) { return program.run(std::move(arguments)); }, options);
  int threads_before = get_num_threads();
  set_num_threads(threads);
  std::vector<Tensor> got;
  std::string difference;
  try {
    got = function(inputs);
  } catch (const Error& error) {
    difference = fmt::format("{} error: {}", name(error.kind()), error.what());
  }
  set_num_threads(threads_before);
  for (size_t i = 0; i < got.size() && difference.empty(); ++i) {
    difference = result_difference(got[i], want[i]);
    if (difference.empty() && input_of_storage(inputs, got[i]) != input_of_storage(eager_inputs, want[i]))
      difference = "another aliasing with the inputs";
    if (!difference.empty()) difference = fmt::format("result {}: {}", i, difference);
  }
  for (size_t i = 0; i < inputs.size() && difference.empty(); ++i) {
    difference = byte_difference(inputs[i].dtype(), bytes_of(inputs[i].storage().get()),
                                 bytes_of(eager_inputs[i].storage().get()));
    if (!difference.empty()) difference = fmt::format("input {} afterwards: {}", i, difference);
  }
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
  return program;
}

}  // namespace sinter::test
