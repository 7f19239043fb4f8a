// The grid of tiles, shared out to threads.

#include <sinter/runtime/interpreter/run_tiles.h>

#include <sinter/runtime/interpreter/tile_runner.h>
#include <sinter/runtime/parallel.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

// Scalar operations that are worth handing to another thread.
constexpr int64_t parallel_work = 64 * 1024;

class TileLoop {
 public:
  TileLoop(const PreparedNest& nest, void* const* buffers)
      : nest_(nest),
        runner_(nest, buffers, 2 * result_bytes(nest)),
        results_(runner_.extra()),
        converted_(runner_.extra() + result_bytes(nest)) {}

  void run(int64_t begin, int64_t end) {
    size_t rank = nest_.extents.size();
    int64_t rest = begin;
    for (size_t axis = rank; axis-- > 0;) {
      int64_t count = tiles_along(nest_, axis);
      runner_.tile.start[axis] = rest % count * nest_.chunks[axis];
      rest /= count;
    }
    for (int64_t i = begin; i < end; ++i) {
      run_tile();
      for (size_t axis = rank; axis-- > 0;) {
        int64_t& start = runner_.tile.start[axis];
        start += nest_.chunks[axis];
        if (start < nest_.extents[axis]) break;
        start = 0;
      }
    }
  }

  static int64_t tiles_along(const PreparedNest& nest, size_t axis) {
    return nest.chunks[axis] == 0 ? 1 : (nest.extents[axis] + nest.chunks[axis] - 1) / nest.chunks[axis];
  }

 private:
  static int64_t result_bytes(const PreparedNest& nest) {
    bool reduces =
        std::any_of(nest.stores.begin(), nest.stores.end(), [](const PreparedStore& s) { return s.reduction; });
    int64_t results = 1;
    for (int axis = 0; axis < nest.parallel_axes; ++axis) results *= nest.chunks[axis];
    return reduces ? (results + 7) / 8 * 64 : 0;
  }

  void run_tile() {
    Tile& tile = runner_.tile;
    tile.clear();
    for (size_t axis = 0; axis < nest_.extents.size(); ++axis)
      if (nest_.chunks[axis] != 1)
        tile.add(static_cast<int>(axis), std::min(nest_.chunks[axis], nest_.extents[axis] - tile.start[axis]));
    // Of nothing there is only the reductions' identity: a tile without elements has no memory either.
    if (tile.elements != 0) runner_.evaluate();
    for (const PreparedStore& store : nest_.stores) {
      if (store.reduction)
        reduce(store);
      else if (tile.elements != 0)
        runner_.write(store);
    }
  }

  void reduce(const PreparedStore& store) {
    results_box_.clear();
    results_box_.start = runner_.tile.start;
    for (size_t i = 0; i < runner_.tile.axes.size(); ++i)
      if (runner_.tile.axes[i] < nest_.parallel_axes) results_box_.add(runner_.tile.axes[i], runner_.tile.extents[i]);
    int64_t count = results_box_.elements;
    if (count == 0) return;
    store.reduction->rows(results_, runner_.value(store.value), count, nest_.reduced_elements);
    char* results = results_;
    if (store.convert) {
      store.convert(converted_, results_, nullptr, nullptr, count);
      results = converted_;
    }
    runner_.write_block(store.access, results_box_, results);
  }

  const PreparedNest& nest_;
  TileRunner runner_;
  char* results_;
  char* converted_;
  Tile results_box_;
};

}  // namespace

void run_tiles(const PreparedNest& nest, void* const* buffers) {
  int64_t count = 1;
  for (size_t axis = 0; axis < nest.extents.size(); ++axis) count *= TileLoop::tiles_along(nest, axis);
  bool reduces =
      std::any_of(nest.stores.begin(), nest.stores.end(), [](const PreparedStore& s) { return s.reduction; });
  bool in_order = !reduces && nest.parallel_axes < static_cast<int>(nest.extents.size());
  int64_t tile_work = std::max<int64_t>(nest.tile_elements * nest.work_per_element, 1);
  int64_t grain = std::max<int64_t>(parallel_work / tile_work, 1);
  if (in_order || count <= grain) {
    TileLoop(nest, buffers).run(0, count);
    return;
  }
  parallel_for(0, count, grain, [&](int64_t begin, int64_t end) { TileLoop(nest, buffers).run(begin, end); });
}

}  // namespace sinter::runtime
