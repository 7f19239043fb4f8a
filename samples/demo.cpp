// The main job, shown: a C++ function becomes a graph, one fused kernel, machine code, and a fast right answer.

#include <sinter/sinter.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iostream>
#include <vector>

using namespace sinter;

namespace {

constexpr int64_t count = int64_t{1} << 22;

Tensor three_ops(const Tensor& x, const Tensor& y) { return relu(x + y) * 2.0; }
Tensor exact_gelu(const Tensor& x) { return gelu(x); }

// What one would write by hand; the build lets the compiler vectorise them.
void three_ops_by_hand(const float* x, const float* y, float* out) {
  for (int64_t i = 0; i < count; ++i) out[i] = std::max(x[i] + y[i], 0.0f) * 2.0f;
}
void exact_gelu_by_hand(const float* x, float* out) {
  for (int64_t i = 0; i < count; ++i) out[i] = x[i] * 0.5f * (1.0f + std::erf(x[i] * float(M_SQRT1_2)));
}

using Clock = std::chrono::steady_clock;
double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The best of several runs: the others were disturbed.
template <class F>
double best_milliseconds(F&& run) {
  double best = 1e9;
  for (int i = 0; i < 15; ++i) {
    auto start = Clock::now();
    run();
    best = std::min(best, milliseconds_since(start));
  }
  return best;
}

void print_compilation(const Explanation& explanation) {
  std::cout << "-- the captured graph\n" << explanation.graph << "\n-- fusion\n";
  for (const std::string& decision : explanation.fusions) std::cout << decision << "\n";
  for (const std::string& refusal : explanation.refused_fusions) std::cout << refusal << "\n";
  for (const ExplainedKernel& kernel : explanation.kernels) {
    std::cout << kernel.name << " computes";
    for (const std::string& op : kernel.ops) std::cout << " " << op;
    std::cout << ": " << kernel.bytes_read << " bytes read, " << kernel.bytes_written << " written\n";
  }
  std::cout << "\n-- the loops\n" << explanation.fused << "\n-- the generated C++\n";
  for (const ExplainedKernel& kernel : explanation.kernels) std::cout << kernel.source << "\n";
}

// The first elements of both, and whether all agree bit for bit.
void print_results(const Tensor& compiled, const Tensor& eager) {
  std::cout << "-- the result\ncompiled " << compiled.slice(0, 0, 5) << "\neager    " << eager.slice(0, 0, 5) << "\n"
            << (equal(compiled, eager) ? "all elements are equal, bit for bit" : "THE RESULTS DIFFER") << "\n\n";
}

template <class F, class Hand, class... Args>
bool show(const char* what, const char* name, F function, Hand by_hand, const Args&... arguments) {
  std::cout << "==== " << what << "\n\n";
  set_num_threads(1);  // the loop by hand has one, too
  auto fast = compile(function, {.name = name});
  auto start = Clock::now();
  Tensor compiled = fast(arguments...);
  double first = milliseconds_since(start);
  print_compilation(fast.explain(arguments...));
  Tensor eager = function(arguments...);
  print_results(compiled, eager);

  Tensor out = empty({count});
  int64_t bytes = count * 4 * static_cast<int64_t>(sizeof...(arguments) + 1);  // read and written
  std::vector<char> from(static_cast<size_t>(bytes / 2), 1), to(from.size());
  auto row = [](const char* title, double time) { std::cout << fmt::format("{:<16} {:8.2f} ms\n", title, time); };
  std::cout << fmt::format("-- speed, {} elements, one thread, best of 15\n", count);
  row("first call", first);  // traced, compiled, run
  row("compiled", best_milliseconds([&] { fast(arguments...); }));
  row("op by op", best_milliseconds([&] { function(arguments...); }));
  row("loop by hand",
      best_milliseconds([&] { by_hand(arguments.template data_ptr<float>()..., out.data_ptr<float>()); }));
  row("memcpy", best_milliseconds([&] { std::memcpy(to.data(), from.data(), from.size()); }));  // moves as many bytes
  std::cout << "\n";
  return equal(compiled, eager);
}

// The same function on a GPU, where there is one.
bool show_on_cuda(const Tensor& x, const Tensor& y) {
  Device gpu = cuda::device(0);
  Tensor there_x = x.to(gpu), there_y = y.to(gpu);
  auto fast = compile(three_ops, {.name = "three_ops_on_cuda"});
  Tensor result = fast(there_x, there_y);
  std::cout << "==== relu(x + y) * 2.0 on a GPU\n\n-- the generated CUDA\n";
  for (const ExplainedKernel& kernel : fast.explain(there_x, there_y).kernels) std::cout << kernel.source << "\n";
  print_results(result.to(cpu), three_ops(x, y));
  return equal(result.to(cpu), three_ops(x, y));
}

}  // namespace

int main() {
  Tensor x = randn({count}), y = randn({count});
  bool first = show("relu(x + y) * 2.0", "three_ops", three_ops, three_ops_by_hand, x, y);
  bool second = show("gelu(x), exact", "exact_gelu", exact_gelu, exact_gelu_by_hand, x);
  bool third = !cuda::is_available() || show_on_cuda(x, y);
  return first && second && third ? 0 : 1;
}
