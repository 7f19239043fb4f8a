// Pointwise nests with operands that are contiguous along another axis than the results: a block copies a square of
// each into shared memory, coalesced, and reads it the other way.

#include <sinter/codegen/cuda/cuda_printer.h>

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>

namespace sinter::codegen {

using fusion::Load;
using fusion::Nest;

namespace {

std::string begin_name(int axis) { return axis_name(axis) + "_begin"; }

// `i0 < 100`, where the tiles reach beyond the axis.
std::string within(CudaContext& context, const Nest& nest, int axis, int size) {
  SymInt extent = nest.axes[axis].extent;
  return is_multiple(extent, size) ? "" : fmt::format("{} < {}", axis_name(axis), context.kernel.size_text(extent));
}

std::string both(const std::string& a, const std::string& b) { return a.empty() ? b : b.empty() ? a : a + " && " + b; }

}  // namespace

void CudaPrinter::print_tiles(const TilePlan& plan) {
  BodyPrinter& printer = *printers_[0];
  const Nest& nest = printer.nest();
  KernelContext& kernel = context_.kernel;
  int row = plan.row_axis, column = plan.column_axis, size = plan.size;
  std::string_view index = context_.index_type();
  std::vector<std::string> tiles;
  for (int load : plan.loads) {
    const fusion::Buffer& buffer = kernel.buffer(nest.body.loads[load].buffer);
    tiles.push_back(kernel.fresh_name("tile_" + base_name(buffer.name)));
    code_.print("__shared__ {} {}[{}][{}];  // a column more than it has: its columns lie in different banks",
                element_type(buffer.dtype), tiles.back(), size, size + 1);
  }
  printer.push_scope();
  printer.enter_iteration();
  printer.print_values();
  std::vector<int> order;
  for (int axis = 0; axis < static_cast<int>(nest.axes.size()); ++axis)
    if (axis != row && axis != column && is_long(nest, axis)) order.push_back(axis);
  order.push_back(row);
  order.push_back(column);
  SymInt inner = 1;
  for (size_t k = order.size(); k-- > 0;) {
    int axis = order[k];
    bool is_tiled = axis == row || axis == column;
    SymInt steps = is_tiled ? ceil_div(nest.axes[axis].extent, size) : nest.axes[axis].extent;
    std::string position = inner.same(1) ? "(int)blockIdx.x" : fmt::format("(int)blockIdx.x / {}", factor_text(inner));
    if (k > 0) position += fmt::format(" % {}", factor_text(steps));
    if (is_tiled) position = fmt::format("({})({}) * {}", index, position, size);
    code_.print("const {} {} = {};", index, is_tiled ? begin_name(axis) : axis_name(axis), position);
    if (!is_tiled) printer.set_axis(axis, axis_name(axis));
    inner *= steps;
  }
  printer.print_values();
  code_.print("const int along = (int)threadIdx.x % {0}, first = (int)threadIdx.x / {0};", size);
  auto in_steps = [&](int stepped, int other, const Inside& inside) {
    code_.directive("#pragma unroll");
    code_.open(fmt::format("for (int step = first; step < {}; step += {})", size, element_block / size));
    code_.print("const {0} {1} = {2} + along, {3} = {4} + step;", index, axis_name(other), begin_name(other),
                axis_name(stepped), begin_name(stepped));
    in_if(both(within(context_, nest, row, size), within(context_, nest, column, size)), inside);
    code_.close();
  };
  in_steps(column, row, [&] {
    for (size_t t = 0; t < plan.loads.size(); ++t) {
      const Load& load = nest.body.loads[plan.loads[t]];
      AxisScope scope = printer.axes();
      scope.text[row] = axis_name(row);
      scope.text[column] = axis_name(column);
      code_.print("{}[step][along] = *({});", tiles[t],
                  address_text(kernel.used(load.buffer).name, context_.linear(load), scope, kernel.use));
      kernel.need("load", kernel.buffer(load.buffer).dtype);
      printer.redirect(plan.loads[t], fmt::format("&{}[along][step]", tiles[t]));
    }
  });
  code_.print("__syncthreads();");
  in_steps(row, column, [&] {
    printer.push_scope();
    printer.set_axis(row, axis_name(row));
    printer.set_axis(column, axis_name(column));
    printer.print_values();
    print_stores(printer, {});
    printer.pop_scope();
  });
  printer.pop_scope();
}

}  // namespace sinter::codegen
