// Prints the functions of one kernel: its range, the loops of its outer axes, and its nests one after the other inside.

#pragma once

#include <sinter/codegen/cpp/emit_body.h>
#include <sinter/codegen/cpp/reduction_plan.h>
#include <sinter/codegen/cpp/tile_plan.h>

#include <functional>
#include <memory>

namespace sinter::codegen {

// One loop over an axis, a vector or a strip of vectors at a time.
struct VectorLoop {
  int axis = -1;
  std::string begin = "0";
  std::string end;
  SymInt extent = 0;          // of the axis
  bool is_whole = true;       // runs over [0, extent), else over a part known at run time
  bool ends_aligned = false;  // the part's length is a multiple of the step
  int strip = 1;
  bool merges_tail = false;  // one loop body serves whole and partial vectors
  bool aligned = true;       // begins at a multiple of N
  // Where a large result goes whose rows begin anywhere: vectors are to begin where its lines of memory do.
  std::optional<fusion::IndexExpr> line;
  std::string line_text;
};

// Memory that a nest reads along its vector axis.
struct Prefetch {
  int buffer = -1;
  fusion::IndexExpr address;           // in elements, over the axes of the kernel's first nest
  const fusion::Nest* nest = nullptr;  // that asks for it
};

// Divides the size whatever its symbols are.
bool is_multiple(SymInt size, int64_t unit);

class KernelPrinter {
 public:
  explicit KernelPrinter(KernelContext& context);

  // The body of the kernel's function; of a split kernel those of its two phases.
  void print_main();
  void print_tiles(const TilePlan& plan);
  void print_segments();
  void print_finish();

 private:
  using Inside = std::function<void()>;
  using InsideVector = std::function<void(const VectorPlace&, const std::string& axis_value)>;

  // emit_loops: what surrounds the nests.
  void print_range(const Inside& inside);
  void print_flat_range(int axis, const Inside& inside);
  void print_counted_range(const std::vector<int>& axes, const Inside& inside);
  void print_outer(int axis, const Inside& inside);
  void print_outer_vectors(const VectorLoop& loop, const Inside& inside);
  void in_outer_loop(int axis, const std::string& head, const Inside& inside);
  VectorLoop outer_vector_loop() const;
  void print_iteration();
  void declare_variables();
  std::string factor_text(SymInt size) { return as_factor(context_.size_text(size)); }
  void for_all(const std::function<void(BodyPrinter&)>& f);

  // emit_vector: loops along the vector axis.
  void print_vector_loop(const VectorLoop& loop, const InsideVector& inside);
  void print_strip_loop(const VectorLoop& loop, const InsideVector& inside);
  void print_long_strips(const VectorLoop& loop, const std::string& strip, const std::string& end,
                         const InsideVector& inside);
  void in_vectors(BodyPrinter& printer, const VectorLoop& loop, const Inside& inside);
  // Runs `inside` for each vector of the strip that is open, or once if there is none.
  void in_strip(BodyPrinter& printer, const Inside& inside);

  // emit_lines: whole lines of a large result.
  void line_up(VectorLoop& loop, const BodyPrinter& printer);
  void assume_long_row(SymInt extent);
  std::string offset_in_line(const fusion::IndexExpr& line, int axis, const BodyPrinter& printer);
  void print_line_loop(const VectorLoop& loop, const InsideVector& inside);
  bool reads_neighbour_rows() const;
  void print_row_groups(int axis);
  void print_whole_group(int axis, int column_axis, const std::string& lines, const Inside& print_vector);
  void print_lines_ahead(const BodyPrinter& printer);

  // emit_loops: a nest.
  void print_nest(BodyPrinter& printer);
  void print_pointwise(BodyPrinter& printer);
  void print_plain_stores(BodyPrinter& printer);
  // The nest's own parallel axes, then `inside`.
  void print_own_loops(BodyPrinter& printer, int vector_axis, int strip, const Inside& inside);
  void in_loop(BodyPrinter& printer, int axis, const Inside& inside);
  void in_loop(BodyPrinter& printer, int axis, const std::string& begin, const std::string& end, const Inside& inside);

  // emit_shared_loop: nests that share one more loop.
  bool has_loop_to_share(const fusion::Nest& nest) const;
  size_t nests_together(size_t first) const;
  void print_together(size_t first, size_t count);

  // emit_scan: nests that take the elements of their last axis in order.
  void print_scan(BodyPrinter& printer);
  void declare_running(const BodyPrinter& printer, int strip);
  void print_scanned_columns(BodyPrinter& printer);
  void print_scanned_line(BodyPrinter& printer);
  bool scans_rows_together(int axis) const;
  void print_scanned_rows(int axis, const Inside& inside);
  void print_square(BodyPrinter& printer, int row_axis, const VectorPlace& place, const std::string& text);
  void in_square_rows(BodyPrinter& printer, int row_axis, const VectorPlace& place, const std::string& text,
                      const std::vector<struct SquareScan>& provided, const Inside& inside);

