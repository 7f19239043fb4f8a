// Puts a prepared nest together: addresses, loop form, axes, body, tile sizes.

#include <sinter/runtime/interpreter/prepare_axes.h>
#include <sinter/runtime/interpreter/prepare_body.h>
#include <sinter/runtime/interpreter/prepared_nest.h>

#include <algorithm>

namespace sinter::runtime {

using fusion::AxisKind;
using fusion::BufferKind;
using fusion::IndexExpr;

namespace {

constexpr int64_t scratch_budget = 24 * 1024;  // bytes of scratch blocks: they stay in the first level of cache
constexpr int64_t smallest_tile = 256;
constexpr int64_t largest_tile = 2048;     // at most one block of any wide reduction
constexpr int64_t streaming_tile = 16384;  // where no scratch block is touched
constexpr int64_t strip_elements = 512;    // results of a column reduction that go together

// The position of an element in a buffer's memory.
IndexExpr linear(const fusion::Schedule& schedule, const fusion::Nest& nest, int outer_axes, int buffer,
                 const fusion::Index& index) {
  const fusion::Buffer& b = schedule.buffers[buffer];
  IndexExpr position = fusion::linear_index(index, b.layout.strides, b.layout.offset);
  if (b.kind != BufferKind::local) return position;
  IndexExpr iteration;
  for (int axis = 0; axis < outer_axes; ++axis) iteration = iteration * nest.axes[axis].extent + IndexExpr::axis(axis);
  return position + iteration * SymInt(local_elements(b));
}

class NestPreparer {
 public:
  NestPreparer(const fusion::Schedule& schedule, const fusion::Nest& nest, int outer_axes, const PrimitiveTable& table)
      : schedule_(schedule), nest_(nest), outer_axes_(outer_axes), table_(table) {}

  // The nest with only these of its stores.
  PreparedNest prepare(const std::vector<int>& chosen) {
    chosen_ = chosen;
    collect_addresses();
    bool is_reduction = reduction_lanes() > 0;
    plan_ = plan_axes(nest_, addresses_, is_reduction);
    fill_axes();
    fill_accesses();
    find_overwritten_loads();
    prepare_body(prepared_, schedule_, nest_, chosen_, table_);
    count_index_blocks();
    find_source_loads();
    if (is_reduction)
      choose_reduction_form();
    else
      choose_tiles(prepared_, pointwise_budget(), false);
    // Blocks end with a whole vector, so that sizes stay multiples of what is aligned.
    int64_t block = (prepared_.tile_elements + 63) / 64 * 64;
    prepared_.slot_bytes *= block;
    fill_constants(prepared_, nest_, block);
    return std::move(prepared_);
  }

 private:
  void collect_addresses() {
    for (const fusion::Load& load : nest_.body.loads)
      addresses_.push_back({linear(schedule_, nest_, outer_axes_, load.buffer, load.index), false});
    for (int store : chosen_) {
      const fusion::Store& s = nest_.stores[store];
      addresses_.push_back({linear(schedule_, nest_, outer_axes_, s.buffer, s.index), true});
    }
  }

  // Of the chosen stores; 0 if none reduces.
  int reduction_lanes() const {
    int lanes = 0;
    for (int store : chosen_)
      if (nest_.stores[store].reduction != ReductionKind::none)
        lanes = std::max(lanes, nest_.stores[store].order.lanes);
    return lanes;
  }

  void fill_axes() {
    prepared_.extents = plan_.extents;
    prepared_.parallel_axes = plan_.parallel_axes;
    for (const fusion::Axis& axis : nest_.axes) {
      int64_t extent = axis.extent.constant();
      if (axis.kind == AxisKind::reduction) prepared_.reduced_elements *= extent;
      if (axis.kind == AxisKind::parallel && extent == 0) prepared_.is_empty = true;
      if (axis.kind == AxisKind::reduction && extent == 0 && reduction_lanes() == 0) prepared_.is_empty = true;
    }
  }

  Access access(int buffer, const IndexExpr& expr) const {
    return {buffer, static_cast<int>(byte_size(schedule_.buffers[buffer].dtype)), false, plan_.prepare(expr)};
  }

  void fill_accesses() {
    size_t loads = nest_.body.loads.size();
    for (size_t i = 0; i < loads; ++i)
      prepared_.loads.push_back(access(nest_.body.loads[i].buffer, addresses_[i].linear));
    for (const IndexExpr& expr : nest_.body.index_values) prepared_.index_values.push_back(plan_.prepare(expr));
    for (size_t i = 0; i < chosen_.size(); ++i) {
      const fusion::Store& store = nest_.stores[chosen_[i]];
      PreparedStore prepared;
      prepared.access = access(store.buffer, addresses_[loads + i].linear);
      prepared.is_wide = store.order.lanes > 1;
      prepared.lanes = store.order.lanes;
      prepared.steps = store.order.steps;
      prepared_.stores.push_back(std::move(prepared));
    }
  }

  // A store may change what a load reads, before another store reads it.
  void find_overwritten_loads() {
    if (prepared_.stores.size() < 2) return;
    for (Access& load : prepared_.loads)
      for (const PreparedStore& store : prepared_.stores) {
        bool both_from_caller = schedule_.buffers[load.buffer].kind == BufferKind::input &&
                                schedule_.buffers[store.access.buffer].kind == BufferKind::input;
        load.must_copy |= both_from_caller || load.buffer == store.access.buffer;
      }
  }

