// An optimiser's step over the parameters of a model.

#include <sinter/sinter.h>

#include <gtest/gtest.h>

#include "support/compiled.h"

namespace sinter::test {
namespace {

using Tensors = std::vector<Tensor>;

// Adam: p, g, m and v of all parameters in, new p, m and v of each out.
Tensors adam(const Tensors& p, const Tensors& g, const Tensors& m, const Tensors& v) {
  Tensors results;
  for (size_t i = 0; i < p.size(); ++i) {
    Tensor mean = 0.9 * m[i] + 0.1 * g[i], square = 0.999 * v[i] + 0.001 * g[i] * g[i];
    results.push_back(p[i] - 1e-3 * (mean / 0.1) / (sqrt(square / 0.001) + 1e-8));
    results.push_back(mean);
    results.push_back(square);
  }
  return results;
}

// The same in place.
void adam_(const Tensors& p, const Tensors& g, const Tensors& m, const Tensors& v) {
  for (size_t i = 0; i < p.size(); ++i) {
    m[i].mul_(0.9).add_(0.1 * g[i]);
    v[i].mul_(0.999).add_(0.001 * g[i] * g[i]);
    p[i].sub_(1e-3 * (m[i] / 0.1) / (sqrt(v[i] / 0.001) + 1e-8));
  }
}

Tensors parameters(bool is_positive) {
  const SymDims shapes[] = {{64}, {16, 64}, {64, 3, 3, 3}, {10}};
  Tensors list;
  for (size_t i = 0; i < 50; ++i) {
    Tensor x = randn(shapes[i % 4]);
    list.push_back(is_positive ? abs(x) : x);
  }
  return list;
}

TEST(Optimizer, StepsOverFiftyParametersInAFewKernels) {
  Tensors p = parameters(false), g = parameters(false), m = parameters(false), v = parameters(true);
  EXPECT_LE(kernel_count(adam, p, g, m, v), 4);
  EXPECT_LE(kernel_count(adam_, p, g, m, v), 4);
}

TEST(Optimizer, GivesWhatEagerGives) {
  Tensors p = parameters(false), g = parameters(false), m = parameters(false), v = parameters(true);
  Tensors expected = adam(p, g, m, v), found = compile(adam)(p, g, m, v);
  compile(adam_)(p, g, m, v);
  for (size_t i = 0; i < p.size(); ++i) {
    EXPECT_TRUE(equal(found[3 * i], expected[3 * i])) << i;
    EXPECT_TRUE(equal(p[i], expected[3 * i])) << i;
    EXPECT_TRUE(equal(m[i], expected[3 * i + 1])) << i;
    EXPECT_TRUE(equal(v[i], expected[3 * i + 2])) << i;
  }
}

}  // namespace
}  // namespace sinter::test
