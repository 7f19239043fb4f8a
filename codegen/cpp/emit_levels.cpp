// The binary counter of a reduction's blocks: the memory of its levels, what adds a block, and the total.

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>

#include <algorithm>

namespace sinter::codegen {

namespace {

// Vectors that hold the levels of a strip, if the number of blocks is not known: of the longest sequences so many
// fewer stand side by side.
constexpr int level_room = most_levels * 64;

// The levels of one sequence follow one another if no stride says otherwise.
std::string last_argument(const std::string& stride) { return stride == "1" ? "" : ", " + stride; }

}  // namespace

bool KernelPrinter::has_levels(const ReductionPlan& plan, const Accumulator& acc) const {
  return plan.is_segment || plan.may_exceed(acc.block);
}

int KernelPrinter::levels_of(const ReductionPlan& plan, const Accumulator& acc) const {
  if (!plan.is_segment) return levels_of_blocks(acc.blocks);
  SymInt whole = plan.segment / acc.block;
  return levels_of_blocks(acc.blocks.is_constant() ? min(acc.blocks, whole) : whole);
}

// Of a strip the results of one level stand together: few pages are touched, however many levels there may be.
void KernelPrinter::declare_column_levels(const ReductionPlan& plan, const Accumulator& acc) {
  if (has_run_time_strip(plan, acc))
    code_.print("{} {}_levels[{}];", vector_type(acc.dtype), acc.name,
                std::min(level_room, most_levels * strip_.strip));
  else
    code_.print("{} {}_levels[{}]{};", vector_type(acc.dtype), acc.name, levels_of(plan, acc), strip_dims());
}

// Where the number of blocks is known at run time only, so is how many vectors have room for their levels.
bool KernelPrinter::has_run_time_strip(const ReductionPlan& plan, const Accumulator& acc) const {
  return is_long_strip(strip_.strip) && !plan.is_segment && !acc.blocks.is_constant();
}

// The most vectors that a long strip takes.
std::string KernelPrinter::longest_strip(int strip) {
  SymInt blocks = 1;
  for (size_t k = context_.kernel.splits_reduction ? 1 : 0; k < printers_.size(); ++k) {
    if (!is_reduction(printers_[k]->nest())) continue;
    for (const Accumulator& acc : plan_reduction(printers_[k]->nest(), context_).accumulators)
      if (!acc.blocks.is_constant()) blocks = max(blocks, acc.blocks);
  }
  if (blocks.is_constant()) return fmt::format("{}", strip);
  context_.need("level_count");
  code_.print("const long strip = at_most({}, {} / level_count({}));", strip, std::min(level_room, most_levels * strip),
              context_.size_text(blocks));
  return "strip";
}

// The first level of the column at hand.
std::string KernelPrinter::column_levels(const ReductionPlan& plan, const Accumulator& acc) const {
  if (strip_.strip == 1) return acc.name + "_levels";
  return fmt::format("{}_levels{} + s", acc.name, has_run_time_strip(plan, acc) ? "" : "[0]");
}

// How far apart the levels of one sequence stand.
std::string KernelPrinter::level_stride(const ReductionPlan& plan, const Accumulator& acc) const {
  return has_run_time_strip(plan, acc) ? "strip" : fmt::format("{}", strip_.strip);
}

void KernelPrinter::print_add_block(const Accumulator& acc, const std::string& levels, const std::string& block,
                                    const std::string& value, const std::string& stride) {
  context_.need("add_block");
  code_.print("add_block({}, {}, {}, {}{});", levels, block, value, lane_combine(acc), last_argument(stride));
}

std::string KernelPrinter::total_of(const ReductionPlan& plan, const Accumulator& acc, const std::string& levels,
                                    const std::string& stride) {
  context_.need("total_of_blocks");
  std::string blocks = plan.is_segment
                           ? fmt::format("({} - {} + {}) / {}", plan.end, plan.begin, acc.block - 1, acc.block)
                           : context_.size_text(acc.blocks);
  return or_start(
      plan, acc,
      fmt::format("total_of_blocks({}, {}, {}{})", levels, blocks, lane_combine(acc), last_argument(stride)));
}

std::string KernelPrinter::or_start(const ReductionPlan& plan, const Accumulator& acc, const std::string& total) {
  if (is_surely_at_least(plan.length, 1) || plan.length.is_constant()) return total;
  std::string begin = plan.is_segment ? plan.begin : "0";
  return fmt::format("({} > {} ? {} : {})", plan.end, begin, total, identity(acc.kind, acc.dtype));
}

}  // namespace sinter::codegen
