// A program of CUDA kernels and library calls on one device, ready to run.
//
// A run allocates its results and one arena, and puts everything on the device's current stream; it waits for nothing.

#pragma once

#include <sinter/runtime/backend.h>
#include <sinter/runtime/cuda/load_kernel.h>
#include <sinter/runtime/program_sizes.h>

namespace sinter::runtime {

class CudaProgram : public Executable {
 public:
  // `inputs`: the metas with which the program's inputs were traced. `kernels` in the order of the program's.
  CudaProgram(const CudaDevice& device, graph::Graph graph, fusion::Schedule schedule, codegen::Program program,
              std::vector<TensorMeta> inputs, std::vector<std::shared_ptr<const LoadedCudaKernel>> kernels);

  void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const override;
  const graph::Graph* prepared_graph() const override { return &graph_; }
  const fusion::Schedule* schedule() const override { return &schedule_; }
  const codegen::Program* program() const override { return &program_; }

 private:
  struct Memory;
  // Sizes that a call computes, where they are not numbers.
  struct BufferAmounts {
    Amount bytes, arena_offset;
  };
  struct StepAmounts {
    SmallVector<Amount, 8> symbols;              // of a kernel
    SmallVector<Amount, 4> blocks;               // of its launches, if one depends on sizes
    SmallVector<uint8_t, 8> by_value;            // of its buffers: 1, if it is a number that is passed itself
    std::vector<LayoutAmounts> inputs, outputs;  // of a library call
    bool has_symbols = false;                    // among its other arguments
  };

  bool is_given_number(int buffer) const;
  void find_amounts();
  void place_buffers(std::span<const Tensor* const> inputs, Memory& memory) const;
  void run_kernel(const codegen::KernelStep& step, const StepAmounts& amounts, Memory& memory, CUstream stream) const;
  void run_library(const codegen::LibraryStep& step, const StepAmounts& amounts, Memory& memory) const;
  void own_results(const codegen::LibraryStep& step, const StepAmounts& amounts, const OpArgs& args,
                   Memory& memory) const;
  Tensor view_of_buffer(int buffer, const Layout& layout, const Memory& memory) const;
  Tensor result(size_t i, std::span<const Tensor* const> inputs, const Memory& memory) const;

  const CudaDevice& device_;
  Here where_;
  graph::Graph graph_;  // whose nodes the schedule names
  fusion::Schedule schedule_;
  codegen::Program program_;
  std::vector<TensorMeta> inputs_;
  std::vector<std::shared_ptr<const LoadedCudaKernel>> kernels_;
  std::vector<int> used_buffers_;  // those that steps and results name
  ProgramSizes sizes_;
  std::vector<BufferAmounts> buffer_amounts_;
  std::vector<StepAmounts> step_amounts_;
  std::vector<LayoutAmounts> result_layouts_;
  Amount partial_offset_;  // in the arena: memory that the launches of one kernel share
  Amount arena_bytes_;
};

}  // namespace sinter::runtime
