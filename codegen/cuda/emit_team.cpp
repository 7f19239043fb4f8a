// Nests one after the other, each shared by the threads of the team that has the item.

#include <sinter/codegen/cuda/cuda_printer.h>

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>
#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::Nest;

namespace {

// Steps of a loop that are printed so that their loads can start together: as many bytes as keep memory busy.
int unrolled_steps(int pack, int cost) {
  constexpr int most_cost = 64;
  if (pack == 1 && 8 * cost <= most_cost) return 8;
  return pack * cost <= most_cost ? 4 : 1;
}

}  // namespace

// The thread's position in the grid's flat order, of `threads` a block.
std::string CudaPrinter::at_thread(int64_t threads) const {
  return fmt::format("({})blockIdx.x * {}", context_.index_type(), threads);
}

void CudaPrinter::print_teams(const Launch& launch) {
  team_ = launch.team;
  rows_ = launch.rows;
  deviation_ = launch.deviation;
  loaded_rows_.clear();
  read_since_.clear();
  written_since_.clear();
  place_team(team_);
  for_all(launch.nests, [](BodyPrinter& printer) {
    printer.push_scope();
    printer.print_values();
  });
  SymInt inner = 1;
  for (int axis = context_.outer_axes(); axis-- > 0;) {
    SymInt steps = context_.nests()[0].axes[axis].extent;
    if (steps.same(1)) continue;
    std::string position = inner.same(1) ? "item" : fmt::format("item / {}", factor_text(inner));
    if (!(inner * steps).same(team_.items)) position += fmt::format(" % {}", factor_text(steps));
    code_.print("const {} {} = {};", context_.index_type(), axis_name(axis), position);
    for_all(launch.nests, [&](BodyPrinter& printer) { printer.set_axis(axis, axis_name(axis)); });
    inner *= steps;
  }
  for_all(launch.nests, [](BodyPrinter& printer) { printer.print_values(); });
  declare_locals(launch.nests);
  for (int n : launch.nests) print_team_nest(n, launch);
  for_all(launch.nests, [](BodyPrinter& printer) { printer.pop_scope(); });
}

// Which item the team has, and which of its threads this is. Teams behind the last item work on that one again, for
// the barriers' sake, and store nothing.
void CudaPrinter::place_team(const TeamPlan& plan) {
  std::string_view index = context_.index_type();
  std::string block = fmt::format("({})blockIdx.x", index);
  if (plan.segments > 1) {
    code_.print("const {0} segment = {1} % {2}, block = {1} / {2};", index, block, plan.segments);
    block = "block";
  }
  bool is_rows = plan.arrangement == Arrangement::rows;
  std::string at = block, rank = "(int)threadIdx.x";
  if (plan.teams > 1) {
    at += fmt::format(" * {} + ({})threadIdx.x {} {}", plan.teams, index, is_rows ? '/' : '%',
                      is_rows ? plan.team : plan.teams);
    rank = is_rows ? fmt::format("(int)threadIdx.x % {}", plan.team) : fmt::format("(int)threadIdx.x / {}", plan.teams);
  }
  if (plan.team == 1) rank = "0";
  code_.print("const int rank = {};", rank);
  if (is_multiple(plan.items, plan.teams)) {
    code_.print("const {} item = {};", index, at);
    return;
  }
  code_.print("const {} place = {};", index, at);
  code_.print("const bool exists = place < {};", size_text(plan.items));
  code_.print("const {0} item = exists ? place : {1};", index, size_text(plan.items - 1));
  store_guard_ = "exists";
}

