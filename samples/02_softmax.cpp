// Softmax is made of two reductions and what lies between them; its rows stay in cache from the first to the last.

#include <sinter/sinter.h>

#include <iostream>

using namespace sinter;

int main() {
  auto fast = compile([](const Tensor& x) { return softmax(x, -1); });

  Tensor x = randn({4096, 1000});
  Tensor y = fast(x);
  std::cout << "sums of the rows are 1: " << allclose(sum(y, {-1}), ones({4096})) << "\n";
  std::cout << "equal to softmax run op by op: " << equal(y, softmax(x, -1)) << "\n\n";

  Explanation explanation = fast.explain(x);
  std::cout << explanation.fused << "\n";
  std::cout << explanation.kernels.size() << " kernel, " << explanation.bytes_read << " bytes read, "
            << explanation.bytes_written << " written\n";
}
