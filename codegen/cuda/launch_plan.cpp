// Choice of launches, and sizes of teams, blocks and segments.

#include <sinter/codegen/cuda/launch_plan.h>

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/reduction_plan.h>
#include <sinter/codegen/cuda/quick_operations.h>
#include <sinter/fusion/access.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace sinter::codegen {

using fusion::AxisKind;
using fusion::Nest;
using fusion::Store;

namespace {

constexpr int threads_of_multiprocessor = 2048;
// Packs that each thread of a team takes, about.
constexpr int64_t packs_of_thread = 4;
// And that it takes at least where a reduction is cut: a short one waits for memory, not for threads.
constexpr int64_t least_packs_of_segment = 2;
// Threads of the team that scans a row, at most, and those of a block that scan lines each.
constexpr int most_scan_team = 512;
constexpr int scan_lines = 128;
// Elements of one block beyond which more blocks are worth a launch more for each nest.
constexpr int64_t long_nest = 8 * 1024;

int64_t power_of_two(int64_t least) { return int64_t(std::bit_ceil(uint64_t(std::max<int64_t>(least, 1)))); }

std::vector<int> long_axes(const Nest& nest, int first, int last) {
  std::vector<int> axes;
  for (int axis = first; axis < last; ++axis)
    if (is_long(nest, axis)) axes.push_back(axis);
  return axes;
}

int axis_count(const Nest& nest) { return static_cast<int>(nest.axes.size()); }

int first_reduction_axis(const Nest& nest) {
  return is_reduction(nest) ? fusion::parallel_rank(nest) : axis_count(nest);
}

int64_t own_iterations(const CudaContext& context, const Nest& nest) {
  return iterations(nest, context.outer_axes(), axis_count(nest));
}

SymInt items_of(const CudaContext& context) { return symbolic_iterations(context.nests()[0], 0, context.outer_axes()); }

std::vector<int> all_nests(const CudaContext& context) {
  std::vector<int> nests(context.nests().size());
  std::iota(nests.begin(), nests.end(), 0);
  return nests;
}

int64_t threads_wanted(const CudaContext& context) {
  return int64_t{context.target.multiprocessors} * threads_of_multiprocessor;
}

// --- Teams ---------------------------------------------------------------------------------------------------------

// Neighbouring threads go along what most memory is contiguous in: the own axes of nests, or the last outer axis.
Arrangement arrangement_of(const CudaContext& context, const std::vector<int>& nests) {
  std::vector<int> outer = long_axes(context.nests()[0], 0, context.outer_axes());
  if (outer.empty()) return Arrangement::rows;
  int64_t inside = 0, across = 0;
  for (int n : nests) {
    const Nest& nest = context.nests()[n];
    std::vector<int> own = long_axes(nest, context.outer_axes(), axis_count(nest));
    if (own.empty()) continue;
    int64_t inner = 0;
    for (int axis : own) inner = std::max(inner, bytes_along(context, nest, axis, own));
    inside += inner;
    across += bytes_along(context, nest, outer.back(), own);
  }
  return across > inside ? Arrangement::columns : Arrangement::rows;
}

int64_t local_bytes(const CudaContext& context, Arrangement arrangement) {
  int64_t bytes = 0;
  for (const KernelBuffer& used : context.kernel.buffers)
    if (used.place == Place::array) bytes += local_stride(context, used, arrangement);
  return bytes;
}

int64_t most_groups(const CudaContext& context, const std::vector<int>& nests, Arrangement arrangement) {
  int64_t most = 1;
  for (int n : nests) {
    const Nest& nest = context.nests()[n];
    if (has_thread_per_result(context, nest))
      most = std::max(most, iterations(nest, context.outer_axes(), first_reduction_axis(nest)));
    else
      most = std::max(most, shared_loop(context, nest, arrangement).groups.hint());
  }
  return most;
}

void size_rows(TeamPlan& plan, int64_t groups, const CudaContext& context) {
  int64_t team = groups <= 32 * packs_of_thread ? std::min<int64_t>(32, power_of_two((groups + 3) / 4))
                                                : power_of_two((groups + packs_of_thread - 1) / packs_of_thread);
  team = std::clamp<int64_t>(team, 1, 1024);
  while (team < 1024 && team < groups && plan.items.hint() * team < threads_wanted(context) / 4) team *= 2;
  plan.team = static_cast<int>(team);
  plan.teams = static_cast<int>(team >= 64 ? 1 : 256 / team);
}

void size_columns(TeamPlan& plan, int64_t groups, const CudaContext& context) {
  int64_t team = 1;
  while (team < 32 && team * 4 <= groups && plan.items.hint() * team < threads_wanted(context)) team *= 2;
  plan.team = static_cast<int>(team);
  plan.teams = static_cast<int>(std::max<int64_t>(32, 256 / team));
}

// Products are taken one after the other: a part of a row may overflow where 0 comes before it.
bool scans_products(const Nest& nest) {
  const std::vector<ScalarNode>& nodes = nest.body.dag.nodes;
  return std::any_of(nodes.begin(), nodes.end(), [](const ScalarNode& node) {
    return node.op == fusion::scan_op && static_cast<ReductionKind>(node.payload) == ReductionKind::prod;
  });
}

// A team for each row, or a thread for each line where those are neighbours in memory.
TeamPlan plan_scan(const CudaContext& context) {
  TeamPlan plan;
  plan.items = items_of(context);
  plan.arrangement = scans_products(context.nests()[0]) ? Arrangement::columns : arrangement_of(context, {0});
  if (plan.arrangement == Arrangement::rows) {
    size_rows(plan, shared_loop(context, context.nests()[0], plan.arrangement).groups.hint(), context);
    plan.team = std::min(plan.team, most_scan_team);
  } else {
    plan.teams = scan_lines;
  }
  while (plan.block() > 32 && plan.teams > 1 && plan.teams / 2 >= plan.items.hint()) plan.teams /= 2;
  return plan;
}

bool is_scan(const CudaContext& context) { return context.nests().size() == 1 && fusion::has_scan(context.nests()[0]); }

TeamPlan plan_teams(const CudaContext& context, const std::vector<int>& nests) {
  if (is_scan(context)) return plan_scan(context);
  TeamPlan plan;
  plan.items = items_of(context);
  plan.arrangement = arrangement_of(context, nests);
  int64_t groups = most_groups(context, nests, plan.arrangement);
  if (plan.arrangement == Arrangement::rows)
    size_rows(plan, groups, context);
  else
    size_columns(plan, groups, context);
  // Whole warps at least: shuffles ask it of them.
  while (plan.block() > 32 && plan.teams > 1 && plan.teams / 2 >= plan.items.hint()) plan.teams /= 2;
  while (plan.arrangement == Arrangement::rows && plan.teams > 1 && plan.block() > 32 &&
         local_bytes(context, plan.arrangement) * plan.teams > context.target.shared_bytes / 4)
    plan.teams /= 2;
  return plan;
}

// What an item takes is the same at every call.
bool has_numbers_inside(const CudaContext& context, const std::vector<int>& nests) {
  return std::ranges::all_of(nests, [&](int n) {
    return has_numbers(context.nests()[n], context.outer_axes(), axis_count(context.nests()[n]));
  });
}

std::optional<RegisterRows> rows_of(const CudaContext& context, const std::vector<int>& nests, const TeamPlan& plan) {
  if (plan.arrangement == Arrangement::columns || !has_numbers_inside(context, nests)) return {};
  return plan_register_rows(context, nests, plan.team);
}

int64_t shared_bytes(const CudaContext& context, const TeamPlan& plan) {
  std::optional<RegisterRows> rows = rows_of(context, all_nests(context), plan);
  int64_t bytes = int64_t{plan.block()} * 32;
  for (const KernelBuffer& used : context.kernel.buffers)
    if (used.place == Place::array && !(rows && rows->has_local(used.id)))
      bytes += local_stride(context, used, plan.arrangement) * plan.teams;
  return bytes;
}

// Pointwise nests that have nothing to do with one another: a single one, or the stretches of a joined row.
bool are_apart(const CudaContext& context) {
  if (is_scan(context)) return false;
  if (std::any_of(context.nests().begin(), context.nests().end(), is_reduction)) return false;
  bool is_one = context.nests().size() == 1;
  for (const KernelBuffer& used : context.kernel.buffers)
    if (used.place != Place::memory || (used.may_alias && !is_one)) return false;
  if (is_one) return true;
  const Nest& first = context.nests()[0];
  return std::all_of(context.nests().begin(), context.nests().end(), [&](const Nest& nest) {
    return std::equal(nest.stores.begin(), nest.stores.end(), first.stores.begin(), first.stores.end(),
                      [](const Store& a, const Store& b) { return a.buffer == b.buffer; });
  });
}

// A thread that loads a single pack waits for it with little under way: two of them, where none is partial.
int packs_at_once(const CudaContext& context, const Nest& nest, const ElementPlan& plan) {
  constexpr int most_cost = 300;  // of both
  bool has_one_load = nest.body.loads.size() == 1 && plan.packs.loads.size() == 1 && QuickOperations(nest).empty();
  bool divides = !plan.packs.has_rest && is_multiple(plan.threads, 2 * element_block);
  bool is_much = plan.threads.hint() / 2 >= threads_wanted(context);
  bool is_short = 2 * plan.packs.count * body_cost(nest) <= most_cost;
  return has_one_load && divides && is_much && is_short ? 2 : 1;
}

// --- Segments ------------------------------------------------------------------------------------------------------

bool is_splittable(const CudaContext& context, const Nest& nest) {
  return is_reduction(nest) && symbolic_iterations(nest, context.outer_axes(), fusion::parallel_rank(nest)).same(1);
}

// As many segments as fill the GPU, if each is worth a block.
int64_t segments_for(const CudaContext& context, const TeamPlan& team, int64_t groups) {
  int64_t blocks_wanted = std::max<int64_t>(1, threads_wanted(context) / team.block());
  int64_t wanted = blocks_wanted / std::max<int64_t>(1, team.blocks().hint());
  int64_t most = groups / (int64_t{team.team} * least_packs_of_segment);
  return std::max<int64_t>(1, std::min(wanted, most));
}

class Planner {
 public:
  Planner(const CudaContext& context, SymInt partial_bytes) : context_(context) { plan_.partial_bytes = partial_bytes; }

