// Runs schedules without compiling them: each nest a tile of elements at a time, one precompiled primitive for each
// scalar operation.
//
// Works on any schedule, fused ones too. All that can be decided ahead is decided by `prepare`; `run` allocates nothing
// beyond scratch memory that a thread keeps.

#pragma once

#include <sinter/runtime/interpreter/prepared_nest.h>

#include <variant>

namespace sinter::runtime {

struct PreparedSchedule {
  using Step = std::variant<PreparedNest, fusion::ExternCall>;
  std::vector<Step> steps;
  // Of each buffer: bytes that the caller has to provide for an output, temporary or local, from its origin on.
  std::vector<int64_t> buffer_bytes;
  std::vector<DType> dtypes;
  std::vector<Layout> layouts;
};

// Refers to the graph of the schedule's extern calls.
PreparedSchedule prepare(const fusion::Schedule& schedule, Isa isa = detect_isa());

// `buffers`: for each of the schedule's buffers the address that offset 0 of its layout stands for.
void run(const PreparedSchedule& prepared, std::span<void* const> buffers);

}  // namespace sinter::runtime
