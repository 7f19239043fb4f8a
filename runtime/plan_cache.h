// The plans of recent eager calls, by what they depend on.

#pragma once

#include <sinter/runtime/eager.h>
#include <sinter/runtime/eager_plan.h>

#include <array>
#include <memory>

namespace sinter::runtime {

// A few plans for each of many hash values; the least recently used one makes room.
template <class Plan>
class PlanCache {
 public:
  // Shared, because an op that a plan's making calls may push it out.
  std::shared_ptr<const Plan> find_or_make(const OpArgs& args, const EagerCall& call) {
    uint64_t hash = call.hash();
    Set& set = sets_[hash % set_count];
    for (Entry& entry : set) {
      if (entry.hash != hash || !entry.plan || !entry.plan->is_for(call)) continue;
      entry.last_use = ++clock_;
      return entry.plan;
    }
    auto plan = std::make_shared<const Plan>(args, call);
    Entry* oldest = &set[0];
    for (Entry& entry : set)
      if (entry.last_use < oldest->last_use) oldest = &entry;
    *oldest = {hash, ++clock_, plan};
    return plan;
  }

  int64_t size() const {
    int64_t plans = 0;
    for (const Set& set : sets_)
      for (const Entry& entry : set) plans += entry.plan != nullptr;
    return plans;
  }

 private:
  static constexpr int ways = 4;
  static constexpr int set_count = eager_plan_limit / ways;
  struct Entry {
    uint64_t hash = 0;
    uint64_t last_use = 0;
    std::shared_ptr<const Plan> plan;
  };
  using Set = std::array<Entry, ways>;

  std::array<Set, set_count> sets_;
  uint64_t clock_ = 0;
};

}  // namespace sinter::runtime
