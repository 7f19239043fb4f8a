// The loop IR: buffers, and kernels of loop nests in execution order. Both code generators and the eager interpreter
// read it.
//
// A kernel has outer axes that its nests share, and nests that run one after the other inside them. A nest has further
// axes of its own, a body on one element, and stores. A pointwise kernel is one nest; softmax is several nests (max;
// exp and sum; quotient) under the shared axes of its rows.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sinter/fusion/index_expr.h>
#include <sinter/graph/graph.h>

namespace sinter::fusion {

// Along a scan axis elements are taken one after the other, from the first to the last: nodes of scan_op carry
// running values. A nest has at most one, its last axis, and then no reduction axes.
enum class AxisKind : uint8_t { parallel, reduction, scan };

struct Axis {
  SymInt extent = 1;
  AxisKind kind = AxisKind::parallel;
};

enum class BufferKind : uint8_t {
  input,      // memory of the caller's argument (or captured tensor) number `source`
  output,     // fresh memory that leaves the program
  temporary,  // fresh memory inside the program
  local,      // exists per iteration of its kernel's outer axes only; indexed by the remaining dims
};

struct Buffer {
  std::string name;
  DType dtype = DType::f32;
  Layout layout;  // of the elements that the graph value has, in this memory
  BufferKind kind = BufferKind::temporary;
  bool is_number = false;   // an argument that is a number: in memory of its own
  int source = -1;          // of an input; inputs with equal source are the same memory seen with different layouts
  SymInt arena_offset = 0;  // of a temporary: where in the arena it lies, in bytes (plan_memory)
};

// body node `load`: payload is a row of this table. The index is logical: one expression per dim of the buffer.
struct Load {
  int buffer = -1;
  Index index;
  bool anywhere = false;  // its nodes have an offset: all of the buffer may be read
};

// The same DAG as an op's formula, with loads, index values and running values instead of inputs. In a load with a mask
// (operand 0), no memory is touched where the mask is false and the value is 0. An offset (operand 1, an i64 value)
// counts elements of memory from the index on: what other tensors' data point to.
//
// A node of scan_op (operand 0: the value; payload: a ReductionKind; of its operand's type) is a running value: before
// the first element of the nest's scan axis the kind's identity, at each element `running = combine(running, value)`,
// in this type and in that order whatever else the nest computes. Nodes that use it see it with that element in. So
// producers stand before a scan and consumers behind it in one body, and scans may follow scans.
inline constexpr ScalarOp scan_op = ScalarOp::input;  // no other inputs are left in loop bodies

struct Body {
  ScalarDag dag;
  std::vector<Load> loads;
  Index index_values;  // body node `index`: payload is a row of this table
  // Of each dag node: whose work it is, a position in the nest's origins, or -1. May be shorter than the dag: unknown.
  std::vector<int> origins;
};

// In which order a reduction takes its elements: a function of the reduced tensor's sizes and strides alone, so that
// eager, compiled, every instruction set and every number of threads give the same bits.
//
// The reduced axes are flattened in nest order to one sequence. With `lanes` = W, element k goes to lane k % W of block
// k / (W * steps); a lane adds its `steps` elements in sequence (starting from the identity); the lanes of a block are
// combined by halving (lane j takes j + W/2, then j + W/4, ...); block results are combined as a binary counter does
// (equal sized neighbours first), what is left over from the smallest to the largest.
struct ReductionOrder {
  int lanes = 1;  // W: wide if the fastest axis of the reduced tensor is reduced, else 1
  int steps = 64;
};
inline constexpr int wide_lanes(DType accumulator) {
  return accumulator == DType::f64 || accumulator == DType::i64 ? 32 : 64;
}

// The value (of a reduction: the result) is converted to the buffer's dtype. In a nest with reduction axes a plain
// store happens at every iteration.
struct Store {
  int buffer = -1;
  Index index;
  int value = -1;  // body node
  // A reduction over the nest's reduction axes; the value is stored once they are done. kind none: a plain store.
  ReductionKind reduction = ReductionKind::none;
  ReductionOrder order;
};

struct Nest {
  std::string name;
  std::vector<Axis>
      axes;  // the kernel's outer axes first; reduction axes last, in the order of the reduction's sequence
  Body body;
  std::vector<Store> stores;
  std::vector<const graph::Node*> origins;  // whose work this is
  // Which axis is computed a vector at a time (vectorize_axis); -1: none, the nest works on lane 0 of splat values.
  // An axis below the kernel's outer_axes is shared: then every nest of the kernel has the same one.
  int vector_axis = -1;
};

// An op that is not a loop: a library call or the random generator, on whole buffers.
struct ExternCall {
  const graph::Node* node = nullptr;
  std::vector<int> inputs;            // buffers, in the order of the node's tensor arguments
  std::vector<Layout> input_layouts;  // how each is viewed (strides of a transposed operand)
  std::vector<bool> numbers;          // inputs that are numbers, for parameters of numbers
  std::vector<int> outputs;
};

struct Kernel {
  std::string name;
  int outer_axes = 0;  // how many leading axes all nests share
  std::vector<Nest> nests;
  std::optional<ExternCall> call;  // instead of nests

  // How many leading outer axes are flattened to the range that threads share (parallelize_axis). If the vector axis is
  // an outer one it is the last outer axis; it may be in the range only if it is the range's only axis.
  int parallel_axes = 0;
  // A reduction to few results: the sequence itself is cut into aligned runs of blocks, which threads share
  // (split_reduction); outer_axes is then 0.
  bool splits_reduction = false;
  // Vectors of the vector axis that go through the nests together where it is an outer axis (column reductions): longer
  // runs of contiguous memory in each step.
  int strip = 1;
};

// A result of the program: (a view of) a buffer.
struct ScheduleResult {
  int buffer = -1;  // -1: undefined tensor
  Layout layout;
};

struct Schedule {
  std::vector<Buffer> buffers;
  std::vector<Kernel> kernels;
  std::vector<ScheduleResult> results;
  SymInt arena_bytes = 0;              // all temporaries
  std::vector<std::string> decisions;  // fusion decisions with their reasons, as logged
};

// Text form, for dumps, tests and logs.
std::string to_string(const Schedule& schedule);
std::string to_string(const Nest& nest, const Schedule& schedule);

}  // namespace sinter::fusion
