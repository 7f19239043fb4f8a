// One pass in execution order: a consumer takes over the bodies of its producers, which have taken over theirs.

#include <sinter/fusion/inline_producers.h>

#include <sinter/fusion/access.h>
#include <sinter/fusion/graft.h>

#include <algorithm>
#include <set>

namespace sinter::fusion {

namespace {

constexpr int64_t cheap_cost = 4;       // computing this again costs less than a trip through memory
constexpr int64_t generated_cost = 16;  // the same for values that read no memory

class Inliner {
 public:
  Inliner(Schedule& schedule, const FusionLimits& limits) : schedule_(schedule), limits_(limits) {}

  bool run() {
    find_uses();
    bool changed = false;
    for (size_t k = 0; k < schedule_.kernels.size(); ++k)
      if (!schedule_.kernels[k].call) changed |= absorb_producers(static_cast<int>(k));
    if (changed) remove_unused_kernels();
    return changed;
  }

 private:
  struct Use {
    int producer = -1;           // kernel that writes it
    std::vector<int> consumers;  // kernels that read it, each once
    int64_t distinct_loads = 0;  // by different indices, in all consumers
    bool needs_memory = false;   // a result, or an operand of a call
  };

  Nest& nest(int kernel) { return schedule_.kernels[kernel].nests[0]; }

  void find_uses() {
    uses_.resize(schedule_.buffers.size());
    for (size_t b = 0; b < uses_.size(); ++b)
      uses_[b].needs_memory = schedule_.buffers[b].kind != BufferKind::temporary;
    for (size_t k = 0; k < schedule_.kernels.size(); ++k) {
      const Kernel& kernel = schedule_.kernels[k];
      if (kernel.call) {
        for (int buffer : kernel.call->inputs) uses_[buffer].needs_memory = true;
        for (int buffer : kernel.call->outputs) uses_[buffer].needs_memory = true;
        continue;
      }
      for (const Load& load : kernel.nests[0].body.loads) {
        Use& use = uses_[load.buffer];
        use.needs_memory |= load.anywhere;
        ++use.distinct_loads;
        if (use.consumers.empty() || use.consumers.back() != static_cast<int>(k))
          use.consumers.push_back(static_cast<int>(k));
      }
      for (const Store& store : kernel.nests[0].stores) {
        uses_[store.buffer].producer = static_cast<int>(k);
        if (is_input(schedule_, store.buffer)) writers_.push_back(static_cast<int>(k));
      }
    }
  }

  bool is_cheap(const Nest& producer) {
    int64_t full_loads = 0;
    for (const Load& load : producer.body.loads) {
      bool uses_all = true;
      for (size_t axis = 0; axis < producer.axes.size(); ++axis) {
        bool uses = producer.axes[axis].extent.same(1);
        for (const IndexExpr& expr : load.index) uses |= expr.uses(static_cast<int>(axis));
        uses_all &= uses;
      }
      // What data point to costs more than a trip through memory.
      full_loads += load.anywhere ? 2 : uses_all;
    }
    return inner_cost(producer) <= (full_loads == 0 ? generated_cost : cheap_cost) && full_loads <= 1;
  }

  // Moving the producer's reads into the consumer must not carry them past a write of the same memory.
  bool reads_stay_in_order(int producer, int consumer, const Nest& from) {
    for (int writer : writers_)
      if (writer > producer && writer < consumer && touches_written_argument(schedule_, from, nest(writer)))
        return false;
    return true;
  }

  // Reads grafted into a nest that itself writes an argument must be of the very element that it writes.
  bool is_safe_beside_own_writes(const Nest& consumer, const Load& load) {
    for (const Store& store : consumer.stores)
      if (is_input(schedule_, store.buffer) &&
          memory_of(schedule_, store.buffer) == memory_of(schedule_, load.buffer) &&
          (load.anywhere ||
           !(linear_of(schedule_, load.buffer, load.index) == linear_of(schedule_, store.buffer, store.index))))
        return false;
    return true;
  }

