// Who reads and writes what, and whether two accesses may meet in memory.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

// Buffers that lie in the same memory (an argument seen with several layouts) share this number.
int memory_of(const Schedule& schedule, int buffer);
bool is_input(const Schedule& schedule, int buffer);

SymDims extents_of(std::span<const Axis> axes);
SymDims extents_of(const Nest& nest);
int parallel_rank(const Nest& nest);
bool has_reduction(const Nest& nest);
int scan_axis(const Nest& nest);  // -1: none
inline bool has_scan(const Nest& nest) { return scan_axis(nest) >= 0; }
// It takes its elements in an order that its last axes give.
inline bool is_ordered(const Nest& nest) { return has_reduction(nest) || has_scan(nest); }
// How often the body runs.
int64_t iterations(const Nest& nest);

// What the body computes for each step of its last axis, by how much it costs: 1 for simple arithmetic, more for
// division and for functions; loads, and what stays the same along that axis, not counted.
int64_t inner_cost(const Nest& nest);

IndexExpr linear_of(const Schedule& schedule, int buffer, const Index& index);

// The nest reads or writes the memory of `buffer` otherwise than at exactly `index` of that buffer.
bool meets_elsewhere(const Schedule& schedule, const Nest& nest, int buffer, const Index& index);
// Calls visit(buffer) for each buffer that the nest or kernel reads or writes, as often as it names it.
template <class F>
void visit_buffers(const Nest& nest, F&& visit) {
  for (const Load& load : nest.body.loads) visit(load.buffer);
  for (const Store& store : nest.stores) visit(store.buffer);
}
template <class F>
void visit_buffers(const Kernel& kernel, F&& visit) {
  for (const Nest& nest : kernel.nests) visit_buffers(nest, visit);
  if (!kernel.call) return;
  for (int buffer : kernel.call->inputs) visit(buffer);
  for (int buffer : kernel.call->outputs) visit(buffer);
}

// The call makes its results itself, because only its data tell how large they are.
bool makes_results(const ExternCall& call);
// The sizes in the nest that only data tell, by the numbers of their symbols.
std::vector<int> data_sizes_in(const Schedule& schedule, const Nest& nest);
// Calls after which sizes are known that were not before, or are checked: what uses any must not run earlier.
bool tells_sizes(const Kernel& kernel);

// The nest reads memory that `writer` writes as an argument (not through fresh buffers).
bool touches_written_argument(const Schedule& schedule, const Nest& reader, const Nest& writer);

}  // namespace sinter::fusion
