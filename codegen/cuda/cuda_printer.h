// Prints the bodies of one kernel's launches.
//
// A body's values are printed by BodyPrinter as vectors of one lane; what surrounds them, which thread works on what,
// is printed here.

#pragma once

#include <sinter/codegen/cpp/emit_body.h>
#include <sinter/codegen/cpp/reduction_plan.h>
#include <sinter/codegen/cuda/launch_plan.h>
#include <sinter/codegen/cuda/quick_operations.h>

#include <functional>
#include <memory>
#include <set>

namespace sinter::codegen {

class CudaPrinter {
 public:
  explicit CudaPrinter(CudaContext& context);

  void print(const Launch& launch);
  // Dynamic shared memory of the launch that was printed last.
  int64_t shared_bytes() const { return shared_bytes_; }

 private:
  using Inside = std::function<void()>;

  // emit_elements.
  void print_elements(const Launch& launch);
  void print_element_nest(const ElementPlan& plan);
  // Names the axes that a flat position stands for, the fastest first decoded; the last counts packs, that of `reuse`
  // groups of rows.
  void print_position(BodyPrinter& printer, const std::vector<int>& axes, const Packs& packs, const std::string& at,
                      const RowReuse* reuse = nullptr);
  void in_rows(BodyPrinter& printer, const RowReuse& reuse, const Inside& inside);
  // Several packs of a thread, a block's packs apart: all are loaded before the first is computed.
  void in_parts(BodyPrinter& printer, const ElementPlan& plan, const Inside& inside);
  // The elements of one pack along `axis`, which begins at the value of its variable.
  void in_pack(BodyPrinter& printer, int axis, const Packs& packs, const Inside& inside);
  // The same for a nest of its own, with short forms of operations; the rare lanes are computed again behind.
  void in_quick_pack(BodyPrinter& printer, int axis, const Packs& packs);
  bool can_be_quick(const fusion::Nest& nest, const Packs& packs) const;
  std::string alignment_check(const fusion::Nest& nest, const Packs& packs) const;
  void print_rare_lanes(BodyPrinter& printer, int axis);
  void load_packs(BodyPrinter& printer, int axis, const Packs& packs, const std::string& begin);
  void declare_packs(BodyPrinter& printer, const Packs& packs);
  void store_packs(BodyPrinter& printer, int axis, const Packs& packs, const std::string& begin);
  std::string pack_address(BodyPrinter& printer, int buffer, const fusion::IndexExpr& linear, int axis,
                           const std::string& begin);
  void print_stores(BodyPrinter& printer, const Packs& packs);
  void print_store(BodyPrinter& printer, const fusion::Store& store, const std::string& value, DType dtype);

  // emit_tile.
  void print_tiles(const TilePlan& plan);

  // emit_team.
  void print_teams(const Launch& launch);
  void place_team(const TeamPlan& plan);
  void declare_locals(const std::vector<int>& nests);
  void print_team_nest(int n, const Launch& launch);
  void separate_nests(const fusion::Nest& nest);
  // Shares the steps of a nest's loop among the threads of the team.
  void in_shared_loop(BodyPrinter& printer, const SharedLoop& loop, const std::string& begin, const std::string& end,
                      const Inside& inside);
  // The same in as many unrolled steps as the rows in registers have packs.
  void in_row_steps(BodyPrinter& printer, const Packs& packs, const Inside& inside);
  // The packs of the nest's loop: those of the rows in registers where it has part in them.
  const Packs* row_packs(const fusion::Nest& nest) const;
  // `row_x[step]`, where the memory or local lies in registers.
  std::string register_pack(int buffer, const fusion::IndexExpr& linear) const;
  void in_own_loops(BodyPrinter& printer, const std::vector<int>& axes, const Inside& inside);

  // emit_scan.
  struct Scan {
    int node = -1;
    std::string running, carry;  // C++ names
  };
  void print_scan(BodyPrinter& printer);
  void print_scanned_line(BodyPrinter& printer);
  void print_scanned_row(BodyPrinter& printer);
  void in_tile(BodyPrinter& printer, const ScanTiles& tiles, size_t known, const Inside& inside);

  // emit_team_reduction.
  void print_reduction(BodyPrinter& printer, const Launch& launch);
  void print_team_reduction(BodyPrinter& printer, const Launch& launch);
  void print_thread_reduction(BodyPrinter& printer);
  std::vector<Accumulator> start_accumulators(const fusion::Nest& nest);
  void take(BodyPrinter& printer, const Accumulator& acc);
  void take_segments(const Accumulator& acc, const SegmentPlan& segments, SymInt offset);
  std::string combined(const Accumulator& acc);
  bool can_be_repeated(const fusion::Nest& nest) const;
  void take_quickly(BodyPrinter& printer, const SharedLoop& loop, const QuickOperations& quick,
                    const std::vector<Accumulator>& accumulators, const Inside& take_all);
  void store_result(BodyPrinter& printer, const Accumulator& acc);
  void print_squares(BodyPrinter& printer, const std::vector<Accumulator>& accumulators);
  void store_segment(const Accumulator& acc, const SegmentPlan& segments, SymInt offset);

  void in_if(const std::string& condition, const Inside& inside);
  void for_all(const std::vector<int>& nests, const std::function<void(BodyPrinter&)>& f);
  std::string at_thread(int64_t threads) const;
  std::string size_text(SymInt size) { return context_.kernel.size_text(size); }
  std::string factor_text(SymInt size) { return as_factor(size_text(size)); }

  CudaContext& context_;
  SourceWriter& code_;
  std::vector<std::unique_ptr<BodyPrinter>> printers_;

  // Of the launch in print.
  TeamPlan team_;
  std::optional<RegisterRows> rows_;
  std::optional<Deviation> deviation_;
  std::string deviations_;              // C++ of its state
  std::vector<std::string> row_names_;  // of its cached loads
  std::set<int> loaded_rows_;           // those of them that are in registers by now
  std::vector<Scan> scans_;             // of the nest in print
  std::string store_guard_;             // where several threads have the same value
  bool one_thread_stores_ = false;
  bool packs_are_aligned_ = false;  // those of arguments too
  std::string loaded_packs_;        // C++ of a nest's only pack where it is loaded already
  int64_t shared_bytes_ = 0;
  std::vector<std::string> store_packs_;      // by store
  std::set<int> read_since_, written_since_;  // the last barrier: memory
};

}  // namespace sinter::codegen
