// A program with its machine code, ready to run on real tensors.
//
// A run allocates its results and one arena for everything in between. Any number of threads may run one program.

#pragma once

#include <sinter/runtime/backend.h>
#include <sinter/runtime/kernel_cache.h>
#include <sinter/runtime/program_sizes.h>

namespace sinter::runtime {

class LoadedProgram : public Executable {
 public:
  // `inputs`: the metas with which the program's inputs were traced. `kernels` in the order of the program's.
  LoadedProgram(graph::Graph graph, fusion::Schedule schedule, codegen::Program program, std::vector<TensorMeta> inputs,
                std::vector<std::shared_ptr<const LoadedKernel>> kernels);

  void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const override;
  const graph::Graph* prepared_graph() const override { return &graph_; }
  const fusion::Schedule* schedule() const override { return &schedule_; }
  const codegen::Program* program() const override { return &program_; }

 private:
  // What a run makes: addresses of buffers, and owners of those that are results.
  struct Memory;

  // Of a kernel, a buffer, a call: what a run needs to know of its sizes.
  struct KernelAmounts {
    Amount range, work, scratch_bytes, partial_bytes;
    int64_t grain = 1;  // if the work is a number, the final one
  };
  struct BufferAmounts {
    Amount bytes, arena_offset;
  };
  struct StepAmounts {
    std::vector<Amount> sizes;                   // of a kernel
    std::vector<LayoutAmounts> inputs, outputs;  // of a call
    bool has_symbols = false;                    // among the call's arguments
  };

  void find_amounts();
  void place_buffers(std::span<const Tensor* const> inputs, Memory& memory) const;
  void run_kernel(const codegen::KernelStep& step, const StepAmounts& amounts, Memory& memory) const;
  void run_library(const codegen::LibraryStep& step, const StepAmounts& amounts, const Memory& memory) const;
  Tensor view_of_buffer(int buffer, const Layout& layout, const Memory& memory) const;
  Tensor result(size_t i, std::span<const Tensor* const> inputs, const Memory& memory) const;

  Here where_;          // a line of the traced function
  graph::Graph graph_;  // whose nodes the schedule names
  fusion::Schedule schedule_;
  codegen::Program program_;
  std::vector<TensorMeta> inputs_;
  std::vector<std::shared_ptr<const LoadedKernel>> kernels_;
  std::vector<int> used_buffers_;  // those that steps and results name
  ProgramSizes sizes_;
  std::vector<KernelAmounts> kernel_amounts_;
  std::vector<BufferAmounts> buffer_amounts_;
  std::vector<StepAmounts> step_amounts_;
  std::vector<LayoutAmounts> result_layouts_;
  Amount partial_offset_;  // in the arena: what the phases of a split reduction share
  Amount arena_bytes_;
};

}  // namespace sinter::runtime
