// Random programs over the foundation's operators: inputs of any dtype and layout, calls, views, writes, results.

#pragma once

#include <sinter/graph/trace.h>

#include "support/call_sequence.h"
#include "support/test_device.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sinter::test {

struct RandomInput {
  TensorMeta meta;
  int storage = 0;  // inputs with the same number share memory
};

struct RandomProgram {
  uint64_t seed = 0;
  std::vector<RandomInput> inputs;
  std::vector<std::vector<std::byte>> storages;  // initial contents
  std::vector<Call> calls;
  std::vector<Operand> returns;

  // Fresh tensors with the initial contents.
  std::vector<Tensor> make_inputs(Device device = placement()) const;
  // The tensors among what it returns (an absent gradient is none).
  std::vector<Tensor> run(std::vector<Tensor> inputs) const;
};

// Large ones have inputs that are worth several threads and that reductions are split over.
enum class ProgramSize { small, large };

// The same program for the same seed, on every machine.
RandomProgram random_program(uint64_t seed, ProgramSize size = ProgramSize::small);

// The traced graph.
graph::Graph trace_program(const RandomProgram& program);
// Seed, input layouts and graph text: enough to reproduce.
std::string describe(const RandomProgram& program);

}  // namespace sinter::test
