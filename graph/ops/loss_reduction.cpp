// The three reductions of losses, and checks of their operands.

#include <sinter/graph/ops/loss_reduction.h>

#include <sinter/graph/ops/ops.h>

namespace sinter {

Reduction reduction_of(const OpArgs& args) {
  int64_t number = args.integer("reduction");
  if (number < 0 || number > 2)
    args.fail(ErrorKind::argument, fmt::format("there is no reduction {}", number),
              "need 0 (none), 1 (mean) or 2 (sum)");
  return static_cast<Reduction>(number);
}

Tensor reduced(const OpArgs& args, const Tensor& losses) {
  switch (reduction_of(args)) {
    case Reduction::none: return losses;
    case Reduction::mean: return mean(losses);
    case Reduction::sum: return sum(losses);
  }
  return losses;
}

TensorMeta reduced_meta(const OpArgs& args, TensorMeta losses) {
  if (reduction_of(args) != Reduction::none) losses.layout = {};
  return losses;
}

void check_equal_sizes(const OpArgs& args, std::string_view a, std::string_view b) {
  const SymDims &first = args[a].tensor().sizes(), &second = args[b].tensor().sizes();
  if (!(first == second))
    args.fail(ErrorKind::shape, fmt::format("sizes differ ({} vs {})", to_string(first), to_string(second)),
              fmt::format("need {} and {} of equal sizes", a, b));
}

void check_type(const OpArgs& args, std::string_view parameter, DType dtype) {
  if (args[parameter].is_none()) return;
  DType given = args[parameter].tensor().dtype();
  if (given != dtype)
    args.fail(ErrorKind::dtype, fmt::format("{} is {} and not {}", parameter, name(given), name(dtype)));
}

}  // namespace sinter
