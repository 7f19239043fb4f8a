// Roles and names of a kernel's buffers, aliases between them, and the number of lanes.

#include <sinter/codegen/cpp/kernel_context.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::Buffer;
using fusion::BufferKind;
using fusion::Kernel;
using fusion::Nest;

int64_t element_count(const Buffer& buffer) { return extent_end(buffer.layout).constant(); }

KernelContext::KernelContext(const fusion::Schedule& schedule, const Kernel& kernel, const CppTarget& target)
    : schedule(schedule), kernel(kernel), target(target) {
  for (const Nest& nest : kernel.nests)
    if (nest.vector_axis >= 0 && nest.vector_axis < kernel.outer_axes) shared_axis = nest.vector_axis;
  collect_buffers();
  name_buffers();
  find_aliases();
  choose_lanes();
}

KernelBuffer& KernelContext::find(int id) {
  auto [entry, is_new] = position_of_.try_emplace(id, static_cast<int>(buffers.size()));
  if (is_new) {
    KernelBuffer used;
    used.id = id;
    used.bytes = element_count(buffer(id)) * byte_size(buffer(id).dtype);
    if (buffer(id).kind == BufferKind::local)
      used.place = numel(buffer(id).layout.sizes).constant() == 1 ? Place::variable : Place::array;
    buffers.push_back(std::move(used));
  }
  return buffers[entry->second];
}

void KernelContext::collect_buffers() {
  for (const Nest& nest : kernel.nests) {
    for (const fusion::Load& load : nest.body.loads) find(load.buffer).is_read = true;
    for (const fusion::Store& store : nest.stores) find(store.buffer).is_written = true;
  }
  int position = 0;
  for (KernelBuffer& used : buffers)
    if (used.place == Place::memory) used.position = position++;
}

void KernelContext::name_buffers() {
  for (KernelBuffer& used : buffers) {
    const char* role = used.place != Place::memory       ? "local"
                       : used.is_read && used.is_written ? "io"
                       : used.is_written                 ? "out"
                                                         : "in";
    std::string name = fmt::format("{}_{}", role, base_name(buffer(used.id).name));
    int again = names_[name]++;
    used.name = again == 0 ? name : fmt::format("{}_{}", name, again + 1);
  }
}

namespace {

bool share_memory(const Buffer& a, const Buffer& b) {
  // Different arguments may be views of one storage.
  if (a.kind == BufferKind::input && b.kind == BufferKind::input) return true;
  if (a.kind != BufferKind::temporary || b.kind != BufferKind::temporary) return false;
  int64_t a_end = a.arena_offset + element_count(a) * byte_size(a.dtype);
  int64_t b_end = b.arena_offset + element_count(b) * byte_size(b.dtype);
  return a.arena_offset < b_end && b.arena_offset < a_end;
}

}  // namespace

void KernelContext::find_aliases() {
  for (KernelBuffer& used : buffers) {
    if (used.is_read && used.is_written) used.may_alias = true;
    for (const KernelBuffer& other : buffers) {
      bool writes = used.is_written || other.is_written;
      if (writes && used.id != other.id && share_memory(buffer(used.id), buffer(other.id))) used.may_alias = true;
    }
  }
}

// As many lanes as a register has elements of the widest type that the kernel computes in: f32 unless all is f64 and
// i64, or all is bytes. Index values do not count, they are i64 in any kernel.
void KernelContext::choose_lanes() {
  bool any_wide = false, any_other = false, all_bytes = true;
  for (const Nest& nest : kernel.nests) {
    for (const ScalarNode& node : nest.body.dag.nodes) {
      if (node.op == ScalarOp::index || node.dtype == DType::boolean) {
        all_bytes &= node.dtype == DType::boolean;
        continue;
      }
      bool is_wide = byte_size(node.dtype) == 8;
      any_wide |= is_wide;
      any_other |= !is_wide;
      all_bytes &= byte_size(node.dtype) == 1;
    }
  }
  lanes = any_wide && !any_other ? target.vector_bytes / 8 : target.vector_bytes / 4;
  if (all_bytes && any_other) lanes = std::min(target.vector_bytes, 64);
  lanes = std::clamp(lanes, 4, 64);
}

std::string KernelContext::fresh_name(std::string_view base) {
  std::string key(base);
  return fmt::format("{}_{}", base, names_[key + "#"]++);
}

void KernelContext::need(std::string_view what, DType dtype) { use.pieces.insert(piece_name(what, dtype)); }

}  // namespace sinter::codegen
