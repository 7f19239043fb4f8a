// Reductions in the order that ReductionOrder fixes: lanes, blocks, and a binary counter over blocks.

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::Nest;
using fusion::Store;

namespace {

// A maximum of floats is NaN if any element is. Along rows the loop takes the greater of each two and notes apart
// whether it met NaN, of two vectors at once where a chunk stands unrolled: that costs less than half.
struct Extreme {
  std::string_view of_two;
  std::string_view halve;
};
std::optional<Extreme> extreme_of(const Accumulator& acc) {
  if (!is_floating(acc.dtype)) return {};
  if (acc.kind == ReductionKind::maximum) return Extreme{"greater_of", "halve_greater"};
  if (acc.kind == ReductionKind::minimum) return Extreme{"less_of", "halve_less"};
  return {};
}
// Of a column reduction.
constexpr int rows_together = 4;

std::string_view mask_type(DType dtype) { return vector_type(dtype == DType::f64 ? DType::i64 : DType::i32); }

}  // namespace

void KernelPrinter::print_reduction(BodyPrinter& printer, ReductionPlan plan) {
  for (Accumulator& acc : plan.accumulators) {
    acc.name = context_.fresh_name(combine_of(acc.kind, acc.dtype).name);
    context_.need(combine_of(acc.kind, acc.dtype).function, acc.dtype);
    context_.need("splat", acc.dtype);
    context_.need(std::string(vector_type(acc.dtype)));
  }
  int strip = plan.shape == ReductionShape::columns ? context_.kernel.strip : 1;
  print_own_loops(printer, plan.vector_axis, strip, [&] {
    code_.open("");
    if (plan.length == 0)
      in_strip(printer, [&] {
        for (const Accumulator& acc : plan.accumulators) store_result(printer, plan, acc, start_of(acc));
      });
    else if (plan.shape == ReductionShape::rows)
      print_rows(printer, plan);
    else
      print_columns(printer, plan);
    code_.close();
  });
}

void KernelPrinter::store_result(BodyPrinter& printer, const ReductionPlan& plan, const Accumulator& acc,
                                 const std::string& value) {
  const Store& store = printer.nest().stores[acc.store];
  if (plan.is_segment)
    print_partial_store(printer, plan, acc, value);
  else
    printer.print_store(store, value, acc.dtype);
}

std::string KernelPrinter::lane_combine(const Accumulator& acc) {
  std::string_view vector = vector_type(acc.dtype);
  return fmt::format("[]({0} a, {0} b) {{ return {1}; }}", vector, combined(acc, "a", "b"));
}

// --- Rows: the sequence runs along the vectors --------------------------------------------------------------------

std::string KernelPrinter::block_result(const Accumulator& acc, const std::string& rows) {
  context_.need(combine_of(acc.kind, acc.dtype).halve, acc.dtype);
  return fmt::format("splat_{}({}({}))", name(acc.dtype), combine_of(acc.kind, acc.dtype).halve, rows);
}

std::string KernelPrinter::row_result(const Accumulator& acc) {
  std::optional<Extreme> extreme = extreme_of(acc);
  if (!extreme) return block_result(acc, acc.name);
  context_.need(extreme->halve, acc.dtype);
  context_.need("any_lane");
  std::string_view nan = acc.dtype == DType::f64 ? "__builtin_nan(\"\")" : "__builtin_nanf(\"\")";
  return fmt::format("splat_{}(any_lane({}_nan) ? {} : {}({}))", name(acc.dtype), acc.name, nan, extreme->halve,
                     acc.name);
}

// `slot` takes one more vector.
void KernelPrinter::print_take(const Accumulator& acc, const std::string& slot, const std::string& value,
                               bool is_noted) {
  std::optional<Extreme> extreme = extreme_of(acc);
  if (!extreme) return code_.print("{} = {};", slot, combined(acc, slot, value));
  context_.need(extreme->of_two, acc.dtype);
  if (!is_noted) code_.print("{}_nan |= {} != {};", acc.name, value, value);
  code_.print("{0} = {1}({0}, {2});", slot, extreme->of_two, value);
}

void KernelPrinter::print_pairs_met(const ReductionPlan& plan, int vectors) {
  for (const Accumulator& acc : plan.accumulators) {
    if (!extreme_of(acc)) continue;
    context_.need("unordered", acc.dtype);
    code_.print("for (long u = 0; u < {0}; u += 2) {1}_nan |= unordered({1}_met[u], {1}_met[u + 1]);", vectors,
                acc.name);
  }
}

