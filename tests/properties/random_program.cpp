// Builds a random program call by call. Each candidate call is traced on fake tensors first; one that the operator
// refuses is left out.

#include "properties/random_program.h"

#include <sinter/graph/text/print_graph.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>

#include "properties/random_input.h"
#include "properties/random_source.h"
#include "support/same_bits.h"

namespace sinter::test {

namespace {

void release(StorageImpl& storage) noexcept { ::operator delete(storage.data, std::align_val_t{64}); }

Storage make_storage(const std::vector<std::byte>& contents) {
  auto* impl = new StorageImpl;
  impl->data = ::operator new(contents.size() + 1, std::align_val_t{64});
  std::memcpy(impl->data, contents.data(), contents.size());
  impl->bytes = static_cast<int64_t>(contents.size());
  impl->release = release;
  return Storage(impl);
}

std::vector<Tensor> add_inputs(graph::Trace& trace, const RandomProgram& program) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const RandomInput& input = program.inputs[i];
    auto bytes = static_cast<int64_t>(program.storages[input.storage].size());
    tensors.push_back(trace.add_input(input.meta, fmt::format("arg{}", i), Here::current(), input.storage, bytes));
  }
  return tensors;
}

// Broadcasting could otherwise multiply sizes without end.
constexpr int64_t most_elements = 400000;

bool has_self_overlap(const Tensor& tensor) { return overlaps_itself(tensor.layout()); }

class Builder {
 public:
  Builder(uint64_t seed, ProgramSize size) : random_(seed) {
    program_.seed = seed;
    add_random_inputs(program_, random_, size);
    std::vector<Tensor> inputs = add_inputs(trace_, program_);
    for (int i = 0; i < static_cast<int>(inputs.size()); ++i) values_.push_back({{InputIndex{i}}, inputs[i]});
    sequence_.emplace(std::move(inputs));
  }

  RandomProgram build() {
    graph::ActivateTrace active(&trace_);
    int64_t length = random_.between(1, 12);
    for (int64_t tries = 0; static_cast<int64_t>(program_.calls.size()) < length && tries < 10 * length; ++tries)
      add_step();
    choose_returns();
    return std::move(program_);
  }

 private:
  struct Known {
    Operand operand;
    Tensor fake;
  };

  static Operand constant(Value value) { return {std::move(value)}; }

  // Later values are likelier, so that chains grow.
  const Known& any() {
    auto count = static_cast<int64_t>(values_.size());
    return values_[std::max(random_.below(count), random_.below(count))];
  }

  // One that broadcasts with the given sizes; without growing them if `fits_inside`.
  const Known* compatible(const Tensor& with, bool fits_inside) {
    for (int tries = 0; tries < 8; ++tries) {
      const Known& candidate = any();
      std::optional<SymDims> sizes = broadcast_sizes(candidate.fake.sizes(), with.sizes());
      if (!sizes || numel(*sizes).constant() > most_elements) continue;
      if (fits_inside && to_string(*sizes) != to_string(with.sizes())) continue;
      return &candidate;
    }
    return nullptr;
  }

  // Numbers that every float type holds exactly and that u8 holds.
  Value random_number() {
    if (random_.chance(0.1)) return Value(random_.chance(0.5));
    if (random_.chance(0.5)) return Value(random_.between(0, 3));
    return Value(random_.pick({0.0, 0.5, 1.0, 2.0, 0.25, 1.5, -1.0, -2.5, 3.0}));
  }

  void add_step() {
    using Step = void (Builder::*)();
    static const std::vector<Step> steps = {
        &Builder::unary,       &Builder::unary,       &Builder::binary,     &Builder::binary,  &Builder::binary,
        &Builder::with_number, &Builder::with_number, &Builder::choice,     &Builder::convert, &Builder::view,
        &Builder::view,        &Builder::reduce,      &Builder::reduce,     &Builder::norm,    &Builder::join,
        &Builder::write,       &Builder::write,       &Builder::write_view, &Builder::product};
    (this->*random_.pick(steps))();
  }

  void call(std::string op, std::vector<Operand> positional,
            std::vector<std::pair<std::string, Operand>> keywords = {}) {
    Call call{std::move(op), std::move(positional), std::move(keywords)};
    try {
      const Values& results = sequence_->run(call);
      auto number = static_cast<int>(program_.calls.size());
      program_.calls.push_back(std::move(call));
      if (results.size() == 1 && results[0].is_tensor())
        values_.push_back({{CallResult{number, -1}}, results[0].tensor()});
    } catch (const Error&) {
    }
  }

