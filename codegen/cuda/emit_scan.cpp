// Nests with a scan axis: a team takes its row tile by tile, in registers; or a thread takes a line by itself, beside
// neighbours whose lines are neighbours in memory.

#include <sinter/codegen/cuda/cuda_printer.h>

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>
#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::Nest;

namespace {

ReductionKind kind_of(const ScalarNode& scan) { return static_cast<ReductionKind>(scan.payload); }

std::vector<int> stored_values(const Nest& nest) {
  std::vector<int> values;
  for (const fusion::Store& store : nest.stores) values.push_back(store.value);
  return values;
}

}  // namespace

void CudaPrinter::print_scan(BodyPrinter& printer) {
  scans_.clear();
  for (int node : printer.scans()) {
    const ScalarNode& scan = printer.nest().body.dag.nodes[node];
    context_.kernel.need("splat", scan.dtype);
    context_.kernel.need(std::string(vector_type(scan.dtype)));
    context_.kernel.need(combine_of(kind_of(scan), scan.dtype).function, scan.dtype);
    scans_.push_back({node, context_.kernel.fresh_name("running"), context_.kernel.fresh_name("carry")});
    code_.print("{} {} = {};", vector_type(scan.dtype), scans_.back().carry, identity(kind_of(scan), scan.dtype));
  }
  team_.arrangement == Arrangement::rows ? print_scanned_row(printer) : print_scanned_line(printer);
}

// The running values go from element to element of the thread's loop.
void CudaPrinter::print_scanned_line(BodyPrinter& printer) {
  const Nest& nest = printer.nest();
  for (const Scan& scan : scans_) printer.carry(scan.node, scan.carry);
  in_own_loops(printer, {fusion::scan_axis(nest)}, [&] { print_stores(printer, {}); });
  for (const Scan& scan : scans_) printer.carry(scan.node, "");
}

void CudaPrinter::print_scanned_row(BodyPrinter& printer) {
  const Nest& nest = printer.nest();
  ScanTiles tiles = scan_tiles(context_, nest, team_);
  int64_t of_tile = int64_t{tiles.steps} * team_.team;
  bool has_loop = !tiles.groups.is_constant() || tiles.groups.constant() > of_tile;
  code_.open(has_loop ? fmt::format("for ({0} tile = 0; tile < {1}; tile += {2})", context_.index_type(),
                                    size_text(tiles.groups), of_tile)
                      : std::string());
  if (!has_loop) code_.print("const {} tile = 0;", context_.index_type());
  for (size_t i = 0; i < scans_.size(); ++i) {
    const ScalarNode& node = nest.body.dag.nodes[scans_[i].node];
    std::string_view type = vector_type(node.dtype);
    code_.print("{} {}[{}][{}];", type, scans_[i].running, tiles.steps, tiles.packs.count);
    code_.directive("#pragma unroll");
    code_.open(fmt::format("for (int place = 0; place < {}; ++place)", tiles.steps * tiles.packs.count));
    code_.print("{}[place / {}][place % {}] = {};", scans_[i].running, tiles.packs.count, tiles.packs.count,
                identity(kind_of(node), node.dtype));
    code_.close();
    in_tile(printer, tiles, i, [&] {
      printer.print_values_of({&node.operands[0], 1});
      code_.print("{}[step][lane] = {};", scans_[i].running, printer.value(node.operands[0]));
    });
    context_.kernel.need("scan_tile");
    code_.print("scan_tile<{0}>({1}, {2}, []({3} a, {3} b) {{ return {4}(a, b); }}, ({3}*){5});", team_.team,
                scans_[i].running, scans_[i].carry, type, combine_of(kind_of(node), node.dtype).function,
                team_.spans_warps() ? "shared" : "0");
  }
  std::vector<int> stored = stored_values(nest);
  in_tile(printer, tiles, scans_.size(), [&] {
    printer.print_values_of(stored);
    print_stores(printer, tiles.packs);
  });
  code_.close();
}

// The tile's elements; the running values of the first `known` scans are there.
void CudaPrinter::in_tile(BodyPrinter& printer, const ScanTiles& tiles, size_t known, const Inside& inside) {
  int axis = fusion::scan_axis(printer.nest());
  std::string i = axis_name(axis), begin = i + "_begin";
  bool stores = known == scans_.size();
  code_.directive("#pragma unroll");
  code_.open(fmt::format("for (int step = 0; step < {}; ++step)", tiles.steps));
  code_.print("const {} at = tile + step * {} + rank;", context_.index_type(), team_.team);
  if (!is_multiple(tiles.groups, int64_t{tiles.steps} * team_.team))
    code_.print("if (at >= {}) break;", size_text(tiles.groups));
  code_.print("const {} {} = at * {};", context_.index_type(), begin, tiles.packs.count);
  printer.push_scope();
  load_packs(printer, axis, tiles.packs, begin);
  if (stores) declare_packs(printer, tiles.packs);
  code_.directive("#pragma unroll");
  code_.open(fmt::format("for (int lane = 0; lane < {}; ++lane)", tiles.packs.count));
  code_.print("const {} {} = {} + lane;", context_.index_type(), i, begin);
  if (tiles.packs.has_rest) code_.print("if ({} >= {}) break;", i, size_text(printer.nest().axes[axis].extent));
  printer.set_axis(axis, i);
  for (size_t k = 0; k < known; ++k) printer.provide(scans_[k].node, scans_[k].running + "[step][lane]");
  inside();
  code_.close();
  if (stores) store_packs(printer, axis, tiles.packs, begin);
  printer.pop_scope();
  code_.close();
}

}  // namespace sinter::codegen
