// A kernel whose local buffers lie in memory: what separate launches need, which share nothing else.

#pragma once

#include <sinter/fusion/schedule.h>

#include <map>

namespace sinter::codegen {

struct LocalsInMemory {
  fusion::Schedule schedule;  // only its buffers
  fusion::Kernel kernel;
  std::map<int, SymInt> offsets;  // of each buffer that was local, in the memory for them
  SymInt bytes = 0;
};

LocalsInMemory put_locals_in_memory(const fusion::Schedule& schedule, const fusion::Kernel& kernel);

}  // namespace sinter::codegen