  LaunchPlan together() {
    if (are_apart(context_))
      add_elements(all_nests(context_));
    else
      add_teams(all_nests(context_));
    return std::move(plan_);
  }

  LaunchPlan separate() {
    for (int n = 0; n < static_cast<int>(context_.nests().size()); ++n) {
      const Nest& nest = context_.nests()[n];
      bool is_small = symbolic_iterations(nest, context_.outer_axes(), axis_count(nest)).same(1);
      if (is_small && !plan_.launches.empty() && plan_.launches.back().kind == LaunchKind::teams)
        plan_.launches.back().nests.push_back(n);
      else if (!is_reduction(nest))
        add_elements({n});
      else if (!add_segments(n))
        add_teams({n});
    }
    return std::move(plan_);
  }

 private:
  void add_elements(const std::vector<int>& nests) {
    Launch launch;
    if (nests.size() == 1 && context_.nests().size() == 1) launch.tiles = plan_cuda_tiles();
    launch.kind = launch.tiles ? LaunchKind::tiles : LaunchKind::elements;
    launch.nests = nests;
    SymInt block = 0;
    for (int n : nests) {
      const Nest& nest = context_.nests()[n];
      if (symbolic_iterations(nest, 0, axis_count(nest)).same(0)) continue;
      ElementPlan plan;
      plan.nest = n;
      plan.axes = long_axes(nest, 0, axis_count(nest));
      plan.threads = symbolic_iterations(nest, 0, axis_count(nest));
      if (!plan.axes.empty()) {
        int last = plan.axes.back();
        plan.packs = choose_packs(context_, nest, last, plan.axes.size() == 1);
        plan.reuse = find_row_reuse(context_, nest, plan.axes, plan.packs);
        if (plan.reuse)
          for (const RowReuse::SharedLoad& shared : plan.reuse->loads) std::erase(plan.packs.loads, shared.row);
        plan.threads = 1;
        for (int axis : plan.axes) {
          int together = axis == last                             ? plan.packs.count
                         : plan.reuse && axis == plan.reuse->axis ? plan.reuse->rows
                                                                  : 1;
          plan.threads *= ceil_div(nest.axes[axis].extent, together);
        }
      }
      if (!plan.reuse) plan.packs_of_thread = packs_at_once(context_, nest, plan);
      plan.blocks = ceil_div(plan.threads, element_block * plan.packs_of_thread);
      plan.first_block = block;
      block += plan.blocks;
      launch.elements.push_back(std::move(plan));
    }
    if (!launch.elements.empty()) plan_.launches.push_back(std::move(launch));
  }

