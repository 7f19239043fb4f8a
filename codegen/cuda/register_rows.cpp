// Finds the nests that walk along one row alike, then what passes between them.

#include <sinter/codegen/cuda/register_rows.h>

#include <sinter/codegen/cpp/reduction_plan.h>
#include <sinter/codegen/cuda/launch_plan.h>
#include <sinter/fusion/access.h>

#include <algorithm>
#include <set>

namespace sinter::codegen {

using fusion::IndexExpr;
using fusion::Load;
using fusion::Nest;
using fusion::Store;

namespace {

constexpr int64_t most_elements = 32;            // of one row, a thread
constexpr int64_t most_register_bytes = 320;     // of all rows, a thread
constexpr int64_t registers_bytes = 256 * 1024;  // of a multiprocessor
constexpr int64_t most_unrolled_cost = 2000;     // instructions of a nest's loop

class Finder {
 public:
  Finder(const CudaContext& context, const std::vector<int>& nests, int team)
      : context_(context), all_(nests), team_(team) {}

  std::optional<RegisterRows> find() {
    if (!find_nests() || !size_packs()) return {};
    find_locals();
    find_loads();
    // Half of a thread's share of the registers.
    int64_t most = std::min(most_register_bytes, registers_bytes / 2 / team_);
    while (!rows_.loads.empty() && register_bytes() > most) rows_.loads.pop_back();
    if (register_bytes() > most || (rows_.locals.empty() && rows_.loads.empty())) return {};
    for (auto& [n, packs] : rows_.nests) note_registers(context_.nests()[n], packs);
    return std::move(rows_);
  }

 private:
  // The nest's loop runs along one axis alone, for one result.
  int row_axis(const Nest& nest) const {
    SharedLoop loop = shared_loop(context_, nest, Arrangement::rows);
    bool has_results = is_reduction(nest) && iterations(nest, context_.outer_axes(), fusion::parallel_rank(nest)) != 1;
    return loop.axes.size() == 1 && !has_results ? loop.axes[0] : -1;
  }

  // Those along the longest row.
  bool find_nests() {
    int64_t longest = 0;
    for (int n : all_) {
      int axis = row_axis(context_.nests()[n]);
      if (axis < 0 || extent(context_.nests()[n], axis) <= longest) continue;
      longest = extent(context_.nests()[n], axis);
      rows_.axis = axis;
    }
    for (int n : all_) {
      const Nest& nest = context_.nests()[n];
      if (row_axis(nest) == rows_.axis && rows_.axis >= 0 && extent(nest, rows_.axis) == longest) rows_.nests[n] = {};
    }
    length_ = longest;
    return rows_.nests.size() > 1;
  }

  bool choose(int most) {
    bool alike = true;
    for (auto& [n, packs] : rows_.nests) {
      packs = choose_packs(context_, context_.nests()[n], rows_.axis, true, most);
      alike &= packs.count == most;
    }
    return alike;
  }

  // Packs of one size in all nests.
  bool size_packs() {
    int count = 8;
    while (count > 1 && !choose(count)) count /= 2;
    if (count == 1) choose(1);
    rows_.groups = (length_ + count - 1) / count;
    rows_.steps = static_cast<int>((rows_.groups + team_ - 1) / team_);
    return rows_.steps * count <= most_elements && longest_text() * rows_.steps * count <= most_unrolled_cost;
  }

  int64_t longest_text() const {
    int64_t most = 0;
    for (const auto& [n, packs] : rows_.nests) most = std::max<int64_t>(most, body_cost(context_.nests()[n]));
    return most;
  }

