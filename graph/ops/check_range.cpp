// The check of a range is a call on the smallest and the largest element.

#include <sinter/graph/ops/check_range.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/shape_facts.h>

namespace sinter {

namespace op_defs {

constinit const OpDef check_range_default =
    routine("sinter::check_range(Tensor lowest, Tensor highest, Scalar least, Scalar most, str what, str need) -> ()",
            [](const OpArgs&) { return Metas(); });

}  // namespace op_defs

std::string size_in_message(SymInt size) { return size.is_constant() ? to_string(size) : "{size}"; }

void check_elements(const OpArgs& args, const Tensor& elements, Scalar least, Scalar most, std::string_view what,
                    std::string_view need) {
  if (is_known_to_be(elements.numel(), 0)) return;
  // Extremes of no element, which data may turn out to leave, are in every range.
  graph::AnswerGenerally asks_nothing;
  apply(op_defs::check_range_default,
        {amin(elements), amax(elements), least, most, fmt::format("{}: {}", args.op().schema().name, what),
         std::string(need)},
        args.here());
}

}  // namespace sinter