  void unary() {
    static const std::vector<std::string> names = {
        "exp",   "log",   "sqrt",  "rsqrt", "reciprocal", "sin",         "cos",         "tanh", "sigmoid",
        "erf",   "gelu",  "silu",  "neg",   "abs",        "relu",        "square",      "ceil", "floor",
        "round", "trunc", "isnan", "isinf", "isfinite",   "logical_not", "bitwise_not", "clone"};
    call("aten::" + random_.pick(names) + ".default", {any().operand});
  }

  void binary() {
    static const std::vector<std::string> names = {
        "add.Tensor",         "sub.Tensor",          "mul.Tensor",         "div.Tensor",         "rsub.Tensor",
        "maximum.default",    "minimum.default",     "eq.Tensor",          "ne.Tensor",          "lt.Tensor",
        "le.Tensor",          "gt.Tensor",           "ge.Tensor",          "bitwise_and.Tensor", "bitwise_or.Tensor",
        "bitwise_xor.Tensor", "logical_and.default", "logical_or.default", "logical_xor.default"};
    const Known& a = any();
    const Known* b = compatible(a.fake, false);
    if (!b) return;
    std::string name = random_.pick(names);
    if (is_floating(a.fake.dtype()) && is_floating(b->fake.dtype()) && random_.chance(0.05)) name = "pow.Tensor_Tensor";
    std::vector<std::pair<std::string, Operand>> keywords;
    if ((name == "add.Tensor" || name == "sub.Tensor") && random_.chance(0.2))
      keywords.emplace_back("alpha", constant(Value(2)));
    call("aten::" + name, {a.operand, b->operand}, std::move(keywords));
  }

  void with_number() {
    static const std::vector<std::string> names = {
        "add.Tensor", "sub.Tensor", "mul.Tensor",        "div.Tensor",       "rsub.Scalar", "add.Scalar",
        "mul.Scalar", "div.Scalar", "eq.Scalar",         "ne.Scalar",        "lt.Scalar",   "le.Scalar",
        "gt.Scalar",  "ge.Scalar",  "clamp_min.default", "clamp_max.default"};
    const Known& a = any();
    if (is_floating(a.fake.dtype()) && random_.chance(0.1))
      return call("aten::pow.Tensor_Scalar",
                  {a.operand, constant(Value(random_.pick({2.0, 3.0, 0.5, -1.0, -2.0, 1.5})))});
    std::string name = random_.pick(names);
    call("aten::" + name, {a.operand, constant(random_number())});
  }

  void choice() {
    const Known& a = any();
    if (random_.chance(0.4)) return call("aten::clamp.default", {a.operand, constant(Value(0)), constant(Value(2))});
    const Known* b = compatible(a.fake, false);
    if (!b) return;
    if (random_.chance(0.3)) return call("aten::clamp.Tensor", {a.operand, b->operand});
    for (const Known& condition : values_)
      if (condition.fake.dtype() == boolean && broadcast_sizes(condition.fake.sizes(), a.fake.sizes()))
        return call("aten::where.self", {condition.operand, a.operand, b->operand});
  }

  void convert() {
    call("aten::to.dtype",
         {any().operand, constant(Value(random_.pick({boolean, u8, i8, i16, i32, i64, f16, bf16, f32, f64})))});
  }

  void view() {
    const Known& x = any();
    int64_t rank = x.fake.dim();
    switch (random_.below(7)) {
      case 0: return call("aten::unsqueeze.default", {x.operand, constant(Value(random_.between(-rank - 1, rank)))});
      case 1: return call("aten::squeeze.default", {x.operand});
      case 2: return reshape(x);
      case 3: return expand(x);
      default: break;
    }
    if (rank == 0) return;
    int64_t dim = random_.between(-rank, rank - 1);
    int64_t size = x.fake.sizes()[dim < 0 ? dim + rank : dim].constant();
    switch (random_.below(4)) {
      case 0:
        return call("aten::transpose.int", {x.operand, constant(Value(dim)), constant(Value(random_.below(rank)))});
      case 1: return permute(x);
      case 2:
        if (size > 0)
          call("aten::select.int",
               {x.operand, constant(Value(dim)), constant(Value(random_.between(-size, size - 1)))});
        return;
      default:
        return call("aten::slice.Tensor",
                    {x.operand, constant(Value(dim)), constant(Value(random_.between(-size, size))),
                     constant(Value(random_.between(0, size + 1))), constant(Value(random_.between(1, 3)))});
    }
  }

