// The range, the outer axes, and pointwise nests.

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/fusion/access.h>
#include <sinter/graph/sym_expr.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::AxisKind;
using fusion::Kernel;
using fusion::Nest;
using fusion::Store;

namespace {

// Bodies above this many instructions are not printed twice for the sake of the last vector.
constexpr int most_doubled_cost = 16;

}  // namespace

bool is_multiple(SymInt size, int64_t unit) { return exact_quotient(size, unit).has_value(); }

KernelPrinter::KernelPrinter(KernelContext& context) : context_(context), code_(context.code) {
  for (const Nest& nest : context.kernel.nests) {
    printers_.push_back(std::make_unique<BodyPrinter>(context, nest));
    cost_ += body_cost(nest);
  }
  plan_prefetch();
}

void KernelPrinter::for_all(const std::function<void(BodyPrinter&)>& f) {
  for (auto& printer : printers_) f(*printer);
}

void KernelPrinter::print_main() {
  for_all([](BodyPrinter& printer) {
    printer.push_scope();
    printer.print_values();
  });
  print_range([&] { print_outer(context_.kernel.parallel_axes, [&] { print_iteration(); }); });
  for_all([](BodyPrinter& printer) { printer.pop_scope(); });
}

void KernelPrinter::print_range(const Inside& inside) {
  const Kernel& kernel = context_.kernel;
  std::vector<int> axes;
  for (int axis = 0; axis < kernel.parallel_axes; ++axis)
    if (!kernel.nests[0].axes[axis].extent.same(1)) axes.push_back(axis);
  if (axes.empty()) return inside();
  if (axes.size() == 1) return print_flat_range(axes[0], inside);
  print_counted_range(axes, inside);
}

void KernelPrinter::print_flat_range(int axis, const Inside& inside) {
  if (reads_neighbour_rows()) return print_row_groups(axis);
  if (scans_rows_together(axis)) return print_scanned_rows(axis, inside);
  if (axis != context_.shared_axis)
    return in_outer_loop(axis, fmt::format("for (long {0} = begin; {0} < end; ++{0})", axis_name(axis)), inside);
  VectorLoop loop = outer_vector_loop();
  loop.is_whole = false;
  loop.begin = "begin";
  loop.end = "end";
  loop.ends_aligned = is_multiple(loop.extent, int64_t{loop.strip} * context_.lanes);
  print_outer_vectors(loop, inside);
}

// The axes' values count along with the flat position: one division each at the start, none later.
void KernelPrinter::print_counted_range(const std::vector<int>& axes, const Inside& inside) {
  SymInt inner = 1;
  for (size_t k = axes.size(); k-- > 0;) {
    int axis = axes[k];
    SymInt extent = context_.kernel.nests[0].axes[axis].extent;
    std::string position = inner.same(1) ? "begin" : fmt::format("begin / {}", factor_text(inner));
    if (k > 0) position += fmt::format(" % {}", factor_text(extent));
    code_.print("long {} = {};", axis_name(axis), position);
    inner *= extent;
  }
  code_.open("for (long at = begin; at < end; ++at)");
  for_all([&](BodyPrinter& printer) {
    printer.push_scope();
    for (int axis : axes) printer.set_axis(axis, axis_name(axis));
    printer.print_values();
  });
  inside();
  for_all([](BodyPrinter& printer) { printer.pop_scope(); });
  for (size_t k = axes.size(); k-- > 0;) {
    std::string i = axis_name(axes[k]);
    if (k == 0) {
      code_.print("++{};", i);
    } else {
      code_.print("if (++{} < {}) continue;", i, context_.size_text(context_.kernel.nests[0].axes[axes[k]].extent));
      code_.print("{} = 0;", i);
    }
  }
  code_.close();
}

void KernelPrinter::in_outer_loop(int axis, const std::string& head, const Inside& inside) {
  code_.open(head);
  for_all([&](BodyPrinter& printer) {
    printer.push_scope();
    printer.set_axis(axis, axis_name(axis));
    printer.print_values();
  });
  inside();
  for_all([](BodyPrinter& printer) { printer.pop_scope(); });
  code_.close();
}

VectorLoop KernelPrinter::outer_vector_loop() const {
  VectorLoop loop;
  loop.axis = context_.shared_axis;
  loop.extent = context_.kernel.nests[0].axes[loop.axis].extent;
  loop.strip = context_.kernel.strip;
  loop.merges_tail = cost_ > most_doubled_cost;
  return loop;
}

void KernelPrinter::print_outer_vectors(const VectorLoop& loop, const Inside& inside) {
  print_vector_loop(loop, [&](const VectorPlace& place, const std::string& text) {
    for_all([&](BodyPrinter& printer) {
      printer.push_scope();
      if (place.strip > 1) return;
      printer.set_vector(place, text);
      printer.print_values();
    });
    if (place.strip > 1) {
      strip_ = place;
      strip_base_ = text;
    }
    inside();
    strip_ = {};
    for_all([](BodyPrinter& printer) { printer.pop_scope(); });
  });
}

