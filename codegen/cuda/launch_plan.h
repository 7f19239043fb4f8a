// How the work of a kernel is laid out on the GPU: its launches, and what each block and thread of them takes.

#pragma once

#include <sinter/codegen/cpp/tile_plan.h>
#include <sinter/codegen/cuda/deviation.h>
#include <sinter/codegen/cuda/packs.h>
#include <sinter/codegen/cuda/register_rows.h>
#include <sinter/codegen/cuda/row_reuse.h>

namespace sinter::codegen {

// Every thread takes one pack of elements of a pointwise nest, or a few that are a block's packs apart.
struct ElementPlan {
  int nest = 0;
  std::vector<int> axes;  // with more than one element; the last is the one of the packs
  Packs packs;
  std::optional<RowReuse> reuse;
  int packs_of_thread = 1;
  SymInt threads = 0;  // times the packs of each
  SymInt first_block = 0;
  SymInt blocks = 0;
};
constexpr int element_block = 256;

// Where the threads of a team lie in their block.
enum class Arrangement : uint8_t {
  rows,     // side by side: they share a stretch of contiguous memory
  columns,  // apart: neighbours belong to different teams, whose items are contiguous in memory
};

// The threads of a team share the work of one item: one iteration of the kernel's outer axes.
struct TeamPlan {
  SymInt items = 1;
  int team = 1;   // threads; a power of two
  int teams = 1;  // in a block
  Arrangement arrangement = Arrangement::rows;
  int64_t segments = 1;  // into which the sequence of each item's reduction is cut, a block each

  int block() const { return team * teams; }
  SymInt blocks() const { return ceil_div(items, teams) * segments; }
  bool spans_warps() const { return team > 32 || (arrangement == Arrangement::columns && team > 1); }
};

// The partial results of a reduction in segments: of each item one for each segment, side by side.
struct SegmentPlan {
  int64_t segments = 1;
  SymInt groups = 0;            // packs of a segment
  std::vector<SymInt> offsets;  // of each reducing store, in the partial memory
};

enum class LaunchKind : uint8_t {
  elements,  // pointwise nests, each with blocks of its own
  tiles,     // a pointwise nest with transposed operands
  teams,     // nests one after the other for each item
  segments,  // the first stage of a reduction
};

struct Launch {
  LaunchKind kind = LaunchKind::teams;
  std::vector<ElementPlan> elements;
  std::optional<TilePlan> tiles;
  std::vector<int> nests;  // of teams and segments
  TeamPlan team;
  std::optional<RegisterRows> rows;     // of teams
  std::optional<Deviation> deviation;   // of teams of columns
  std::optional<SegmentPlan> segments;  // of segments; of teams: the first nest combines them
};

struct LaunchPlan {
  std::vector<Launch> launches;
  SymInt partial_bytes = 0;
};

// The loops of a nest that the threads of a team share: all its own axes, or those that it reduces.
struct SharedLoop {
  std::vector<int> axes;  // with more than one element
  Packs packs;
  SymInt groups = 1;  // steps of the loop in all
};
SharedLoop shared_loop(const CudaContext& context, const fusion::Nest& nest, Arrangement arrangement);

// What a team takes at once of a row that it scans.
struct ScanTiles {
  Packs packs;
  SymInt groups = 1;  // packs of the row
  int steps = 1;      // packs of a thread
};
ScanTiles scan_tiles(const CudaContext& context, const fusion::Nest& nest, const TeamPlan& team);

// The nest reduces to several results of an item, which the threads take one each rather than one after the other.
bool has_thread_per_result(const CudaContext& context, const fusion::Nest& nest);

// Bytes of a local array of one item, so that the next one's begins where packs may.
int64_t local_stride(const CudaContext& context, const KernelBuffer& used, Arrangement arrangement);

// Whether one block for each few iterations of the outer axes would leave most of the GPU idle, or need more shared
// memory than there is: then each nest is a launch of its own, and what passes between them lies in memory.
bool needs_separate_launches(const CudaContext& context);

// Partial results lie behind the first `partial_bytes` of the memory for them.
LaunchPlan plan_launches(const CudaContext& context, bool separate, SymInt partial_bytes);

}  // namespace sinter::codegen