  void permute(const Known& x) {
    Dims dims;
    for (int64_t dim = 0; dim < x.fake.dim(); ++dim) dims.push_back(dim);
    for (int64_t i = x.fake.dim() - 1; i > 0; --i) std::swap(dims[i], dims[random_.below(i + 1)]);
    call("aten::permute.default", {x.operand, constant(Value(dims))});
  }

  void reshape(const Known& x) {
    Dims sizes;
    for (SymInt size : x.fake.sizes()) sizes.push_back(size.constant());
    if (sizes.size() >= 2 && random_.chance(0.7)) {
      int64_t at = random_.below(static_cast<int64_t>(sizes.size()) - 1);
      Dims merged;
      for (int64_t dim = 0; dim < static_cast<int64_t>(sizes.size()); ++dim)
        if (dim == at + 1)
          merged.back() *= sizes[dim];
        else
          merged.push_back(sizes[dim]);
      sizes = merged;
    } else {
      sizes.push_back(1);
    }
    call(random_.chance(0.5) ? "aten::view.default" : "aten::reshape.default", {x.operand, constant(Value(sizes))});
  }

  void expand(const Known& x) {
    if (x.fake.numel().constant() > 500) return;
    Dims sizes;
    if (random_.chance(0.5)) sizes.push_back(random_.between(1, 3));
    for (SymInt size : x.fake.sizes()) sizes.push_back(size.constant() == 1 ? random_.between(1, 4) : size.constant());
    call("aten::expand.default", {x.operand, constant(Value(sizes))});
  }

  void reduce() {
    const Known& x = any();
    std::string name = random_.pick({"sum", "mean", "amax", "amin", "prod", "any", "all"});
    if (random_.chance(0.3)) return call("aten::" + name + ".default", {x.operand});
    if (x.fake.dim() == 0) return;
    Dims dims;
    for (int64_t dim = 0; dim < x.fake.dim(); ++dim)
      if (random_.chance(0.4)) dims.push_back(random_.chance(0.2) ? dim - x.fake.dim() : dim);
    if (dims.empty()) dims.push_back(random_.below(x.fake.dim()));
    Operand keepdim = constant(Value(random_.chance(0.5)));
    if (name == "prod") return call("aten::prod.dim_int", {x.operand, constant(Value(dims[0])), keepdim});
    if (name == "any" || name == "all")
      return call("aten::" + name + ".dim", {x.operand, constant(Value(dims[0])), keepdim});
    std::string overload = name == "sum" ? ".dim_IntList" : name == "mean" ? ".dim" : ".default";
    call("aten::" + name + overload, {x.operand, constant(Value(dims)), keepdim});
  }

  void norm() {
    const Known& x = any();
    int64_t rank = x.fake.dim();
    if (rank == 0 || !is_floating(x.fake.dtype())) return;
    if (random_.chance(0.4))
      return call("aten::layer_norm.default", {x.operand, constant(Value(Dims{x.fake.sizes()[rank - 1].constant()}))});
    std::string name = random_.pick({"aten::softmax.int", "aten::log_softmax.int"});
    call(name, {x.operand, constant(Value(random_.between(-rank, rank - 1)))});
  }

  void join() {
    const Known& x = any();
    int64_t rank = x.fake.dim();
    if (x.fake.numel().constant() > 2000) return;
    std::vector<Operand> parts = {x.operand};
    int64_t dim = rank == 0 ? 0 : random_.below(rank);
    bool is_stack = rank == 0 || random_.chance(0.3);
    for (const Known& other : values_)
      if (parts.size() < 4 && joins(x.fake, other.fake, is_stack ? -1 : dim) && random_.chance(0.5))
        parts.push_back(other.operand);
    if (random_.chance(0.5)) std::reverse(parts.begin(), parts.end());
    call(is_stack ? "aten::stack.default" : "aten::cat.default", {{Operand::List(parts)}, constant(Value(dim))});
  }

