// A strip of results at a time takes in its sequence. Where results are few, threads share the sequence itself: aligned
// runs of 2^m blocks are subtrees of the binary counter, so the bits stay the same.

#include <sinter/runtime/interpreter/run_sequence.h>

#include <sinter/runtime/cpu/allocator.h>
#include <sinter/runtime/interpreter/binary_counter.h>
#include <sinter/runtime/interpreter/tile_runner.h>
#include <sinter/runtime/parallel.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>

namespace sinter::runtime {

namespace {

constexpr int64_t parallel_work = 64 * 1024;

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Sizes that all strips and threads share.
struct SequenceShape {
  explicit SequenceShape(const PreparedNest& nest) {
    elements = nest.reduced_elements;
    for (const PreparedStore& store : nest.stores) {
      if (!store.reduction) continue;
      block = std::lcm(block, store.lanes * store.steps);
      smallest_block = std::min(smallest_block, store.lanes * store.steps);
      is_wide |= store.is_wide;
    }
    strip_axis = is_wide ? -1 : nest.parallel_axes - 1;
    width = is_wide ? 1 : nest.chunks[strip_axis];
    for (int axis = 0; axis < nest.parallel_axes; ++axis)
      strips *= (nest.extents[axis] + nest.chunks[axis] - 1) / nest.chunks[axis];
    levels = counter_levels(elements / smallest_block + 1);
  }

  // Memory of a store's counter.
  int64_t counter_bytes(const PreparedStore& store) const { return round_up(levels * width * store.value_bytes, 64); }
  int64_t counters_bytes(const PreparedNest& nest) const {
    int64_t bytes = 0;
    for (const PreparedStore& store : nest.stores)
      if (store.reduction) bytes += counter_bytes(store);
    return bytes;
  }
  // Accumulators, a carry and a converted result of each store.
  int64_t block_bytes(const PreparedStore& store) const { return round_up(std::max(store.lanes, width) * 8, 64); }

  int64_t elements = 0;
  int64_t block = 1;  // of all stores together
  int64_t smallest_block = INT64_MAX;
  bool is_wide = false;
  int strip_axis = -1;
  int64_t width = 1;  // of a whole strip
  int64_t strips = 1;
  int levels = 1;
};

class SequenceLoop {
 public:
  SequenceLoop(const PreparedNest& nest, void* const* buffers, const SequenceShape& shape)
      : nest_(nest), shape_(shape), runner_(nest, buffers, extra_bytes(nest, shape)) {
    char* at = runner_.extra() + shape.counters_bytes(nest);
    for (const PreparedStore& store : nest.stores) {
      if (!store.reduction) continue;
      int64_t bytes = shape.block_bytes(store);
      reductions_.push_back({&store, at, at + bytes, at + 2 * bytes});
      at += 3 * bytes;
      reads_memory_ &= !shape.is_wide && is_plain_column(store);
    }
    for (const PreparedStore& store : nest.stores) reads_memory_ &= store.reduction != nullptr;
  }

  // Memory inside the thread's scratch, for counters that nobody else needs.
  char* own_counters() const { return runner_.extra(); }

  void go_to_strip(int64_t strip) {
    for (int axis = nest_.parallel_axes; axis-- > 0;) {
      int64_t count = (nest_.extents[axis] + nest_.chunks[axis] - 1) / nest_.chunks[axis];
      runner_.tile.start[axis] = strip % count * nest_.chunks[axis];
      strip /= count;
    }
    width_ = shape_.is_wide
                 ? 1
                 : std::min(shape_.width, nest_.extents[shape_.strip_axis] - runner_.tile.start[shape_.strip_axis]);
  }

  std::vector<BinaryCounter> counters(char* memory) const {
    std::vector<BinaryCounter> counters;
    for (const Reduction& reduction : reductions_) {
      counters.emplace_back(memory, *reduction.store->reduction, width_, reduction.store->value_bytes);
      memory += shape_.counter_bytes(*reduction.store);
    }
    return counters;
  }

  // Takes in [begin, end) of the strip's sequence; begin is the start of a block.
  void take(int64_t begin, int64_t end, std::vector<BinaryCounter>& counters) {
    for (const Reduction& reduction : reductions_) clear(reduction);
    for (int64_t at = begin; at < end;) {
      int64_t limit = end - at;
      for (size_t i = 0; i < reductions_.size(); ++i) limit = std::min(limit, block_of(i) - at % block_of(i));
      int64_t taken = shape_.is_wide ? take_lanes(at, limit) : take_columns(at, limit);
      at += taken;
      for (size_t i = 0; i < reductions_.size(); ++i) {
        if (at % block_of(i) == 0 || at == end) close_block(reductions_[i], counters[i]);
      }
    }
  }

