// Greedy, in execution order: each nest tries the kernel that makes its latest operand, then kernels that read what it
// reads.

#include <sinter/fusion/fuse_kernels.h>

#include <sinter/fusion/access.h>
#include <sinter/fusion/fusion_rules.h>
#include <sinter/fusion/permute_axes.h>

#include <algorithm>
#include <set>

namespace sinter::fusion {

namespace {

class Fuser {
 public:
  Fuser(Schedule& schedule, const FusionLimits& limits) : schedule_(schedule), limits_(limits) {}

  bool run() {
    std::vector<Kernel> kernels = std::move(schedule_.kernels);
    size_t before = kernels.size();
    for (Kernel& kernel : kernels) {
      if (kernel.call || !try_join(kernel.nests[0])) open(std::move(kernel));
    }
    schedule_.kernels = std::move(fused_);
    return schedule_.kernels.size() != before;
  }

 private:
  // Kernels that touch a memory, in order.
  struct Memory {
    int last_writer = -1;
    std::vector<int> readers;
  };

  void open(Kernel kernel) {
    int id = static_cast<int>(fused_.size());
    if (tells_sizes(kernel)) last_told_ = id;
    if (kernel.call) {
      for (int buffer : kernel.call->inputs) memories_[memory_of(schedule_, buffer)].readers.push_back(id);
      for (int buffer : kernel.call->outputs) memories_[memory_of(schedule_, buffer)].last_writer = id;
    } else {
      kernel.outer_axes = parallel_rank(kernel.nests[0]);
      note_accesses(kernel.nests[0], id);
    }
    fused_.push_back(std::move(kernel));
  }

  void note_accesses(const Nest& nest, int kernel) {
    for (const Load& load : nest.body.loads) {
      auto& readers = memories_[memory_of(schedule_, load.buffer)].readers;
      if (readers.empty() || readers.back() != kernel) readers.push_back(kernel);
    }
    for (const Store& store : nest.stores) {
      int& writer = memories_[memory_of(schedule_, store.buffer)].last_writer;
      writer = std::max(writer, kernel);
    }
  }

  // The first kernel that the nest may run in: all that it depends on has run by the end of it.
  int earliest_kernel(const Nest& nest) {
    int earliest = data_sizes_in(schedule_, nest).empty() ? 0 : std::max(last_told_, 0);
    for (const Load& load : nest.body.loads)
      earliest = std::max(earliest, memories_[memory_of(schedule_, load.buffer)].last_writer);
    for (const Store& store : nest.stores) {
      const Memory& memory = memories_[memory_of(schedule_, store.buffer)];
      earliest = std::max(earliest, memory.last_writer);
      for (int reader : memory.readers) earliest = std::max(earliest, reader);
    }
    return earliest;
  }

  // The kernel that makes the latest operand, and kernels from there on that read the same memory: few, not all.
  std::vector<int> candidates(const Nest& nest) {
    constexpr size_t most = 8;
    int earliest = earliest_kernel(nest);
    std::set<int> found;
    for (const Load& load : nest.body.loads) {
      const Memory& memory = memories_[memory_of(schedule_, load.buffer)];
      if (memory.last_writer >= earliest) found.insert(memory.last_writer);
      for (size_t i = memory.readers.size(); i-- > 0 && memory.readers[i] >= earliest && found.size() < most;)
        found.insert(memory.readers[i]);
    }
    for (const Store& store : nest.stores)
      for (int reader : memories_[memory_of(schedule_, store.buffer)].readers)
        if (reader >= earliest) found.insert(reader);
    return {found.begin(), found.end()};
  }

  bool try_join(const Nest& nest) {
    if (fused_.empty()) return false;
    for (int candidate : candidates(nest)) {
      Kernel& kernel = fused_[candidate];
      std::string refusal = kernel.call ? "a library call" : join(kernel, nest);
      schedule_.decisions.push_back(
          fmt::format("{} + {} -> {}", kernel.name, nest.name, refusal.empty() ? "yes" : "no: " + refusal));
      if (refusal.empty()) {
        note_accesses(nest, candidate);
        return true;
      }
    }
    return false;
  }

  std::string join(Kernel& kernel, const Nest& nest) {
    int64_t nodes = static_cast<int64_t>(nest.body.dag.nodes.size());
    for (const Nest& member : kernel.nests) nodes += static_cast<int64_t>(member.body.dag.nodes.size());
    if (nodes > limits_.max_body_nodes * 2)
      return fmt::format("{} scalar operations are too many for one kernel", nodes);
    std::set<int> buffers;
    auto note = [&](int buffer) { buffers.insert(buffer); };
    visit_buffers(kernel, note);
    visit_buffers(nest, note);
    if (buffers.size() > limits_.max_buffers)
      return fmt::format("{} buffers are too many for one kernel", buffers.size());
    Fit fit = fit_nest(schedule_, kernel, nest);
    if (!fit.refusal.empty()) return fit.refusal;
    for (Nest& member : kernel.nests) move_to_front(member, fit.kernel_axes);
    kernel.outer_axes = static_cast<int>(fit.kernel_axes.size());
    kernel.nests.push_back(nest);
    move_to_front(kernel.nests.back(), fit.nest_axes);
    return {};
  }

  static void move_to_front(Nest& nest, const std::vector<int>& first) {
    std::vector<int> order = first;
    for (int axis = 0; axis < static_cast<int>(nest.axes.size()); ++axis)
      if (std::find(first.begin(), first.end(), axis) == first.end()) order.push_back(axis);
    permute_axes(nest, order);
  }

  Schedule& schedule_;
  const FusionLimits& limits_;
  std::vector<Kernel> fused_;
  std::unordered_map<int, Memory> memories_;
  int last_told_ = -1;  // the last call that tells or checks a size
};

}  // namespace

bool fuse_kernels(Schedule& schedule, const FusionLimits& limits) { return Fuser(schedule, limits).run(); }

}  // namespace sinter::fusion