  std::optional<TilePlan> plan_cuda_tiles() const {
    KernelContext context = context_.kernel;
    context.lanes = 32;  // the least side of what is worth a tile
    std::optional<TilePlan> tiles = codegen::plan_tiles(context);
    if (tiles) tiles->size = 32;
    return tiles;
  }

  void add_teams(std::vector<int> nests) {
    Launch launch;
    launch.team = plan_teams(context_, nests);
    launch.nests = std::move(nests);
    launch.rows = rows_of(context_, launch.nests, launch.team);
    if (launch.team.arrangement == Arrangement::columns && has_numbers_inside(context_, launch.nests))
      launch.deviation = find_deviation(context_, launch.nests, launch.team.team);
    if (!launch.team.items.same(0)) plan_.launches.push_back(std::move(launch));
  }

  bool add_segments(int n) {
    const Nest& nest = context_.nests()[n];
    if (!is_splittable(context_, nest)) return false;
    Launch first;
    first.kind = LaunchKind::segments;
    first.nests = {n};
    first.team = plan_teams(context_, first.nests);
    SymInt groups = shared_loop(context_, nest, first.team.arrangement).groups;
    if (first.team.items.same(0)) return false;
    if (first.team.arrangement == Arrangement::rows) first.team.team = std::min(first.team.team, 256);
    first.team.segments = segments_for(context_, first.team, groups.hint());
    if (first.team.segments == 1) return false;
    SegmentPlan segments;
    // Of a symbolic number of groups, some segments may be empty: they give the reduction's identity.
    segments.groups = ceil_div(groups, first.team.segments);
    if (groups.is_constant()) first.team.segments = ceil_div(groups, segments.groups).constant();
    segments.segments = first.team.segments;
    for (const Store& store : nest.stores) {
      if (store.reduction == ReductionKind::none) continue;
      segments.offsets.push_back(plan_.partial_bytes);
      SymInt bytes = first.team.items * segments.segments * byte_size(nest.body.dag.nodes[store.value].dtype);
      plan_.partial_bytes += ceil_div(bytes, 256) * 256;
    }
    first.segments = segments;
    Launch second;
    second.nests = {n};
    second.segments = segments;
    second.team.items = first.team.items;
    size_rows(second.team, segments.segments, context_);
    plan_.launches.push_back(std::move(first));
    plan_.launches.push_back(std::move(second));
    return true;
  }

