// Candidates by slope and alignment; the size by the widest element.

#include <sinter/codegen/cuda/packs.h>

#include <sinter/codegen/cpp/index_syntax.h>
#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/reduction_plan.h>
#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::IndexExpr;
using fusion::Nest;

namespace {

constexpr int pack_bytes = 16;
// Instructions of all elements of a pack together.
constexpr int most_unrolled_cost = 600;

bool lies_along(const IndexExpr& linear, int axis, int count) {
  return is_number(lane_slope(linear, axis, count, true), 1) && starts_aligned(linear, axis, count);
}

bool is_memory(const CudaContext& context, int buffer) {
  return !numel(context.kernel.buffer(buffer).layout.sizes).same(1);
}

void find_packs(Packs& packs, const CudaContext& context, const Nest& nest, int axis) {
  packs.loads.clear();
  packs.stores.clear();
  auto fits = [&](int buffer, const IndexExpr& linear) {
    return is_memory(context, buffer) && byte_size(context.kernel.buffer(buffer).dtype) * packs.count <= pack_bytes &&
           lies_along(linear, axis, packs.count);
  };
  std::vector<bool> special = special_loads(nest);
  for (size_t i = 0; i < nest.body.loads.size(); ++i)
    if (!special[i] && fits(nest.body.loads[i].buffer, context.linear(nest.body.loads[i])))
      packs.loads.push_back(static_cast<int>(i));
  for (size_t i = 0; i < nest.stores.size(); ++i)
    if (nest.stores[i].reduction == ReductionKind::none && fits(nest.stores[i].buffer, context.linear(nest.stores[i])))
      packs.stores.push_back(static_cast<int>(i));
}

int64_t widest_along(const CudaContext& context, const Nest& nest, int axis) {
  int64_t widest = 0;
  auto note = [&](int buffer, const IndexExpr& linear) {
    if (is_memory(context, buffer) && is_number(lane_slope(linear, axis, 2, true), 1))
      widest = std::max(widest, byte_size(context.kernel.buffer(buffer).dtype));
  };
  for (const fusion::Load& load : nest.body.loads) note(load.buffer, context.linear(load));
  for (const fusion::Store& store : nest.stores)
    if (store.reduction == ReductionKind::none) note(store.buffer, context.linear(store));
  return widest;
}

}  // namespace

std::vector<bool> special_loads(const Nest& nest) {
  std::vector<bool> special(nest.body.loads.size(), false);
  for (const ScalarNode& node : nest.body.dag.nodes)
    if (node.op == ScalarOp::load && (node.operands[0] >= 0 || node.operands[1] >= 0)) special[node.payload] = true;
  return special;
}

bool Packs::loads_pack(int row) const { return std::find(loads.begin(), loads.end(), row) != loads.end(); }
bool Packs::stores_pack(int store) const { return std::find(stores.begin(), stores.end(), store) != stores.end(); }

Packs choose_packs(const CudaContext& context, const Nest& nest, int axis, bool is_only_axis, int most) {
  int64_t length = extent(nest, axis), widest = widest_along(context, nest, axis);
  if (widest == 0) return {};
  Packs packs;
  for (packs.count = static_cast<int>(std::min<int64_t>(most, pack_bytes / widest)); packs.count > 1;
       packs.count /= 2) {
    packs.has_rest = !is_multiple(nest.axes[axis].extent, packs.count);
    if (length < packs.count || (packs.has_rest && !is_only_axis)) continue;
    if (body_cost(nest) * packs.count > most_unrolled_cost) continue;
    find_packs(packs, context, nest, axis);
    if (!packs.loads.empty() || !packs.stores.empty()) return packs;
  }
  return {};
}

int64_t bytes_along(const CudaContext& context, const Nest& nest, int axis, const std::vector<int>& moving) {
  int64_t bytes = 0;
  auto note = [&](int buffer, const IndexExpr& linear) {
    bool moves = std::any_of(moving.begin(), moving.end(), [&](int a) { return linear.uses(a); });
    if (moves && context.kernel.buffer(buffer).kind != fusion::BufferKind::local &&
        is_number(lane_slope(linear, axis, 2, true), 1))
      bytes += byte_size(context.kernel.buffer(buffer).dtype);
  };
  for (const fusion::Load& load : nest.body.loads) note(load.buffer, context.linear(load));
  for (const fusion::Store& store : nest.stores) note(store.buffer, context.linear(store));
  return bytes;
}

}  // namespace sinter::codegen
