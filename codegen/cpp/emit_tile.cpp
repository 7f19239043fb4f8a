// Pointwise kernels in tiles: operands that run across the vectors are transposed through a small buffer first.

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>

namespace sinter::codegen {

using fusion::IndexExpr;
using fusion::Load;
using fusion::Nest;

namespace {

// Smaller operands are in a cache anyway.
constexpr int64_t least_prefetched_bytes = 1 << 20;

std::string begin_name(int axis) { return axis_name(axis) + "_begin"; }
std::string end_name(int axis) { return axis_name(axis) + "_end"; }

// Unsigned and signed vectors of elements of that size.
std::pair<std::string_view, std::string_view> raw_vectors(int64_t bytes) {
  switch (bytes) {
    case 1: return {"u8v", "i8v"};
    case 2: return {"u16v", "i16v"};
    case 4: return {"u32v", "i32v"};
    default: return {"u64v", "i64v"};
  }
}

}  // namespace

void KernelPrinter::print_tiles(const TilePlan& plan) {
  BodyPrinter& printer = *printers_[0];
  const Nest& nest = printer.nest();
  context_.need("at_most");
  std::vector<std::string> tiles;
  for (int row : plan.loads) {
    const fusion::Buffer& buffer = context_.buffer(nest.body.loads[row].buffer);
    tiles.push_back(context_.fresh_name("tile_" + base_name(buffer.name)));
    code_.print("alignas(64) {} {}[{}];", element_type(buffer.dtype), tiles.back(),
                plan.size * plan.size + context_.lanes);
  }
  printer.push_scope();
  printer.print_values();
  code_.open("for (long at = begin; at < end; ++at)");
  printer.push_scope();
  printer.enter_iteration();
  place_tile(printer, plan);
  printer.print_values();
  for (size_t i = 0; i < plan.loads.size(); ++i) copy_tile(printer, plan, plan.loads[i], tiles[i]);
  in_loop(printer, plan.row_axis, begin_name(plan.row_axis), end_name(plan.row_axis), [&] {
    VectorLoop loop;
    loop.axis = plan.column_axis;
    loop.begin = begin_name(loop.axis);
    loop.end = end_name(loop.axis);
    loop.extent = nest.axes[loop.axis].extent;
    loop.is_whole = false;
    loop.ends_aligned = context_.are_lines({&loop.extent, 1});
    loop.merges_tail = true;
    in_vectors(printer, loop, [&] { print_plain_stores(printer); });
    print_next_tile(printer, plan);
  });
  printer.pop_scope();
  code_.close();
  printer.pop_scope();
}

// Decodes the number of the tile; the column axis changes fastest.
void KernelPrinter::place_tile(BodyPrinter& printer, const TilePlan& plan) {
  const Nest& nest = printer.nest();
  std::vector<int> order;
  for (int axis = 0; axis < static_cast<int>(nest.axes.size()); ++axis)
    if (axis != plan.row_axis && axis != plan.column_axis) order.push_back(axis);
  order.push_back(plan.row_axis);
  order.push_back(plan.column_axis);
  SymInt inner = 1;
  for (size_t k = order.size(); k-- > 0;) {
    int axis = order[k];
    bool is_tiled = k + 2 >= order.size();
    SymInt extent = nest.axes[axis].extent;
    SymInt steps = is_tiled ? ceil_div(extent, plan.size) : extent;
    std::string position = inner.same(1) ? "at" : fmt::format("at / {}", factor_text(inner));
    if (k > 0) position += fmt::format(" % {}", factor_text(steps));
    if (is_tiled) {
      code_.print("const long {} = {} * ({});", begin_name(axis), plan.size, position);
      std::string end = fmt::format("{} + {}", begin_name(axis), plan.size);
      code_.print(
          "const long {} = {};", end_name(axis),
          is_multiple(extent, plan.size) ? end : fmt::format("at_most({}, {})", end, context_.size_text(extent)));
    } else if (!extent.same(1)) {
      code_.print("const long {} = {};", axis_name(axis), position);
      printer.set_axis(axis, axis_name(axis));
    }
    inner *= steps;
  }
}

// Of each transposed operand the machine does not see which lines come next: while a row of this tile is computed,
// those of a row of the next one along the columns are asked for.
void KernelPrinter::print_next_tile(BodyPrinter& printer, const TilePlan& plan) {
  for (int row : plan.loads) {
    const Load& load = printer.nest().body.loads[row];
    const fusion::Buffer& buffer = context_.buffer(load.buffer);
    int64_t line = 64 / byte_size(buffer.dtype);
    if (context_.used(load.buffer).bytes.hint() < least_prefetched_bytes || plan.size < line) continue;
    AxisScope scope = printer.axes();
    scope.text[plan.row_axis] = begin_name(plan.row_axis);
    scope.text[plan.column_axis] =
        fmt::format("({} + {} - {})", end_name(plan.column_axis), axis_name(plan.row_axis), begin_name(plan.row_axis));
    std::string address =
        address_text(context_.used(load.buffer).name,
                     linear_index(load.index, buffer.layout.strides, buffer.layout.offset), scope, context_.use);
    context_.need("prefetch");
    code_.print("for (long ahead = 0; ahead < {}; ahead += {}) prefetch({} + ahead);", plan.size, line, address);
  }
}

void KernelPrinter::copy_tile(BodyPrinter& printer, const TilePlan& plan, int row, const std::string& tile) {
  const Load& load = printer.nest().body.loads[row];
  const fusion::Buffer& buffer = context_.buffer(load.buffer);
  IndexExpr linear = linear_index(load.index, buffer.layout.strides, buffer.layout.offset);
  AxisScope scope = printer.axes();
  scope.text[plan.row_axis] = begin_name(plan.row_axis);
  scope.text[plan.column_axis] = begin_name(plan.column_axis);
  auto [raw, raw_signed] = raw_vectors(byte_size(buffer.dtype));
  for (std::string_view piece : {raw, raw_signed, std::string_view("copy_transposed")})
    context_.need(std::string(piece));
  context_.need("load", buffer.dtype);
  std::string address = address_text(context_.used(load.buffer).name, linear, scope, context_.use);
  // A constant, where it is one, spares the copy its tests.
  auto count = [&](int axis) {
    bool is_whole = is_multiple(printer.nest().axes[axis].extent, plan.size);
    return is_whole ? fmt::format("{}", plan.size) : fmt::format("{} - {}", end_name(axis), begin_name(axis));
  };
  code_.print("copy_transposed<{}, {}>({}, {}, {}, {}, {}, {});", raw, raw_signed, address,
              context_.size_text(linear.coef_of(plan.column_axis)), tile, plan.size, count(plan.column_axis),
              count(plan.row_axis));
  printer.redirect(row, fmt::format("{0} + ({1} - {2}) * {3} + ({4} - {5})", tile, axis_name(plan.row_axis),
                                    begin_name(plan.row_axis), plan.size, axis_name(plan.column_axis),
                                    begin_name(plan.column_axis)));
}

}  // namespace sinter::codegen
