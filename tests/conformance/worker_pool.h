// Judges cases in forked processes, so that a crash or a hang costs one case and not the run.

#pragma once

#include "conformance/judge_case.h"

#include <functional>
#include <string>
#include <vector>

namespace sinter::conformance {

struct PoolOptions {
  int processes = 1;          // 0: in this process, without protection (for a debugger)
  double limit_seconds = 60;  // for one case
};

// judge(i) runs in a worker for each i < count; report(i, judgement) runs here, in no particular order.
void judge_all(size_t count, const PoolOptions& options, const std::function<Judgement(size_t)>& judge,
               const std::function<void(size_t, Judgement)>& report);

}  // namespace sinter::conformance
