// Makes inputs, and makes each call twice.

#include "properties/pool.h"

#include <sinter/runtime/random.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "properties/random_input.h"
#include "reference/array.h"

namespace sinter::test {

namespace {

// Results beyond this are left out, since chains of joins and repeats would grow without end.
constexpr int64_t most_elements = 20000;

bool prints_calls() {
  static const bool prints = std::getenv("SINTER_PROPERTY_CALLS") != nullptr;
  return prints;
}

std::string text_of(const Value& value) {
  if (value.is_none()) return "None";
  if (value.is_scalar()) return sinter::to_string(value.scalar());
  if (value.is_string()) return fmt::format("'{}'", value.string());
  if (value.is_dtype()) return std::string(name(value.dtype()));
  if (value.is_list()) {
    std::string text;
    for (const Value& element : value.list()) text += (text.empty() ? "" : ", ") + text_of(element);
    return "[" + text + "]";
  }
  return value.is_tensor() ? sinter::to_string(value.tensor().meta()) : "other";
}

std::string text_of(const Operand& operand) {
  if (const auto* input = std::get_if<InputIndex>(&operand.held)) return fmt::format("arg{}", input->index);
  if (const auto* result = std::get_if<CallResult>(&operand.held))
    return result->item < 0 ? fmt::format("%{}", result->call) : fmt::format("%{}[{}]", result->call, result->item);
  if (const auto* list = std::get_if<Operand::List>(&operand.held)) {
    std::string text;
    for (const Operand& element : *list) text += (text.empty() ? "" : ", ") + text_of(element);
    return "[" + text + "]";
  }
  return text_of(std::get<Value>(operand.held));
}

bool is_too_large(const Values& values) {
  for (const Value& value : values) {
    if (value.is_list() && is_too_large(value.list())) return true;
    if (value.is_tensor() && value.tensor().numel().constant() > most_elements) return true;
  }
  return false;
}

template <class Run>
bool is_accepted(const Run& run, std::optional<Error>& refusal) {
  try {
    run();
    return true;
  } catch (const Error& error) {
    refusal = error;
    return false;
  }
}

// What the traced call promises of its results, against what the eager one gives.
std::string meta_difference(const Values& fakes, const Values& reals) {
  if (fakes.size() != reals.size()) return fmt::format("{} results eager, {} traced", reals.size(), fakes.size());
  for (size_t i = 0; i < fakes.size(); ++i) {
    const Value &fake = fakes[i], &real = reals[i];
    if (fake.is_list() && real.is_list()) {
      std::string difference = meta_difference(fake.list(), real.list());
      if (!difference.empty()) return difference;
    } else if (fake.is_tensor() != real.is_tensor()) {
      return fmt::format("result {} is {} eager, {} traced", i, text_of(real), text_of(fake));
    } else if (fake.is_tensor() && (fake.tensor().dtype() != real.tensor().dtype() ||
                                    !same_layout(fake.tensor().layout(), real.tensor().layout()))) {
      return fmt::format("result {} is {} eager, {} traced", i, text_of(real), text_of(fake));
    }
  }
  return {};
}

}  // namespace

Sizes Known::sizes() const {
  Sizes sizes;
  for (SymInt size : tensor.sizes()) sizes.push_back(size.constant());
  return sizes;
}

std::string to_string(const Call& call) {
  std::string text;
  for (const Operand& operand : call.positional) text += (text.empty() ? "" : ", ") + text_of(operand);
  for (const auto& [name, operand] : call.keywords)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, text_of(operand));
  return fmt::format("{}({})", call.op, text);
}

std::vector<double> elements_of(const Known& known) {
  std::vector<double> elements;
  for (const reference::Number& number : reference::read(known.tensor).values)
    elements.push_back(is_floating(known.dtype()) ? number.f : static_cast<double>(number.i));
  return elements;
}

Pool::Pool(uint64_t seed, DrawCounts& counts) : random_(seed), counts_(counts), eager_({}), traced_({}) {
  program_.seed = seed;
  manual_seed(seed);
  add_random_inputs(program_, random_, ProgramSize::small);
  std::vector<Tensor> tensors = program_.make_inputs(cpu);
  for (size_t i = 0; i < tensors.size(); ++i)
    know_input(program_.inputs[i].meta, tensors[i], program_.inputs[i].storage);
}

// Inputs that do not share memory leave it to the trace to number their storage: calls may have made others.
Known Pool::know_input(const TensorMeta& meta, const Tensor& tensor, int64_t storage) {
  traced_.add_input(
      trace_.add_input(meta, fmt::format("arg{}", input_count_), Here::current(), storage, tensor.storage()->bytes));
  eager_.add_input(tensor);
  return values_.emplace_back(Known{{InputIndex{input_count_++}}, tensor});
}

