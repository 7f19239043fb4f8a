// Entries of a compiled function: an immutable list that a miss replaces.

#include <sinter/runtime/compiled_function.h>

#include <sinter/graph/log.h>
#include <sinter/runtime/cpu/compiler_library.h>
#include <sinter/runtime/fork.h>
#include <sinter/runtime/number_inputs.h>
#include <sinter/runtime/op_by_op.h>
#include <sinter/runtime/typed_call.h>

#include <algorithm>

namespace sinter::runtime {

uint64_t next_type_number() {
  static std::atomic<uint64_t> next = 0;
  return next++;
}

namespace {

// The tensors of one call's result; few need no memory of their own.
class ResultTensors {
 public:
  explicit ResultTensors(size_t count) : count_(count) {
    if (count > std::size(few_)) many_.resize(count);
  }
  std::span<Tensor> span() { return many_.empty() ? std::span(few_, count_) : std::span(many_); }

 private:
  Tensor few_[6];
  std::vector<Tensor> many_;
  size_t count_;
};

Tensor result_of(const ResultSource& source, const FlatArguments& arguments, const Entry& entry,
                 std::span<Tensor> computed, std::span<const Tensor> earlier) {
  switch (source.kind) {
    case ResultSource::Kind::undefined: return {};
    case ResultSource::Kind::program: return std::move(computed[source.index]);
    case ResultSource::Kind::argument: return *arguments.tensors[source.index];
    case ResultSource::Kind::captured: return entry.call.captured[source.index];
    case ResultSource::Kind::earlier_result: return earlier[source.index];
  }
  return {};
}

// What the function left in its arguments. An argument that it assigned to may be what it assigned to another.
void rebind(const Entry& entry, const FlatArguments& arguments, std::span<Tensor> computed,
            std::span<const Tensor> results) {
  std::vector<Tensor> fresh;
  for (const Rebinding& rebinding : entry.call.rebindings)
    fresh.push_back(result_of(rebinding.source, arguments, entry, computed, results));
  for (size_t i = 0; i < fresh.size(); ++i) {
    const Rebinding& rebinding = entry.call.rebindings[i];
    const Tensor& argument = *arguments.tensors[rebinding.argument];
    if (rebinding.is_new_tensor)
      const_cast<Tensor&>(argument) = fresh[i];  // the function takes it by a reference that it may assign to
    else
      change_handle(argument, fresh[i], "compile", Here());
  }
}

// What the function does to an argument would show in another one: it was traced with variables, and tensors, of their
// own.
bool changes_two_at_once(const Entry& entry, const FlatArguments& arguments) {
  for (const Rebinding& rebinding : entry.call.rebindings) {
    const Tensor* changed = arguments.tensors[rebinding.argument];
    for (size_t i = 0; i < arguments.tensors.size(); ++i) {
      if (static_cast<int>(i) == rebinding.argument) continue;
      const Tensor* other = arguments.tensors[i];
      if (rebinding.is_new_tensor ? other == changed : other->impl() == changed->impl()) return true;
    }
  }
  return false;
}

// The values of the symbols in the result's numbers.
std::vector<int64_t> numbers_of(const TracedCall& call, const FlatArguments& arguments,
                                std::span<const Tensor> computed) {
  std::vector<int64_t> values = symbol_values(call.guards, arguments);
  for (const NumberSource& number : call.numbers) {
    const Tensor& source = computed[number.program_result];
    values.resize(std::max<size_t>(values.size(), number.symbol + 1), 1);
    SymInt value = number.dim < 0 ? source.item().size() : source.sizes()[number.dim];
    values[number.symbol] = value.constant();
  }
  return values;
}

void run_program(const Entry& entry, const FlatArguments& arguments, CallSite& site) {
  if (!entry.call.rebindings.empty() && changes_two_at_once(entry, arguments)) return site.call_uncompiled();
  SmallVector<const Tensor*, 16> inputs;
  for (int argument : entry.call.input_arguments) inputs.push_back(arguments.tensors[argument]);
  NumberInputs numbers;
  for (int word : entry.call.input_numbers) inputs.push_back(numbers.add(arguments, word));
  inputs.append(entry.captured.begin(), entry.captured.end());

  ResultTensors computed(entry.program_results), results(entry.call.results.size());
  entry.executable->run(inputs, computed.span());
  std::vector<int64_t> symbols;
  if (entry.call.has_symbolic_numbers) symbols = numbers_of(entry.call, arguments, computed.span());
  std::span<Tensor> tensors = results.span();
  // Results before rebindings: one that is an argument is the tensor that the caller passed, not what he holds after.
  for (size_t i = 0; i < tensors.size(); ++i)
    tensors[i] = result_of(entry.call.results[i], arguments, entry, computed.span(), tensors);
  if (!entry.call.rebindings.empty()) rebind(entry, arguments, computed.span(), tensors);
  site.take_results(entry.call.shape.get(), tensors, symbols);
}

void run_entry(const Entry& entry, const FlatArguments& arguments, CallSite& site, const std::string& name) {
  try {
    return run_program(entry, arguments, site);
  } catch (const CallUncompiled& unfit) {
    log(LogTopic::recompiles, "{}: this call runs uncompiled: {}", name, unfit.message());
  }
  site.call_uncompiled();  // right for these sizes, or the error that they are
}

class Turn {
 public:
  explicit Turn(CompileTurn& turn) : turn_(turn), is_mine_(turn.begin()) {}
  ~Turn() {
    if (is_mine_) turn_.end();
  }
  Turn(const Turn&) = delete;
  explicit operator bool() const { return is_mine_; }

