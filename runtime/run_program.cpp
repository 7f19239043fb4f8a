// Runs a program: places its buffers, then goes through its steps.

#include <sinter/runtime/run_program.h>

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/check_guards.h>
#include <sinter/runtime/cpu/allocator.h>
#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/kept_by_thread.h>
#include <sinter/runtime/library_calls.h>
#include <sinter/runtime/number_inputs.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/program_buffers.h>

#include <algorithm>

namespace sinter::runtime {

using codegen::KernelSource;
using codegen::KernelStep;
using codegen::LibraryStep;
using fusion::BufferKind;

namespace {

// Fewer scalar operations than this are not worth handing to another thread.
constexpr int64_t least_parallel_work = 32768;

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

int64_t parallel_grain(int64_t grain, int64_t work) {
  int64_t units = least_parallel_work / std::max<int64_t>(work, 1);
  return std::max(grain, round_up(units, grain));
}

// Memory of one thread for the kernels that it runs; kept, since kernels ask for the same again and again.
class Scratch {
 public:
  ~Scratch() { free_host(block_, bytes_); }
  void* at_least(int64_t bytes) {
    if (bytes > bytes_) {
      free_host(block_, bytes_);
      block_ = nullptr;
      bytes_ = 0;
      block_ = allocate_host(bytes);
      bytes_ = bytes;
    }
    return block_;
  }

 private:
  void* block_ = nullptr;
  int64_t bytes_ = 0;
};

// Temporaries of one run.
class Arena {
 public:
  explicit Arena(int64_t bytes) : block_(static_cast<char*>(allocate_host(bytes))), bytes_(bytes) {}
  Arena(const Arena&) = delete;
  ~Arena() { free_host(block_, bytes_); }
  char* at(int64_t offset) const { return block_ + offset; }

 private:
  char* block_;
  int64_t bytes_;
};

}  // namespace

struct LoadedProgram::Memory {
  Memory(const LoadedProgram& program, SizeValues& sizes)
      : sizes(sizes), arena(program.arena_bytes_.in(sizes)), addresses(program.program_->buffers.size(), nullptr) {}

  SizeValues& sizes;
  Arena arena;
  SmallVector<char*, 32> addresses;
  std::vector<Storage> storages;  // of output buffers, by buffer number; empty if there is none
  Storage only_storage;           // of the first output: one is the usual number, and costs no vector
  int only_buffer = -1;

