// Counts readers, then shrinks or drops.

#include <sinter/fusion/localize_buffers.h>

#include <sinter/fusion/access.h>
#include <sinter/fusion/graft.h>

#include <algorithm>

namespace sinter::fusion {

namespace {

class Localizer {
 public:
  Localizer(Schedule& schedule, const FusionLimits& limits) : schedule_(schedule), limits_(limits) {}

  bool run() {
    find_users();
    bool changed = false;
    while (drop_unread_stores()) changed = true;  // a dropped kernel may have been the only reader of an earlier one
    for (size_t k = 0; k < schedule_.kernels.size(); ++k) changed |= localize_in(static_cast<int>(k));
    return changed;
  }

 private:
  void note(int buffer, int kernel) {
    int& user = users_[buffer];
    if (user == none)
      user = kernel;
    else if (user != kernel)
      user = several;
  }

  void find_users() {
    users_.assign(schedule_.buffers.size(), none);
    is_read_.assign(schedule_.buffers.size(), false);
    for (size_t k = 0; k < schedule_.kernels.size(); ++k) {
      const Kernel& kernel = schedule_.kernels[k];
      if (kernel.call) {
        for (int buffer : kernel.call->inputs) users_[buffer] = several, is_read_[buffer] = true;
        for (int buffer : kernel.call->outputs) users_[buffer] = several, is_read_[buffer] = true;
      }
      for (const Nest& nest : kernel.nests) {
        for (const Store& store : nest.stores) note(store.buffer, static_cast<int>(k));
        for (const Load& load : nest.body.loads) {
          note(load.buffer, static_cast<int>(k));
          is_read_[load.buffer] = true;
        }
      }
    }
    for (size_t b = 0; b < users_.size(); ++b)
      if (schedule_.buffers[b].kind != BufferKind::temporary) users_[b] = several, is_read_[b] = true;
  }

  bool drop_unread_stores() {
    bool changed = false;
    for (Kernel& kernel : schedule_.kernels) {
      for (Nest& nest : kernel.nests) {
        size_t dropped = std::erase_if(nest.stores, [&](const Store& store) { return !is_read_[store.buffer]; });
        if (dropped == 0) continue;
        changed = true;
        remove_dead_values(nest);
      }
      std::erase_if(kernel.nests, [](const Nest& nest) { return nest.stores.empty(); });
    }
    std::erase_if(schedule_.kernels, [](const Kernel& kernel) { return !kernel.call && kernel.nests.empty(); });
    if (changed) find_users();
    return changed;
  }

  // Dims of the buffer that no shared axis stands for.
  Dims inner_dims(const Index& stored, int outer_axes) {
    Dims dims;
    for (size_t p = 0; p < stored.size(); ++p) {
      bool is_outer = false;
      for (int k = 0; k < outer_axes; ++k) is_outer |= stored[p].is_axis(k);
      if (!is_outer) dims.push_back(static_cast<int64_t>(p));
    }
    return dims;
  }

  bool localize_in(int k) {
    Kernel& kernel = schedule_.kernels[k];
    bool changed = false;
    int64_t bytes = 0;
    for (size_t n = 0; n < kernel.nests.size(); ++n)
      for (size_t s = 0; s < kernel.nests[n].stores.size(); ++s) {
        Store& store = kernel.nests[n].stores[s];
        if (users_[store.buffer] != k || schedule_.buffers[store.buffer].kind != BufferKind::temporary) continue;
        Buffer& buffer = schedule_.buffers[store.buffer];
        Dims dims = inner_dims(store.index, kernel.outer_axes);
        SymInt count = 1;
        for (int64_t dim : dims) count *= buffer.layout.sizes[dim];
        int64_t size = count.hint() * byte_size(buffer.dtype);
        if (bytes + size > limits_.local_bytes) continue;
        bytes += size;
        shrink(kernel, store.buffer, dims);
        changed = true;
      }
    return changed;
  }

  void shrink(Kernel& kernel, int id, const Dims& dims) {
    Buffer& buffer = schedule_.buffers[id];
    Layout inner;
    for (int64_t dim : dims) {
      inner.sizes.push_back(buffer.layout.sizes[dim]);
      inner.strides.push_back(buffer.layout.strides[dim]);
    }
    inner.strides = strides_in_order(inner.sizes, stride_order(inner));
    buffer.layout = inner;
    buffer.kind = BufferKind::local;
    auto keep = [&](Index& index) {
      Index kept;
      for (int64_t dim : dims) kept.push_back(index[dim]);
      index = std::move(kept);
    };
    for (Nest& nest : kernel.nests) {
      for (Store& store : nest.stores)
        if (store.buffer == id) keep(store.index);
      for (Load& load : nest.body.loads)
        if (load.buffer == id) keep(load.index);
    }
  }

  static constexpr int none = -1;
  static constexpr int several = -2;

  Schedule& schedule_;
  const FusionLimits& limits_;
  std::vector<int> users_;
  std::vector<bool> is_read_;
};

}  // namespace

bool localize_buffers(Schedule& schedule, const FusionLimits& limits) { return Localizer(schedule, limits).run(); }

}  // namespace sinter::fusion
