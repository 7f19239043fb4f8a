// Nests with a scan axis: running values along it, one element after the other.
//
// Where neighbours along another axis are neighbours in memory, each lane carries its own line. Where the scan itself
// runs along memory, N rows go together: a square of N x N values becomes columns in registers, which are taken in
// turn, and rows again; a row alone is taken lane by lane. The order is that of the axis in all three.

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::Nest;
using fusion::Store;

// A scan as squares see it.
struct SquareScan {
  int node = -1;
  int source = -1;           // what goes into the square: the operand, or what it was widened from
  int result = -1;           // what comes out: the scan, or what it is narrowed to
  DType dtype = DType::f32;  // of the square
  std::string square;        // C++ names
  std::string running;
};

namespace {

// Bodies above this many instructions do not stand N times in the rows of a square.
constexpr int most_unrolled_cost = 12;

ReductionKind kind_of(const ScalarNode& scan) { return static_cast<ReductionKind>(scan.payload); }

std::string running_name(size_t which) { return fmt::format("running{}_state", which); }

std::string combine_text(const ScalarNode& scan) {
  return fmt::format("[]({0} a, {0} b) {{ return {1}(a, b); }}", vector_type(scan.dtype),
                     combine_of(kind_of(scan), scan.dtype).function);
}

// f32 that only a scan in f64 widens, and whose results are f32 again, crosses the square as f32.
SquareScan square_scan(const Nest& nest, int node, size_t which) {
  const std::vector<ScalarNode>& nodes = nest.body.dag.nodes;
  int operand = nodes[node].operands[0];
  SquareScan scan{node, operand, node, nodes[node].dtype, fmt::format("square{}", which), running_name(which)};
  bool is_widened = nodes[operand].op == ScalarOp::convert && nodes[operand].dtype == DType::f64 &&
                    nodes[nodes[operand].operands[0]].dtype == DType::f32;
  if (!is_widened) return scan;
  int narrowed = -1;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (std::find(std::begin(nodes[i].operands), std::end(nodes[i].operands), node) == std::end(nodes[i].operands))
      continue;
    bool is_narrowing = nodes[i].op == ScalarOp::convert && nodes[i].dtype == DType::f32 && narrowed < 0;
    if (!is_narrowing) return scan;
    narrowed = static_cast<int>(i);
  }
  bool is_stored = std::any_of(nest.stores.begin(), nest.stores.end(), [&](const Store& s) { return s.value == node; });
  if (narrowed < 0 || is_stored) return scan;
  scan.source = nodes[operand].operands[0];
  scan.result = narrowed;
  scan.dtype = DType::f32;
  return scan;
}

std::vector<SquareScan> square_scans(const BodyPrinter& printer) {
  std::vector<SquareScan> scans;
  for (int node : printer.scans()) scans.push_back(square_scan(printer.nest(), node, scans.size()));
  return scans;
}

std::vector<int> stored_values(const Nest& nest) {
  std::vector<int> values;
  for (const Store& store : nest.stores) values.push_back(store.value);
  return values;
}

std::string_view signed_lanes(DType dtype) {
  switch (byte_size(dtype)) {
    case 1: return "i8v";
    case 2: return "i16v";
    case 4: return "i32v";
    default: return "i64v";
  }
}

}  // namespace

void KernelPrinter::print_scan(BodyPrinter& printer) {
  const Nest& nest = printer.nest();
  bool along = nest.vector_axis == fusion::scan_axis(nest);
  print_own_loops(printer, along ? -1 : nest.vector_axis, 1, [&] {
    code_.open("");
    along ? print_scanned_line(printer) : print_scanned_columns(printer);
    code_.close();
  });
}

// The running value of each scan, at the identity.
void KernelPrinter::declare_running(const BodyPrinter& printer, int strip) {
  const std::vector<int>& scans = printer.scans();
  for (size_t i = 0; i < scans.size(); ++i) {
    const ScalarNode& scan = printer.nest().body.dag.nodes[scans[i]];
    std::string name = running_name(i), start = identity(kind_of(scan), scan.dtype);
    std::string_view type = vector_type(scan.dtype);
    context_.need("splat", scan.dtype);
    context_.need(std::string(type));
    context_.need(combine_of(kind_of(scan), scan.dtype).function, scan.dtype);
    if (strip == 1) {
      code_.print("{} {} = {};", type, name, start);
    } else {
      code_.print("{} {}[{}];", type, name, strip);
      code_.print("for ({}& running : {}) running = {};", type, name, start);
    }
  }
}

void KernelPrinter::print_scanned_columns(BodyPrinter& printer) {
  declare_running(printer, strip_.strip);
  for (size_t i = 0; i < printer.scans().size(); ++i) printer.carry(printer.scans()[i], running_name(i));
  in_loop(printer, fusion::scan_axis(printer.nest()), [&] { in_strip(printer, [&] { print_plain_stores(printer); }); });
  for (int scan : printer.scans()) printer.carry(scan, "");
}

