// The line from a traced graph on a CUDA device to kernels that run there.

#pragma once

#include <sinter/runtime/cuda/run_program.h>
#include <sinter/runtime/input_order.h>

namespace sinter::runtime {

// Some value of the graph is on a CUDA device.
bool uses_cuda(const graph::Graph& graph);

// Whole graphs of one device become fused kernels. A graph over several devices runs op by op, and the log says so.
std::unique_ptr<Executable> cuda_backend(graph::Graph graph, const Options& options, Stages& stages);

// From a prepared graph on, for graphs of one op too. What the generator can't print is an `unsupported` error.
std::unique_ptr<CudaProgram> build_cuda_program(graph::Graph graph, const InputOrder& order, const CudaDevice& device,
                                                Stages& stages);

}  // namespace sinter::runtime
