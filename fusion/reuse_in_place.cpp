// Looks at each plain store for a dying operand of the same size and address, and makes the two buffers one.

#include <sinter/fusion/reuse_in_place.h>

#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::fusion {

namespace {

class Reuser {
 public:
  explicit Reuser(Schedule& schedule) : schedule_(schedule) {}

  bool run() {
    find_uses();
    bool changed = false;
    for (size_t k = 0; k < schedule_.kernels.size(); ++k)
      for (size_t n = 0; n < schedule_.kernels[k].nests.size(); ++n)
        for (size_t s = 0; s < schedule_.kernels[k].nests[n].stores.size(); ++s)
          changed |= try_reuse(static_cast<int>(k), static_cast<int>(n), static_cast<int>(s));
    return changed;
  }

 private:
  struct Use {
    int first_kernel = -1;
    int last_kernel = -1;
    int last_nest = 0;
    int nests = 0;  // of the last kernel
  };

  void note(int buffer, int kernel, int nest) {
    Use& use = uses_[buffer];
    if (use.first_kernel < 0) use.first_kernel = kernel;
    if (use.last_kernel != kernel) use.nests = 0;
    if (use.last_kernel != kernel || use.last_nest != nest) ++use.nests;
    use.last_kernel = kernel;
    use.last_nest = nest;
  }

  void find_uses() {
    uses_.assign(schedule_.buffers.size(), {});
    for (int k = 0; k < static_cast<int>(schedule_.kernels.size()); ++k) {
      const Kernel& kernel = schedule_.kernels[k];
      for (int n = 0; n < static_cast<int>(kernel.nests.size()); ++n) {
        for (const Load& load : kernel.nests[n].body.loads) note(load.buffer, k, n);
        for (const Store& store : kernel.nests[n].stores) note(store.buffer, k, n);
      }
      if (!kernel.call) continue;
      for (int buffer : kernel.call->inputs) note(buffer, k, 0);
      for (int buffer : kernel.call->outputs) note(buffer, k, 0);
    }
  }

  bool try_reuse(int k, int n, int s) {
    const Nest& nest = schedule_.kernels[k].nests[n];
    const Store& store = nest.stores[s];
    const Buffer& target = schedule_.buffers[store.buffer];
    bool is_fresh = target.kind == BufferKind::output || target.kind == BufferKind::temporary;
    if (!is_fresh || store.reduction != ReductionKind::none || uses_[store.buffer].first_kernel != k) return false;
    for (const Load& load : nest.body.loads) {
      if (!may_take_over(k, n, nest, load.buffer, store)) continue;
      replace(store.buffer, load.buffer);
      find_uses();
      return true;
    }
    return false;
  }

  bool may_take_over(int k, int n, const Nest& nest, int operand, const Store& store) const {
    const Buffer& from = schedule_.buffers[operand];
    const Buffer& to = schedule_.buffers[store.buffer];
    const Use& use = uses_[operand];
    if (from.kind != BufferKind::temporary || operand == store.buffer || from.dtype != to.dtype) return false;
    if (use.first_kernel == k || use.last_kernel != k || use.last_nest != n || use.nests != 1) return false;
    if (!is_dense(from.layout) || !is_dense(to.layout) || !numel(from.layout.sizes).same(numel(to.layout.sizes)))
      return false;
    IndexExpr address = linear_of(schedule_, store.buffer, store.index);
    for (const Load& load : nest.body.loads)
      if (load.buffer == operand && (load.anywhere || !(linear_of(schedule_, operand, load.index) == address)))
        return false;
    // Each element is written once: by the iteration that reads it.
    for (const Axis& axis : nest.axes)
      if (axis.kind == AxisKind::reduction) return false;
    return true;
  }

  // Buffer `gone` becomes `kept`, whose memory it shares from now on.
  void replace(int gone, int kept) {
    const Layout& layout = schedule_.buffers[kept].layout;
    auto move = [&](int& buffer, Index& index, const Nest& nest) {
      if (buffer != gone) return;
      IndexExpr linear = linear_of(schedule_, gone, index);
      index = index_from_linear(linear, layout.sizes, layout.strides, layout.offset, extents_of(nest), nullptr);
      buffer = kept;
    };
    for (Kernel& kernel : schedule_.kernels) {
      for (Nest& nest : kernel.nests) {
        for (Load& load : nest.body.loads) move(load.buffer, load.index, nest);
        for (Store& store : nest.stores) move(store.buffer, store.index, nest);
      }
      if (kernel.call) std::replace(kernel.call->inputs.begin(), kernel.call->inputs.end(), gone, kept);
    }
    for (ScheduleResult& result : schedule_.results)
      if (result.buffer == gone) result.buffer = kept;
    schedule_.buffers[kept].kind = schedule_.buffers[gone].kind;
    schedule_.buffers[kept].name = schedule_.buffers[gone].name;
  }

  Schedule& schedule_;
  std::vector<Use> uses_;
};

}  // namespace

bool reuse_in_place(Schedule& schedule) { return Reuser(schedule).run(); }

}  // namespace sinter::fusion
