// item and check_sizes: sizes that a running program learns from data, and what it relied on.

#include <sinter/graph/passes/insert_size_checks.h>
#include <sinter/runtime/op_by_op.h>
#include <sinter/runtime/routines/routine.h>

namespace sinter::runtime::routines {

SINTER_SIZING_ROUTINE(item_default) {
  Scalar value = args[0].tensor().item(args.here());
  Tensor result = new_tensor(DType::i64, {});
  *result.data_ptr<int64_t>() = value.to_int();
  return {result};
}

void check_sizes_default(const OpArgs& args, Results) {
  SymInt left = args.size("left"), right = args.size("right");
  const std::string& relation = args["relation"].string();
  bool holds = relation == "=="   ? left == right
               : relation == "!=" ? left != right
               : relation == "<"  ? left < right
                                  : left >= right;
  if (holds) return;
  std::string numbers = fmt::format("{} {} {}", to_string(left), relation, to_string(right));
  const std::string& by = args["stated_by"].string();
  if (!by.empty() && by != graph::taken_for_granted)
    throw Error(ErrorKind::argument, args.here(),
                fmt::format("{}: {} does not hold: {}", by, args["text"].string(), numbers));
  auto fail = [&]<class E>(std::type_identity<E>) {
    throw E(ErrorKind::shape, args.here(),
            fmt::format("sizes that data tell do not fit here: {} does not hold: {}", args["text"].string(), numbers),
            {}, "the compiled function relies on that relation");
  };
  if (by.empty()) fail(std::type_identity<UnfitSize>());
  fail(std::type_identity<UnusualSize>());
}

}  // namespace sinter::runtime::routines