  // Arrays that are only ever touched at the thread's own place.
  void find_locals() {
    std::set<int> others;
    std::set<int> arrays;
    auto note = [&](int n, int buffer, const IndexExpr& linear, bool is_plain) {
      if (context_.kernel.buffer(buffer).kind != fusion::BufferKind::local) return;
      if (numel(context_.kernel.buffer(buffer).layout.sizes).same(1)) return;
      bool fits = rows_.nests.contains(n) && is_plain && linear.is_axis(rows_.axis);
      (fits ? arrays : others).insert(buffer);
    };
    for (int n : all_) {
      const Nest& nest = context_.nests()[n];
      std::vector<bool> special = special_loads(nest);
      for (size_t i = 0; i < nest.body.loads.size(); ++i) {
        const Load& load = nest.body.loads[i];
        note(n, load.buffer, context_.linear(load), !special[i]);
      }
      for (const Store& store : nest.stores)
        note(n, store.buffer, context_.linear(store), store.reduction == ReductionKind::none);
    }
    for (int buffer : arrays)
      if (!others.contains(buffer)) rows_.locals.push_back(buffer);
  }

  // Loads of memory that nothing writes, met in several nests.
  void find_loads() {
    std::vector<RegisterRows::CachedLoad> met;
    for (const auto& [n, packs] : rows_.nests) {
      const Nest& nest = context_.nests()[n];
      std::vector<bool> special = special_loads(nest);
      std::vector<RegisterRows::CachedLoad> here;
      for (size_t i = 0; i < nest.body.loads.size(); ++i) {
        int buffer = nest.body.loads[i].buffer;
        IndexExpr linear = context_.linear(nest.body.loads[i]);
        bool is_memory = context_.kernel.buffer(buffer).kind != fusion::BufferKind::local;
        bool is_packed = packs.count == 1 || packs.loads_pack(static_cast<int>(i));
        if (special[i] || !is_memory || !is_packed || is_written(buffer) || !linear.uses(rows_.axis)) continue;
        auto same = [&](const RegisterRows::CachedLoad& x) { return x.buffer == buffer && x.linear == linear; };
        bool is_known = std::any_of(rows_.loads.begin(), rows_.loads.end(), same);
        if (!is_known && std::any_of(met.begin(), met.end(), same)) rows_.loads.push_back({buffer, linear});
        here.push_back({buffer, linear});
      }
      met.insert(met.end(), here.begin(), here.end());
    }
  }

  bool is_written(int buffer) const {
    return std::any_of(context_.kernel.buffers.begin(), context_.kernel.buffers.end(), [&](const KernelBuffer& used) {
      return used.id == buffer && (used.is_written || used.may_alias);
    });
  }

  int64_t register_bytes() const {
    int64_t of_element = 0;
    for (int buffer : rows_.locals) of_element += std::max<int64_t>(4, byte_size(context_.kernel.buffer(buffer).dtype));
    for (const auto& load : rows_.loads)
      of_element += std::max<int64_t>(2, byte_size(context_.kernel.buffer(load.buffer).dtype));
    return of_element * rows_.steps * rows_.nests.begin()->second.count;
  }

  void note_registers(const Nest& nest, Packs& packs) const {
    std::vector<bool> special = special_loads(nest);
    for (size_t i = 0; i < nest.body.loads.size(); ++i) {
      const Load& load = nest.body.loads[i];
      int row = static_cast<int>(i);
      bool is_register = rows_.has_local(load.buffer) || rows_.cached(load.buffer, context_.linear(load)) >= 0;
      if (is_register && !special[i] && !packs.loads_pack(row)) packs.loads.push_back(row);
    }
    for (size_t s = 0; s < nest.stores.size(); ++s) {
      bool is_register = rows_.has_local(nest.stores[s].buffer);
      if (is_register && !packs.stores_pack(static_cast<int>(s))) packs.stores.push_back(static_cast<int>(s));
    }
  }

  const CudaContext& context_;
  const std::vector<int>& all_;
  int team_;
  int64_t length_ = 0;
  RegisterRows rows_;
};

}  // namespace

bool RegisterRows::has_local(int buffer) const {
  return std::find(locals.begin(), locals.end(), buffer) != locals.end();
}

int RegisterRows::cached(int buffer, const IndexExpr& linear) const {
  for (size_t i = 0; i < loads.size(); ++i)
    if (loads[i].buffer == buffer && loads[i].linear == linear) return static_cast<int>(i);
  return -1;
}

std::optional<RegisterRows> plan_register_rows(const CudaContext& context, const std::vector<int>& nests, int team) {
  return Finder(context, nests, team).find();
}

}  // namespace sinter::codegen
