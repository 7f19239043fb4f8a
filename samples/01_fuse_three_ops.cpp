// Three ops become one kernel: compile a function, call it, and look at what it became.

#include <sinter/sinter.h>

#include <iostream>

using namespace sinter;

Tensor f(const Tensor& x, const Tensor& y) { return relu(x + y) * 2.0; }

int main() {
  auto fast = compile(f);

  Tensor x = tensor({{1.0, -2.0, 3.0}, {-4.0, 5.0, -6.0}}), y = tensor({0.5, 1.0, -1.0});
  Tensor z = fast(x, y);  // traces, compiles, runs
  z = fast(x, y);         // runs
  std::cout << z << "\n\n";

  Explanation explanation = fast.explain(x, y);
  std::cout << explanation.graph << "\n";
  for (const ExplainedKernel& kernel : explanation.kernels)
    std::cout << kernel.ops.size() << " ops -> 1 kernel, " << kernel.name << "\n";
}
