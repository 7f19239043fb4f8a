// Runs the rows: one thread unless SINTER_NUM_THREADS says otherwise, so that limits and rows see the same machine.

#include <benchmark/benchmark.h>

#include <sinter/sinter.h>

#include <cstdlib>
#include <string_view>

#include "bench/compile_bench.h"

int main(int argc, char** argv) {
  if (!std::getenv("SINTER_NUM_THREADS")) sinter::set_num_threads(1);
  setenv("SINTER_CACHE_DIR", "off", /*overwrite=*/0);  // compiles are timed
  std::string_view job = argc == 2 ? argv[1] : "";
  if (job == "--nothing") return 0;
  if (job == "--first-call" || job == "--first-graph") {
    job == "--first-call" ? sinter::bench::run_first_call() : sinter::bench::run_first_graph();
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
