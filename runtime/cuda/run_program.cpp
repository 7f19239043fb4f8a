// Places a program's buffers in device memory, then launches its steps.

#include <sinter/runtime/cuda/run_program.h>

#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/library_calls.h>
#include <sinter/runtime/program_buffers.h>

namespace sinter::runtime {

using codegen::KernelStep;
using codegen::LibraryStep;
using fusion::BufferKind;

namespace {

constexpr int64_t partial_alignment = 256;

}  // namespace

struct CudaProgram::Memory {
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
  int64_t partial_bytes = 0;
  for (const codegen::KernelSource& kernel : program_.kernels)
    partial_bytes = std::max(partial_bytes, kernel.partial_bytes.constant());
  used_buffers_ = used_buffers(program_);
  int64_t arena_bytes = program_.arena_bytes.constant();
  partial_offset_ = (arena_bytes + partial_alignment - 1) / partial_alignment * partial_alignment;
  arena_bytes_ = partial_bytes == 0 ? arena_bytes : partial_offset_ + partial_bytes;
}

void CudaProgram::run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const {
  graph::InheritLocation inherit(where_);  // of memory that runs out
  make_current(device_);
  Memory memory;
  place_buffers(inputs, memory);
  CUstream stream = current_cuda_stream(device_);
  for (const codegen::Step& step : program_.steps) {
    if (auto* kernel = std::get_if<KernelStep>(&step.what))
      run_kernel(*kernel, memory, stream);
    else
      run_library(std::get<LibraryStep>(step.what), memory);
  }
  for (size_t i = 0; i < results.size(); ++i) results[i] = result(program_.results[i], inputs, memory);
}

void CudaProgram::place_buffers(std::span<const Tensor* const> inputs, Memory& memory) const {
  const auto& buffers = program_.buffers;
  memory.addresses = SmallVector<char*, 32>(buffers.size(), nullptr);
  if (arena_bytes_ > 0) memory.arena = new_cuda_storage(device_, arena_bytes_);
  for (int i : used_buffers_) {
    const codegen::ProgramBuffer& buffer = buffers[i];
    switch (buffer.kind) {
      case BufferKind::input: {
        const Tensor* input = inputs[buffer.source];
        if (input->device().is_cpu()) {
          memory.uploaded.push_back(moved(*input, cuda::device(device_.index)));
          input = &memory.uploaded.back();
        }
        memory.addresses[i] = origin_of(*input, inputs_[buffer.source]);
        break;
      }
      case BufferKind::output: memory.own(i, new_cuda_storage(device_, buffer.bytes.constant())); break;
      case BufferKind::temporary:
        memory.addresses[i] =
            memory.arena ? static_cast<char*>(memory.arena->data) + buffer.arena_offset.constant() : nullptr;
        break;
      case BufferKind::local: break;  // in a kernel's registers or shared memory
    }
  }
}

void CudaProgram::run_kernel(const KernelStep& step, Memory& memory, CUstream stream) const {
  SmallVector<void*, 32> addresses;
  for (int buffer : step.buffers) addresses.push_back(memory.addresses[buffer]);
  if (!program_.kernels[step.kernel].partial_bytes.same(0))
    addresses.push_back(static_cast<char*>(memory.arena->data) + partial_offset_);
  launch(*kernels_[step.kernel], {addresses.data(), addresses.size()}, stream);
}

// A tensor on a buffer's memory that must not outlive the run.
Tensor CudaProgram::view_of_buffer(int buffer, const Layout& layout, const Memory& memory) const {
  auto* borrowed = new StorageImpl;
  borrowed->data = memory.addresses[buffer];
  borrowed->device = cuda::device(device_.index);
  return Tensor({program_.buffers[buffer].dtype, borrowed->device, layout}, Storage(borrowed));
}

void CudaProgram::run_library(const LibraryStep& step, const Memory& memory) const {
  int next = 0;
  Values values = with_tensors(step.args, [&] {
    int i = next++;
    return view_of_buffer(step.inputs[i], step.input_layouts[i], memory);
  });
  std::vector<Tensor> outputs;
  for (int buffer : step.outputs) outputs.push_back(view_of_buffer(buffer, program_.buffers[buffer].layout, memory));
  call_library(OpArgs(*step.op, values, step.where), outputs);
}

Tensor CudaProgram::result(const fusion::ScheduleResult& result, std::span<const Tensor* const> inputs,
                           const Memory& memory) const {
  if (result.buffer < 0) return {};
  const codegen::ProgramBuffer& buffer = program_.buffers[result.buffer];
  if (buffer.kind != BufferKind::input)
    return Tensor({buffer.dtype, cuda::device(device_.index), result.layout}, memory.storage_of(result.buffer));
  // A view of the caller's memory: offsets count from where his storage begins.
  const Tensor& argument = *inputs[buffer.source];
  Layout layout = result.layout;
  layout.offset += argument.layout().offset - inputs_[buffer.source].layout.offset;
  return Tensor({buffer.dtype, argument.device(), layout}, argument.storage());
}

}  // namespace sinter::runtime
