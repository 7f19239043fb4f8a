// Recording on a stream of its own, so that the memory which the graph uses is nobody else's.

#include <sinter/runtime/cuda/replay_program.h>

#include <sinter/graph/log.h>
#include <sinter/runtime/check_guards.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/matrix_product.h>

namespace sinter::runtime {

namespace {

// Why the program can't be recorded; empty if it can.
std::string obstacle(const CudaProgram& program) {
  const codegen::Program& plan = *program.program();
  for (const codegen::Step& step : plan.steps) {
    const auto* call = std::get_if<codegen::LibraryStep>(&step.what);
    if (!call) continue;
    bool is_product = call->op->library == Library::mm || call->op->library == Library::bmm;
    if (!is_product || !multiplies_on_cuda(plan.buffers[call->inputs[0]].dtype))
      return fmt::format("{} waits for the host", call->op->name());
  }
  for (const fusion::ScheduleResult& result : plan.results)
    if (result.buffer >= 0 && plan.buffers[result.buffer].kind == fusion::BufferKind::input)
      return "a result is a view of an argument";
  for (const auto& node : program.prepared_graph()->nodes)
    if (node->op && node->op->inplace_of) return "an argument is written to";
  return {};
}

int64_t reach_bytes(const Tensor& tensor) {
  MemoryRange range = memory_range(tensor);
  return static_cast<int64_t>(range.end - range.begin);
}

// A tensor of the same layout on fresh memory, of what its elements reach.
Tensor twin(const Tensor& tensor, const CudaDevice& device) {
  TensorMeta meta = tensor.meta();
  meta.layout.offset = 0;
  Storage storage = new_cuda_storage(device, reach_bytes(tensor));
  return Tensor(std::move(meta), std::move(storage));
}

void copy_elements(const Tensor& to, const Tensor& from) {
  copy_bytes(to.data_ptr(), to.device(), from.data_ptr(), from.device(), reach_bytes(from));
}

}  // namespace

ReplayedProgram::ReplayedProgram(std::unique_ptr<CudaProgram> program, const CudaDevice& device, size_t captured,
                                 std::string name)
    : program_(std::move(program)), device_(device), captured_(captured), name_(std::move(name)) {
  refusal_ = obstacle(*program_);
  if (!refusal_.empty()) log(LogTopic::fusion, "{}: no CUDA graph: {}", name_, refusal_);
}

ReplayedProgram::~ReplayedProgram() { forget(); }

void ReplayedProgram::forget() const noexcept {
  if (recording_.graph) driver().cuGraphExecDestroy(recording_.graph);
  recording_ = {};
}

// Captured tensors must lie where the recording reads them.
bool ReplayedProgram::fits(std::span<const Tensor* const> inputs) const {
  if (!recording_.graph) return false;
  for (size_t i = inputs.size() - captured_; i < inputs.size(); ++i)
    if (first_element(*inputs[i]) != first_element(recording_.inputs[i])) return false;
  return true;
}

bool ReplayedProgram::record(std::span<const Tensor* const> inputs, size_t result_count) const {
  forget();
  for (const Tensor* input : inputs)
    if (input->device().is_cpu()) {
      refusal_ = "an argument is a number on the CPU";
      log(LogTopic::fusion, "{}: no CUDA graph: {}", name_, refusal_);
      return false;
    }
  Device device = cuda::device(device_.index);
  cuda::synchronize(device);
  if (!own_stream_) check_cuda(driver().cuStreamCreate(&own_stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  cuda::StreamGuard guard(cuda::Stream(device, own_stream_));
  size_t arguments = inputs.size() - captured_;
  std::vector<const Tensor*> pointers;
  recording_.inputs.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    recording_.inputs.push_back(i < arguments ? twin(*inputs[i], device_) : *inputs[i]);
    if (i < arguments) copy_elements(recording_.inputs[i], *inputs[i]);
    pointers.push_back(&recording_.inputs[i]);
  }
  {  // once as it is: what is taken from the driver and looked up the first time is there afterwards
    std::vector<Tensor> results(result_count);
    program_->run(pointers, results);
    cuda::synchronize(device);
  }
  CUgraph graph = nullptr;
  check_cuda(driver().cuStreamBeginCapture(own_stream_, CU_STREAM_CAPTURE_MODE_RELAXED), "cuStreamBeginCapture");
  recording_.results.resize(result_count);
  try {
    program_->run(pointers, recording_.results);
  } catch (...) {
    driver().cuStreamEndCapture(own_stream_, &graph);
    throw;
  }
  check_cuda(driver().cuStreamEndCapture(own_stream_, &graph), "cuStreamEndCapture");
  CUresult made = driver().cuGraphInstantiate(&recording_.graph, graph, 0);
  driver().cuGraphDestroy(graph);
  check_cuda(made, "cuGraphInstantiate");
  return true;
}

// The recording's memory is used by one stream after the other.
void ReplayedProgram::wait_for_last_stream(CUstream stream) const {
  if (last_stream_ && *last_stream_ != stream) {
    cuda::Event done;
    done.record(cuda::Stream(cuda::device(device_.index), *last_stream_));
    done.block(cuda::Stream(cuda::device(device_.index), stream));
  }
  last_stream_ = stream;
}

void ReplayedProgram::run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const {
  std::unique_lock lock(mutex_);
  if (!refusal_.empty() || (!fits(inputs) && !record(inputs, results.size()))) {
    lock.unlock();
    return program_->run(inputs, results);
  }
  make_current(device_);
  CUstream stream = current_cuda_stream(device_);
  wait_for_last_stream(stream);
  for (size_t i = 0; i < inputs.size() - captured_; ++i) copy_elements(recording_.inputs[i], *inputs[i]);
  check_cuda(driver().cuGraphLaunch(recording_.graph, stream), "cuGraphLaunch");
  for (size_t i = 0; i < results.size(); ++i) {
    const Tensor& made = recording_.results[i];
    results[i] = made.defined() ? twin(made, device_) : Tensor();
    if (made.defined()) copy_elements(results[i], made);
  }
}

}  // namespace sinter::runtime