 private:
  CompileTurn& turn_;
  bool is_mine_;
};

// Equal for arguments that the same entry would be made for.
std::vector<uint64_t> likeness(const FlatArguments& arguments) {
  std::vector<uint64_t> words(arguments.words.begin(), arguments.words.end());
  auto add = [&](auto word) { words.push_back(static_cast<uint64_t>(word)); };
  for (size_t i = 0; i < arguments.tensors.size(); ++i) {
    const Tensor& tensor = *arguments.tensors[i];
    add(tensor.defined());
    if (!tensor.defined()) continue;
    const TensorMeta& meta = tensor.meta();
    add(meta.dtype);
    add(graph::guard_code(meta.device));
    add(meta.layout.rank());
    for (SymInt size : meta.layout.sizes) add(size.hint());
    for (SymInt stride : meta.layout.strides) add(stride.hint());
    add(meta.layout.offset.hint());
    auto first = [&](auto is_alike) {
      size_t other = 0;
      while (!arguments.tensors[other]->defined() || !is_alike(*arguments.tensors[other])) ++other;
      return other;
    };
    add(first([&](const Tensor& other) { return other.storage().get() == tensor.storage().get(); }));
    add(first([&](const Tensor& other) { return other.impl() == tensor.impl(); }));
  }
  return words;
}

}  // namespace

CompiledFunction::CompiledFunction(Options options, Here where)
    : options_(std::move(options)), where_(where), entries_(std::make_unique<const Entries>()) {
  find_backend(options_.backend, where);
  check_options(options_, where);
  current_ = entries_.get();
}

bool Entry::look_at_captured() const {
  int64_t now = layouts_changed.load();
  for (size_t i = 0; i < captured.size(); ++i) {
    const Layout &layout = captured[i]->layout(), &seen = captured_layouts[i];
    bool is_same = layout.sizes == seen.sizes && layout.strides == seen.strides && layout.offset.same(seen.offset);
    if (!is_same) return false;
  }
  layouts_seen.store(now, std::memory_order_relaxed);
  return true;
}

const std::shared_ptr<const Entry>* CompiledFunction::find(const Entries& entries, const FlatArguments& arguments) {
  for (const std::shared_ptr<const Entry>& entry : entries)
    if (entry->guards.hold(arguments) && entry->captured_hold() && are_current(entry->custom_ops)) return &entry;
  return nullptr;
}

void CompiledFunction::touch(const Entry& entry) const {
  int64_t now = 2 * compiles_.load(std::memory_order_relaxed) + 1;
  if (entry.last_used.load(std::memory_order_relaxed) != now) entry.last_used.store(now, std::memory_order_relaxed);
}

namespace {

struct RunningCall;
__attribute__((tls_model("initial-exec"))) thread_local RunningCall* innermost_call = nullptr;

// A call that runs on this thread, and what is to be destroyed after it.
struct RunningCall {
  explicit RunningCall(const CompiledFunction* function) : function(function), around(innermost_call) {
    innermost_call = this;
  }
  ~RunningCall() {
    innermost_call = around;
    if (owner) release(owner);
  }
  RunningCall(const RunningCall&) = delete;

