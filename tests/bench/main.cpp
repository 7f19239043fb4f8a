// Runs the rows: one thread unless SINTER_NUM_THREADS says otherwise, so that limits and rows see the same machine.

#include <benchmark/benchmark.h>

#include <sinter/sinter.h>

#include <cstdlib>

int main(int argc, char** argv) {
  if (!std::getenv("SINTER_NUM_THREADS")) sinter::set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
