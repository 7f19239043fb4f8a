// What the OpDef of a custom op points to: functions that find their context by custom_of(args.op()).

#pragma once

#include <sinter/graph/op.h>

namespace sinter::graph::custom_rules {

// By the fake function; of an elementwise op by broadcasting and promotion.
Metas meta(const OpArgs& args);
// Operands of the common type, where bool and integers are computed in the default floating type; the formula says
// the result's.
PointwiseTypes types(const OpArgs& args);
ScalarExpr formula(ScalarBuilder& builder, const OpArgs& args, std::span<const ScalarExpr> inputs);
// What a kernel op's function does, in the active trace.
Values decompose(const OpArgs& args);
// The arguments as a kernel op's function gets them: copies of those that it writes, in a functional call.
Values with_copies(const OpArgs& args);
// Of an op that writes arguments: in a trace the functional op and copies into what is written, else the executor's.
Values write(const OpArgs& args);

}  // namespace sinter::graph::custom_rules
