// Large results go past the caches in whole lines of memory, wherever their rows begin.
//
// The first and the last vectors of a row are stored on their own; what lies between goes out in whole lines, some of
// it twice. Rows that read their neighbours' rows too (stencils) are computed a few at a time, so that what they share
// is in the first cache.

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::IndexExpr;
using fusion::Load;
using fusion::Nest;

namespace {

// Shorter rows have few whole lines, and costly bodies are not printed twice.
constexpr int64_t least_line_vectors = 8;
constexpr int most_line_cost = 64;
constexpr int grouped_rows = 4;
constexpr int64_t elements_ahead = 512;  // of the prefetches of grouped rows
// Costlier bodies do not stand once for each row of a group.
constexpr int most_grouped_cost = 24;

// Each value may be computed twice, and nothing needs vectors to begin at multiples of N.
bool may_line_up(KernelContext& context, const Nest& nest, int axis) {
  SymInt extent = nest.axes[axis].extent, least = least_line_vectors * context.lanes;
  if (extent.is_constant() ? extent.hint() < least.hint() : !context.may_assume_rows) return false;
  if (body_cost(nest) > most_line_cost || is_ordered(nest)) return false;
  auto is_plain = [&](const IndexExpr& expr) { return expr.is_affine() || !expr.uses(axis); };
  for (const Load& load : nest.body.loads)
    if (!is_plain(linear_of(context.schedule, load.buffer, load.index))) return false;
  for (const fusion::Store& store : nest.stores) {
    IndexExpr linear = linear_of(context.schedule, store.buffer, store.index);
    bool is_row = linear.is_affine() && linear.coef_of(axis).same(1);
    if (!context.used(store.buffer).streams || !is_row) return false;
  }
  return std::all_of(nest.body.index_values.begin(), nest.body.index_values.end(), is_plain);
}

}  // namespace

void KernelPrinter::line_up(VectorLoop& loop, const BodyPrinter& printer) {
  const Nest& nest = printer.nest();
  if (!loop.is_whole || loop.strip > 1 || !may_line_up(context_, nest, loop.axis)) return;
  for (const fusion::Store& store : nest.stores) {
    IndexExpr linear = linear_of(context_.schedule, store.buffer, store.index);
    if (loop.line || starts_aligned(linear, loop.axis, context_.lanes)) continue;
    loop.line_text = offset_in_line(linear, loop.axis, printer);
    loop.line = std::move(linear);
    assume_long_row(loop.extent);
  }
}

// The text holds for rows from a length on: of a symbolic one the kernel asks.
void KernelPrinter::assume_long_row(SymInt extent) {
  if (extent.is_constant()) return;
  context_.assumed.insert(fmt::format("{} >= {}", context_.size_text(extent), least_line_vectors * context_.lanes));
}

// How many elements before the row's first one a line begins.
std::string KernelPrinter::offset_in_line(const IndexExpr& line, int axis, const BodyPrinter& printer) {
  IndexExpr first = line - IndexExpr::axis(axis) * line.coef_of(axis);
  return fmt::format("({}) % N", index_text(first, printer.axes(), context_.use));
}

void KernelPrinter::print_line_loop(const VectorLoop& loop, const InsideVector& inside) {
  std::string i = axis_name(loop.axis);
  VectorPlace place{loop.axis, LaneCount::all, "N", false, 1};
  std::string extent = factor_text(loop.extent);
  // Rows of a symbolic length may be whole lines all of them: their first and last ones need no stores of their own.
  bool may_be_lines = !loop.extent.is_constant();
  std::string start = "0", first_line = fmt::format("N - {}", loop.line_text);
  if (may_be_lines) {
    code_.open("");
    code_.print("const bool {}_is_line = {} == 0 && {} % N == 0;", i, loop.line_text, extent);
    start = fmt::format("{}_is_line ? {} : 0", i, extent);
    first_line = fmt::format("{}_is_line ? 0 : {}", i, first_line);
  }
  code_.open(fmt::format("for (long {0} = {2}; {0} < {1}; {0} += {1} - N)", i, extent, start));
  inside(place, i);
  code_.close();
  place.lined_up = loop.line;
  code_.open(fmt::format("for (long {0} = {1}; {0} + N <= {2}; {0} += N)", i, first_line, extent));
  inside(place, i);
  code_.close();
  if (may_be_lines) code_.close();
}

// A buffer is read at places that lie at least a row apart.
bool KernelPrinter::reads_neighbour_rows() const {
  const fusion::Kernel& kernel = context_.kernel;
  if (kernel.nests.size() != 1 || kernel.outer_axes != 2 || context_.shared_axis != 1) return false;
  const Nest& nest = kernel.nests[0];
  if (!may_line_up(context_, nest, 1)) return false;
  for (const Load& a : nest.body.loads)
    for (const Load& b : nest.body.loads) {
      if (memory_of(context_.schedule, a.buffer) != memory_of(context_.schedule, b.buffer)) continue;
      IndexExpr apart =
          linear_of(context_.schedule, a.buffer, a.index) - linear_of(context_.schedule, b.buffer, b.index);
      if (apart.is_constant() && is_surely_at_least(apart.constant(), nest.axes[1].extent)) return true;
    }
  return false;
}

