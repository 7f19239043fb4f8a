// How to draw sensible arguments for ops whose parameters depend on one another, by families.

#pragma once

#include "properties/draw.h"

#include <span>

namespace sinter::test {

using Plan = void (*)(Draw&);

struct PlanEntry {
  std::string_view ops;  // base names (no trailing _ of an in-place form), or name.overload, separated by spaces
  Plan plan;
};

std::span<const PlanEntry> view_plans();
std::span<const PlanEntry> join_plans();
std::span<const PlanEntry> creation_plans();
std::span<const PlanEntry> reduction_plans();
std::span<const PlanEntry> index_plans();
std::span<const PlanEntry> scatter_plans();
std::span<const PlanEntry> product_plans();
std::span<const PlanEntry> matrix_plans();
std::span<const PlanEntry> window_plans();
std::span<const PlanEntry> resample_plans();
std::span<const PlanEntry> norm_plans();
std::span<const PlanEntry> loss_plans();
std::span<const PlanEntry> pointwise_plans();

// Null: the makers by type and name do.
Plan find_plan(const OpDef& op);

}  // namespace sinter::test
