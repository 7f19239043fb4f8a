// Row reductions over several axes: rows of memory make up one sequence, and may begin at any lane of it.
//
// A row is taken vector by vector up to where the lanes begin again, then a chunk of all lanes at a time with the
// partial results in registers, then what is left vector by vector.

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>

#include <algorithm>

namespace sinter::codegen {

// Of one partial vector, or of a whole one.
void KernelPrinter::take_into_sequences(BodyPrinter& printer, const ReductionPlan& plan, const VectorPlace& place,
                                        const std::string& text) {
  printer.push_scope();
  printer.set_vector(place, text);
  printer.print_values();
  print_plain_stores(printer);
  for (const Accumulator& acc : plan.accumulators)
    code_.print("{}.take({}, {}, {});", acc.name, printer.value(printer.nest().stores[acc.store].value), place.count,
                sequence_functions(acc));
  printer.pop_scope();
}

std::string KernelPrinter::sequence_functions(const Accumulator& acc) {
  return fmt::format("{}, [](const {}* rows) {{ return {}; }}", lane_combine(acc), vector_type(acc.dtype),
                     block_result(acc, "rows"));
}

void KernelPrinter::print_row_sequence(BodyPrinter& printer, const ReductionPlan& plan) {
  for (std::string_view piece : {"LaneSequence", "add_block", "total_of_blocks"}) context_.need(std::string(piece));
  for (const Accumulator& acc : plan.accumulators) {
    context_.need("load", acc.dtype);
    context_.need("store", acc.dtype);
    code_.print("LaneSequence<{}, {}, {}, {}, {}> {};", acc.lanes, acc.block / acc.lanes, levels_of(plan, acc),
                vector_type(acc.dtype), element_type(acc.dtype), acc.name);
    code_.print("{}.start({});", acc.name, start_of(acc));
  }
  print_sequence_loops(printer, plan, [&](const std::string& begin, const std::string& end) {
    const SymInt& row = printer.nest().axes[plan.last_axis()].extent;
    bool has_chunks = is_surely_at_least(row, plan.chunk) || !row.is_constant();
    bool is_whole = !plan.is_segment && is_multiple(row, plan.chunk);  // every row begins at the first lane
    std::string i = axis_name(plan.last_axis());
    context_.need("at_most");
    code_.open(fmt::format("for (long {0} = {1}; {0} < {2};)", i, begin, end));
    if (has_chunks) print_sequence_chunks(printer, plan, end, is_whole);
    if (!is_whole) {
      code_.print("const long n = at_most(N - {}.count, {} - {});", plan.accumulators[0].name, end, i);
      take_into_sequences(printer, plan, {plan.last_axis(), LaneCount::up_to, "n", false, 1}, i);
      code_.print("{} += n;", i);
    }
    code_.close();
  });
  for (const Accumulator& acc : plan.accumulators)
    store_result(printer, plan, acc,
                 or_start(plan, acc, fmt::format("{}.total({})", acc.name, sequence_functions(acc))));
}

// As many chunks as are left of the row or of a block, whichever is less, if there are any.
void KernelPrinter::print_sequence_chunks(BodyPrinter& printer, const ReductionPlan& plan, const std::string& end,
                                          bool is_whole) {
  const Accumulator* widest = &plan.accumulators[0];
  for (const Accumulator& acc : plan.accumulators)
    if (acc.lanes > widest->lanes) widest = &acc;
  std::string i = axis_name(plan.last_axis());
  code_.print("long chunks = ({} - {}) / {};", end, i, plan.chunk);
  for (const Accumulator& acc : plan.accumulators)
    code_.print("chunks = at_most(chunks, {}.steps_left() / {});", acc.name, plan.chunk / acc.lanes);
  if (!is_whole) code_.open(fmt::format("if (chunks > 0 && {0}.row == 0 && {0}.count == 0)", widest->name));
  for (const Accumulator& acc : plan.accumulators) {
    code_.print("{} {}_rows[{}];", vector_type(acc.dtype), acc.name, acc.lanes / context_.lanes);
    code_.print("{0}.get({0}_rows);", acc.name);
  }
  code_.open(fmt::format("for (const long stop = {0} + chunks * {1}; {0} < stop; {0} += {1})", i, plan.chunk));
  code_.directive(fmt::format("#pragma GCC unroll {}", plan.is_unrolled ? 16 : 1));
  code_.open(fmt::format("for (long u = 0; u < {}; ++u)", plan.chunk / context_.lanes));
  code_.print("const long {0}_vector = {0} + u * N;", i);
  printer.push_scope();
  printer.set_vector({plan.last_axis(), LaneCount::all, "N", is_whole, 1}, i + "_vector");
  printer.print_values();
  print_plain_stores(printer);
  for (const Accumulator& acc : plan.accumulators) {
    std::string slot = fmt::format("{}_rows[u % {}]", acc.name, acc.lanes / context_.lanes);
    code_.print("{} = {};", slot, combined(acc, slot, printer.value(printer.nest().stores[acc.store].value)));
  }
  printer.pop_scope();
  code_.close();
  code_.close();
  for (const Accumulator& acc : plan.accumulators)
    code_.print("{0}.put({0}_rows, chunks * {1}, {2});", acc.name, plan.chunk / acc.lanes, sequence_functions(acc));
  if (is_whole) return;
  code_.print("continue;");
  code_.close();
}

void KernelPrinter::print_sequence_loops(BodyPrinter& printer, const ReductionPlan& plan,
                                         const std::function<void(const std::string&, const std::string&)>& inside) {
  std::string row = context_.size_text(printer.nest().axes[plan.last_axis()].extent);
  if (plan.is_segment) row = context_.size_text(max(printer.nest().axes[plan.last_axis()].extent, 1));  // it divides
  if (!plan.is_segment) {
    std::function<void(size_t)> open = [&](size_t k) {
      if (k + 1 == plan.axes.size()) return inside("0", row);
      in_loop(printer, plan.axes[k], [&] { open(k + 1); });
    };
    return open(0);
  }
  // A segment begins and ends inside rows of the last axis.
  context_.need("at_most");
  code_.open(fmt::format("for (long row = {0} / {1}; row * {1} < {2}; ++row)", plan.begin, row, plan.end));
  printer.push_scope();
  row = as_factor(row);
  SymInt inner = 1;
  for (size_t k = plan.axes.size() - 1; k-- > 0;) {
    int axis = plan.axes[k];
    SymInt extent = printer.nest().axes[axis].extent;
    std::string position = inner.same(1) ? "row" : fmt::format("row / {}", factor_text(inner));
    code_.print("const long {} = {}{};", axis_name(axis), position,
                k > 0 ? fmt::format(" % {}", factor_text(extent)) : "");
    printer.set_axis(axis, axis_name(axis));
    inner *= extent;
  }
  code_.print("const long row_begin = row * {0} < {1} ? {1} - row * {0} : 0;", row, plan.begin);
  code_.print("const long row_end = at_most({0}, {1} - row * {0});", row, plan.end);
  printer.print_values();
  inside("row_begin", "row_end");
  printer.pop_scope();
  code_.close();
}

}  // namespace sinter::codegen
