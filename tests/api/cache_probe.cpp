// Compiles and runs a small program, and says what it took: "values=... compiles=N disk_hits=N compiler=loaded|absent".
//
//   sinter_cache_probe [NUMBER [KERNELS]]   NUMBER makes the kernels differ from those of another number

#include <sinter/runtime/kernel_cache.h>
#include <sinter/sinter.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

using namespace sinter;

namespace {

bool maps_compiler() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    for (const char* part : {"libsinter_compiler", "libLLVM", "libclang"})
      if (line.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  double number = argc > 1 ? std::atof(argv[1]) : 2.0;
  int kernels = argc > 2 ? std::atoi(argv[2]) : 1;
  auto fast = compile([=](const Tensor& a) {
    Tensor x = softmax(a, -1) + sum(a) * number;
    for (int i = 1; i < kernels; ++i) x = sum(x * (number + i), {1 - i % 2}, /*keepdim=*/true) + a;
    return x;
  });
  Tensor a = arange(10000, f32).reshape({100, 100}) * 1e-4;
  Tensor result = fast(a);
  runtime::KernelCacheStats stats = runtime::kernel_cache_stats();
  std::cout << "values=" << sum(result).item<float>() << " compiles=" << stats.compiles
            << " disk_hits=" << stats.disk_hits << " compiler=" << (maps_compiler() ? "loaded" : "absent") << "\n";
}