void KernelPrinter::print_row_groups(int axis) {
  BodyPrinter& printer = *printers_[0];
  std::string row = axis_name(axis), first = row + "_first", last = row + "_end";
  context_.need("at_most");
  code_.open(fmt::format("for (long {0} = begin; {0} < end; {0} += {1})", first, grouped_rows));
  code_.print("const long {} = at_most({} + {}, end);", last, first, grouped_rows);
  std::string rows = fmt::format("for (long {0} = {1}; {0} < {2}; ++{0})", row, first, last);
  int column_axis = context_.shared_axis;
  std::string column = axis_name(column_axis);
  std::string extent = factor_text(printer.nest().axes[column_axis].extent);
  assume_long_row(printer.nest().axes[column_axis].extent);
  VectorPlace place{column_axis, LaneCount::all, "N", false, 1};
  auto print_vector = [&] {
    printer.push_scope();
    printer.set_vector(place, column);
    printer.print_values();
    print_plain_stores(printer);
    if (place.lined_up) print_lines_ahead(printer);
    printer.pop_scope();
  };
  in_outer_loop(axis, rows, [&] {
    code_.open(fmt::format("for (long {0} = 0; {0} < {1}; {0} += {0} == 0 ? {1} - 2 * N : N)", column, extent));
    print_vector();
    code_.close();
  });
  const fusion::Store& store = printer.nest().stores[0];
  place.lined_up = linear_of(context_.schedule, store.buffer, store.index);
  std::string lines = fmt::format("for (long line = N; line + N <= {}; line += N)", extent);
  if (cost_ <= most_grouped_cost) {
    print_whole_group(axis, column_axis, lines, print_vector);
    code_.open("else");
  }
  code_.open(lines);
  in_outer_loop(axis, rows, [&] {
    code_.print("const long {} = line - {};", column, offset_in_line(*place.lined_up, column_axis, printer));
    print_vector();
  });
  code_.close();
  if (cost_ <= most_grouped_cost) code_.close();
  code_.close();
}

// The lines of as many rows as a group has, which stand one after the other.
void KernelPrinter::print_whole_group(int axis, int column_axis, const std::string& lines, const Inside& print_vector) {
  BodyPrinter& printer = *printers_[0];
  const fusion::Store& store = printer.nest().stores[0];
  IndexExpr line = linear_of(context_.schedule, store.buffer, store.index);
  std::string row = axis_name(axis);
  auto in_rows = [&](const Inside& inside) {
    code_.directive(fmt::format("#pragma GCC unroll {}", grouped_rows));
    code_.open(fmt::format("for (long r = 0; r < {}; ++r)", grouped_rows));
    code_.print("const long {0} = {0}_first + r;", row);
    printer.push_scope();
    printer.set_axis(axis, row);
    printer.print_values();
    inside();
    printer.pop_scope();
    code_.close();
  };
  code_.open(fmt::format("if ({0}_end - {0}_first == {1})", row, grouped_rows));
  code_.print("long offsets[{}];", grouped_rows);
  in_rows([&] { code_.print("offsets[r] = {};", offset_in_line(line, column_axis, printer)); });
  code_.open(lines);
  in_rows([&] {
    code_.print("const long {} = line - offsets[r];", axis_name(column_axis));
    print_vector();
  });
  code_.close();
  code_.close();
}

// Of each buffer the row that has not been read before.
void KernelPrinter::print_lines_ahead(const BodyPrinter& printer) {
  std::vector<std::pair<int, IndexExpr>> furthest;
  for (const Load& load : printer.nest().body.loads) {
    IndexExpr linear = linear_of(context_.schedule, load.buffer, load.index);
    bool is_row = linear.is_affine() && linear.coef_of(printer.place().axis).same(1);
    if (!is_row || context_.used(load.buffer).place != Place::memory) continue;
    auto found = std::find_if(furthest.begin(), furthest.end(), [&](const auto& other) {
      bool is_same_memory = memory_of(context_.schedule, other.first) == memory_of(context_.schedule, load.buffer);
      return is_same_memory && (linear - other.second).is_constant();
    });
    if (found == furthest.end())
      furthest.emplace_back(load.buffer, linear);
    else if ((linear - found->second).constant().hint() > 0)
      *found = {load.buffer, linear};
  }
  context_.need("prefetch");
  for (const auto& [buffer, linear] : furthest)
    code_.print("prefetch({});", address_text(context_.used(buffer).name, linear + IndexExpr(elements_ahead),
                                              printer.axes(), context_.use));
}

}  // namespace sinter::codegen