Known Pool::fresh(DType dtype, const Sizes& sizes) {
  Placed placed = random_layout(sizes, random_, true);
  return add_input(dtype, placed.layout, random_storage(dtype, placed.elements, random_));
}

Known Pool::fresh(DType dtype, const Sizes& sizes, const std::vector<double>& elements) {
  Placed placed = random_layout(sizes, random_, false);
  std::vector<std::byte> contents = random_storage(dtype, placed.elements, random_);
  if (!elements.empty()) {
    Sizes index(sizes.size());
    size_t next = 0;
    do {
      int64_t position = placed.layout.offset.constant();
      for (size_t dim = 0; dim < index.size(); ++dim) position += index[dim] * placed.layout.strides[dim].constant();
      store_element(dtype, &contents[position * byte_size(dtype)], elements.at(next++));
    } while (reference::advance(index, sizes));
  }
  return add_input(dtype, placed.layout, std::move(contents));
}

Known Pool::add_input(DType dtype, const Layout& layout, std::vector<std::byte> contents) {
  RandomInput input = {{dtype, cpu, layout}, static_cast<int>(program_.storages.size())};
  program_.inputs.push_back(input);
  program_.storages.push_back(std::move(contents));
  return know_input(input.meta, program_.make_inputs(cpu).back(), -1);
}

// The sign of a NaN that was computed is whatever the machine makes it, and differs where a compiler computes it.
bool Pool::asks_for_sign_of_nan(const Call& call) const {
  bool is_copysign = call.op.starts_with("aten::copysign");
  if (!is_copysign && !call.op.starts_with("aten::signbit")) return false;
  size_t asked = is_copysign ? 1 : 0;
  if (call.positional.size() <= asked) return false;
  Value value = eager_.value(call.positional[asked]);
  if (!value.is_tensor()) return false;
  std::vector<double> elements = elements_of(Known{{}, value.tensor()});
  return std::ranges::any_of(elements, [](double element) { return std::isnan(element); });
}

std::optional<std::vector<Known>> Pool::call(const Call& call) {
  if (asks_for_sign_of_nan(call)) return std::nullopt;
  if (prints_calls()) std::fprintf(stderr, "seed %lu: %s\n", program_.seed, to_string(call).c_str());
  std::optional<Error> refusal;
  bool is_traced = is_accepted([&] { return run_traced(call); }, refusal);
  if (is_traced && is_too_large(traced_.last())) {
    traced_.drop_last();
    return std::nullopt;
  }
  std::optional<Error> eager_refusal;
  bool runs = is_accepted([&] { eager_.run(call); }, eager_refusal);
  for (const auto& error : {refusal, eager_refusal})
    if (error && error->kind() == ErrorKind::internal)
      throw Fault(fmt::format("{}: {}", to_string(call), error->what()));
  bool needs_data = refusal && refusal->kind() == ErrorKind::trace;
  if (runs && refusal && !needs_data)
    throw Fault(fmt::format("{} runs eager; tracing says\n{}", to_string(call), refusal->what()));
  DrawCount& count = counts_[call.op];
  if (runs && is_traced) {
    ++count.accepted;
    std::string difference = meta_difference(traced_.last(), eager_.last());
    if (!difference.empty()) throw Fault(fmt::format("{}: {}", to_string(call), difference));
    program_.calls.push_back(call);
    return add_results();
  }
  if (runs) {
    ++count.eager_only;
    eager_.drop_last();
  } else {
    ++count.refused;
    count.last_refusal = eager_refusal->what();
  }
  if (is_traced) traced_.drop_last();
  replay();
  return std::nullopt;
}

void Pool::run_traced(const Call& call) {
  graph::ActivateTrace active(&trace_);
  traced_.run(call);
}

std::vector<Known> Pool::add_results() {
  auto number = static_cast<int>(program_.calls.size()) - 1;
  const Values& values = eager_.last();
  std::vector<Known> results;
  bool is_list = values.size() == 1 && values[0].is_list();
  const Values& items = is_list ? values[0].list() : values;
  bool has_items = is_list || values.size() != 1;
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].is_tensor())
      results.push_back({{CallResult{number, has_items ? static_cast<int>(i) : -1}}, items[i].tensor()});
  values_.insert(values_.end(), results.begin(), results.end());
  return results;
}

void Pool::replay() {
  manual_seed(program_.seed);
  eager_ = CallSequence(program_.make_inputs(cpu));
  for (const Call& call : program_.calls) eager_.run(call);
  for (Known& known : values_) known.tensor = eager_.value(known.operand).tensor();
}

RandomProgram Pool::take() { return std::move(program_); }

}  // namespace sinter::test
