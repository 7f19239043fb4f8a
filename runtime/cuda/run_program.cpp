// Places a program's buffers in device memory, then launches its steps.

#include <sinter/runtime/cuda/run_program.h>

#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/library_calls.h>
#include <sinter/runtime/library_calls.h>
#include <sinter/runtime/number_inputs.h>
#include <sinter/runtime/program_buffers.h>

#include <algorithm>

namespace sinter::runtime {

using codegen::KernelStep;
using codegen::LibraryStep;
using fusion::BufferKind;

namespace {

constexpr int64_t partial_alignment = 256;

}  // namespace

struct CudaProgram::Memory {
  const SizeValues& sizes;
  SmallVector<char*, 32> addresses;
  Storage arena;
  std::vector<Storage> storages;  // of output buffers, by buffer number; empty if there is none
  Storage only_storage;           // of the first output: one is the usual number, and costs no vector
  int only_buffer = -1;
  std::vector<Tensor> uploaded;  // single numbers from the CPU

  void own(int buffer, Storage storage) {
    addresses[buffer] = static_cast<char*>(storage->data);
    if (only_buffer < 0) {
      only_buffer = buffer;
      only_storage = std::move(storage);
      return;
    }
    if (storages.empty()) storages.resize(addresses.size());
    storages[buffer] = std::move(storage);
  }
  const Storage& storage_of(int buffer) const { return buffer == only_buffer ? only_storage : storages[buffer]; }
};

CudaProgram::CudaProgram(const CudaDevice& device, graph::Graph graph, fusion::Schedule schedule,
                         codegen::Program program, std::vector<TensorMeta> inputs,
                         std::vector<std::shared_ptr<const LoadedCudaKernel>> kernels)
    : device_(device),
      graph_(std::move(graph)),
      schedule_(std::move(schedule)),
      program_(std::move(program)),
      inputs_(std::move(inputs)),
      kernels_(std::move(kernels)) {
  for (const auto& node : graph_.nodes)
    if (node->kind == graph::NodeKind::call_function) where_ = node->where;
  used_buffers_ = used_buffers(program_);
  find_amounts();
}

// An argument that is a number: it lies in the host's memory.
bool CudaProgram::is_given_number(int buffer) const {
  return program_.buffers[buffer].kind == BufferKind::input && schedule_.buffers[buffer].is_number;
}

void CudaProgram::find_amounts() {
  sizes_ = ProgramSizes(inputs_);
  for (const codegen::ProgramBuffer& buffer : program_.buffers)
    buffer_amounts_.push_back({sizes_.amount(buffer.bytes), sizes_.amount(buffer.arena_offset)});
  for (const codegen::Step& step : program_.steps) {
    StepAmounts amounts;
    if (auto* kernel = std::get_if<KernelStep>(&step.what)) {
      if (std::ranges::any_of(kernel->buffers, [&](int buffer) { return is_given_number(buffer); }))
        for (int buffer : kernel->buffers) amounts.by_value.push_back(is_given_number(buffer));
      for (SymInt symbol : kernel->sizes) amounts.symbols.push_back(sizes_.amount(symbol));
      const auto& launches = program_.kernels[kernel->kernel].launches;
      bool has_symbols = std::ranges::any_of(
          launches, [](const codegen::CudaLaunch& launch) { return !launch.grid[0].is_constant(); });
      if (has_symbols)
        for (const codegen::CudaLaunch& launch : launches) amounts.blocks.push_back(sizes_.amount(launch.grid[0]));
    } else {
      auto& call = std::get<LibraryStep>(step.what);
      for (const Layout& layout : call.input_layouts) amounts.inputs.push_back(sizes_.amounts(layout));
      for (int output : call.outputs) amounts.outputs.push_back(sizes_.amounts(program_.buffers[output].layout));
      for (const graph::Argument& argument : call.args)
        visit_sizes(argument, [&](SymInt size) {
          sizes_.amount(size);
          amounts.has_symbols = true;
        });
    }
    step_amounts_.push_back(std::move(amounts));
  }
  for (const fusion::ScheduleResult& result : program_.results)
    result_layouts_.push_back(sizes_.amounts(result.layout));
  SymInt partial_bytes = 0;
  for (const codegen::KernelSource& kernel : program_.kernels) partial_bytes = max(partial_bytes, kernel.partial_bytes);
  SymInt partial_offset = ceil_div(program_.arena_bytes, partial_alignment) * partial_alignment;
  partial_offset_ = sizes_.amount(partial_offset);
  arena_bytes_ = sizes_.amount(partial_bytes.same(0) ? program_.arena_bytes : partial_offset + partial_bytes);
}

void CudaProgram::run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const {
  graph::InheritLocation inherit(where_);  // of memory that runs out
  make_current(device_);
  SizeValues sizes;
  if (!sizes_.is_static()) sizes_.bind(inputs, sizes);
  Memory memory{sizes};
  place_buffers(inputs, memory);
  CUstream stream = current_cuda_stream(device_);
  for (size_t i = 0; i < program_.steps.size(); ++i) {
    const codegen::Step& step = program_.steps[i];
    if (auto* kernel = std::get_if<KernelStep>(&step.what))
      run_kernel(*kernel, step_amounts_[i], memory, stream);
    else
      run_library(std::get<LibraryStep>(step.what), step_amounts_[i], memory);
  }
  for (size_t i = 0; i < results.size(); ++i) results[i] = result(i, inputs, memory);
}

void CudaProgram::place_buffers(std::span<const Tensor* const> inputs, Memory& memory) const {
  const auto& buffers = program_.buffers;
  memory.addresses = SmallVector<char*, 32>(buffers.size(), nullptr);
  if (int64_t bytes = arena_bytes_.in(memory.sizes); bytes > 0) memory.arena = new_cuda_storage(device_, bytes);
  for (int i : used_buffers_) {
    const codegen::ProgramBuffer& buffer = buffers[i];
    switch (buffer.kind) {
      case BufferKind::input: {
        const Tensor* input = inputs[buffer.source];
        if (input->device().is_cpu() && !is_given_number(i)) {
          memory.uploaded.push_back(moved(*input, cuda::device(device_.index)));
          input = &memory.uploaded.back();
        }
        memory.addresses[i] = origin_of(*input, inputs_[buffer.source]);
        break;
      }
      case BufferKind::output:
        memory.own(i, new_cuda_storage(device_, buffer_amounts_[i].bytes.in(memory.sizes)));
        break;
      case BufferKind::temporary:
        if (memory.arena)
          memory.addresses[i] =
              static_cast<char*>(memory.arena->data) + buffer_amounts_[i].arena_offset.in(memory.sizes);
        break;
      case BufferKind::local: break;  // in a kernel's registers or shared memory
    }
  }
}

void CudaProgram::run_kernel(const KernelStep& step, const StepAmounts& amounts, Memory& memory,
                             CUstream stream) const {
  SmallVector<void*, 32> addresses;
  for (int buffer : step.buffers) addresses.push_back(memory.addresses[buffer]);
  if (!program_.kernels[step.kernel].partial_bytes.same(0))
    addresses.push_back(memory.arena ? static_cast<char*>(memory.arena->data) + partial_offset_.in(memory.sizes)
                                     : nullptr);
  SmallVector<int64_t, 8> symbols, blocks;
  for (Amount symbol : amounts.symbols) symbols.push_back(symbol.in(memory.sizes));
  for (Amount count : amounts.blocks) blocks.push_back(count.in(memory.sizes));
  launch(*kernels_[step.kernel], {addresses.data(), addresses.size()}, stream,
         {.symbols = {symbols.data(), symbols.size()},
          .blocks = {blocks.data(), blocks.size()},
          .by_value = {amounts.by_value.data(), amounts.by_value.size()}});
}

// A tensor on a buffer's memory that must not outlive the run.
Tensor CudaProgram::view_of_buffer(int buffer, const Layout& layout, const Memory& memory) const {
  auto* borrowed = new StorageImpl;
  borrowed->data = memory.addresses[buffer];
  borrowed->device = cuda::device(device_.index);
  return Tensor({program_.buffers[buffer].dtype, borrowed->device, layout}, Storage(borrowed));
}

// The results of a routine that bring their memory along.
void CudaProgram::own_results(const LibraryStep& step, const StepAmounts& amounts, const OpArgs& args,
                              Memory& memory) const {
  std::vector<Tensor> made = call_sizing_on_cuda(args);
  for (size_t i = 0; i < made.size(); ++i) {
    const codegen::ProgramBuffer& buffer = program_.buffers[step.outputs[i]];
    Layout expected = amounts.outputs[i].in(memory.sizes);
    Tensor result = made[i].to(buffer.dtype, step.where);
    bool is_as_expected = same_layout(result.layout(), expected) && result.layout().offset.same(0);
    if (!is_as_expected) {
      Storage storage = new_cuda_storage(device_, extent_end(expected).constant() * byte_size(buffer.dtype));
      Tensor placed({buffer.dtype, result.device(), expected}, std::move(storage));
      placed.copy_(result, step.where);
      result = placed;
    }
    memory.own(step.outputs[i], result.storage());
  }
}

void CudaProgram::run_library(const LibraryStep& step, const StepAmounts& amounts, Memory& memory) const {
  int next = 0;
  Values values = with_tensors(step.args, [&] {
    int i = next++;
    if (int buffer = step.inputs[i]; step.numbers[i] && is_given_number(buffer))
      return Value(number_at(memory.addresses[buffer], program_.buffers[buffer].dtype));
    Tensor input = view_of_buffer(step.inputs[i], amounts.inputs[i].in(memory.sizes), memory);
    return step.numbers[i] ? Value(input.item(step.where)) : Value(input);
  });
  if (amounts.has_symbols)
    for (Value& value : values)
      value = with_numbers(value, [&](SymInt size) { return sizes_.number(size, memory.sizes); });
  if (step.op->library == Library::sizing_routine)
    return own_results(step, amounts, OpArgs(*step.op, values, step.where), memory);
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < step.outputs.size(); ++i)
    outputs.push_back(view_of_buffer(step.outputs[i], amounts.outputs[i].in(memory.sizes), memory));
  call_library(OpArgs(*step.op, values, step.where), outputs);
}

Tensor CudaProgram::result(size_t i, std::span<const Tensor* const> inputs, const Memory& memory) const {
  const fusion::ScheduleResult& result = program_.results[i];
  if (result.buffer < 0) return {};
  const codegen::ProgramBuffer& buffer = program_.buffers[result.buffer];
  Layout layout = sizes_.is_static() ? result.layout : result_layouts_[i].in(memory.sizes);
  if (buffer.kind != BufferKind::input)
    return Tensor({buffer.dtype, cuda::device(device_.index), std::move(layout)}, memory.storage_of(result.buffer));
  // A view of the caller's memory: offsets count from where his storage begins.
  const Tensor& argument = *inputs[buffer.source];
  layout.offset += argument.layout().offset - inputs_[buffer.source].layout.offset;
  return Tensor({buffer.dtype, argument.device(), layout}, argument.storage());
}

}  // namespace sinter::runtime
