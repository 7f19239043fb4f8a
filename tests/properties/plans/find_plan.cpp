// Finds an op's plan by its name.

#include "properties/plans/plans.h"

namespace sinter::test {

namespace {

std::map<std::string, Plan, std::less<>> all_plans() {
  std::map<std::string, Plan, std::less<>> plans;
  for (std::span<const PlanEntry> family :
       {view_plans(), join_plans(), creation_plans(), reduction_plans(), index_plans(), scatter_plans(),
        product_plans(), matrix_plans(), window_plans(), resample_plans(), norm_plans(), loss_plans(),
        pointwise_plans()})
    for (const PlanEntry& entry : family) {
      std::string_view rest = entry.ops;
      while (!rest.empty()) {
        size_t end = std::min(rest.find(' '), rest.size());
        plans[std::string(rest.substr(0, end))] = entry.plan;
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
  return plans;
}

}  // namespace

Plan find_plan(const OpDef& op) {
  static const auto plans = all_plans();
  std::string base = op.schema().name;
  if (base.ends_with("_") && !base.starts_with("__")) base.pop_back();
  for (const std::string& name : {base + "." + op.schema().overload, base})
    if (auto found = plans.find(name); found != plans.end()) return found->second;
  return nullptr;
}

}  // namespace sinter::test
