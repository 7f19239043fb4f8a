// A program with its machine code, ready to run on real tensors.
//
// A run allocates its results and one arena for everything in between; what has a size that only data tell gets memory
// of its own once that is known. Any number of threads may run one program.

#pragma once

#include <sinter/graph/passes/insert_size_checks.h>
#include <sinter/runtime/backend.h>
#include <sinter/runtime/kernel_cache.h>
#include <sinter/runtime/program_sizes.h>

#include <mutex>

namespace sinter::runtime {

// How a program comes about: what explanations show. Running it needs the program alone, without sources.
struct ProgramPlan {
  graph::Graph graph;  // whose nodes the schedule names
  fusion::Schedule schedule;
  codegen::Program program;
};

class LoadedProgram : public Executable {
 public:
  using Kernels = std::vector<std::shared_ptr<const LoadedKernel>>;

  // `inputs`: the metas with which the program's inputs were traced. `kernels` in the order of the program's.
  LoadedProgram(std::shared_ptr<const ProgramPlan> plan, std::vector<TensorMeta> inputs, Kernels kernels);
  // Of a program from disk, for which `make_plan` makes the plan again if it is asked for.
  LoadedProgram(codegen::Program program, Here where, std::function<std::shared_ptr<const ProgramPlan>()> make_plan,
                std::vector<TensorMeta> inputs, Kernels kernels);

  void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const override;
  const graph::Graph* prepared_graph() const override { return &plan().graph; }
  const fusion::Schedule* schedule() const override { return &plan().schedule; }
  const codegen::Program* program() const override { return &plan().program; }
  // A line of the traced function.
  Here where() const { return where_; }

 private:
  // What a run makes: addresses of buffers, and owners of those that are results.
  struct Memory;

  // Of a kernel, a buffer, a call: what a run needs to know of its sizes.
  struct KernelAmounts {
    Amount range, work, scratch_bytes, partial_bytes;
    bool has_own_partial = false;  // outside of the arena
    int64_t grain = 1;             // if the work is a number, the final one
  };
  struct BufferAmounts {
    Amount bytes, arena_offset;
  };
  struct StepAmounts {
    std::vector<Amount> sizes;                   // of a kernel
    std::vector<LayoutAmounts> inputs, outputs;  // of a call
    bool has_symbols = false;                    // among the call's arguments
    bool makes_results = false;                  // the call does, and tells sizes by that
    std::vector<graph::GivenSize> given;         // which ones
    std::vector<int> new_buffers, last_buffers;  // of memory of their own: those first, and last, used here
  };

  const ProgramPlan& plan() const;
  void prepare_runs();
  void find_amounts();
  void find_late_buffers();
  void allocate(int buffer, Memory& memory) const;
  void place_buffers(std::span<const Tensor* const> inputs, Memory& memory) const;
  void run_kernel(const codegen::KernelStep& step, const StepAmounts& amounts, Memory& memory) const;
  void run_library(const codegen::LibraryStep& step, const StepAmounts& amounts, const Memory& memory) const;
  void make_results(const codegen::LibraryStep& step, const StepAmounts& amounts, Memory& memory) const;
  Values arguments_of(const codegen::LibraryStep& step, const StepAmounts& amounts, const Memory& memory) const;
  Tensor view_of_buffer(int buffer, const Layout& layout, const Memory& memory) const;
  Tensor result(size_t i, std::span<const Tensor* const> inputs, const Memory& memory) const;

  mutable std::once_flag planned_;
  mutable std::shared_ptr<const ProgramPlan> plan_;  // null until it is asked for, if it comes from disk
  std::function<std::shared_ptr<const ProgramPlan>()> make_plan_;
  std::shared_ptr<const codegen::Program> program_;  // the plan's own, if there is one
  Here where_;
  std::vector<TensorMeta> inputs_;
  Kernels kernels_;
  std::vector<int> used_buffers_;  // those that steps and results name
  ProgramSizes sizes_;
  std::vector<KernelAmounts> kernel_amounts_;
  std::vector<BufferAmounts> buffer_amounts_;
  std::vector<StepAmounts> step_amounts_;
  std::vector<LayoutAmounts> result_layouts_;
  std::vector<bool> is_late_;      // of each buffer: it gets memory of its own while the program runs
  std::vector<int> late_results_;  // those that no step uses
  Amount partial_offset_;          // in the arena: what the phases of a split reduction share
  Amount arena_bytes_;
};

}  // namespace sinter::runtime
