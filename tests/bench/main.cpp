// Runs the rows: one thread unless SINTER_NUM_THREADS says otherwise, so that limits and rows see the same machine.

#include <benchmark/benchmark.h>

#include <sinter/sinter.h>

#include <cstdlib>
#include <string_view>

#include "bench/compile_bench.h"

int main(int argc, char** argv) {
  if (!std::getenv("SINTER_NUM_THREADS")) sinter::set_num_threads(1);
  if (argc == 2 && std::string_view(argv[1]) == "--first-call") {
    sinter::bench::run_first_call();
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