void KernelPrinter::print_rows(BodyPrinter& printer, const ReductionPlan& plan) {
  if (plan.axes.size() > 1) return print_row_sequence(printer, plan);
  auto declare = [&](const Accumulator& acc) {
    code_.print("{} {}[{}];", vector_type(acc.dtype), acc.name, acc.lanes / context_.lanes);
    if (!extreme_of(acc)) return;
    context_.need(std::string(mask_type(acc.dtype)));
    code_.print("{} {}_nan;", mask_type(acc.dtype), acc.name);
  };
  auto reset = [&](const Accumulator& acc) {
    code_.print("for ({0}& lanes : {1}) lanes = {2};", vector_type(acc.dtype), acc.name, start_of(acc));
    if (extreme_of(acc)) code_.print("{}_nan = {}{{}};", acc.name, mask_type(acc.dtype));
  };
  bool is_looped = plan.is_segment || plan.may_exceed(plan.block);
  // Larger blocks than the loop's live across its steps.
  auto is_inner = [&](const Accumulator& acc) { return is_looped && acc.block == plan.block; };
  for (const Accumulator& acc : plan.accumulators) {
    if (has_levels(plan, acc)) code_.print("{} {}_levels[{}];", vector_type(acc.dtype), acc.name, levels_of(plan, acc));
    if (is_inner(acc)) continue;
    declare(acc);
    reset(acc);
  }
  std::string block_begin = plan.begin, block_end = plan.end;
  if (is_looped) {
    context_.need("at_most");
    code_.open(fmt::format("for (long block = {0}; block < {1}; block += {2})", plan.begin, plan.end, plan.block));
    code_.print("const long block_end = at_most(block + {}, {});", plan.block, plan.end);
    block_begin = "block";
    block_end = "block_end";
  }
  for (const Accumulator& acc : plan.accumulators) {
    if (!is_inner(acc)) continue;
    declare(acc);
    reset(acc);
  }
  print_row_chunks(printer, plan, block_begin, block_end);
  for (const Accumulator& acc : plan.accumulators) {
    if (!is_looped || !has_levels(plan, acc)) continue;
    if (!is_inner(acc))
      code_.open(fmt::format("if ((block + {} - {}) % {} == 0 || block_end == {})", plan.block, plan.begin, acc.block,
                             plan.end));
    print_add_block(acc, acc.name + "_levels", fmt::format("({} - {}) / {}", "block", plan.begin, acc.block),
                    row_result(acc));
    if (is_inner(acc)) continue;
    reset(acc);
    code_.close();
  }
  if (is_looped) code_.close();
  for (const Accumulator& acc : plan.accumulators) {
    std::string total = has_levels(plan, acc) ? total_of(plan, acc, acc.name + "_levels") : row_result(acc);
    store_result(printer, plan, acc, total);
  }
}

// W elements at a time: vector u of a chunk goes to accumulator u.
void KernelPrinter::print_row_chunks(BodyPrinter& printer, const ReductionPlan& plan, const std::string& begin,
                                     const std::string& end) {
  int axis = plan.last_axis();
  std::string i = axis_name(axis);
  bool has_rest = !is_multiple(plan.length, plan.chunk);
  bool has_chunks = plan.is_segment || plan.may_exceed(plan.chunk - 1);
  code_.print("long chunk = {};", begin);
  if (has_chunks) {
    code_.open(fmt::format("for (; chunk + {0} <= {1}; chunk += {0})", plan.chunk, end));
    const int vectors = plan.chunk / context_.lanes;
    const bool is_paired = plan.is_unrolled && vectors > 1;
    for (const Accumulator& acc : plan.accumulators)
      if (is_paired && extreme_of(acc)) code_.print("{} {}_met[{}];", vector_type(acc.dtype), acc.name, vectors);
    code_.directive(fmt::format("#pragma GCC unroll {}", plan.is_unrolled ? 16 : 1));
    code_.open(fmt::format("for (long u = 0; u < {}; ++u)", vectors));
    code_.print("const long {} = chunk + u * N;", i);
    printer.push_scope();
    printer.set_vector({axis, LaneCount::all, "N", true, 1}, i);
    printer.print_values();
    print_plain_stores(printer);
    print_prefetch(printer);
    for (const Accumulator& acc : plan.accumulators) {
      std::string value = printer.value(printer.nest().stores[acc.store].value);
      if (is_paired && extreme_of(acc)) code_.print("{}_met[u] = {};", acc.name, value);
      print_take(acc, row_slot(plan, acc), value, is_paired);
    }
    printer.pop_scope();
    code_.close();
    if (is_paired) print_pairs_met(plan, vectors);
    code_.close();
  }
  if (has_rest) print_row_rest(printer, plan, end);
}

