// Gives each local the kernel's outer axes as leading dims.

#include <sinter/codegen/cuda/locals_in_memory.h>

namespace sinter::codegen {

using fusion::Index;
using fusion::IndexExpr;
using fusion::Kernel;
using fusion::Schedule;

namespace {

class Mover {
 public:
  Mover(const Schedule& schedule, const Kernel& kernel) {
    moved_.schedule.buffers = schedule.buffers;
    moved_.kernel = kernel;
  }

  LocalsInMemory run() {
    for (fusion::Nest& nest : moved_.kernel.nests) {
      for (fusion::Load& load : nest.body.loads) move(load.buffer, load.index);
      for (fusion::Store& store : nest.stores) move(store.buffer, store.index);
    }
    return std::move(moved_);
  }

 private:
  void move(int id, Index& index) {
    bool is_moved = moved_.offsets.contains(id);
    if (!is_moved && moved_.schedule.buffers[id].kind != fusion::BufferKind::local) return;
    if (!is_moved) place(id);
    Index whole;
    for (int axis = 0; axis < moved_.kernel.outer_axes; ++axis) whole.push_back(IndexExpr::axis(axis));
    whole.insert(whole.end(), index.begin(), index.end());
    index = std::move(whole);
  }

  void place(int id) {
    fusion::Buffer& buffer = moved_.schedule.buffers[id];
    SymDims sizes;
    for (int axis = 0; axis < moved_.kernel.outer_axes; ++axis)
      sizes.push_back(moved_.kernel.nests[0].axes[axis].extent);
    for (SymInt size : buffer.layout.sizes) sizes.push_back(size);
    buffer.layout = contiguous_layout(sizes);
    buffer.kind = fusion::BufferKind::temporary;
    // Apart from every other temporary, as the search for aliases sees it.
    buffer.arena_offset = moved_.bytes + far_away;
    moved_.offsets[id] = moved_.bytes;
    moved_.bytes += ceil_div(numel(sizes) * byte_size(buffer.dtype), 256) * 256;
  }

  static constexpr int64_t far_away = int64_t{1} << 60;
  LocalsInMemory moved_;
};

}  // namespace

LocalsInMemory put_locals_in_memory(const Schedule& schedule, const Kernel& kernel) {
  return Mover(schedule, kernel).run();
}

}  // namespace sinter::codegen
