// The error of every f32 math function over all 2^32 arguments, against libm's f64; minutes a function.

#include <codegen/prelude_error.h>
#include <codegen/prelude_kernels.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

struct Worst {
  double error = 0;
  float at = 0;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Worst worst_of(const PreludeKernel& kernel, double (*exact)(double), uint64_t from, uint64_t to) {
  constexpr long block = 4096;
  std::vector<float> in(block), out(block);
  const void* inputs[] = {in.data()};
  Worst worst;
  for (uint64_t bits = from; bits < to; bits += block) {
    for (long i = 0; i < block; ++i) {
      uint32_t word = static_cast<uint32_t>(bits + i);
      std::memcpy(&in[i], &word, sizeof word);
    }
    kernel.run(inputs, out.data(), block);
    for (long i = 0; i < block; ++i) {
      double error = ulp_error(out[i], exact(in[i]));
      if (error > worst.error) worst = {error, in[i]};
    }
  }
  return worst;
}

bool check(const char* name, double (*exact)(double), double bound) {
  const PreludeKernel& kernel = find_kernel(*prelude_variants().back(), name);
  uint64_t threads = std::max(1u, std::thread::hardware_concurrency()), step = (uint64_t{1} << 32) / threads & ~4095ull;
  Worst worst;
  std::mutex mutex;
  std::vector<std::thread> running;
  for (uint64_t i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      Worst mine = worst_of(kernel, exact, i * step, i + 1 == threads ? uint64_t{1} << 32 : (i + 1) * step);
      std::lock_guard lock(mutex);
      if (mine.error > worst.error) worst = mine;
    });
  }
  for (std::thread& thread : running) thread.join();
  bool good = worst.error <= bound;
  std::printf("%-12s %.4f ulp at %a%s\n", name, worst.error, worst.at, good ? "" : "  TOO LARGE");
  std::fflush(stdout);
  return good;
}

}  // namespace

int main() {
  bool good = true;
  good &= check("exp_f32", std::exp, 1);
  good &= check("log_f32", std::log, 1);
  good &= check("erf_f32", std::erf, 1);
  good &= check("sigmoid_f32", sigmoid, 1);
  good &= check("tanh_f32", std::tanh, 1);
  good &= check("sin_f32", std::sin, 1);
  good &= check("cos_f32", std::cos, 1);
  good &= check("sqrt_f32", std::sqrt, 0.5);
  good &= check("exp2_f32", std::exp2, 1);
  good &= check("expm1_f32", std::expm1, 1.01);
  good &= check("log2_f32", std::log2, 1.3);
  good &= check("log10_f32", std::log10, 1.4);
  good &= check("log1p_f32", std::log1p, 1);
  good &= check("tan_f32", std::tan, 1.2);
  good &= check("asin_f32", std::asin, 1);
  good &= check("acos_f32", std::acos, 1);
  good &= check("atan_f32", std::atan, 1.1);
  good &= check("sinh_f32", std::sinh, 1);
  good &= check("cosh_f32", std::cosh, 1);
  good &= check("asinh_f32", std::asinh, 1.2);
  good &= check("acosh_f32", std::acosh, 1);
  good &= check("atanh_f32", std::atanh, 1);
  return good ? 0 : 1;
}
