// Nests of a kernel that go over one more axis together, though only some of the kernel's nests have it.
//
// Blocks of rows, for one: a nest that takes the means of blocks and one that sums the distances from them both read
// the same blocks. Each block is read by both while it is in cache, not all blocks by the first and then by the second.

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::AxisKind;
using fusion::BufferKind;
using fusion::Nest;

namespace {

bool stores_locals_only(const fusion::Schedule& schedule, const Nest& nest) {
  return std::ranges::all_of(nest.stores, [&](const fusion::Store& store) {
    return schedule.buffers[store.buffer].kind == BufferKind::local;
  });
}

// At each step the one stores, and the other reads, what belongs to that step.
bool passes_within_steps(const Nest& from, const Nest& to, int axis) {
  for (const fusion::Store& store : from.stores)
    for (const fusion::Load& load : to.body.loads) {
      if (load.buffer != store.buffer) continue;
      bool is_step = false;
      for (size_t p = 0; p < store.index.size(); ++p)
        is_step |= store.index[p].is_axis(axis) && load.index[p].is_axis(axis);
      if (load.anywhere || !is_step) return false;
    }
  return true;
}

bool reads_the_same(const fusion::Schedule& schedule, const Nest& a, const Nest& b) {
  auto memory = [&](const fusion::Load& load) { return fusion::memory_of(schedule, load.buffer); };
  return std::ranges::any_of(a.body.loads, [&](const fusion::Load& mine) {
    return std::ranges::any_of(b.body.loads, [&](const fusion::Load& other) { return memory(mine) == memory(other); });
  });
}

}  // namespace

// Beside columns it has an axis of its own before those that it reduces.
bool KernelPrinter::has_loop_to_share(const Nest& nest) const {
  size_t axis = static_cast<size_t>(context_.kernel.outer_axes);
  if (context_.shared_axis < 0 || axis >= nest.axes.size() || fusion::has_scan(nest)) return false;
  return nest.axes[axis].kind == AxisKind::parallel && !nest.axes[axis].extent.same(1) &&
         stores_locals_only(context_.schedule, nest);
}

// How many of the nests from the first on go over its next axis together: up to the last one that reads what it reads.
size_t KernelPrinter::nests_together(size_t first) const {
  int axis = context_.kernel.outer_axes;
  const Nest& head = printers_[first]->nest();
  size_t count = 1;
  if (!has_loop_to_share(head)) return count;
  for (size_t next = first + 1; next < printers_.size(); ++next) {
    const Nest& nest = printers_[next]->nest();
    bool joins = has_loop_to_share(nest) && nest.axes[axis].extent.same(head.axes[axis].extent);
    for (size_t other = first; joins && other < next; ++other)
      joins = passes_within_steps(printers_[other]->nest(), nest, axis);
    if (!joins) break;
    if (reads_the_same(context_.schedule, head, nest)) count = next - first + 1;
  }
  return count;
}

void KernelPrinter::print_together(size_t first, size_t count) {
  int axis = context_.kernel.outer_axes;
  std::span<const std::unique_ptr<BodyPrinter>> printers(&printers_[first], count);
  code_.open(fmt::format("for (long {0} = 0; {0} < {1}; ++{0})", axis_name(axis),
                         context_.size_text(printers[0]->nest().axes[axis].extent)));
  for (const auto& printer : printers) {
    printer->push_scope();
    printer->set_axis(axis, axis_name(axis));
    printer->print_values();
  }
  axis_in_loop_ = axis;
  for (const auto& printer : printers) print_nest(*printer);
  axis_in_loop_ = -1;
  for (const auto& printer : printers) printer->pop_scope();
  code_.close();
}

}  // namespace sinter::codegen
