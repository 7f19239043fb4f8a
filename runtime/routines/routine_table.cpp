// Which routine runs which op: one line each.

#include <sinter/graph/ops/all_ops.h>
#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/routines/routine.h>

#include <unordered_map>

// clang-format off
#define SINTER_ROUTINES(ROUTINE) \
  ROUTINE(check_range_default) \
  ROUTINE(cummax_default) \
  ROUTINE(cummin_default) \
  ROUTINE(cumprod_default) \
  ROUTINE(cumsum_default) \
  ROUTINE(logcumsumexp_default) \
  ROUTINE(median_default) \
  ROUTINE(median_dim) \
  ROUTINE(mode_default) \
  ROUTINE(nanmedian_default) \
  ROUTINE(nanmedian_dim) \
  ROUTINE(nanquantile_default) \
  ROUTINE(nanquantile_scalar) \
  ROUTINE(quantile_default) \
  ROUTINE(quantile_scalar) \
  ROUTINE(sort_stable)

#define SINTER_SIZING_ROUTINES(ROUTINE) \
  ROUTINE(nonzero_default)
// clang-format on

namespace sinter::runtime {

namespace routines {
#define SINTER_DECLARE(name) SINTER_ROUTINE(name);
SINTER_ROUTINES(SINTER_DECLARE)
#undef SINTER_DECLARE
#define SINTER_DECLARE(name) SINTER_SIZING_ROUTINE(name);
SINTER_SIZING_ROUTINES(SINTER_DECLARE)
#undef SINTER_DECLARE
}  // namespace routines

namespace {

template <class Function>
using Table = std::unordered_map<const OpDef*, Function>;

template <class Function>
Function find(const Table<Function>& table, const OpDef& op) {
  auto found = table.find(&op);
  SINTER_CHECK(found != table.end(), "{} has no routine", op.name());
  return found->second;
}

}  // namespace

#define SINTER_ROW(name) {&op_defs::name, routines::name},
Routine find_routine(const OpDef& op) {
  static const Table<Routine> table = {SINTER_ROUTINES(SINTER_ROW)};
  return find(table, op);
}
SizingRoutine find_sizing_routine(const OpDef& op) {
  static const Table<SizingRoutine> table = {SINTER_SIZING_ROUTINES(SINTER_ROW)};
  return find(table, op);
}
#undef SINTER_ROW

Tensor new_tensor(DType dtype, Dims sizes) {
  TensorMeta meta{dtype, cpu, contiguous_layout(SymDims(sizes.begin(), sizes.end()))};
  int64_t bytes = numel(meta.layout.sizes).constant() * byte_size(dtype);
  return Tensor(std::move(meta), new_host_storage(bytes));
}

}  // namespace sinter::runtime
