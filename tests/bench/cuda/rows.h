// The workloads of the CUDA table: names, shapes and arithmetic as in the peers' scripts.

#pragma once

#include <sinter/sinter.h>

#include <functional>
#include <string>
#include <vector>

namespace sinter::bench {

struct CudaRow {
  std::string name;
  double bytes = 0;    // that must move; 0: no copy kernel stands beside it
  double goal_us = 0;  // what the project wants of an H200; 0: nothing said
  double flops = 0;
  std::function<void()> call;  // one call of the compiled function
};

// Makes one row's inputs on the device and compiles its function at the first call. The list is of functions, so that
// one row's memory is free before the next one's is taken.
struct NamedRow {
  std::string name;
  std::function<CudaRow()> make;
};
std::vector<NamedRow> cuda_rows();

}  // namespace sinter::bench
