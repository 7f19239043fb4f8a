// A CUDA program that is recorded once as a CUDA graph and then replayed: one launch for all its kernels.
//
// Arguments are copied to memory of the recording's own before a replay, results out of it after; captured tensors are
// read where they lie. What can't be recorded (work on the host, written arguments) runs as it is, and the log says
// why.

#pragma once

#include <sinter/runtime/cuda/run_program.h>

#include <mutex>

namespace sinter::runtime {

class ReplayedProgram : public Executable {
 public:
  // `captured`: how many of the inputs, the last ones, are tensors that the function captured.
  ReplayedProgram(std::unique_ptr<CudaProgram> program, const CudaDevice& device, size_t captured, std::string name);
  ~ReplayedProgram() override;

  void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const override;
  const graph::Graph* prepared_graph() const override { return program_->prepared_graph(); }
  const fusion::Schedule* schedule() const override { return program_->schedule(); }
  const codegen::Program* program() const override { return program_->program(); }

 private:
  // All that one recording holds.
  struct Recording {
    CUgraphExec graph = nullptr;
    std::vector<Tensor> inputs;  // the recording's own, or the captured tensors
    std::vector<Tensor> results;
  };

  bool record(std::span<const Tensor* const> inputs, size_t result_count) const;
  bool fits(std::span<const Tensor* const> inputs) const;
  void wait_for_last_stream(CUstream stream) const;
  void forget() const noexcept;

  std::unique_ptr<CudaProgram> program_;
  const CudaDevice& device_;
  size_t captured_;
  std::string name_;

  mutable std::mutex mutex_;  // replays share memory
  mutable Recording recording_;
  mutable std::string refusal_;  // why it is not recorded
  mutable CUstream own_stream_ = nullptr;
  mutable std::optional<CUstream> last_stream_;
};

}  // namespace sinter::runtime
