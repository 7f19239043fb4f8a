// Fresh buffers: the writer has stored the element before the reader loads it. Arguments: no read comes after a write.

#include <sinter/fusion/verify_order.h>

#include <sinter/fusion/access.h>
#include <sinter/graph/passes/insert_size_checks.h>

#include <map>
#include <set>

namespace sinter::fusion {

namespace {

struct Place {
  int kernel = -1;
  int nest = -1;
  const Store* store = nullptr;
};

class Proof {
 public:
  explicit Proof(const Schedule& schedule) : schedule_(schedule) {}

  void run() {
    collect_writes();
    check_sizes();
    for (int k = 0; k < static_cast<int>(schedule_.kernels.size()); ++k) {
      const Kernel& kernel = schedule_.kernels[k];
      if (kernel.call)
        for (int buffer : kernel.call->inputs) check_whole_read(buffer, k);
      for (int n = 0; n < static_cast<int>(kernel.nests.size()); ++n)
        for (const Load& load : kernel.nests[n].body.loads) check_read(load, k, n);
    }
  }

 private:
  void collect_writes() {
    for (int k = 0; k < static_cast<int>(schedule_.kernels.size()); ++k) {
      const Kernel& kernel = schedule_.kernels[k];
      if (kernel.call)
        for (int buffer : kernel.call->outputs) writes_[memory_of(schedule_, buffer)].push_back({k, 0, nullptr});
      for (int n = 0; n < static_cast<int>(kernel.nests.size()); ++n)
        for (const Store& store : kernel.nests[n].stores)
          writes_[memory_of(schedule_, store.buffer)].push_back({k, n, &store});
    }
  }

  // Nothing names a size before the call that tells it.
  void check_sizes() const {
    std::set<int> told;
    for (const Kernel& kernel : schedule_.kernels) {
      for (const Nest& nest : kernel.nests)
        for (int symbol : data_sizes_in(schedule_, nest))
          SINTER_CHECK(told.contains(symbol), "{} names u{} before it is known", nest.name, symbol);
      if (!kernel.call) continue;
      for (const graph::GivenSize& given : graph::sizes_given_by(*kernel.call->node)) told.insert(given.symbol);
    }
  }

  void check_whole_read(int buffer, int k) const {
    auto found = writes_.find(memory_of(schedule_, buffer));
    if (found == writes_.end()) return;
    for (const Place& write : found->second) {
      bool is_before = write.kernel < k;
      SINTER_CHECK(is_before != is_input(schedule_, buffer), "{} is used by {} in the wrong order",
                   schedule_.buffers[buffer].name, schedule_.kernels[k].name);
    }
  }

  void check_read(const Load& load, int k, int n) const {
    auto found = writes_.find(memory_of(schedule_, load.buffer));
    if (found == writes_.end()) return;
    for (const Place& write : found->second) {
      bool holds =
          is_input(schedule_, load.buffer) ? read_comes_first(load, k, n, write) : write_comes_first(load, k, n, write);
      SINTER_CHECK(holds, "{} reads {}{} in the wrong order with its write in {}", schedule_.kernels[k].nests[n].name,
                   schedule_.buffers[load.buffer].name, to_string(load.index), schedule_.kernels[write.kernel].name);
    }
  }

  // Both touch, in one iteration of the shared axes, only what no other iteration touches.
  bool stay_in_iteration(const Load& load, const Store& store, int outer_axes) const {
    if (load.anywhere || load.buffer != store.buffer) return false;
    for (int k = 0; k < outer_axes; ++k) {
      bool found = false;
      for (size_t p = 0; p < load.index.size(); ++p) found |= load.index[p].is_axis(k) && store.index[p].is_axis(k);
      if (!found) return false;
    }
    return true;
  }

  bool write_comes_first(const Load& load, int k, int n, const Place& write) const {
    if (write.kernel != k) return write.kernel < k;
    if (write.nest >= n) return false;
    return stay_in_iteration(load, *write.store, schedule_.kernels[k].outer_axes);
  }

  bool read_comes_first(const Load& load, int k, int n, const Place& write) const {
    if (write.kernel != k) return k < write.kernel;
    if (write.nest < n) return false;
    if (write.nest == n)
      return !load.anywhere && linear_of(schedule_, load.buffer, load.index) ==
                                   linear_of(schedule_, write.store->buffer, write.store->index);
    return stay_in_iteration(load, *write.store, schedule_.kernels[k].outer_axes);
  }

  const Schedule& schedule_;
  std::map<int, std::vector<Place>> writes_;
};

}  // namespace

void verify_order(const Schedule& schedule) { Proof(schedule).run(); }

}  // namespace sinter::fusion