  static int depth_of(const PreparedIndex& index) {
    int depth = 0;
    for (const PreparedIndex::Quotient& quotient : index.quotients) depth = std::max(depth, depth_of(quotient.operand));
    return depth + 1;
  }

  void count_index_blocks() {
    int& blocks = prepared_.index_blocks;
    for (const Access& load : prepared_.loads) blocks = std::max(blocks, depth_of(load.index));
    for (const PreparedStore& store : prepared_.stores) blocks = std::max(blocks, depth_of(store.access.index));
    for (const PreparedIndex& index : prepared_.index_values) blocks = std::max(blocks, depth_of(index));
    bool has_masks = std::any_of(prepared_.instructions.begin(), prepared_.instructions.end(),
                                 [](const Instruction& i) { return i.kind == Instruction::Kind::masked_load; });
    if (blocks == 1 && !has_masks && prepared_.index_values.empty()) blocks = 0;
  }

  void find_source_loads() {
    for (PreparedStore& store : prepared_.stores)
      for (const Instruction& instruction : prepared_.instructions)
        if (instruction.result == store.value && instruction.kind == Instruction::Kind::load)
          store.source_load = instruction.access;
  }

  // Contiguous along the last axis: read or written where it lies.
  bool needs_no_block(const Access& access) const {
    return !access.must_copy && access.index.is_affine() &&
           (access.index.strides.empty() || access.index.strides.back() == 1);
  }

  int64_t blocks_in_use() const {
    int64_t blocks = 0;
    for (const Instruction& instruction : prepared_.instructions) {
      bool is_direct = instruction.kind == Instruction::Kind::load
                           ? needs_no_block(prepared_.loads[instruction.access])
                           : instruction.store >= 0 && needs_no_block(prepared_.stores[instruction.store].access);
      blocks += !is_direct;
    }
    return std::min<int64_t>(blocks, prepared_.slot_count);
  }

  int64_t block_budget() const {
    int64_t blocks = std::max<int64_t>(blocks_in_use(), 1);
    return std::clamp(scratch_budget / (blocks * prepared_.slot_bytes) / 64 * 64, smallest_tile, largest_tile);
  }

  int64_t pointwise_budget() const {
    bool has_long_rows = prepared_.extents.empty() || prepared_.extents.back() >= smallest_tile;
    if (blocks_in_use() == 0 && has_long_rows && prepared_.constants.empty()) return streaming_tile;
    return block_budget();
  }

  void choose_reduction_form() {
    int64_t one_block = largest_tile;
    bool is_wide = true;
    for (const PreparedStore& store : prepared_.stores) {
      if (!store.reduction) continue;
      one_block = std::min(one_block, store.lanes * store.steps);
      is_wide &= store.is_wide;
    }
    int64_t budget = block_budget();
    if (is_wide && prepared_.reduced_elements <= std::min(budget, one_block)) {
      choose_tiles(prepared_, budget, true);
      return;
    }
    prepared_.form = LoopForm::sequence;
    prepared_.chunks.assign(prepared_.extents.size(), 1);
    if (!is_wide) add_strip(budget);
    prepared_.tile_elements = budget;
  }

  // The last parallel axis becomes the strip; there is always one.
  void add_strip(int64_t budget) {
    if (prepared_.parallel_axes == 0) {
      prepared_.extents.insert(prepared_.extents.begin(), 1);
      prepared_.chunks.push_back(1);
      prepared_.parallel_axes = 1;
      auto widen = [](auto&& self, PreparedIndex& index) -> void {
        index.strides.insert(index.strides.begin(), 1);
        for (PreparedIndex::Quotient& quotient : index.quotients) self(self, quotient.operand);
      };
      for (Access& load : prepared_.loads) widen(widen, load.index);
      for (PreparedStore& store : prepared_.stores) widen(widen, store.access.index);
      for (PreparedIndex& index : prepared_.index_values) widen(widen, index);
    }
    int strip = prepared_.parallel_axes - 1;
    prepared_.chunks[strip] = std::max<int64_t>(std::min({prepared_.extents[strip], strip_elements, budget}), 1);
  }

  const fusion::Schedule& schedule_;
  const fusion::Nest& nest_;
  int outer_axes_;
  const PrimitiveTable& table_;
  std::vector<int> chosen_;
  std::vector<AccessExpr> addresses_;
  AxisPlan plan_;
  PreparedNest prepared_;
};

}  // namespace

int64_t local_elements(const fusion::Buffer& buffer) { return extent_end(buffer.layout).constant(); }

std::vector<PreparedNest> prepare_nest(const fusion::Schedule& schedule, const fusion::Nest& nest, int outer_axes,
                                       const PrimitiveTable& table) {
  std::vector<int> wide, others;
  for (size_t i = 0; i < nest.stores.size(); ++i) {
    const fusion::Store& store = nest.stores[i];
    bool is_wide = store.reduction != ReductionKind::none && store.order.lanes > 1;
    (is_wide ? wide : others).push_back(static_cast<int>(i));
  }
  // Reductions in many lanes and in one need different loops; a plain store goes with either.
  bool others_reduce = std::any_of(others.begin(), others.end(),
                                   [&](int store) { return nest.stores[store].reduction != ReductionKind::none; });
  if (!others_reduce) {
    wide.insert(wide.end(), others.begin(), others.end());
    others.clear();
  }
  std::vector<PreparedNest> prepared;
  for (const std::vector<int>& chosen : {wide, others})
    if (!chosen.empty()) prepared.push_back(NestPreparer(schedule, nest, outer_axes, table).prepare(chosen));
  return prepared;
}

}  // namespace sinter::runtime
