// Traces a call. Arguments that share memory are traced as strangers at first: only if the function turns out to write
// one of them is it traced again, with the memory in common.

#include <sinter/runtime/trace_call.h>

#include <sinter/graph/custom/kernel_body.h>
#include <sinter/graph/late_guards.h>
#include <sinter/graph/passes/insert_size_checks.h>
#include <sinter/graph/passes/simplify_sizes.h>
#include <sinter/graph/trace.h>
#include <sinter/graph/usual_number.h>
#include <sinter/runtime/asked_strides.h>
#include <sinter/runtime/check_guards.h>
#include <sinter/runtime/write_guards.h>

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace sinter::runtime {

namespace {

using graph::NodeOutput;

// Argument i lies in the memory of argument leaders[i]; itself, if it overlaps nothing.
std::vector<int> leaders_of_overlaps(const FlatArguments& arguments, std::span<const int64_t> reach) {
  int count = static_cast<int>(arguments.tensors.size());
  std::vector<int> leaders(count), order(count);
  std::iota(leaders.begin(), leaders.end(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::vector<MemoryRange> ranges;
  for (int i = 0; i < count; ++i) {
    const Tensor& tensor = *arguments.tensors[i];
    ranges.push_back(reached_range(tensor, reach[i] == 0 ? 0 : reach[i] * byte_size(tensor.dtype())));
  }
  std::ranges::sort(order, {}, [&](int i) { return std::pair(ranges[i].begin, i); });
  uintptr_t end = 0;
  int leader = -1;
  for (int i : order) {
    if (ranges[i].begin == ranges[i].end) continue;
    if (ranges[i].begin < end)
      leaders[i] = leader;
    else
      leader = i;
    end = std::max(end, ranges[i].end);
  }
  return leaders;
}

struct Attempt {
  std::shared_ptr<graph::ShapeFacts> shapes = std::make_shared<graph::ShapeFacts>();
  std::vector<TensorMeta> metas;  // of each argument
  std::vector<Tensor> fakes;
  std::vector<NodeOutput> placeholders;  // of each fake; none for an undefined one
  std::vector<Scalar> numbers;
  TracedResults returned;
  SharedMemory memory;
};

TensorMeta traced_meta(const FlatArguments& arguments, const SharedMemory& memory, int i, Here where) {
  const Tensor& tensor = *arguments.tensors[i];
  TensorMeta meta = tensor.meta();
  int leader = memory.leaders[i];
  if (leader == i) return meta;
  const Tensor& first = *arguments.tensors[leader];
  int64_t distance = static_cast<int64_t>(first_element(tensor) - first_element(first));
  if (meta.dtype != first.dtype() || distance % byte_size(meta.dtype) != 0)
    throw Error(ErrorKind::unsupported, where,
                "compile: the function writes arguments that share memory and differ in dtype",
                {{"one", to_string(first.meta())}, {"other", to_string(meta)}},
                "pass tensors of one dtype, or such that do not overlap");
  meta.layout.offset = first.layout().offset + distance / byte_size(meta.dtype);
  return meta;
}

// Strides that follow from the sizes are written so; others are numbers.
SymDims derived_strides(const Layout& real, const SymDims& sizes) {
  SymDims strides = real.strides;
  Dims order = stride_order(real);
  SymInt expected = 1;
  for (size_t i = order.size(); i-- > 0;) {
    int64_t dim = order[i];
    if (real.strides[dim].same(0)) continue;
    if (real.strides[dim].hint() == expected.hint()) strides[dim] = expected;
    if (!sizes[dim].same(1)) expected = strides[dim] * sizes[dim];
  }
  return strides;
}

void make_symbolic(TensorMeta& meta, int argument, std::span<const SymbolicDim> symbolic, const std::string& name,
                   graph::ShapeFacts& shapes) {
  SymDims sizes = meta.layout.sizes;
  bool any = false;
  for (const SymbolicDim& choice : symbolic) {
    if (choice.argument != argument) continue;
    any = true;
    sizes[choice.dim] =
        shapes.add_symbol({argument, choice.dim, sizes[choice.dim].hint(), choice.range, choice.multiple_of,
                           fmt::format("{}.size({})", name, choice.dim), choice.is_declared});
  }
  if (!any) return;
  meta.layout.strides = derived_strides(meta.layout, sizes);
  meta.layout.sizes = sizes;
}

void refuse_sizes_of_traces(const NameArguments& names, Here where) {
  if (names.symbolic.empty()) return;
  throw Error(ErrorKind::trace, where, "compile: a symbolic size of a trace is passed to a compiled function",
              {{"argument", names.symbolic[0]}}, "keep sizes that a traced function asked for inside that function");
}

// Scalar arguments are inputs; in a CUDA graph, which is a recording, they have their values.
void add_numbers(graph::Trace& trace, const FlatArguments& arguments, const NameArguments& names, bool are_values,
                 Attempt& attempt, Here where) {
  for (int word : names.scalars) {
    if (arguments.words[word - 1] == word_of_traced)
      throw Error(ErrorKind::trace, where, "compile: a number of a trace is passed to a compiled function", {},
                  "keep numbers that a traced function was given inside that function");
    if (are_values) continue;
    Scalar example = scalar_of_words(arguments.words[word - 1], arguments.words[word]);
    const std::string& name = names.words[word].path;
    attempt.shapes->numbers.add_argument(name);
    Scalar traced = traced_number(static_cast<int>(attempt.numbers.size()), example);
    attempt.numbers.push_back(trace.add_number(traced, identifier(name), where));
  }
}

int64_t active_id() { return graph::active_trace() ? graph::active_trace()->id() : -1; }

Attempt attempt(graph::Trace& trace, const FlatArguments& arguments, std::vector<int> leaders, CallSite& site,
                const NameArguments& names, bool has_number_values, std::span<const SymbolicDim> symbolic, Here where) {
  Attempt attempt;
  attempt.memory.leaders = std::move(leaders);
  refuse_sizes_of_traces(names, where);
  trace.owner = attempt.shapes->owner();
  for (size_t i = 0; i < arguments.tensors.size(); ++i) {
    const Tensor& tensor = *arguments.tensors[i];
    if (!tensor.defined()) {
      attempt.metas.push_back({});
      attempt.fakes.push_back({});
      attempt.placeholders.push_back({});
      continue;
    }
    if (tensor.is_fake())
      throw Error(ErrorKind::trace, where,
                  tensor.impl()->fake.trace == active_id()
                      ? "compile: a fake tensor is passed where only real ones can be: the traced function goes on"
                      : "compile: a fake tensor of a finished trace is passed to a compiled function",
                  {{names.tensors[i], to_string(tensor.meta())}});
    TensorMeta meta = traced_meta(arguments, attempt.memory, static_cast<int>(i), where);
    make_symbolic(meta, static_cast<int>(i), symbolic, names.tensors[i], *attempt.shapes);
    attempt.metas.push_back(meta);
    int64_t bytes = tensor.storage() ? tensor.storage()->bytes : 0;
    attempt.fakes.push_back(
        trace.add_input(meta, identifier(names.tensors[i]), where, attempt.memory.leaders[i], bytes));
    attempt.placeholders.push_back(trace.output_of(attempt.fakes.back(), where));
  }
  for (size_t i = 0; i < attempt.fakes.size(); ++i)
    trace.identity.add_argument(attempt.fakes[i], *arguments.tensors[i]);
  add_numbers(trace, arguments, names, has_number_values, attempt, where);
  graph::ActivateTrace active(&trace);
  graph::ActivateShapeFacts decides(attempt.shapes.get());
  graph::note_size_question(where);
  graph::LateGuards late(&trace);
  attempt.returned = site.trace(attempt.fakes, attempt.numbers, where);
  std::vector<Tensor> seen = attempt.returned.tensors;
  seen.insert(seen.end(), attempt.returned.arguments_after.begin(), attempt.returned.arguments_after.end());
  late.settle(trace.graph(), seen);
  return attempt;
}

bool is_callers(const Error& error) {
  return error.kind() == ErrorKind::shape || error.kind() == ErrorKind::dtype || error.kind() == ErrorKind::argument;
}

// The same in a fresh trace. An op may find that a number which only data tell does not fit, whatever it will be: then
// that is taken for another one.
Attempt attempt_anew(std::optional<graph::Trace>& trace, const FlatArguments& arguments,
                     const std::vector<int>& leaders, CallSite& site, const NameArguments& names,
                     bool has_number_values, std::span<const SymbolicDim> symbolic, Here where) {
  auto with = [&] {
    trace.emplace();
    return attempt(*trace, arguments, leaders, site, names, has_number_values, symbolic, where);
  };
  graph::TakeNumbersFor usual(graph::usual_number);
  try {
    return with();
  } catch (const Error& error) {
    if (!is_callers(error) || !usual.was_asked()) throw;
  }
  graph::TakeNumbersFor large(graph::large_number);
  return with();
}

// The same. What does not fit is said with this call's sizes, as the function says it uncompiled, not with symbols:
// where those are in the message, a trace without them raises the error.
Attempt first_attempt(std::optional<graph::Trace>& trace, const FlatArguments& arguments,
                      const std::vector<int>& leaders, CallSite& site, const NameArguments& names,
                      bool has_number_values, std::span<const SymbolicDim> symbolic, Here where) {
  try {
    return attempt_anew(trace, arguments, leaders, site, names, has_number_values, symbolic, where);
  } catch (const Error& error) {
    if (symbolic.empty() || !is_callers(error)) throw;
    static_cast<void>(attempt_anew(trace, arguments, leaders, site, names, has_number_values, {}, where));
    throw;
  }
}

// Sorts what the function returned into what a program must compute and what is at hand.
class ResultPlan {
 public:
  ResultPlan(graph::Trace& trace, const Attempt& attempt, TracedCall& call, Here where)
      : trace_(trace), attempt_(attempt), call_(call), where_(where) {}

  void plan() {
    const std::vector<Tensor>& tensors = attempt_.returned.tensors;
    for (size_t i = 0; i < tensors.size(); ++i)
      call_.results.push_back(source_of(std::span<const Tensor>(tensors).first(i), tensors[i]));
    for (size_t i = 0; i < attempt_.fakes.size(); ++i) rebind(static_cast<int>(i));
    find_numbers();
    trace_.set_results(computed_, where_);
  }

 private:
  // Tensors that tell what numbers of the result are become results of the program.
  void find_numbers() {
    std::vector<int> wanted = attempt_.returned.data_symbols;
    for (const auto& node : trace_.graph().nodes)
      for (const graph::GivenSize& given : sizes_given_by(*node)) {
        if (std::erase(wanted, given.symbol) == 0) continue;
        call_.numbers.push_back({given.symbol, compute(trace_.fake_of({node.get(), given.output})), given.dim});
      }
  }

  int compute(const Tensor& tensor) {
    computed_.push_back(tensor);
    return static_cast<int>(computed_.size()) - 1;
  }

  static int find(std::span<const Tensor> tensors, const Tensor& wanted) {
    for (size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].impl() == wanted.impl()) return static_cast<int>(i);
    return -1;
  }

  ResultSource source_of(std::span<const Tensor> earlier_results, const Tensor& tensor) {
    using Kind = ResultSource::Kind;
    if (!tensor.defined()) return {};
    if (int earlier = find(earlier_results, tensor); earlier >= 0) return {Kind::earlier_result, earlier};
    if (int argument = find(attempt_.fakes, tensor); argument >= 0) return {Kind::argument, argument};
    if (!tensor.is_fake()) {
      trace_.output_of(tensor, where_);  // now it is captured, if it was not
      return {Kind::captured, find(trace_.graph().attributes, tensor)};
    }
    return {Kind::program, compute(tensor)};
  }

  void rebind(int i) {
    const Tensor& fake = attempt_.fakes[i];
    const Tensor& after = attempt_.returned.arguments_after[i];
    if (fake.impl() != after.impl()) {
      call_.rebindings.push_back({i, source_of(attempt_.returned.tensors, after), true});
    } else if (fake.defined() && !(trace_.output_of(fake, where_) == attempt_.placeholders[i])) {
      call_.rebindings.push_back({i, {ResultSource::Kind::program, compute(fake)}, false});
    }
  }

  graph::Trace& trace_;
  const Attempt& attempt_;
  TracedCall& call_;
  Here where_;
  std::vector<Tensor> computed_;
};

// An offset that the function counts from an argument's storage means nothing in the storage of another.
void refuse_offsets_of_strangers(const FlatArguments& arguments, const Attempt& traced, const WrittenMemory& written,
                                 const NameArguments& names, Here where) {
  for (size_t i = 0; i < arguments.tensors.size(); ++i) {
    const Tensor& tensor = *arguments.tensors[i];
    if (!written.offset_is_read[i] || tensor.layout().offset.same(traced.metas[i].layout.offset)) continue;
    throw Error(
        ErrorKind::unsupported, where,
        fmt::format("compile: the function asks for the storage offset of {}, which lies in the memory of {} but "
                    "not in its storage, and writes one of them",
                    names.tensors[i], names.tensors[traced.memory.leaders[i]]),
        {{names.tensors[i], to_string(tensor.meta())}}, "pass views of one tensor");
  }
}

// The function writes an argument that shares memory with another.
bool needs_shared_memory(const WrittenMemory& written, const std::vector<int>& leaders) {
  for (size_t i = 0; i < leaders.size(); ++i) {
    if (leaders[i] == static_cast<int>(i)) continue;
    for (size_t j = 0; j < leaders.size(); ++j)
      if (leaders[j] == leaders[i] && written.arguments[j]) return true;
  }
  return false;
}

// What was traced with symbolic sizes, and looks past an argument's own elements or at memory that arguments share.
bool needs_fixed_sizes(const Attempt& traced, const WrittenMemory& written) {
  bool is_symbolic = !traced.shapes->symbols().empty();
  return is_symbolic && std::ranges::any_of(written.reach, [](int64_t reach) { return reach > 0; });
}

// Arguments that nothing was asked of.
std::vector<bool> unused_arguments(const graph::Graph& graph, const Attempt& traced) {
  std::unordered_set<const graph::Node*> used;
  for (const auto& node : graph.nodes) visit_outputs(*node, [&](NodeOutput output) { used.insert(output.node); });
  for (const graph::Argument& result : graph.results)
    visit_outputs(result, [&](NodeOutput output) { used.insert(output.node); });
  std::vector<bool> unused;
  for (size_t i = 0; i < traced.fakes.size(); ++i)
    unused.push_back(traced.fakes[i].defined() && !traced.fakes[i].impl()->is_read &&
                     !used.contains(traced.placeholders[i].node));
  return unused;
}

void refuse_broken_declaration(const graph::ShapeFacts& shapes, Here where) {
  const graph::ShapeGuard* broken = shapes.broken_declaration();
  if (!broken) return;
  throw Error(ErrorKind::trace, broken->where.line() == 0 ? where : broken->where,
              fmt::format("compile: a size that is declared dynamic must be a number here: {}",
                          to_string(*broken, shapes.symbols())),
              {}, "take the declaration back, or write the function without that condition");
}

}  // namespace

void check_declarations(const TracedCall& call, Here where) { refuse_broken_declaration(*call.shapes, where); }

TracedCall trace_call(const FlatArguments& arguments, CallSite& site, const Options& options, Here where,
                      std::span<const SymbolicDim> symbolic) {
  TracedCall call;
  site.name_arguments(call.names, options);
  std::vector<int> strangers(arguments.tensors.size());
  std::iota(strangers.begin(), strangers.end(), 0);

  std::optional<graph::Trace> trace;
  Attempt traced = first_attempt(trace, arguments, strangers, site, call.names, options.cuda_graphs, symbolic, where);
  WrittenMemory written = find_written(trace->graph(), traced.placeholders, traced.fakes);
  std::vector<int> leaders = leaders_of_overlaps(arguments, written.reach);
  bool shares = needs_shared_memory(written, leaders);
  if (shares || needs_fixed_sizes(traced, written)) {
    traced = {};
    const std::vector<int>& sharing = shares ? leaders : strangers;
    traced = attempt_anew(trace, arguments, sharing, site, call.names, options.cuda_graphs, {}, where);
    written = find_written(trace->graph(), traced.placeholders, traced.fakes);
    refuse_offsets_of_strangers(arguments, traced, written, call.names, where);
  }
  if (traced.returned.arguments_after.size() != traced.fakes.size())
    throw Error(ErrorKind::unsupported, where, "compile: the function changes how many tensors its arguments hold", {},
                "return what it makes");

  call.shapes = traced.shapes;
  graph::ActivateShapeFacts decides(call.shapes.get());
  refuse_broken_declaration(*call.shapes, where);
  graph::lift_hidden_inputs(*trace);
  ResultPlan(*trace, traced, call, where).plan();
  written = find_written(trace->graph(), traced.placeholders, traced.fakes);  // captured tensors may have joined
  for (size_t i = 0; i < traced.fakes.size(); ++i)
    if (traced.fakes[i].defined()) call.input_arguments.push_back(static_cast<int>(i));
  if (!traced.numbers.empty()) call.input_numbers = call.names.scalars;
  call.captured = trace->graph().attributes;
  call.shape = traced.returned.shape;
  call.has_symbolic_numbers = traced.returned.has_symbolic_numbers;
  call.guards = write_guards({arguments, call.names, call.captured, traced.memory, written, traced.metas,
                              unused_arguments(trace->graph(), traced),
                              asked_strides(trace->stride_questions(), traced.placeholders), call.shapes.get()},
                             trace->graph(), traced.placeholders, where);
  std::vector<graph::Guard> identities = identity_guards(trace->identity.answers(), call.names);
  call.guards.insert(call.guards.end(), identities.begin(), identities.end());
  insert_size_checks(trace->graph());
  simplify_sizes(trace->graph());
  call.graph = trace->take_graph();
  return call;
}

}  // namespace sinter::runtime
