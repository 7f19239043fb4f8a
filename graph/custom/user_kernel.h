// Loop kernels that a user writes: C++ text for the CPU, CUDA text for the GPU, and how they are launched.
//
// A launch is a node of the graph like any other: `sinter::launch` shows the kernel, its grid and its arguments. It is
// functional: its results are the tensors that the kernel writes, so that nothing after tracing knows of writes.

#pragma once

#include <sinter/graph/graph.h>
#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_LAUNCH_OPS(OP) OP(launch_default) OP(launch_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_LAUNCH_OPS)

namespace sinter {

// Of a parameter of a kernel: `const float* x` is read, `float* out` written, `int64_t n` a number.
struct KernelParameter {
  std::string name;
  std::string type;  // of the number, or of the elements: as written, without const
  bool is_pointer = false;
  bool is_written = false;
};

// Immutable once made; kept for the life of the process, so that a graph's text can name it.
struct UserKernel {
  std::string name;         // of the C++ function
  std::string key;          // how graphs call it: the name, with a number where another text has it
  std::string cpu_source;   // defines `void name(parameters..., int64_t begin, int64_t end)`; empty: none
  std::string cuda_source;  // defines `__global__ void name(parameters...)`; empty: none
  std::vector<KernelParameter> parameters;  // without begin and end
};

// A handle that is passed to wrap_kernel. Equal texts are one kernel.
class Kernel {
 public:
  explicit Kernel(const UserKernel& kernel) : kernel_(&kernel) {}
  const UserKernel& operator*() const { return *kernel_; }
  const UserKernel* operator->() const { return kernel_; }

 private:
  const UserKernel* kernel_;
};

struct KernelSources {
  std::string_view cpu;
  std::string_view cuda = {};
};
// Reads the parameters of function `name` off the text. Element types are C++'s, by size and kind (unsigned short for
// f16 and bf16); the CPU function's last two parameters are the blocks that a call works on, [begin, end).
Kernel kernel(std::string_view name, KernelSources sources, Here here = Here::current());

// How many blocks there are. On the CPU a call gets a range of them, and threads share them; on the GPU each is a block
// of `threads` threads. Blocks of several dims are counted x first.
struct Grid {
  SymInt x = 1, y = 1, z = 1;
  int64_t threads = 256;
};

// Calls the kernel: at once on real tensors, as a node of the graph in a traced function. `arguments` in the order of
// its parameters. It sees the address of each tensor's first element: strides are the caller's business. Of a tensor
// that it writes only the elements count: what it puts between them is lost.
void launch(const Kernel& kernel, const Grid& grid, const Values& arguments, Here here = Here::current());

// launch, with the arguments as one writes them; the location is that of the kernel's operand.
struct LocatedKernel {
  LocatedKernel(const Kernel& kernel, Here here = Here::current()) : kernel(kernel), here(here) {}
  Kernel kernel;
  Here here;
};
template <class... Args>
void wrap_kernel(LocatedKernel kernel, const Grid& grid, const Args&... arguments) {
  launch(kernel.kernel, grid, {Value(arguments)...}, kernel.here);
}

namespace graph {

// Of a launch op's arguments.
const UserKernel& kernel_of(const OpArgs& args);
SymInt block_count(const OpArgs& args);
// The element types that a parameter's C++ type stands for; empty for a type that no tensor has.
std::vector<DType> element_types(std::string_view cpp_type);
// Of a real tensor: with all that lies between its elements.
Tensor copy_with_strides(const Tensor& tensor, Here here);
// In which a number of that type is passed on: uint16_t in i32.
DType number_type(std::string_view cpp_type);
// Throws Error(unsupported) if the kernel has no source for the device.
void check_has_source(const OpArgs& args, const UserKernel& kernel, DeviceType device);
// A tensor without contents: a launch that writes it need not copy it to where its result goes.
inline bool is_uninitialised(NodeOutput output) {
  return output.node->op && output.node->op->structured == Structured::empty;
}

}  // namespace graph
}  // namespace sinter