  bool may_inline(int buffer, int consumer) {
    const Use& use = uses_[buffer];
    if (use.needs_memory || use.producer < 0 || use.producer >= consumer) return false;
    const Nest& from = nest(use.producer);
    const Nest& into = nest(consumer);
    if (from.stores.size() != 1 || is_ordered(from)) return false;
    if (!reads_stay_in_order(use.producer, consumer, from)) return false;
    int64_t size = static_cast<int64_t>(from.body.dag.nodes.size() + into.body.dag.nodes.size());
    if (size > limits_.max_body_nodes && from.body.loads.size() > 0) return false;
    if (from.body.loads.size() > 1 && from.body.loads.size() + into.body.loads.size() > limits_.max_buffers)
      return false;
    if (is_cheap(from)) return true;
    return use.consumers.size() == 1 && use.distinct_loads == 1 && iterations(into) <= iterations(from);
  }

  bool absorb_producers(int kernel) {
    std::set<int> inlined;
    for (const Load& load : nest(kernel).body.loads)
      if (may_inline(load.buffer, kernel)) inlined.insert(load.buffer);
    while (!inlined.empty()) {
      std::optional<int> unsafe;
      Nest merged = absorb(nest(kernel), inlined, unsafe);
      if (!unsafe) {
        for (int buffer : inlined) {
          auto& consumers = uses_[buffer].consumers;
          std::erase(consumers, kernel);
          for (const Load& load : nest(uses_[buffer].producer).body.loads) add_consumer(load.buffer, kernel);
        }
        nest(kernel) = std::move(merged);
        return true;
      }
      inlined.erase(*unsafe);
    }
    return false;
  }

  void add_consumer(int buffer, int kernel) {
    Use& use = uses_[buffer];
    if (std::find(use.consumers.begin(), use.consumers.end(), kernel) != use.consumers.end()) return;
    use.consumers.push_back(kernel);
    ++use.distinct_loads;
  }

  // `unsafe`: a buffer that must not be inlined here.
  Nest absorb(const Nest& into, const std::set<int>& inlined, std::optional<int>& unsafe) {
    Nest merged = into;
    merged.body = {};
    Graft graft(merged);
    auto value_of = [&](const Load& load, int mask) -> std::optional<int> {
      if (!inlined.contains(load.buffer)) return std::nullopt;
      const Nest& from = nest(uses_[load.buffer].producer);
      int root = from.stores[0].value;
      SymDims extents = extents_of(merged);
      for (const Load& inner : from.body.loads) {
        Load moved{inner.buffer, substitute(inner.index, load.index, extents), inner.anywhere};
        if (!is_safe_beside_own_writes(into, moved)) unsafe = load.buffer;
      }
      int value =
          graft.convert(graft.copy(from, {&root, 1}, load.index, mask)[0], schedule_.buffers[load.buffer].dtype);
      return graft.masked(value, mask);
    };
    std::vector<int> values = graft.copy_stored(into, value_of);
    for (size_t i = 0; i < values.size(); ++i) merged.stores[i].value = values[i];
    sort_origins(merged);
    return merged;
  }

  void remove_unused_kernels() {
    std::vector<Kernel> kept;
    for (Kernel& kernel : schedule_.kernels) {
      bool is_unused = !kernel.call;
      if (is_unused)
        for (const Store& store : kernel.nests[0].stores)
          is_unused &= !uses_[store.buffer].needs_memory && uses_[store.buffer].consumers.empty();
      if (!is_unused) kept.push_back(std::move(kernel));
    }
    schedule_.kernels = std::move(kept);
  }

  Schedule& schedule_;
  const FusionLimits& limits_;
  std::vector<Use> uses_;
  std::vector<int> writers_;
};

}  // namespace

bool inline_producers(Schedule& schedule, const FusionLimits& limits) { return Inliner(schedule, limits).run(); }

}  // namespace sinter::fusion