  const CompiledFunction* function;
  RunningCall* around;
  void* owner = nullptr;
  void (*release)(void*) = nullptr;
};

}  // namespace

bool CompiledFunction::goes_after_call(void* owner, void (*release)(void*)) const {
  RunningCall* outermost = nullptr;
  for (RunningCall* call = innermost_call; call; call = call->around)
    if (call->function == this) outermost = call;
  if (!outermost) return false;
  outermost->owner = owner;
  outermost->release = release;
  return true;
}

CompiledFunction::~CompiledFunction() { readers_.wait_until_left(); }

void CompiledFunction::call(const FlatArguments& arguments, CallSite& site) {
  RunningCall running(this);
  Readers::Section reading(readers_);
  if (auto* entry = find(*current_.load(), arguments)) {
    touch(**entry);
    return run_entry(**entry, arguments, site, options_.name);
  }
  if (std::shared_ptr<const Entry> entry = find_or_compile(arguments, site))
    run_entry(*entry, arguments, site, options_.name);
  else
    site.call_uncompiled();
}

std::shared_ptr<const Entry> CompiledFunction::entry_for(const FlatArguments& arguments, CallSite& site) {
  std::shared_ptr<const Entry> entry = find_or_compile(arguments, site);
  if (!entry)
    throw Error(ErrorKind::unsupported, where_,
                fmt::format("compile: this call of {} would run uncompiled: it has {} of {} entries", options_.name,
                            stats().entries, options_.entry_limit));
  return entry;
}

std::shared_ptr<const Entry> CompiledFunction::find_or_compile(const FlatArguments& arguments, CallSite& site) {
  if (turn_.is_mine())
    throw Error(ErrorKind::trace, where_, "compile: the function asks for its own entry while it is traced", {},
                "call or explain it outside of itself");
  int64_t failures = failures_;
  Turn turn(turn_);
  if (!turn) {
    log(LogTopic::recompiles, "{}: another thread has been tracing it for long: this call runs uncompiled",
        options_.name);
    return nullptr;
  }
  if (auto* entry = find(*entries_, arguments)) {  // made by another thread while this one waited
    touch(**entry);
    return *entry;
  }
  if (failure_.number > failures && failure_.arguments == likeness(arguments)) std::rethrow_exception(failure_.error);
  try {
    WatchedSite watched(site, turn_);
    std::shared_ptr<const Entry> entry = compile_miss(arguments, watched);
    failure_ = {};
    return entry;
  } catch (...) {
    if (compiler_has_gone()) {
      log(LogTopic::recompiles, "{}: the process ends: this call runs uncompiled", options_.name);
      return nullptr;
    }
    ++failures_;
    failure_ = {};
    if (turn_.has_waiters()) failure_ = {failures_, std::current_exception(), likeness(arguments)};
    throw;
  }
}

namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "; ") + line;
  return text;
}

std::string_view consequence(AtLimit policy) {
  if (policy == AtLimit::error) return "a call that none fits is an error";
  return policy == AtLimit::eager ? "further calls run uncompiled" : "the least recently used is dropped";
}

}  // namespace

bool CompiledFunction::is_at_limit() const {
  return static_cast<int>(entries_->size()) >= std::max(options_.entry_limit, 1);
}

std::shared_ptr<const Entry> CompiledFunction::compile_miss(const FlatArguments& arguments, CallSite& site) {
  if (is_frozen_)
    throw Error(ErrorKind::argument, where_,
                fmt::format("compile: {} may not compile any more, and no entry fits: {}", options_.name,
                            joined(misses(*entries_, arguments, site))),
                {}, "warm it up with a call of each kind before no_recompile()");
  if (is_at_limit() && !std::exchange(has_logged_limit_, true))
    log(LogTopic::recompiles, "{}: more than {} entries: {}", options_.name, options_.entry_limit,
        consequence(options_.at_limit));
  if (is_at_limit() && options_.at_limit == AtLimit::error)
    throw Error(ErrorKind::argument, where_,
                fmt::format("compile: {} has {} entries, and none fits: {}", options_.name, entries_->size(),
                            joined(misses(*entries_, arguments, site))),
                {}, "declare what varies, or allow more entries (entry_limit)");
  if (!entries_->empty()) log_miss(arguments, site);
  if (is_at_limit() && options_.at_limit == AtLimit::eager) return nullptr;

  NameArguments names;
  site.name_arguments(names, options_);
  std::vector<SymbolicDim> symbolic;
  {
    HoldForks whole;
    symbolic = sizes_.choose(arguments, names, options_, where_);
  }
  std::shared_ptr<const Entry> entry = compile_entry(arguments, site, options_, symbolic, where_);
  entry->last_used = 2 * ++compiles_;

  auto fresh = std::make_unique<Entries>(*entries_);
  std::erase_if(*fresh, [](const auto& old) { return !are_current(old->custom_ops); });
  fresh->push_back(entry);
  while (static_cast<int>(fresh->size()) > std::max(options_.entry_limit, 1)) {
    auto oldest = std::ranges::min_element(*fresh, {}, [](const auto& e) { return e->last_used.load(); });
    fresh->erase(oldest);
    ++evictions_;
  }
  publish(std::move(fresh));
  return entry;
}

