// A reduction to few results: threads take segments of its sequence, a second phase combines what they found.
//
// A segment is an aligned run of 2^m blocks, so its result is a subtree of the binary counter: the bits do not depend
// on the number of threads.

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>

namespace sinter::codegen {

using fusion::AxisKind;
using fusion::IndexExpr;
using fusion::Nest;

ReductionPlan KernelPrinter::split_plan() const {
  const Nest& nest = context_.kernel.nests[0];
  ReductionPlan plan = plan_reduction(nest, context_);
  plan_segments(plan, nest, context_.kernel.outer_axes);
  return plan;
}

void KernelPrinter::print_segments() {
  BodyPrinter& printer = *printers_[0];
  ReductionPlan plan = split_plan();
  plan.is_segment = true;
  plan.begin = "segment_begin";
  plan.end = "segment_end";
  context_.need("at_most");
  declare_partials(plan);
  printer.push_scope();
  printer.enter_iteration();
  printer.print_values();
  code_.open("for (long segment = begin; segment < end; ++segment)");
  code_.print("const long segment_begin = segment * {};", plan.segment);
  code_.print("const long segment_end = at_most(segment_begin + {}, {});", plan.segment,
              context_.size_text(plan.length));
  print_reduction(printer, plan);
  code_.close();
  printer.pop_scope();
}

void KernelPrinter::print_finish() {
  declare_partials(split_plan());
  for (size_t i = 1; i < printers_.size(); ++i) {
    printers_[i]->push_scope();
    printers_[i]->print_values();
  }
  declare_variables();
  print_combined_segments();
  for (size_t i = 1; i < printers_.size(); ++i) {
    print_nest(*printers_[i]);
    printers_[i]->pop_scope();
  }
}

void KernelPrinter::declare_partials(const ReductionPlan& plan) {
  for (size_t i = 0; i < plan.accumulators.size(); ++i) {
    const Accumulator& acc = plan.accumulators[i];
    std::string_view type = element_type(acc.dtype);
    context_.need(std::string(vector_type(acc.dtype)));
    if (has_piece(type)) context_.need(std::string(type));
    code_.print("{0}* partial_{1} = ({0}*)((char*)buffers[{2}] + {3});", type, i, partial_position(),
                context_.size_text(acc.partial_offset));
  }
}

// After all other buffers.
int KernelPrinter::partial_position() const {
  int position = 0;
  for (const KernelBuffer& used : context_.buffers) position += used.place == Place::memory;
  return position;
}

std::string KernelPrinter::partial_address(const BodyPrinter& printer, const ReductionPlan& plan,
                                           const Accumulator& acc, const std::string& segment) {
  const Nest& nest = printer.nest();
  IndexExpr result;
  SymInt stride = 1;
  auto add_axis = [&](int axis) {
    result = result + IndexExpr::axis(axis) * stride;
    stride *= nest.axes[axis].extent;
  };
  // Results that one vector holds lie side by side.
  if (plan.vector_axis >= 0 && nest.axes[plan.vector_axis].kind == AxisKind::parallel) add_axis(plan.vector_axis);
  for (int axis = static_cast<int>(nest.axes.size()) - 1; axis >= 0; --axis)
    if (nest.axes[axis].kind == AxisKind::parallel && axis != plan.vector_axis) add_axis(axis);
  std::string pointer = fmt::format("partial_{}", &acc - plan.accumulators.data());
  return address_text(fmt::format("{} + {} * {}", pointer, segment, factor_text(plan.results)), result, printer.axes(),
                      context_.use);
}

void KernelPrinter::print_partial_store(BodyPrinter& printer, const ReductionPlan& plan, const Accumulator& acc,
                                        const std::string& value) {
  const VectorPlace& place = printer.place();
  context_.need("store", acc.dtype);
  context_.need("store_n", acc.dtype);
  context_.need("store_up_to");
  code_.print("store_up_to({}, {}, {});", partial_address(printer, plan, acc, "segment"), value,
              place.axis < 0 ? "1" : place.count);
}

void KernelPrinter::print_combined_segments() {
  BodyPrinter& printer = *printers_[0];
  ReductionPlan plan = split_plan();
  if (printers_.size() > 1) code_.print("// {}", printer.nest().name);
  printer.push_scope();
  printer.enter_iteration();
  for (std::string_view piece : {"load_up_to", "add_block", "total_of_blocks"}) context_.need(std::string(piece));
  print_own_loops(printer, plan.vector_axis, 1, [&] {
    const VectorPlace& place = printer.place();
    for (size_t i = 0; i < plan.accumulators.size(); ++i) {
      Accumulator& acc = plan.accumulators[i];
      acc.name = context_.fresh_name(combine_of(acc.kind, acc.dtype).name);
      std::string_view type = vector_type(acc.dtype);
      int levels = levels_of_blocks(plan.segments);
      for (std::string_view piece : {"load", "load_n", "load_splat"}) context_.need(piece, acc.dtype);
      context_.need(combine_of(acc.kind, acc.dtype).function, acc.dtype);
      std::string address = partial_address(printer, plan, acc, "segment");
      code_.print("{} {}_levels[{}];", type, acc.name, levels);
      code_.open(fmt::format("for (long segment = 0; segment < {}; ++segment)", context_.size_text(plan.segments)));
      std::string loaded = place.axis < 0 ? fmt::format("load_splat({})", address)
                                          : fmt::format("load_up_to({}, {})", address, place.count);
      code_.print("add_block({}_levels, segment, {}, {});", acc.name, loaded, lane_combine(acc));
      code_.close();
      std::string total = fmt::format("total_of_blocks({}_levels, {}, {})", acc.name, context_.size_text(plan.segments),
                                      lane_combine(acc));
      printer.print_store(printer.nest().stores[acc.store], total, acc.dtype);
    }
  });
  printer.pop_scope();
}

}  // namespace sinter::codegen