// The outer axes that are not in the range.
void KernelPrinter::print_outer(int axis, const Inside& inside) {
  const Kernel& kernel = context_.kernel;
  if (axis >= kernel.outer_axes) return inside();
  SymInt extent = kernel.nests[0].axes[axis].extent;
  auto next = [&] { print_outer(axis + 1, inside); };
  if (axis == context_.shared_axis) {
    VectorLoop loop = outer_vector_loop();
    if (printers_.size() == 1) line_up(loop, *printers_[0]);
    return print_outer_vectors(loop, next);
  }
  if (extent.same(1)) return next();
  in_outer_loop(axis, fmt::format("for (long {0} = 0; {0} < {1}; ++{0})", axis_name(axis), context_.size_text(extent)),
                next);
}

void KernelPrinter::print_iteration() {
  declare_variables();
  for (size_t first = 0; first < printers_.size();) {
    size_t count = nests_together(first);
    if (count > 1)
      print_together(first, count);
    else
      print_nest(*printers_[first]);
    first += count;
  }
}

void KernelPrinter::declare_variables() {
  for (const KernelBuffer& used : context_.buffers) {
    if (used.place != Place::variable) continue;
    DType dtype = context_.buffer(used.id).dtype;
    context_.need(std::string(vector_type(dtype)));
    if (strip_.strip > 1)
      code_.print("{} {}[{}];", vector_type(dtype), used.name, strip_.strip);
    else
      code_.print("{} {};", vector_type(dtype), used.name);
  }
}

void KernelPrinter::print_nest(BodyPrinter& printer) {
  bool is_one_of_many = printers_.size() > 1;
  if (is_one_of_many) code_.print("// {}", printer.nest().name);
  printer.push_scope();
  printer.enter_iteration();
  printer.print_values();
  if (is_reduction(printer.nest()))
    print_reduction(printer, plan_reduction(printer.nest(), context_));
  else if (fusion::has_scan(printer.nest()))
    print_scan(printer);
  else
    print_pointwise(printer);
  printer.pop_scope();
}

void KernelPrinter::print_pointwise(BodyPrinter& printer) {
  int vector_axis = printer.nest().vector_axis;
  print_own_loops(printer, vector_axis, 1, [&] { in_strip(printer, [&] { print_plain_stores(printer); }); });
}

void KernelPrinter::print_plain_stores(BodyPrinter& printer) {
  const Nest& nest = printer.nest();
  for (const Store& store : nest.stores) {
    if (store.reduction != ReductionKind::none) continue;
    printer.print_store(store, printer.value(store.value), nest.body.dag.nodes[store.value].dtype);
  }
}

void KernelPrinter::print_own_loops(BodyPrinter& printer, int vector_axis, int strip, const Inside& inside) {
  const Nest& nest = printer.nest();
  // Where all that was reduced has been dropped, plain stores run over the reduction axes too.
  bool reduces = is_reduction(nest);
  auto is_kept = [&](int axis) {
    AxisKind kind = nest.axes[axis].kind;
    return kind == AxisKind::parallel || (kind == AxisKind::reduction && !reduces);
  };
  std::vector<int> axes;
  for (int axis = context_.kernel.outer_axes; axis < static_cast<int>(nest.axes.size()); ++axis) {
    bool is_loop = is_kept(axis) && !nest.axes[axis].extent.same(1);
    if (is_loop && axis != vector_axis && axis != axis_in_loop_) axes.push_back(axis);
  }
  std::function<void(size_t)> open = [&](size_t k) {
    if (k < axes.size()) return in_loop(printer, axes[k], [&] { open(k + 1); });
    bool is_own = vector_axis >= context_.kernel.outer_axes && is_kept(vector_axis);
    if (!is_own) return inside();
    VectorLoop loop;
    loop.axis = vector_axis;
    loop.extent = nest.axes[vector_axis].extent;
    loop.strip = strip;
    loop.merges_tail = body_cost(nest) > most_doubled_cost;
    line_up(loop, printer);
    in_vectors(printer, loop, inside);
  };
  open(0);
}

void KernelPrinter::in_loop(BodyPrinter& printer, int axis, const Inside& inside) {
  in_loop(printer, axis, "0", context_.size_text(printer.nest().axes[axis].extent), inside);
}

void KernelPrinter::in_loop(BodyPrinter& printer, int axis, const std::string& begin, const std::string& end,
                            const Inside& inside) {
  code_.open(fmt::format("for (long {0} = {1}; {0} < {2}; ++{0})", axis_name(axis), begin, end));
  printer.push_scope();
  printer.set_axis(axis, axis_name(axis));
  printer.print_values();
  inside();
  printer.pop_scope();
  code_.close();
}

}  // namespace sinter::codegen
