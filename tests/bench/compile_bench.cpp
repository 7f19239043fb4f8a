// What compiling costs: from the call of a function never seen to its result. No iteration finds a kernel of another:
// each multiplies by a number of its own.

#include "bench/compile_bench.h"

#include <benchmark/benchmark.h>
#include <spawn.h>
#include <sys/wait.h>

#include <sinter/sinter.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/side_by_side.h"
#include "support/temporary_folder.h"

extern char** environ;

namespace sinter::bench {

namespace {

double next_number() {
  static double number = 2.0;
  return number += 0x1p-10;
}

Tensor three_ops(const Tensor& x, const Tensor& y, double number) { return relu(x + y) * number; }

// Counters: ours_us (the median) beside what the row means to reach.
void run_compiles(benchmark::State& state, double reach_seconds, const std::function<void()>& first_call) {
  std::vector<double> times;
  first_call();
  for (auto _ : state) {
    times.push_back(seconds_of(first_call));
    state.SetIterationTime(times.back());
  }
  state.counters["ours_us"] = median(times) * 1e6;
  state.counters["limit_us"] = reach_seconds * 1e6;
  state.counters["reached"] = reach_seconds / median(times);
}

void compile_three_ops(benchmark::State& state) {
  Tensor x = randn({1000}), y = randn({1000});
  run_compiles(state, 25e-3, [&] {
    double number = next_number();
    auto fast = compile([number](const Tensor& a, const Tensor& b) { return three_ops(a, b, number); });
    benchmark::DoNotOptimize(fast(x, y));
  });
}
SINTER_ROW(compile_three_ops)->Iterations(20);

// This program once more, for one of its jobs only, with that cache on disk.
void run_process(std::string job, const std::string& cache = "off") {
  char program[] = "/proc/self/exe";
  char* arguments[] = {program, job.data(), nullptr};
  std::string variable = "SINTER_CACHE_DIR=" + cache;
  std::vector<char*> variables = {variable.data()};
  for (char** inherited = environ; *inherited; ++inherited)
    if (!std::string_view(*inherited).starts_with("SINTER_CACHE_DIR=")) variables.push_back(*inherited);
  variables.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  if (posix_spawn(&child, program, nullptr, nullptr, arguments, variables.data()) != 0 ||
      waitpid(child, &status, 0) != child || status != 0)
    throw std::runtime_error("the program could not run itself");
}

double process_seconds(const std::string& job) {
  std::vector<double> times;
  for (int i = 0; i < 10; ++i) times.push_back(seconds_of([&] { run_process(job); }));
  return median(times);
}

void compile_new_process(benchmark::State& state) {
  run_compiles(state, 120e-3, [] { run_process("--first-call"); });
}
SINTER_ROW(compile_new_process)->Iterations(10);

// With a warm cache on disk, from start to exit: at most 30 ms more than a process that calls nothing.
void warm_new_process(benchmark::State& state) {
  test::TemporaryFolder cache;
  run_compiles(state, process_seconds("--nothing") + 30e-3,
               [&] { run_process("--first-call", cache.path + "/cache"); });
}
SINTER_ROW(warm_new_process)->Iterations(10);

// A graph of 200 kernels: at most a twentieth of what compiling them takes.
void warm_graph_200(benchmark::State& state) {
  test::TemporaryFolder cache;
  double cold = seconds_of([] { run_process("--first-graph"); });
  run_compiles(state, cold / 20, [&] { run_process("--first-graph", cache.path + "/cache"); });
}
SINTER_ROW(warm_graph_200)->Iterations(5);

void compile_chain_200(benchmark::State& state) {
  Tensor x = randn({1000});
  run_compiles(state, 250e-3, [&] {
    double number = next_number();
    auto fast = compile([number](Tensor t) {
      for (int i = 0; i < 50; ++i) t = tanh(relu(t + number) * 0.5);
      return t;
    });
    benchmark::DoNotOptimize(fast(x));
  });
}
SINTER_ROW(compile_chain_200)->Iterations(10);

// 12 times linear, gelu, linear, residual, layer norm.
void compile_mlp_12(benchmark::State& state) {
  constexpr int layers = 12, width = 64;
  Tensor x = randn({16, width});
  std::vector<Tensor> up, down, scale, shift;
  for (int i = 0; i < layers; ++i) {
    up.push_back(randn({4 * width, width}));
    down.push_back(randn({width, 4 * width}));
    scale.push_back(ones({width}));
    shift.push_back(zeros({width}));
  }
  using Tensors = std::vector<Tensor>;
  run_compiles(state, 600e-3, [&] {
    double number = next_number();
    auto fast = compile(
        [number](Tensor h, const Tensors& ups, const Tensors& downs, const Tensors& scales, const Tensors& shifts) {
          for (int i = 0; i < layers; ++i) {
            Tensor inner = gelu(linear(h, ups[i]) * (number + i));
            h = layer_norm(h + linear(inner, downs[i]), {width}, scales[i], shifts[i]);
          }
          return h;
        });
    benchmark::DoNotOptimize(fast(x, up, down, scale, shift));
  });
}
SINTER_ROW(compile_mlp_12)->Iterations(5);

}  // namespace

void run_first_call() {
  auto fast = compile([](const Tensor& a, const Tensor& b) { return three_ops(a, b, 2.0); });
  benchmark::DoNotOptimize(fast(ones({1000}), ones({1000})));
}

void run_first_graph() {
  auto fast = compile([](const Tensor& a) {
    Tensor x = a;
    for (int i = 0; i < 200; ++i) x = sum(x * (1e-3 * (i + 1)), {i % 2}, /*keepdim=*/true) + a;
    return x;
  });
  benchmark::DoNotOptimize(fast(ones({100, 100})));
}

}  // namespace sinter::bench