  const CudaContext& context_;
  LaunchPlan plan_;
};

}  // namespace

SharedLoop shared_loop(const CudaContext& context, const Nest& nest, Arrangement arrangement) {
  SharedLoop loop;
  int first = is_reduction(nest) ? fusion::parallel_rank(nest) : context.outer_axes();
  loop.axes = long_axes(nest, first, axis_count(nest));
  if (loop.axes.empty()) return loop;
  int last = loop.axes.back();
  if (arrangement == Arrangement::rows) loop.packs = choose_packs(context, nest, last, loop.axes.size() == 1);
  loop.groups = ceil_div(nest.axes[last].extent, loop.packs.count);
  for (size_t i = 0; i + 1 < loop.axes.size(); ++i) loop.groups *= nest.axes[loop.axes[i]].extent;
  return loop;
}

bool has_thread_per_result(const CudaContext& context, const Nest& nest) {
  if (!is_reduction(nest)) return false;
  std::vector<int> results = long_axes(nest, context.outer_axes(), fusion::parallel_rank(nest));
  std::vector<int> reduced = long_axes(nest, fusion::parallel_rank(nest), axis_count(nest));
  if (results.empty()) return false;
  if (reduced.empty()) return true;
  return bytes_along(context, nest, results.back(), reduced) > bytes_along(context, nest, reduced.back(), reduced);
}

int64_t local_stride(const CudaContext& context, const KernelBuffer& used, Arrangement arrangement) {
  const fusion::Buffer& buffer = context.kernel.buffer(used.id);
  int64_t bytes = element_count(buffer).hint() * byte_size(buffer.dtype);
  if (arrangement == Arrangement::rows) return (bytes + 15) / 16 * 16;
  return (bytes + 7) / 8 * 8 + 8;  // an odd number of words, about: neighbours use different banks
}

ScanTiles scan_tiles(const CudaContext& context, const Nest& nest, const TeamPlan& team) {
  SharedLoop loop = shared_loop(context, nest, Arrangement::rows);
  int64_t steps = (loop.groups.hint() + team.team - 1) / team.team;
  return {loop.packs, loop.groups, static_cast<int>(std::clamp<int64_t>(steps, 1, packs_of_thread))};
}

bool needs_separate_launches(const CudaContext& context) {
  if (are_apart(context) || is_scan(context)) return false;
  TeamPlan plan = plan_teams(context, all_nests(context));
  if (plan.items.same(0)) return false;
  for (const KernelBuffer& used : context.kernel.buffers)  // an array needs a size when the kernel is launched
    if (used.place == Place::array && !element_count(context.kernel.buffer(used.id)).is_constant()) return true;
  if (shared_bytes(context, plan) > context.target.shared_bytes) return true;
  int64_t longest = 0, long_nests = 0;
  for (const Nest& nest : context.nests()) {
    int64_t of_block = own_iterations(context, nest) * std::min<int64_t>(plan.teams, plan.items.hint());
    longest = std::max(longest, of_block);
    long_nests += of_block > long_nest / 2 ? 1 : 0;
  }
  int64_t worth = long_nests == 1 ? long_nest : 8 * long_nest;
  return longest > worth && plan.blocks().hint() < context.target.multiprocessors / 2;
}

LaunchPlan plan_launches(const CudaContext& context, bool separate, SymInt partial_bytes) {
  Planner planner(context, partial_bytes);
  return separate ? planner.separate() : planner.together();
}

}  // namespace sinter::codegen
