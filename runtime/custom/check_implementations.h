// Whether the native backend can run each custom op of a graph: said right after capture, by node, before anything is
// compiled.

#pragma once

#include <sinter/codegen/program.h>
#include <sinter/runtime/cpu/compiler_library.h>
#include <sinter/runtime/options.h>

namespace sinter::runtime {

// Throws Error(backend) that names the backend, the node and the cause.
void check_implementations(const graph::Graph& graph, const Options& options);
// After a kernel of the program failed to compile: throws the same if it was a user's, else returns.
void explain_failed_kernel(const codegen::Program& program, const graph::Graph& graph, const Options& options,
                           const CompileTarget& target);

}  // namespace sinter::runtime