std::string KernelPrinter::row_slot(const ReductionPlan& plan, const Accumulator& acc) const {
  int vectors = acc.lanes / context_.lanes;
  return acc.lanes == plan.chunk ? acc.name + "[u]" : fmt::format("{}[u % {}]", acc.name, vectors);
}

// The vectors of the elements that fill no chunk, where a chunk stands unrolled.
void KernelPrinter::print_unrolled_rest(BodyPrinter& printer, const ReductionPlan& plan, const std::string& end) {
  int axis = plan.last_axis();
  std::string i = axis_name(axis);
  int64_t rest = plan.length.is_constant() ? plan.length.constant() % plan.chunk : -1;
  int64_t whole = rest < 0 ? plan.chunk / context_.lanes : rest / context_.lanes;
  if (whole > 0) {
    code_.directive("#pragma GCC unroll 16");
    code_.open(fmt::format("for (long u = 0; u < {}; ++u)", whole));
    code_.print("const long {} = chunk + u * N;", i);
    if (rest < 0) {
      code_.print("if ({} >= {}) break;", i, end);
      code_.print("const long n = at_most(N, {} - {});", end, i);
    }
    take_rest(printer, plan, {axis, rest < 0 ? LaneCount::up_to : LaneCount::all, rest < 0 ? "n" : "N", true, 1});
    code_.close();
  }
  if (rest < 0 || rest % context_.lanes == 0) return;
  code_.print("const long u = {}, {} = chunk + u * N;", whole, i);
  take_rest(printer, plan, {axis, LaneCount::some, fmt::format("{}", rest % context_.lanes), true, 1});
}

void KernelPrinter::take_rest(BodyPrinter& printer, const ReductionPlan& plan, const VectorPlace& place) {
  printer.push_scope();
  printer.set_vector(place, axis_name(place.axis));
  printer.print_values();
  print_plain_stores(printer);
  for (const Accumulator& acc : plan.accumulators) {
    std::string value = printer.value(printer.nest().stores[acc.store].value);
    if (place.kind != LaneCount::all) {
      context_.need("lanes_before");
      context_.need("select", acc.dtype);
      code_.print("const {0} {1}_last = select(lanes_before({2}), {3}, {4});", vector_type(acc.dtype), acc.name,
                  place.count, value, start_of(acc));
      value = acc.name + "_last";
    }
    print_take(acc, row_slot(plan, acc), value, false);
  }
  printer.pop_scope();
}

// The elements that fill no chunk; the lanes that they leave get the identity, which changes nothing.
void KernelPrinter::print_row_rest(BodyPrinter& printer, const ReductionPlan& plan, const std::string& end) {
  int axis = plan.last_axis();
  std::string i = axis_name(axis);
  context_.need("at_most");
  code_.open(fmt::format("if (chunk < {})", end));
  if (plan.is_unrolled) {
    print_unrolled_rest(printer, plan, end);
    return code_.close();
  }
  for (const Accumulator& acc : plan.accumulators) {
    for (std::string_view piece : {"store", "store_n", "load"}) context_.need(piece, acc.dtype);
    context_.need("store_up_to");
    code_.print("{} {}_rest[{}];", element_type(acc.dtype), acc.name, plan.chunk);
    code_.print("for (long u = 0; u < {}; u += N) store({}_rest + u, {});", plan.chunk, acc.name, start_of(acc));
  }
  code_.open(fmt::format("for (long {0} = chunk; {0} < {1}; {0} += N)", i, end));
  code_.print("const long n = at_most(N, {} - {});", end, i);
  printer.push_scope();
  printer.set_vector({axis, LaneCount::up_to, "n", true, 1}, i);
  printer.print_values();
  print_plain_stores(printer);
  for (const Accumulator& acc : plan.accumulators)
    code_.print("store_up_to({}_rest + ({} - chunk), {}, n);", acc.name, i,
                printer.value(printer.nest().stores[acc.store].value));
  printer.pop_scope();
  code_.close();
  code_.directive("#pragma GCC unroll 16");
  code_.open(fmt::format("for (long u = 0; u < {}; ++u)", plan.chunk / context_.lanes));
  for (const Accumulator& acc : plan.accumulators) {
    code_.print("const {0} {1}_last = load({1}_rest + u * N);", vector_type(acc.dtype), acc.name);
    print_take(acc, row_slot(plan, acc), acc.name + "_last", false);
  }
  code_.close();
  code_.close();
}

