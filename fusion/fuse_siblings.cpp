// Each kernel joins the last one before it that has its domain, if all that it depends on has run by then.

#include <sinter/fusion/fuse_siblings.h>

#include <sinter/fusion/access.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace sinter::fusion {

namespace {

// A larger kernel is worth its start, and many streams of memory at once are slower than one after the other.
constexpr int64_t most_iterations = 1 << 14;

class SiblingFuser {
 public:
  SiblingFuser(Schedule& schedule, const FusionLimits& limits) : schedule_(schedule), limits_(limits) {}

  bool run() {
    std::vector<Kernel> kernels = std::move(schedule_.kernels);
    size_t before = kernels.size();
    for (Kernel& kernel : kernels) {
      int earliest = earliest_place(kernel);
      int place = join(kernel, earliest);
      if (place < 0) {
        place = static_cast<int>(joined_.size());
        joined_.push_back(std::move(kernel));
        if (tells_sizes(joined_.back())) last_told_ = place;
        if (is_small_pointwise(joined_.back())) latest_[domain_of(joined_.back())] = place;
      }
      note_accesses(joined_[place], place);
    }
    schedule_.kernels = std::move(joined_);
    return schedule_.kernels.size() != before;
  }

 private:
  struct Memory {
    int last_writer = -1;
    int last_user = -1;
  };

  static bool is_small_pointwise(const Kernel& kernel) {
    return !kernel.call && std::all_of(kernel.nests.begin(), kernel.nests.end(), [&](const Nest& nest) {
      bool is_shared = static_cast<int>(nest.axes.size()) == kernel.outer_axes && !has_reduction(nest);
      return is_shared && iterations(nest) <= most_iterations;
    });
  }

  static std::string domain_of(const Kernel& kernel) { return to_string(extents_of(kernel.nests[0])); }

  // The first place that it may run in: behind all that wrote what it reads, or used what it writes.
  int earliest_place(const Kernel& kernel) {
    bool waits =
        std::ranges::any_of(kernel.nests, [&](const Nest& nest) { return !data_sizes_in(schedule_, nest).empty(); });
    int earliest = waits ? last_told_ + 1 : 0;
    visit_uses(kernel, [&](int memory, bool is_written) {
      const Memory& uses = memories_[memory];
      earliest = std::max(earliest, 1 + (is_written ? uses.last_user : uses.last_writer));
    });
    return earliest;
  }

  void note_accesses(const Kernel& kernel, int place) {
    visit_uses(kernel, [&](int memory, bool is_written) {
      Memory& uses = memories_[memory];
      uses.last_user = std::max(uses.last_user, place);
      if (is_written) uses.last_writer = std::max(uses.last_writer, place);
    });
  }

  template <class F>
  void visit_uses(const Kernel& kernel, F&& visit) const {
    for (const Nest& nest : kernel.nests) {
      for (const Load& load : nest.body.loads) visit(memory_of(schedule_, load.buffer), false);
      for (const Store& store : nest.stores) visit(memory_of(schedule_, store.buffer), true);
    }
    if (!kernel.call) return;
    for (int buffer : kernel.call->inputs) visit(memory_of(schedule_, buffer), false);
    for (int buffer : kernel.call->outputs) visit(memory_of(schedule_, buffer), true);
  }

  // Where the kernel now is; -1: nowhere.
  int join(Kernel& kernel, int earliest) {
    if (!is_small_pointwise(kernel)) return -1;
    auto found = latest_.find(domain_of(kernel));
    if (found == latest_.end() || found->second < earliest) return -1;
    Kernel& sibling = joined_[found->second];
    std::string refusal = refuse(sibling, kernel);
    schedule_.decisions.push_back(
        fmt::format("{} beside {} -> {}", kernel.name, sibling.name, refusal.empty() ? "yes" : "no: " + refusal));
    if (!refusal.empty()) return -1;
    for (Nest& nest : kernel.nests) sibling.nests.push_back(std::move(nest));
    return found->second;
  }

  std::string refuse(const Kernel& sibling, const Kernel& kernel) const {
    std::set<int> buffers;
    size_t nodes = 0;
    for (const Kernel* part : {&sibling, &kernel}) {
      visit_buffers(*part, [&](int buffer) { buffers.insert(buffer); });
      for (const Nest& nest : part->nests) nodes += nest.body.dag.nodes.size();
    }
    if (buffers.size() > limits_.max_buffers)
      return fmt::format("{} buffers are too many for one kernel", buffers.size());
    if (static_cast<int64_t>(nodes) > limits_.max_body_nodes)
      return fmt::format("{} scalar operations are too many for one kernel", nodes);
    return {};
  }

  Schedule& schedule_;
  const FusionLimits& limits_;
  std::vector<Kernel> joined_;
  std::unordered_map<int, Memory> memories_;
  int last_told_ = -1;                 // the last call that tells or checks a size
  std::map<std::string, int> latest_;  // small pointwise kernel of a domain
};

}  // namespace

bool fuse_siblings(Schedule& schedule, const FusionLimits& limits) { return SiblingFuser(schedule, limits).run(); }

}  // namespace sinter::fusion