void KernelPrinter::print_scanned_line(BodyPrinter& printer) {
  const Nest& nest = printer.nest();
  declare_running(printer, 1);
  VectorLoop loop;
  loop.axis = fusion::scan_axis(nest);
  loop.extent = nest.axes[loop.axis].extent;
  print_vector_loop(loop, [&](const VectorPlace& place, const std::string& text) {
    printer.push_scope();
    printer.set_vector(place, text);
    for (size_t i = 0; i < printer.scans().size(); ++i) {
      const ScalarNode& scan = nest.body.dag.nodes[printer.scans()[i]];
      printer.print_values_of({&scan.operands[0], 1});
      std::string name = fmt::format("running{}", i);
      context_.need("scan_lanes");
      code_.statement(fmt::format("const {} {} = scan_lanes({}, {}, {}, {})", vector_type(scan.dtype), name,
                                  running_name(i), printer.value(scan.operands[0]), place.count, combine_text(scan)),
                      printer.comment(printer.scans()[i]));
      printer.provide(printer.scans()[i], name);
    }
    printer.print_values_of(stored_values(nest));
    print_plain_stores(printer);
    printer.pop_scope();
  });
}

// The kernel is one scan along memory, and neighbours along this axis, which threads share, are its rows.
bool KernelPrinter::scans_rows_together(int axis) const {
  if (printers_.size() != 1 || axis != context_.kernel.outer_axes - 1) return false;
  const Nest& nest = printers_[0]->nest();
  int scanned = fusion::scan_axis(nest);
  if (scanned < 0 || nest.vector_axis != scanned) return false;
  for (int own = axis + 1; own < scanned; ++own)
    if (!nest.axes[own].extent.same(1)) return false;
  return true;
}

void KernelPrinter::print_scanned_rows(int axis, const Inside& inside) {
  BodyPrinter& printer = *printers_[0];
  const Nest& nest = printer.nest();
  int scanned = fusion::scan_axis(nest);
  std::string row = axis_name(axis), first = row + "_first", i = axis_name(scanned);
  std::string end = context_.size_text(nest.axes[scanned].extent);
  code_.print("long {} = begin;", first);
  code_.open(fmt::format("for (; {0} + N <= end; {0} += N)", first));
  printer.push_scope();
  printer.enter_iteration();
  declare_running(printer, 1);
  VectorLoop loop;
  loop.axis = scanned;
  loop.extent = nest.axes[scanned].extent;
  print_vector_loop(
      loop, [&](const VectorPlace& place, const std::string& text) { print_square(printer, axis, place, text); });
  printer.pop_scope();
  code_.close();
  in_outer_loop(axis, fmt::format("for (long {0} = {1}; {0} < end; ++{0})", row, first), inside);
}

void KernelPrinter::print_square(BodyPrinter& printer, int row_axis, const VectorPlace& place,
                                 const std::string& text) {
  const Nest& nest = printer.nest();
  std::vector<SquareScan> scans = square_scans(printer), done;
  for (const SquareScan& scan : scans) {
    const ScalarNode& node = nest.body.dag.nodes[scan.node];
    std::string_view type = vector_type(scan.dtype);
    code_.print("{} {}[N];", type, scan.square);
    in_square_rows(printer, row_axis, place, text, done, [&] {
      printer.print_values_of({&scan.source, 1});
      code_.print("{}[r] = {};", scan.square, printer.value(scan.source));
    });
    bool is_narrow = scan.dtype != node.dtype;
    std::string column = "column", result = scan.running;
    if (is_narrow) {
      context_.need(conversion_piece(scan.dtype, node.dtype));
      context_.need(conversion_piece(node.dtype, scan.dtype));
      column = fmt::format("to_{}(column)", name(node.dtype));
      result = fmt::format("to_{}({})", name(scan.dtype), scan.running);
    }
    context_.need(std::string(signed_lanes(scan.dtype)));
    context_.need("scan_square");
    code_.open(fmt::format("scan_square<{}>({}, {}, [&]({} column)", signed_lanes(scan.dtype), scan.square, place.count,
                           type));
    code_.statement(
        fmt::format("{0} = {1}({0}, {2})", scan.running, combine_of(kind_of(node), node.dtype).function, column),
        printer.comment(scan.node));
    code_.print("return {};", result);
    code_.close(");");
    done.push_back(scan);
  }
  in_square_rows(printer, row_axis, place, text, done, [&] {
    printer.print_values_of(stored_values(nest));
    print_plain_stores(printer);
  });
}

void KernelPrinter::in_square_rows(BodyPrinter& printer, int row_axis, const VectorPlace& place,
                                   const std::string& text, const std::vector<SquareScan>& provided,
                                   const Inside& inside) {
  std::string row = axis_name(row_axis);
  code_.directive(fmt::format("#pragma GCC unroll {}", cost_ <= most_unrolled_cost ? 64 : 1));
  code_.open("for (long r = 0; r < N; ++r)");
  code_.print("const long {0} = {0}_first + r;", row);
  printer.push_scope();
  printer.set_axis(row_axis, row);
  printer.set_vector(place, text);
  for (const SquareScan& scan : provided) {
    printer.provide(scan.node, scan.running);
    printer.provide(scan.result, scan.square + "[r]");
  }
  inside();
  printer.pop_scope();
  code_.close();
}

}  // namespace sinter::codegen