void CudaPrinter::declare_locals(const std::vector<int>& nests) {
  bool reduces = std::any_of(nests.begin(), nests.end(), [&](int n) { return is_reduction(context_.nests()[n]); });
  bool is_rows = team_.arrangement == Arrangement::rows;
  int place = deviation_ ? 32 : 8;  // bytes of what a thread offers to its team
  if (reduces && team_.spans_warps()) shared_bytes_ = (is_rows ? team_.team / 32 : team_.block()) * place;
  for (int n : nests)
    if (fusion::has_scan(context_.nests()[n]) && is_rows && team_.spans_warps())
      shared_bytes_ = scan_tiles(context_, context_.nests()[n], team_).steps * (team_.team / 32) * 8;
  shared_bytes_ = (shared_bytes_ + 15) / 16 * 16;
  std::vector<std::string> arrays;
  for (const KernelBuffer& used : context_.kernel.buffers) {
    DType dtype = context_.kernel.buffer(used.id).dtype;
    if (used.place == Place::variable) {
      context_.kernel.need(std::string(vector_type(dtype)));
      code_.print("{} {};", vector_type(dtype), used.name);
    } else if (rows_ && rows_->has_local(used.id)) {
      code_.print("Pack<{}, {}> {}[{}];", element_type(dtype), rows_->nests.begin()->second.count, used.name,
                  rows_->steps);
    } else if (used.place == Place::array) {
      int64_t stride = local_stride(context_, used, team_.arrangement);
      std::string slot = team_.teams == 1 ? ""
                         : is_rows        ? fmt::format(" + threadIdx.x / {} * {}", team_.team, stride)
                                          : fmt::format(" + threadIdx.x % {} * {}", team_.teams, stride);
      if (has_piece(element_type(dtype))) context_.kernel.need(std::string(element_type(dtype)));
      arrays.push_back(fmt::format("{0}* const {1} = ({0}*)(shared + {2}{3});", element_type(dtype), used.name,
                                   shared_bytes_, slot));
      shared_bytes_ += stride * team_.teams;
      shared_bytes_ = (shared_bytes_ + 15) / 16 * 16;
    }
  }
  if (deviation_) {
    deviations_ = context_.kernel.fresh_name("deviations");
    context_.kernel.need("Deviations");
    context_.kernel.need(std::string(vector_type(deviation_->dtype)));
    code_.print("Deviations<{}> {} = {{}};", vector_type(deviation_->dtype), deviations_);
  }
  row_names_.clear();
  for (size_t i = 0; rows_ && i < rows_->loads.size(); ++i) {
    const fusion::Buffer& buffer = context_.kernel.buffer(rows_->loads[i].buffer);
    row_names_.push_back(context_.kernel.fresh_name("row_" + base_name(buffer.name)));
    code_.print("Pack<{}, {}> {}[{}];", element_type(buffer.dtype), rows_->nests.begin()->second.count,
                row_names_.back(), rows_->steps);
  }
  if (rows_) context_.kernel.need("Pack");
  if (shared_bytes_ > 0) code_.print("extern __shared__ __align__(16) char shared[];");
  for (const std::string& array : arrays) code_.line(array);
}

void CudaPrinter::print_team_nest(int n, const Launch& launch) {
  BodyPrinter& printer = *printers_[n];
  const Nest& nest = printer.nest();
  separate_nests(nest);
  if (launch.nests.size() > 1) code_.print("// {}", nest.name);
  printer.push_scope();
  printer.enter_iteration();
  printer.print_values();
  if (is_reduction(nest)) {
    print_reduction(printer, launch);
  } else if (fusion::has_scan(nest)) {
    print_scan(printer);
  } else {
    SharedLoop loop = shared_loop(context_, nest, team_.arrangement);
    if (const Packs* packs = row_packs(nest)) loop.packs = *packs;
    one_thread_stores_ = loop.axes.empty() && team_.team > 1;
    in_shared_loop(printer, loop, "0", "", [&] { print_stores(printer, loop.packs); });
    one_thread_stores_ = false;
  }
  printer.pop_scope();
}