  void own(int buffer, Storage storage, size_t buffer_count) {
    addresses[buffer] = static_cast<char*>(storage->data);
    if (only_buffer < 0) {
      only_buffer = buffer;
      only_storage = std::move(storage);
      return;
    }
    if (storages.empty()) storages.resize(buffer_count);
    storages[buffer] = std::move(storage);
  }
  void release(int buffer) {
    if (buffer == only_buffer)
      only_storage = Storage();
    else
      storages[buffer] = Storage();
  }
  const Storage& storage_of(int buffer) const { return buffer == only_buffer ? only_storage : storages[buffer]; }
};

LoadedProgram::LoadedProgram(std::shared_ptr<const ProgramPlan> plan, std::vector<TensorMeta> inputs, Kernels kernels)
    : plan_(std::move(plan)),
      program_(plan_, &plan_->program),
      inputs_(std::move(inputs)),
      kernels_(std::move(kernels)) {
  for (const auto& node : plan_->graph.nodes)
    if (node->kind == graph::NodeKind::call_function) where_ = node->where;
  prepare_runs();
}

LoadedProgram::LoadedProgram(codegen::Program program, Here where,
                             std::function<std::shared_ptr<const ProgramPlan>()> make_plan,
                             std::vector<TensorMeta> inputs, Kernels kernels)
    : make_plan_(std::move(make_plan)),
      program_(std::make_shared<codegen::Program>(std::move(program))),
      where_(where),
      inputs_(std::move(inputs)),
      kernels_(std::move(kernels)) {
  prepare_runs();
}

const ProgramPlan& LoadedProgram::plan() const {
  std::call_once(planned_, [&] {
    if (!plan_) plan_ = make_plan_();
  });
  return *plan_;
}

namespace {

// What the step's call tells of sizes that were not known before.
std::vector<graph::GivenSize> sizes_told_by(const LibraryStep& step, const codegen::Program& program) {
  graph::Node call;
  call.op = step.op;
  call.args = step.args;
  for (int output : step.outputs) call.metas.push_back({f32, cpu, program.buffers[output].layout});
  return graph::sizes_given_by(call);
}

}  // namespace

void LoadedProgram::prepare_runs() {
  used_buffers_ = used_buffers(*program_);
  find_amounts();
  find_late_buffers();
}

void LoadedProgram::find_amounts() {
  std::vector<std::vector<graph::GivenSize>> given;  // by step; what an earlier step gives is known
  std::vector<bool> is_given;
  for (const codegen::Step& step : program_->steps) {
    auto* call = std::get_if<LibraryStep>(&step.what);
    given.push_back(call ? sizes_told_by(*call, *program_) : std::vector<graph::GivenSize>());
    std::erase_if(given.back(), [&](const graph::GivenSize& size) {
      if (static_cast<size_t>(size.symbol) >= is_given.size()) is_given.resize(size.symbol + 1);
      return is_given[size.symbol];
    });
    for (const graph::GivenSize& size : given.back()) is_given[size.symbol] = true;
  }
  sizes_ = ProgramSizes(inputs_, static_cast<int>(is_given.size()));
  SymInt partial_bytes = 0;
  for (const KernelSource& kernel : program_->kernels) {
    int64_t grain = std::max<int64_t>(kernel.grain, 1);
    if (kernel.work.is_constant()) grain = parallel_grain(grain, kernel.work.constant());
    kernel_amounts_.push_back({sizes_.amount(kernel.range), sizes_.amount(kernel.work),
                               sizes_.amount(kernel.scratch_bytes), sizes_.amount(kernel.partial_bytes),
                               is_unbacked(kernel.partial_bytes), grain});
    if (!is_unbacked(kernel.partial_bytes)) partial_bytes = max(partial_bytes, kernel.partial_bytes);
  }
  for (const codegen::ProgramBuffer& buffer : program_->buffers)
    buffer_amounts_.push_back({sizes_.amount(buffer.bytes), sizes_.amount(buffer.arena_offset)});
  for (const codegen::Step& step : program_->steps) {
    StepAmounts amounts;
    if (auto* kernel = std::get_if<KernelStep>(&step.what)) {
      for (SymInt size : kernel->sizes) amounts.sizes.push_back(sizes_.amount(size));
    } else {
      auto& call = std::get<LibraryStep>(step.what);
      amounts.given = std::move(given[step_amounts_.size()]);
      amounts.makes_results = call.op->library == Library::sizing_routine || !amounts.given.empty();
      for (const Layout& layout : call.input_layouts) amounts.inputs.push_back(sizes_.amounts(layout));
      for (int output : call.outputs) amounts.outputs.push_back(sizes_.amounts(program_->buffers[output].layout));
      for (const graph::Argument& argument : call.args)
        visit_sizes(argument, [&](SymInt size) {
          sizes_.amount(size);
          amounts.has_symbols = true;
        });
    }
    step_amounts_.push_back(std::move(amounts));
  }
  for (const fusion::ScheduleResult& result : program_->results)
    result_layouts_.push_back(sizes_.amounts(result.layout));
  SymInt partial_offset = ceil_div(program_->arena_bytes, host_alignment) * host_alignment;
  partial_offset_ = sizes_.amount(partial_offset);
  arena_bytes_ = sizes_.amount(partial_bytes.same(0) ? program_->arena_bytes : partial_offset + partial_bytes);
}

void LoadedProgram::find_late_buffers() {
  size_t count = program_->buffers.size();
  is_late_.assign(count, false);
  auto has_memory = [&](int buffer) {
    BufferKind kind = program_->buffers[buffer].kind;
    return kind == BufferKind::output || kind == BufferKind::temporary;
  };
  for (int buffer : used_buffers_)
    is_late_[buffer] = has_memory(buffer) && is_unbacked(program_->buffers[buffer].bytes);
  for (const codegen::Step& step : program_->steps) {
    auto* call = std::get_if<LibraryStep>(&step.what);
    if (!call || (call->op->library != Library::sizing_routine && sizes_told_by(*call, *program_).empty())) continue;
    for (int buffer : call->outputs) is_late_[buffer] = true;
  }
  if (std::ranges::none_of(is_late_, std::identity())) return;

  std::vector<int> first(count, -1), last(count, -1);
  auto use = [&](int buffer, size_t step) {
    if (first[buffer] < 0) first[buffer] = static_cast<int>(step);
    last[buffer] = static_cast<int>(step);
  };
  for (size_t i = 0; i < program_->steps.size(); ++i) {
    const auto& what = program_->steps[i].what;
    if (auto* kernel = std::get_if<KernelStep>(&what)) {
      for (int buffer : kernel->buffers) use(buffer, i);
      continue;
    }
    const auto& call = std::get<LibraryStep>(what);
    for (int buffer : call.inputs) use(buffer, i);
    // What a call makes is there by that.
    for (int buffer : call.outputs) use(buffer, i);
  }
  for (size_t b = 0; b < count; ++b) {
    if (!is_late_[b]) continue;
    int buffer = static_cast<int>(b);
    if (first[b] < 0) late_results_.push_back(buffer);
    if (first[b] < 0) continue;
    step_amounts_[first[b]].new_buffers.push_back(buffer);
    if (program_->buffers[b].kind == BufferKind::temporary) step_amounts_[last[b]].last_buffers.push_back(buffer);
  }
}

void LoadedProgram::run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const {
  graph::InheritLocation inherit(where_);  // of memory that runs out
  SizeValues sizes;
  if (!sizes_.is_static()) sizes_.bind(inputs, sizes);
  Memory memory(*this, sizes);
  place_buffers(inputs, memory);
  for (size_t i = 0; i < program_->steps.size(); ++i) {
    const codegen::Step& step = program_->steps[i];
    const StepAmounts& amounts = step_amounts_[i];
    auto* kernel = std::get_if<KernelStep>(&step.what);
    if (!amounts.makes_results)
      for (int buffer : amounts.new_buffers) allocate(buffer, memory);
    if (kernel)
      run_kernel(*kernel, amounts, memory);
    else if (amounts.makes_results)
      make_results(std::get<LibraryStep>(step.what), amounts, memory);
    else
      run_library(std::get<LibraryStep>(step.what), amounts, memory);
    for (int buffer : amounts.last_buffers) memory.release(buffer);
  }
  for (int buffer : late_results_) allocate(buffer, memory);
  for (size_t i = 0; i < results.size(); ++i) results[i] = result(i, inputs, memory);
}

// Where a size of 0 leaves less than no elements, there are none.
void LoadedProgram::allocate(int buffer, Memory& memory) const {
  int64_t bytes = std::max<int64_t>(buffer_amounts_[buffer].bytes.in(memory.sizes), 0);
  memory.own(buffer, new_host_storage(bytes), program_->buffers.size());
}

void LoadedProgram::place_buffers(std::span<const Tensor* const> inputs, Memory& memory) const {
  const auto& buffers = program_->buffers;
  for (int i : used_buffers_) {
    const codegen::ProgramBuffer& buffer = buffers[i];
    if (is_late_[i]) continue;
    switch (buffer.kind) {
      case BufferKind::input: memory.addresses[i] = origin_of(*inputs[buffer.source], inputs_[buffer.source]); break;
      case BufferKind::output:
        memory.own(i, new_host_storage(buffer_amounts_[i].bytes.in(memory.sizes)), buffers.size());
        break;
      case BufferKind::temporary:
        memory.addresses[i] = memory.arena.at(buffer_amounts_[i].arena_offset.in(memory.sizes));
        break;
      case BufferKind::local: break;  // in a kernel's scratch
    }
  }
}

void LoadedProgram::run_kernel(const KernelStep& step, const StepAmounts& amounts, Memory& memory) const {
  const LoadedKernel& kernel = *kernels_[step.kernel];
  const KernelAmounts& own = kernel_amounts_[step.kernel];
  SmallVector<void*, 32> addresses;
  for (int buffer : step.buffers) addresses.push_back(memory.addresses[buffer]);
  Storage own_partial;
  if (own.has_own_partial) own_partial = new_host_storage(std::max<int64_t>(own.partial_bytes.in(memory.sizes), 0));
  if (own.has_own_partial)
    addresses.push_back(own_partial->data);
  else if (kernel.finish)
    addresses.push_back(memory.arena.at(partial_offset_.in(memory.sizes)));
  SmallVector<int64_t, 16> sizes;
  for (Amount size : amounts.sizes) sizes.push_back(size.in(memory.sizes));
  if (!sizes.empty()) addresses.push_back(sizes.data());
  int64_t range = own.range.in(memory.sizes), scratch_bytes = own.scratch_bytes.in(memory.sizes);
  int64_t grain = own.work.slot < 0 ? own.grain : parallel_grain(own.grain, own.work.in(memory.sizes));
  if (range > 0) {
    parallel_for(0, range, grain, [&](int64_t begin, int64_t end) {
      kernel.run(addresses.data(), begin, end, kept_by_thread<Scratch>().at_least(scratch_bytes));
    });
  }
  if (kernel.finish) kernel.finish(addresses.data(), 0, range, kept_by_thread<Scratch>().at_least(scratch_bytes));
}

// A tensor on a buffer's memory that must not outlive the run.
Tensor LoadedProgram::view_of_buffer(int buffer, const Layout& layout, const Memory& memory) const {
  auto* borrowed = new StorageImpl;
  borrowed->data = memory.addresses[buffer];
  return Tensor({program_->buffers[buffer].dtype, cpu, layout}, Storage(borrowed));
}

Values LoadedProgram::arguments_of(const LibraryStep& step, const StepAmounts& amounts, const Memory& memory) const {
  int next = 0;
  Values values = with_tensors(step.args, [&] {
    int i = next++;
    const codegen::ProgramBuffer& buffer = program_->buffers[step.inputs[i]];
    if (step.numbers[i]) return Value(number_at(memory.addresses[step.inputs[i]], buffer.dtype));
    return Value(view_of_buffer(step.inputs[i], amounts.inputs[i].in(memory.sizes), memory));
  });
  if (amounts.has_symbols)
    for (Value& value : values)
      value = with_numbers(value, [&](SymInt size) { return sizes_.number(size, memory.sizes); });
  return values;
}

void LoadedProgram::run_library(const LibraryStep& step, const StepAmounts& amounts, const Memory& memory) const {
  Values values = arguments_of(step, amounts, memory);
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < step.outputs.size(); ++i)
    outputs.push_back(view_of_buffer(step.outputs[i], amounts.outputs[i].in(memory.sizes), memory));
  call_library(OpArgs(*step.op, values, step.where), outputs);
}