// --- Columns: each lane is a result of its own --------------------------------------------------------------------

void KernelPrinter::print_columns(BodyPrinter& printer, const ReductionPlan& plan) {
  bool same_blocks = std::all_of(plan.accumulators.begin(), plan.accumulators.end(),
                                 [&](const Accumulator& acc) { return acc.block == plan.block; });
  for (const Accumulator& acc : plan.accumulators)
    if (has_levels(plan, acc)) declare_column_levels(plan, acc);
  if (plan.axes.size() > 1 || !same_blocks) return print_column_sequence(printer, plan);
  bool is_looped = plan.is_segment || plan.may_exceed(plan.block);
  std::string begin = plan.begin, end = plan.end;
  if (is_looped) {
    context_.need("at_most");
    code_.open(fmt::format("for (long block = {0}; block < {1}; block += {2})", plan.begin, plan.end, plan.block));
    code_.print("const long block_end = at_most(block + {}, {});", plan.block, plan.end);
    begin = "block";
    end = "block_end";
  }
  for (const Accumulator& acc : plan.accumulators) start_columns(acc);
  if (plan.axes.empty())
    print_column_element(printer, plan, "0");
  else if (takes_rows_together(plan))
    print_column_rows(printer, plan, begin, end);
  else
    in_loop(printer, plan.axes[0], begin, end, [&] { print_column_element(printer, plan, axis_name(plan.axes[0])); });
  if (is_looped) {
    std::string block = fmt::format("(block - {}) / {}", plan.begin, plan.block);
    for (const Accumulator& acc : plan.accumulators)
      if (has_levels(plan, acc)) end_column_block(plan, acc, block);
    code_.close();
  }
  store_columns(printer, plan);
}

std::string KernelPrinter::strip_dims() const { return strip_.strip > 1 ? fmt::format("[{}]", strip_.strip) : ""; }
std::string KernelPrinter::strip_slot() const { return strip_.strip > 1 ? "[s]" : ""; }
std::string KernelPrinter::strip_count() const {
  return is_long_strip(strip_.strip) ? "vectors" : fmt::format("{}", strip_.strip);
}

void KernelPrinter::start_columns(const Accumulator& acc) {
  std::string_view type = vector_type(acc.dtype);
  std::string dims = strip_dims();
  if (acc.lanes > 1) dims += fmt::format("[{}]", acc.lanes);
  if (dims.empty()) return code_.print("{} {} = {};", type, acc.name, start_of(acc));
  code_.print("{} {}{};", type, acc.name, dims);
  reset_columns(acc);
}

void KernelPrinter::reset_columns(const Accumulator& acc) {
  bool is_strip = strip_.strip > 1, is_wide = acc.lanes > 1;
  std::string_view type = vector_type(acc.dtype);
  if (!is_strip && !is_wide) return code_.print("{} = {};", acc.name, start_of(acc));
  if (is_long_strip(strip_.strip) && !is_wide)  // those in use
    code_.print("for (long s = 0; s < vectors; ++s) {}[s] = {};", acc.name, start_of(acc));
  else if (is_strip && is_wide)
    code_.print("for (auto& lanes : {}) for ({}& lane : lanes) lane = {};", acc.name, type, start_of(acc));
  else
    code_.print("for ({}& lane : {}) lane = {};", type, acc.name, start_of(acc));
}

void KernelPrinter::print_column_element(BodyPrinter& printer, const ReductionPlan& plan, const std::string& position) {
  in_strip(printer, [&] {
    print_column_values(printer, plan, position);
    if (!plan.axes.empty()) print_rows_ahead(printer, plan.last_axis());
  });
}

