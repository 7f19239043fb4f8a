// A block of a network: products go to the library, everything between them is fused.

#include <sinter/sinter.h>

#include <iostream>

using namespace sinter;

Tensor block(const Tensor& x, const Tensor& up, const Tensor& up_bias, const Tensor& down, const Tensor& down_bias) {
  Tensor hidden = gelu(linear(x, up, up_bias));
  return layer_norm(x + linear(hidden, down, down_bias), {x.sizes().back()});
}

int main() {
  auto fast = compile(block);

  Tensor x = randn({128, 256});
  Tensor up = randn({1024, 256}) * 0.05, up_bias = zeros({1024});
  Tensor down = randn({256, 1024}) * 0.05, down_bias = zeros({256});
  Tensor y = fast(x, up, up_bias, down, down_bias);
  std::cout << "equal to the block run op by op: " << equal(y, block(x, up, up_bias, down, down_bias)) << "\n\n";

  for (const ExplainedKernel& kernel : fast.explain(x, up, up_bias, down, down_bias).kernels) {
    std::cout << (kernel.is_library_call ? "library " : "kernel  ") << kernel.name << ":";
    for (const std::string& op : kernel.ops) std::cout << " " << op;
    std::cout << "\n";
  }
}