  // emit_reduction.
  void print_reduction(BodyPrinter& printer, ReductionPlan plan);
  void store_result(BodyPrinter& printer, const ReductionPlan& plan, const Accumulator& acc, const std::string& value);
  void print_rows(BodyPrinter& printer, const ReductionPlan& plan);
  void print_row_chunks(BodyPrinter& printer, const ReductionPlan& plan, const std::string& begin,
                        const std::string& end);
  void print_row_rest(BodyPrinter& printer, const ReductionPlan& plan, const std::string& end);
  void print_unrolled_rest(BodyPrinter& printer, const ReductionPlan& plan, const std::string& end);
  void take_rest(BodyPrinter& printer, const ReductionPlan& plan, const VectorPlace& place);
  std::string row_slot(const ReductionPlan& plan, const Accumulator& acc) const;
  std::string row_result(const Accumulator& acc);
  // `is_noted`: whether the value is NaN is noted elsewhere.
  void print_take(const Accumulator& acc, const std::string& slot, const std::string& value, bool is_noted);
  void print_pairs_met(const ReductionPlan& plan, int vectors);
  void print_columns(BodyPrinter& printer, const ReductionPlan& plan);
  void print_column_element(BodyPrinter& printer, const ReductionPlan& plan, const std::string& position);
  void print_column_values(BodyPrinter& printer, const ReductionPlan& plan, const std::string& position);
  bool takes_rows_together(const ReductionPlan& plan) const;
  void print_column_rows(BodyPrinter& printer, const ReductionPlan& plan, const std::string& begin,
                         const std::string& end);
  void print_column_sequence(BodyPrinter& printer, const ReductionPlan& plan);
  void start_columns(const Accumulator& acc);
  void reset_columns(const Accumulator& acc);
  std::string column_block(const Accumulator& acc);
  void end_column_block(const ReductionPlan& plan, const Accumulator& acc, const std::string& block);
  void store_columns(BodyPrinter& printer, const ReductionPlan& plan);
  std::string strip_dims() const;
  std::string strip_slot() const;
  bool has_run_time_strip(const ReductionPlan& plan, const Accumulator& acc) const;
  std::string longest_strip(int strip);
  void declare_column_levels(const ReductionPlan& plan, const Accumulator& acc);
  std::string column_levels(const ReductionPlan& plan, const Accumulator& acc) const;
  std::string level_stride(const ReductionPlan& plan, const Accumulator& acc) const;
  std::string strip_count() const;
  // The reduction axes but the last, then `inside` with the bounds of the last.
  void print_sequence_loops(BodyPrinter& printer, const ReductionPlan& plan,
                            const std::function<void(const std::string& begin, const std::string& end)>& inside);
  std::string lane_combine(const Accumulator& acc);
  std::string block_result(const Accumulator& acc, const std::string& rows);
  bool has_levels(const ReductionPlan& plan, const Accumulator& acc) const;
  int levels_of(const ReductionPlan& plan, const Accumulator& acc) const;
  void print_add_block(const Accumulator& acc, const std::string& levels, const std::string& block,
                       const std::string& value, const std::string& stride = "1");
  std::string total_of(const ReductionPlan& plan, const Accumulator& acc, const std::string& levels,
                       const std::string& stride = "1");
  // The total; where there may be no element, what a reduction starts from then.
  std::string or_start(const ReductionPlan& plan, const Accumulator& acc, const std::string& total);

  // emit_row_sequence.
  void print_row_sequence(BodyPrinter& printer, const ReductionPlan& plan);
  void print_sequence_chunks(BodyPrinter& printer, const ReductionPlan& plan, const std::string& end, bool is_whole);
  void take_into_sequences(BodyPrinter& printer, const ReductionPlan& plan, const VectorPlace& place,
                           const std::string& text);
  std::string sequence_functions(const Accumulator& acc);

  // emit_prefetch.
  void plan_prefetch();
  void print_prefetch(const BodyPrinter& printer);
  void print_rows_ahead(const BodyPrinter& printer, int row_axis);

  // emit_tile.
  void place_tile(BodyPrinter& printer, const TilePlan& plan);
  void print_next_tile(BodyPrinter& printer, const TilePlan& plan);
  void copy_tile(BodyPrinter& printer, const TilePlan& plan, int row, const std::string& tile);

  // emit_split: a reduction whose sequence is cut into segments.
  ReductionPlan split_plan() const;
  void print_combined_segments();
  void print_partial_store(BodyPrinter& printer, const ReductionPlan& plan, const Accumulator& acc,
                           const std::string& value);
  std::string partial_address(const BodyPrinter& printer, const ReductionPlan& plan, const Accumulator& acc,
                              const std::string& segment);
  void declare_partials(const ReductionPlan& plan);
  int partial_position() const;

  KernelContext& context_;
  SourceWriter& code_;
  std::vector<std::unique_ptr<BodyPrinter>> printers_;
  int cost_ = 0;  // of all bodies
  // Rows of memory that the first nest reads and that a later one asks for, an iteration ahead.
  std::vector<Prefetch> prefetches_;
  int axis_in_loop_ = -1;  // an axis of the nests at hand whose loop is open
  // The strip that is open: nests print a loop over its vectors.
  VectorPlace strip_;
  std::string strip_base_;
};

}  // namespace sinter::codegen