void KernelPrinter::print_column_values(BodyPrinter& printer, const ReductionPlan& plan, const std::string& position) {
  print_plain_stores(printer);
  for (const Accumulator& acc : plan.accumulators) {
    std::string slot = acc.name + strip_slot();
    if (acc.lanes > 1) slot += fmt::format("[{} % {}]", position, acc.lanes);
    code_.print("{} = {};", slot, combined(acc, slot, printer.value(printer.nest().stores[acc.store].value)));
  }
}

// A long strip's sums lie in memory: they are fetched and put back once for a few rows.
bool KernelPrinter::takes_rows_together(const ReductionPlan& plan) const {
  bool fits = is_multiple(plan.length, rows_together) || !plan.length.is_constant();
  return is_long_strip(strip_.strip) && fits && plan.block % rows_together == 0 &&
         std::all_of(plan.accumulators.begin(), plan.accumulators.end(),
                     [](const Accumulator& acc) { return acc.lanes == 1; });
}

void KernelPrinter::print_column_rows(BodyPrinter& printer, const ReductionPlan& plan, const std::string& begin,
                                      const std::string& end) {
  int axis = plan.axes[0];
  std::string i = axis_name(axis), first = i + "_first", last = end;
  bool has_rest = !is_multiple(plan.length, rows_together);
  if (has_rest) {
    last = i + "_rest";
    code_.print("const long {0} = {1} + ({2} - {1}) / {3} * {3};", last, begin, end, rows_together);
  }
  code_.open(fmt::format("for (long {0} = {1}; {0} < {2}; {0} += {3})", first, begin, last, rows_together));
  in_strip(printer, [&] {
    code_.directive(fmt::format("#pragma GCC unroll {}", rows_together));
    code_.open(fmt::format("for (long {0} = {1}; {0} < {1} + {2}; ++{0})", i, first, rows_together));
    printer.push_scope();
    printer.set_axis(axis, i);
    printer.print_values();
    print_column_values(printer, plan, i);
    printer.pop_scope();
    code_.close();
  });
  code_.close();
  if (has_rest) in_loop(printer, axis, last, end, [&] { print_column_element(printer, plan, i); });
}

// The result of the block that has just ended.
std::string KernelPrinter::column_block(const Accumulator& acc) {
  std::string slot = acc.name + strip_slot();
  if (acc.lanes == 1) return slot;
  context_.need("halve_rows");
  return fmt::format("halve_rows({}, {}, {})", slot, acc.lanes, lane_combine(acc));
}

void KernelPrinter::end_column_block(const ReductionPlan& plan, const Accumulator& acc, const std::string& block) {
  if (strip_.strip > 1) code_.open(fmt::format("for (long s = 0; s < {}; ++s)", strip_count()));
  print_add_block(acc, column_levels(plan, acc), block, column_block(acc), level_stride(plan, acc));
  if (strip_.strip > 1) code_.close();
}

void KernelPrinter::store_columns(BodyPrinter& printer, const ReductionPlan& plan) {
  in_strip(printer, [&] {
    for (const Accumulator& acc : plan.accumulators) {
      std::string total = column_block(acc);
      if (has_levels(plan, acc)) total = total_of(plan, acc, column_levels(plan, acc), level_stride(plan, acc));
      store_result(printer, plan, acc, total);
    }
  });
}

// Several axes, or accumulators with different blocks: the position counts along.
void KernelPrinter::print_column_sequence(BodyPrinter& printer, const ReductionPlan& plan) {
  for (const Accumulator& acc : plan.accumulators) start_columns(acc);
  code_.line("long k = 0;");
  print_sequence_loops(printer, plan, [&](const std::string& begin, const std::string& end) {
    in_loop(printer, plan.last_axis(), begin, end, [&] {
      print_column_element(printer, plan, "k");
      code_.line("++k;");
      for (const Accumulator& acc : plan.accumulators) {
        if (!has_levels(plan, acc)) continue;
        code_.open(fmt::format("if (k % {} == 0)", acc.block));
        end_column_block(plan, acc, fmt::format("k / {} - 1", acc.block));
        reset_columns(acc);
        code_.close();
      }
    });
  });
  for (const Accumulator& acc : plan.accumulators) {
    if (!has_levels(plan, acc) || (!plan.is_segment && is_multiple(plan.length, acc.block))) continue;
    code_.open(fmt::format("if (k % {} != 0)", acc.block));
    end_column_block(plan, acc, fmt::format("k / {}", acc.block));
    code_.close();
  }
  store_columns(printer, plan);
}

}  // namespace sinter::codegen