// A barrier, if the nest meets memory that an earlier one left to other threads of the team.
void CudaPrinter::separate_nests(const Nest& nest) {
  std::set<int> reads, writes;
  auto memory = [&](int buffer) {
    const KernelBuffer& used = context_.kernel.used(buffer);
    return used.may_alias ? -1 : buffer;  // all that may share memory counts as one
  };
  auto is_shared = [&](int buffer) {
    return context_.kernel.used(buffer).place != Place::variable && !(rows_ && rows_->has_local(buffer));
  };
  for (const fusion::Load& load : nest.body.loads)
    if (is_shared(load.buffer)) reads.insert(memory(load.buffer));
  for (const fusion::Store& store : nest.stores)
    if (is_shared(store.buffer)) writes.insert(memory(store.buffer));
  auto meet = [](const std::set<int>& a, const std::set<int>& b) {
    return std::any_of(a.begin(), a.end(), [&](int x) { return b.contains(x); });
  };
  bool needs_barrier = meet(reads, written_since_) || meet(writes, written_since_) || meet(writes, read_since_);
  if (needs_barrier && team_.team > 1) {
    code_.line(team_.spans_warps() ? "__syncthreads();" : "__syncwarp();");
    read_since_.clear();
    written_since_.clear();
  }
  read_since_.insert(reads.begin(), reads.end());
  written_since_.insert(writes.begin(), writes.end());
}

void CudaPrinter::in_shared_loop(BodyPrinter& printer, const SharedLoop& loop, const std::string& begin,
                                 const std::string& end, const Inside& inside) {
  if (loop.groups.same(0)) return;
  if (loop.axes.empty()) return inside();
  const Nest& nest = printer.nest();
  if (row_packs(nest)) return in_row_steps(printer, loop.packs, inside);
  std::string start = begin == "0" ? "rank" : begin + " + rank";
  std::string stop = end.empty() ? size_text(loop.groups) : end;
  int axis = loop.axes.back();
  bool is_plain = loop.axes.size() == 1 && loop.packs.count == 1;
  std::string at = is_plain ? axis_name(axis) : "at";
  if (int steps = unrolled_steps(loop.packs.count, body_cost(nest)); steps > 1)
    code_.directive(fmt::format("#pragma unroll {}", steps));
  code_.open(
      fmt::format("for ({0} {1} = {2}; {1} < {3}; {1} += {4})", context_.index_type(), at, start, stop, team_.team));
  printer.push_scope();
  if (!is_plain) print_position(printer, loop.axes, loop.packs, at);
  in_pack(printer, axis, loop.packs, inside);
  printer.pop_scope();
  code_.close();
}

void CudaPrinter::in_row_steps(BodyPrinter& printer, const Packs& packs, const Inside& inside) {
  code_.directive("#pragma unroll");
  code_.open(fmt::format("for (int step = 0; step < {}; ++step)", rows_->steps));
  code_.print("const {} at = step * {} + rank;", context_.index_type(), team_.team);
  if (rows_->groups % team_.team != 0) code_.print("if (at >= {}) break;", rows_->groups);
  std::string i = axis_name(rows_->axis), begin = i + "_begin";
  code_.print("const {} {} = at{};", context_.index_type(), begin,
              packs.count == 1 ? "" : fmt::format(" * {}", packs.count));
  if (packs.count == 1 && packs.loads.empty() && packs.stores.empty())
    code_.print("const {} {} = {};", context_.index_type(), i, begin);
  printer.push_scope();
  in_pack(printer, rows_->axis, packs, inside);
  printer.pop_scope();
  code_.close();
}

const Packs* CudaPrinter::row_packs(const Nest& nest) const {
  if (!rows_) return nullptr;
  for (const auto& [n, packs] : rows_->nests)
    if (&context_.nests()[n] == &nest) return &packs;
  return nullptr;
}

std::string CudaPrinter::register_pack(int buffer, const fusion::IndexExpr& linear) const {
  if (!rows_) return {};
  if (rows_->has_local(buffer)) return context_.kernel.used(buffer).name + "[step]";
  int row = rows_->cached(buffer, linear);
  return row < 0 ? std::string() : row_names_[row] + "[step]";
}

// Loops of a single thread.
void CudaPrinter::in_own_loops(BodyPrinter& printer, const std::vector<int>& axes, const Inside& inside) {
  std::function<void(size_t)> open = [&](size_t k) {
    if (k == axes.size()) return inside();
    std::string i = axis_name(axes[k]);
    code_.open(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1})", context_.index_type(), i,
                           size_text(printer.nest().axes[axes[k]].extent)));
    printer.push_scope();
    printer.set_axis(axes[k], i);
    printer.print_values();
    open(k + 1);
    printer.pop_scope();
    code_.close();
  };
  open(0);
}

}  // namespace sinter::codegen