// The results bring their memory along, and their sizes become known.
void LoadedProgram::make_results(const LibraryStep& step, const StepAmounts& amounts, Memory& memory) const {
  Values values = arguments_of(step, amounts, memory);
  OpArgs args(*step.op, values, step.where);
  std::vector<Tensor> made = call_sizing_library(args);
  SINTER_CHECK(made.size() == step.outputs.size(), "{} makes {} results", step.op->name(), made.size());
  for (const graph::GivenSize& given : amounts.given) {
    const Tensor& tensor = made[given.output];
    SymInt value = given.dim < 0 ? tensor.item().size() : tensor.sizes()[given.dim];
    sizes_.give(given.symbol, value.constant(), memory.sizes);
  }
  for (size_t i = 0; i < made.size(); ++i) {
    int buffer = step.outputs[i];
    DType dtype = program_->buffers[buffer].dtype;
    Layout expected = amounts.outputs[i].in(memory.sizes);
    memory.own(buffer, storage_as(args, i, made[i], {dtype, cpu, std::move(expected)}), program_->buffers.size());
  }
}

Tensor LoadedProgram::result(size_t i, std::span<const Tensor* const> inputs, const Memory& memory) const {
  const fusion::ScheduleResult& result = program_->results[i];
  if (result.buffer < 0) return {};
  const codegen::ProgramBuffer& buffer = program_->buffers[result.buffer];
  Layout layout = sizes_.is_static() ? result.layout : result_layouts_[i].in(memory.sizes);
  if (buffer.kind != BufferKind::input)
    return Tensor({buffer.dtype, cpu, std::move(layout)}, memory.storage_of(result.buffer));
  // A view of the caller's memory: offsets count from where his storage begins.
  const Tensor& argument = *inputs[buffer.source];
  layout.offset += argument.layout().offset - inputs_[buffer.source].layout.offset;
  return Tensor({buffer.dtype, argument.device(), layout}, argument.storage());
}

}  // namespace sinter::runtime