  int64_t block_of(size_t reduction) const {
    return reductions_[reduction].store->lanes * reductions_[reduction].store->steps;
  }

  void store_results(const std::vector<BinaryCounter>& counters) {
    Tile box;
    box.start = runner_.tile.start;
    if (shape_.strip_axis >= 0) box.add(shape_.strip_axis, width_);
    for (size_t i = 0; i < reductions_.size(); ++i) {
      const Reduction& reduction = reductions_[i];
      counters[i].finish(reduction.carry);
      char* result = reduction.carry;
      if (reduction.store->convert) {
        reduction.store->convert(reduction.converted, reduction.carry, nullptr, nullptr, width_);
        result = reduction.converted;
      }
      runner_.write_block(reduction.store->access, box, result);
    }
  }

 private:
  struct Reduction {
    const PreparedStore* store;
    char* accumulators;
    char* carry;
    char* converted;
  };

  static int64_t extra_bytes(const PreparedNest& nest, const SequenceShape& shape) {
    int64_t bytes = shape.counters_bytes(nest);
    for (const PreparedStore& store : nest.stores)
      if (store.reduction) bytes += 3 * shape.block_bytes(store);
    return bytes;
  }

  // The value is in memory as columns side by side: no body to evaluate.
  bool is_plain_column(const PreparedStore& store) const {
    if (store.source_load < 0 || static_cast<int>(nest_.extents.size()) > nest_.parallel_axes + 1) return false;
    const Access& load = nest_.loads[store.source_load];
    return load.index.is_affine() && (load.index.strides[shape_.strip_axis] == 1 || shape_.width == 1);
  }

  void clear(const Reduction& reduction) {
    reduction.store->reduction->fill_identity(reduction.accumulators, std::max(reduction.store->lanes, width_));
  }

  void close_block(const Reduction& reduction, BinaryCounter& counter) {
    if (shape_.is_wide)
      reduction.store->reduction->halve(reduction.carry, reduction.accumulators);
    else
      std::memcpy(reduction.carry, reduction.accumulators, width_ * reduction.store->value_bytes);
    clear(reduction);
    counter.push(reduction.carry);
  }

  // The tile that starts at element `at` of the sequence: part of the innermost axis, or whole rows of it.
  int64_t place_tile(int64_t at, int64_t limit) {
    Tile& tile = runner_.tile;
    tile.clear();
    int rank = static_cast<int>(nest_.extents.size()), first = nest_.parallel_axes;
    int64_t rest = at;
    for (int axis = rank; axis-- > first;) {
      tile.start[axis] = rest % nest_.extents[axis];
      rest /= nest_.extents[axis];
    }
    if (rank == first) return 1;
    int last = rank - 1;
    int64_t row = nest_.extents[last];
    if (last > first && tile.start[last] == 0 && limit >= 2 * row) {
      int64_t rows = std::min(limit / row, nest_.extents[last - 1] - tile.start[last - 1]);
      tile.add(last - 1, rows);
      tile.add(last, row);
      return rows * row;
    }
    int64_t count = std::min(limit, row - tile.start[last]);
    tile.add(last, count);
    return count;
  }

  void evaluate() {
    runner_.evaluate();
    for (const PreparedStore& store : nest_.stores)
      if (!store.reduction) runner_.write(store);
  }

  int64_t take_lanes(int64_t at, int64_t limit) {
    int64_t taken = place_tile(at, std::min(limit, nest_.tile_elements));
    evaluate();
    for (const Reduction& reduction : reductions_)
      reduction.store->reduction->lanes(reduction.accumulators, runner_.value(reduction.store->value), taken,
                                        at % reduction.store->lanes);
    return taken;
  }

  int64_t take_columns(int64_t at, int64_t limit) {
    if (reads_memory_) return take_columns_of_memory(at, limit);
    int64_t taken = place_tile(at, std::min(limit, std::max<int64_t>(nest_.tile_elements / width_, 1)));
    runner_.tile.add(shape_.strip_axis, width_);
    evaluate();
    for (const Reduction& reduction : reductions_)
      reduction.store->reduction->columns(reduction.accumulators, runner_.value(reduction.store->value), taken, width_,
                                          width_);
    return taken;
  }

