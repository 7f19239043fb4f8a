// Lesson 6: the same function on a GPU. Tensors that are there make compile(fn) generate CUDA kernels; nothing else
// changes.

#include <sinter/sinter.h>

#include <iostream>

using namespace sinter;

namespace {

Tensor block(const Tensor& x, const Tensor& residual, const Tensor& weight, const Tensor& bias) {
  return gelu(layer_norm(x + residual, {weight.size(0)}, weight, bias)) * 2.0;
}

}  // namespace

int main() {
  if (!cuda::is_available()) {
    std::cout << "this machine has no CUDA device; the sample has nothing to show\n";
    return 0;
  }
  Device gpu = cuda::device(0);
  Tensor x = randn({64, 1024}), residual = randn({64, 1024}), weight = rand({1024}), bias = rand({1024});
  auto fast = compile(block);

  Tensor on_cpu = block(x, residual, weight, bias);
  Tensor on_gpu = fast(x.to(gpu), residual.to(gpu), weight.to(gpu), bias.to(gpu));

  double difference = amax(abs(on_gpu.to(cpu) - on_cpu), {0, 1}).item<double>();
  std::cout << "the GPU's result is on " << to_string(on_gpu.device()) << "; its largest difference from the CPU's is "
            << (difference < 1e-5 ? "below 1e-5" : "TOO LARGE") << "\n";
  for (const ExplainedKernel& kernel : fast.explain(x.to(gpu), residual.to(gpu), weight.to(gpu), bias.to(gpu)).kernels)
    std::cout << kernel.name << "\n";
  return difference < 1e-5 ? 0 : 1;
}