void CompiledFunction::publish(std::unique_ptr<const Entries> fresh) {
  HoldForks whole;
  current_.store(fresh.get());
  retired_.push_back({std::exchange(entries_, std::move(fresh))});
  std::erase_if(retired_, [&](auto& retired) { return retired.is_free(readers_); });
}

namespace {

constexpr std::string_view advice_on_numbers = "pass it as a Scalar (or a zero-dim tensor), which costs no compile";

std::string text_of(const GuardFailure& failure) {
  return fmt::format("{} failed: expected {}, actual {}", to_string(*failure.guard),
                     failure.guard->readable.empty() ? "no overlap" : failure.guard->readable, failure.actual);
}

}  // namespace

std::vector<std::string> CompiledFunction::misses(const Entries& entries, const FlatArguments& arguments,
                                                  CallSite& site) const {
  NameArguments names;
  site.name_arguments(names, options_);
  std::vector<std::string> lines;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = *entries[i];
    if (entry.guards.hold(arguments) && entry.captured_hold()) continue;
    if (entry.guards.hold(arguments)) {
      lines.push_back(fmt::format("entry {}: a captured tensor got another layout", i));
      continue;
    }
    auto failure = first_failure(entry.call.guards, arguments, names.words, entry.call.captured);
    lines.push_back(fmt::format("entry {}: {}", i, failure ? text_of(*failure) : "other arguments"));
  }
  return lines;
}

void CompiledFunction::log_miss(const FlatArguments& arguments, CallSite& site) {
  if (logs(LogTopic::recompiles))
    for (const std::string& line : misses(*entries_, arguments, site))
      log(LogTopic::recompiles, "{}: {}", options_.name, line);
  // Of the latest entry, which is the nearest: what declaration would have spared this compile.
  NameArguments names;
  site.name_arguments(names, options_);
  const Entry& latest = *entries_->back();
  auto failure = first_failure(latest.call.guards, arguments, names.words, latest.call.captured);
  if (!failure) return;
  const graph::Guard& guard = *failure->guard;
  if (guard.kind == graph::GuardKind::size && logs(LogTopic::recompiles))
    log(LogTopic::recompiles, "{}: mark_dynamic({}, {}) or a Dim of the options would have avoided it", options_.name,
        guard.subject, guard.dim);
  bool is_number = guard.kind == graph::GuardKind::word && names.words[guard.argument].is_plain_number;
  if (is_number && ++number_misses_[guard.argument] == 2 && logs(LogTopic::recompiles))
    log(LogTopic::recompiles, "{}: {} has other values again and again: {}", options_.name, guard.subject,
        advice_on_numbers);
}

// Of the latest entry, if what it fails is the value of a plain number.
std::string CompiledFunction::advice(const Entries& entries, const FlatArguments& arguments, CallSite& site) const {
  if (entries.empty()) return {};
  NameArguments names;
  site.name_arguments(names, options_);
  const Entry& latest = *entries.back();
  auto failure = first_failure(latest.call.guards, arguments, names.words, latest.call.captured);
  bool is_number = failure && failure->guard->kind == graph::GuardKind::word &&
                   names.words[failure->guard->argument].is_plain_number;
  return is_number ? fmt::format("{}: {}", failure->guard->subject, advice_on_numbers) : std::string();
}

CallExplanation CompiledFunction::explain_call(const FlatArguments& arguments, CallSite& site) const {
  Readers::Section reading(readers_);
  const Entries& entries = *current_.load();
  CallExplanation explanation;
  for (size_t i = 0; i < entries.size() && explanation.entry < 0; ++i)
    if (entries[i]->guards.hold(arguments) && entries[i]->captured_hold()) explanation.entry = static_cast<int>(i);
  explanation.misses = misses(entries, arguments, site);
  if (explanation.entry < 0) explanation.advice = advice(entries, arguments, site);
  return explanation;
}

CallStats CompiledFunction::stats() const {
  // No lock: a function may ask while it is traced.
  Readers::Section reading(readers_);
  return {compiles_, static_cast<int64_t>(current_.load()->size()), evictions_};
}

}  // namespace sinter::runtime

namespace sinter {

std::string to_string(const CallExplanation& explanation) {
  std::string text = explanation.entry < 0 ? "no entry fits: the call would compile\n"
                                           : fmt::format("entry {} would run\n", explanation.entry);
  for (const std::string& miss : explanation.misses) text += fmt::format("  {}\n", miss);
  if (!explanation.advice.empty()) text += fmt::format("  {}\n", explanation.advice);
  return text;
}

}  // namespace sinter