  int64_t take_columns_of_memory(int64_t at, int64_t limit) {
    int64_t taken = place_tile(at, limit);
    int row_axis = nest_.parallel_axes;
    for (const Reduction& reduction : reductions_) {
      const Access& load = nest_.loads[reduction.store->source_load];
      int64_t row_stride = row_axis < static_cast<int>(nest_.extents.size()) ? load.index.strides[row_axis] : 0;
      reduction.store->reduction->columns(reduction.accumulators, runner_.address(load), taken, width_, row_stride);
    }
    return taken;
  }

  const PreparedNest& nest_;
  const SequenceShape& shape_;
  TileRunner runner_;
  std::vector<Reduction> reductions_;
  int64_t width_ = 1;
  bool reads_memory_ = true;
};

void run_strips(const PreparedNest& nest, void* const* buffers, const SequenceShape& shape, int64_t begin,
                int64_t end) {
  SequenceLoop loop(nest, buffers, shape);
  for (int64_t strip = begin; strip < end; ++strip) {
    loop.go_to_strip(strip);
    std::vector<BinaryCounter> counters = loop.counters(loop.own_counters());
    loop.take(0, shape.elements, counters);
    loop.store_results(counters);
  }
}

// Each strip's sequence in runs of `run` elements, the blocks of a power of two.
void run_split(const PreparedNest& nest, void* const* buffers, const SequenceShape& shape, int64_t run) {
  int64_t runs = (shape.elements + run - 1) / run, tasks = shape.strips * runs;
  int64_t task_bytes = shape.counters_bytes(nest);
  auto release = [bytes = tasks * task_bytes](char* block) { free_host(block, bytes); };
  std::unique_ptr<char, decltype(release)> memory(static_cast<char*>(allocate_host(tasks * task_bytes)), release);
  std::vector<std::vector<BinaryCounter>> counters(tasks);
  parallel_for(0, tasks, 1, [&](int64_t begin, int64_t end) {
    SequenceLoop loop(nest, buffers, shape);
    for (int64_t task = begin; task < end; ++task) {
      loop.go_to_strip(task / runs);
      counters[task] = loop.counters(memory.get() + task * task_bytes);
      int64_t from = task % runs * run;
      loop.take(from, std::min(from + run, shape.elements), counters[task]);
    }
  });
  SequenceLoop loop(nest, buffers, shape);
  for (int64_t strip = 0; strip < shape.strips; ++strip) {
    loop.go_to_strip(strip);
    std::vector<BinaryCounter> whole = loop.counters(loop.own_counters());
    for (int64_t r = 0; r < runs; ++r) {
      std::vector<BinaryCounter>& part = counters[strip * runs + r];
      for (size_t i = 0; i < whole.size(); ++i) {
        uint64_t blocks = run / loop.block_of(i);  // the last run may have as many, the last of them not full
        if (part[i].count() == blocks)
          whole[i].push(part[i].at(std::countr_zero(blocks)), std::countr_zero(blocks));
        else
          whole[i].adopt(part[i]);
      }
    }
    loop.store_results(whole);
  }
}

}  // namespace

void run_sequence(const PreparedNest& nest, void* const* buffers) {
  SequenceShape shape(nest);
  int64_t strip_work = std::max<int64_t>(shape.elements * shape.width * nest.work_per_element, 1);
  int threads = is_inside_parallel_for() ? 1 : get_num_threads();
  bool has_plain_stores =
      std::any_of(nest.stores.begin(), nest.stores.end(), [](const PreparedStore& s) { return !s.reduction; });
  if (threads > 1 && shape.strips < 2 * threads && !has_plain_stores && strip_work >= 2 * parallel_work) {
    int64_t wanted = std::max(parallel_work / std::max<int64_t>(shape.width * nest.work_per_element, 1),
                              shape.elements * shape.strips / (8 * threads));
    int64_t run = shape.block;
    while (run < wanted) run *= 2;
    if (run < shape.elements) return run_split(nest, buffers, shape, run);
  }
  int64_t grain = std::max<int64_t>(parallel_work / strip_work, 1);
  if (shape.strips <= grain) return run_strips(nest, buffers, shape, 0, shape.strips);
  parallel_for(0, shape.strips, grain,
               [&](int64_t begin, int64_t end) { run_strips(nest, buffers, shape, begin, end); });
}

}  // namespace sinter::runtime