  static bool joins(const Tensor& a, const Tensor& b, int64_t free_dim) {
    if (a.dim() != b.dim()) return false;
    for (int64_t dim = 0; dim < a.dim(); ++dim)
      if (dim != free_dim && a.sizes()[dim].constant() != b.sizes()[dim].constant()) return false;
    return true;
  }

  void write() { write_into(any()); }

  // Through a view that is made for it.
  void write_view() {
    size_t before = values_.size();
    view();
    if (values_.size() > before) write_into(values_.back());
  }

  void write_into(const Known& known) {
    Known target = known;
    if (has_self_overlap(target.fake)) return;
    if (random_.chance(0.15)) return call("aten::zero_.default", {target.operand});
    if (random_.chance(0.15))
      return call("aten::fill_.Scalar", {target.operand, constant(Value(random_.between(0, 3)))});
    if (random_.chance(0.2))
      return call(
          random_.pick({"aten::relu_.default", "aten::neg_.default", "aten::exp_.default", "aten::sigmoid_.default"}),
          {target.operand});
    std::string op =
        random_.pick({"aten::add_.Tensor", "aten::mul_.Tensor", "aten::sub_.Tensor", "aten::copy_.default"});
    if (op != "aten::copy_.default" && random_.chance(0.3))
      return call(op, {target.operand, constant(random_number())});
    const Known* source = compatible(target.fake, true);
    // A source in the same memory may overlap in part, which is an error where it is found.
    if (source && !shares_memory(source->fake, target.fake)) call(op, {target.operand, source->operand});
  }

  static bool shares_memory(const Tensor& a, const Tensor& b) { return a.storage()->fake_id == b.storage()->fake_id; }

  void product() {
    const Known& x = any();
    if (x.fake.dim() != 2 || x.fake.numel().constant() > 400) return;
    for (const Known& other : values_)
      if (other.fake.dim() == 2 && other.fake.dtype() == x.fake.dtype() && is_floating(x.fake.dtype()) &&
          other.fake.sizes()[0].constant() == x.fake.sizes()[1].constant())
        return call("aten::mm.default", {x.operand, other.operand});
  }

  void choose_returns() {
    program_.returns.push_back(values_.back().operand);
    for (const Known& known : values_)
      if (program_.returns.size() < 4 && random_.chance(0.15)) program_.returns.push_back(known.operand);
  }

  RandomSource random_;
  RandomProgram program_;
  graph::Trace trace_;
  std::optional<CallSequence> sequence_;
  std::vector<Known> values_;
};

}  // namespace

std::vector<Tensor> RandomProgram::make_inputs(Device device) const {
  std::vector<Storage> blocks;
  for (const auto& contents : storages) blocks.push_back(make_storage(contents));
  std::vector<Tensor> tensors;
  for (const RandomInput& input : inputs) tensors.emplace_back(input.meta, blocks[input.storage]);
  if (device.is_cpu()) return tensors;
  MemoryCopies copies(device);
  for (Tensor& tensor : tensors) tensor = copies.copy(tensor);
  return tensors;
}

std::vector<Tensor> RandomProgram::run(std::vector<Tensor> arguments) const {
  std::vector<Tensor> results;
  for (const Value& value : run_calls(calls, returns, std::move(arguments)))
    if (value.is_tensor()) results.push_back(value.tensor());
  return results;
}

RandomProgram random_program(uint64_t seed, ProgramSize size) {
  graph::InheritDevice inherit(cpu);
  return Builder(seed, size).build();
}

graph::Graph trace_program(const RandomProgram& program) {
  graph::InheritDevice inherit(cpu);
  graph::Trace trace;
  graph::ActivateTrace active(&trace);
  std::vector<Tensor> results = program.run(add_inputs(trace, program));
  trace.set_results(results, Here::current());
  return trace.take_graph();
}

std::string describe(const RandomProgram& program) {
  std::string text = fmt::format("seed {}\n", program.seed);
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const RandomInput& input = program.inputs[i];
    text += fmt::format("arg{}: {}, storage {} of {} bytes\n", i, to_string(input.meta), input.storage,
                        program.storages[input.storage].size());
  }
  return text + to_string(trace_program(program));
}

}  // namespace sinter::test
