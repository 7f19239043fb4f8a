// The plan of one compiled graph, as data: kernel sources, buffers, and steps in order. It holds no compiled code and
// no tensors, so that it can be printed, cached and written out.

#pragma once

#include <array>
#include <string>
#include <vector>

#include <sinter/fusion/schedule.h>

namespace sinter::codegen {

// The C signature of a generated kernel: works on [begin, end) of its range. `buffers` in the order of the step's list,
// then what the phases of a split reduction share, then, if the step has sizes, one pointer to their values (int64_t).
// `scratch` is this thread's, `scratch_bytes` large, 64-byte aligned.
using KernelFunction = void (*)(void* const* buffers, int64_t begin, int64_t end, void* scratch);

// One launch of a CUDA kernel. Its function takes one pointer per buffer of the step's list, then one to
// `partial_bytes` of memory where that is not 0 (not initialised; the kernel leaves nothing in it for later calls),
// then the step's sizes, each a number of 64 bits.
struct CudaLaunch {
  std::string function;                    // an extern "C" __global__ of the source
  std::array<SymInt, 3> grid = {1, 1, 1};  // where one is 0 at a call, there is nothing to launch
  int block = 1;                           // threads
  int64_t shared_bytes = 0;                // dynamic shared memory; beyond 48 KB the function must be told so first
};

// One generated source text and what its caller must know. Equal kernels of a program share one.
struct KernelSource {
  std::string name;         // of the function: cpp_fused_add_mul_relu_0
  std::string text;         // a whole translation unit
  std::string finish_name;  // of the second phase of a split reduction (called once with range [0, range)), or empty
  SymInt range = 1;         // the kernel's whole range is [0, range)
  int64_t grain = 1;        // a thread takes multiples of this, but at the end
  SymInt work = 1;          // about how many scalar operations one unit of the range costs
  SymInt scratch_bytes = 0;
  SymInt partial_bytes = 0;  // memory that the phases of a split reduction share: one more buffer in the list
  // Of a CUDA kernel, which has no range: run in order on one stream, all with the same arguments. Else empty.
  std::vector<CudaLaunch> launches;
};

struct ProgramBuffer {
  std::string name;
  DType dtype = DType::f32;
  Layout layout;
  fusion::BufferKind kind = fusion::BufferKind::temporary;
  int source = -1;          // of an input
  SymInt bytes = 0;         // of an output or temporary
  SymInt arena_offset = 0;  // of a temporary: where in the arena it lies
};

struct KernelStep {
  int kernel = -1;  // of Program::kernels
  std::vector<int> buffers;
  std::vector<SymInt> sizes;  // symbols, whose values the kernel is given
};

struct LibraryStep {
  const OpDef* op = nullptr;
  std::vector<graph::Argument> args;  // the node's; tensors, in their order the `inputs`, are outputs of no node
  std::vector<int> inputs;
  std::vector<Layout> input_layouts;
  std::vector<uint8_t> numbers;  // of each input: 1, if it is a number, the one element of a buffer
  std::vector<int> outputs;
  Here where;
};

struct Step {
  std::variant<KernelStep, LibraryStep> what;
  std::vector<std::string> origins;  // names of the graph nodes whose work this is
};

struct Program {
  std::vector<KernelSource> kernels;
  std::vector<ProgramBuffer> buffers;
  std::vector<Step> steps;
  std::vector<fusion::ScheduleResult> results;
  SymInt arena_bytes = 0;  // all temporaries
};

std::string to_string(const Program& program);

}  // namespace sinter::codegen
