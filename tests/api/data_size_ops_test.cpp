// Operators on tensors of a size that only data tell: equal to eager at every count, one compile for all.

#include <sinter/sinter.h>

#include <functional>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

// Of the rows [u0, 4] and a column of them [u0], which a mask has chosen.
using Function = std::function<Tensor(const Tensor& rows, const Tensor& column)>;
struct Case {
  const char* name;
  Function function;
  std::vector<int64_t> counts = {5, 0, 1, 2, 12, 3};
};

std::vector<Case> cases() {
  return {
      {"add", [](const Tensor& r, const Tensor&) { return r + 1; }},
      {"broadcast a row", [](const Tensor& r, const Tensor&) { return r * tensor_of({1, 2, 3, 4}, {4}); }},
      {"broadcast a column", [](const Tensor& r, const Tensor& c) { return r + c.unsqueeze(1); }},
      {"outer", [](const Tensor&, const Tensor& c) { return c.unsqueeze(1) * c.unsqueeze(0); }},
      {"transpose", [](const Tensor& r, const Tensor&) { return r.t() * 2; }},
      {"transpose, contiguous", [](const Tensor& r, const Tensor&) { return r.t().contiguous() + 1; }},
      {"permute", [](const Tensor& r, const Tensor&) { return r.unsqueeze(0).permute({2, 0, 1}) + 1; }},
      {"flatten", [](const Tensor& r, const Tensor&) { return r.reshape({-1}) + 1; }},
      {"view", [](const Tensor& r, const Tensor&) { return r.contiguous().view({-1, 2, 2}) * 3; }},
      {"view as rows", [](const Tensor& r, const Tensor&) { return (r + 1).view({r.size(0) * 2, 2}) - 1; }},
      {"slice", [](const Tensor& r, const Tensor&) { return r.slice(0, 0, 3) + 1; }},
      {"slice from the end", [](const Tensor& r, const Tensor&) { return r.slice(0, -2) + 1; }},
      {"slice with a step", [](const Tensor& r, const Tensor&) { return r.slice(0, 0, {}, 2) + 1; }},
      {"slice columns", [](const Tensor& r, const Tensor&) { return r.slice(1, 1, 3) * 2; }},
      {"select a column", [](const Tensor& r, const Tensor&) { return r.select(1, 2) * 2; }},
      {"expand", [](const Tensor&, const Tensor& c) { return c.unsqueeze(0).expand({3, c.size(0)}) + 1; }},
      {"flip", [](const Tensor& r, const Tensor&) { return flip(r, {0}) + 1; }},
      {"cat", [](const Tensor& r, const Tensor&) { return cat({r, r * 2, ones({2, 4})}) + 1; }},
      {"cat beside", [](const Tensor& r, const Tensor&) { return cat({r, r * 2}, 1) + 1; }},
      {"stack", [](const Tensor& r, const Tensor&) { return stack({r, r * 2}) + 1; }},
      {"sum", [](const Tensor& r, const Tensor&) { return sum(r); }},
      {"sum of rows", [](const Tensor& r, const Tensor&) { return sum(r, {1}); }},
      {"sum of columns", [](const Tensor& r, const Tensor&) { return sum(r, {0}) * 2; }},
      {"mean", [](const Tensor& r, const Tensor&) { return mean(r, {0}); }},
      {"count", [](const Tensor& r, const Tensor&) { return sum(gt(r, 0).to(i64)); }},
      {"any", [](const Tensor& r, const Tensor&) { return ops("aten::any")(gt(r, 1))[0].tensor(); }},
      {"maximum of rows", [](const Tensor& r, const Tensor&) { return amax(r, {1}); }},
      {"maximum of columns", [](const Tensor& r, const Tensor&) { return amax(r, {0}); }, {5, 1, 12, 2}},
      {"softmax of rows", [](const Tensor& r, const Tensor&) { return softmax(r, 1); }},
      {"softmax of columns", [](const Tensor& r, const Tensor&) { return softmax(r, 0); }},
      {"log_softmax", [](const Tensor&, const Tensor& c) { return log_softmax(c, 0); }},
      {"layer_norm", [](const Tensor& r, const Tensor&) { return layer_norm(r, {4}); }},
      {"cumsum", [](const Tensor&, const Tensor& c) { return cumsum(c, 0) + 1; }},
      {"cumsum of columns", [](const Tensor& r, const Tensor&) { return cumsum(r, 0) + 1; }},
      {"sort", [](const Tensor&, const Tensor& c) { return std::get<0>(sort(c)) * 2; }},
      {"matmul", [](const Tensor& r, const Tensor&) { return matmul(r, ones({4, 3})) + 1; }},
      {"matmul over it", [](const Tensor& r, const Tensor&) { return matmul(r.t(), r) + 1; }},
      {"linear", [](const Tensor& r, const Tensor&) { return relu(linear(r, ones({6, 4}), ones({6}))); }},
      {"gather", [](const Tensor& r, const Tensor&) { return gather(r, 1, gt(r, 0).to(i64)) + 1; }},
      {"index_select",
       [](const Tensor& r, const Tensor&) { return index_select(ones({2, 4}), 0, gt(r.select(1, 0), 0).to(i64)); }},
      {"index by it",
       [](const Tensor&, const Tensor& c) { return index(tensor_of({7, 8}, {2}), {gt(c, 0).to(i64)}) + 1; }},
      {"where", [](const Tensor& r, const Tensor&) { return where(gt(r, 0), r, r * 2); }},
      {"a mask of it", [](const Tensor& r, const Tensor& c) { return index(r, {gt(c, 0)}) * 2; }},
      {"nonzero of it", [](const Tensor&, const Tensor& c) { return nonzero(gt(c, 0)) + 1; }},
      {"zeros_like", [](const Tensor& r, const Tensor&) { return zeros_like(r) + 1; }},
      {"ones", [](const Tensor& r, const Tensor&) { return ones({r.size(0), 2}) * 2; }},
      {"arange", [](const Tensor& r, const Tensor&) { return arange(r.size(0)) * 2; }},
      {"arange to twice", [](const Tensor& r, const Tensor&) { return arange(1, r.size(0) * 2 + 1) * 2; }},
      {"types", [](const Tensor& r, const Tensor&) { return r.to(f16).to(f64) * 2; }},
      {"scatter_add", [](const Tensor&, const Tensor& c) { return scatter_add(zeros({2}), 0, gt(c, 0).to(i64), c); }},
      {"index_add", [](const Tensor& r, const Tensor& c) { return index_add(zeros({2, 4}), 0, gt(c, 0).to(i64), r); }},
      {"in place",
       [](const Tensor& r, const Tensor&) {
         Tensor x = r + 0;
         x.mul_(2);
         return x;
       }},
      {"split and join", [](const Tensor& r, const Tensor&) { return cat({r.slice(1, 2), r.slice(1, 0, 2)}, 1) + 1; }},
      {"squared distance", [](const Tensor& r, const Tensor&) { return sum((r - 1) * (r - 1), {1}) * 0.5; }},
      {"variance of rows", [](const Tensor& r, const Tensor&) { return sum((r - mean(r, {1}, true)) * r, {1}); }},
      {"remainder", [](const Tensor& r, const Tensor&) { return r.to(i64) % 3; }},
  };
}

Tensor rows() {
  std::vector<double> values;
  for (int i = 0; i < 48; ++i) values.push_back((i * 37 % 48 - 20) / 4.0);
  return tensor_of(values, {12, 4});
}
Tensor mask_of(int64_t count) {
  std::vector<double> values(12, 0);
  for (int64_t i = 0; i < count; ++i) values[i * 5 % 12] = 1;
  return tensor_of(values, {12}, boolean);
}

TEST(DataSizeOps, EqualEagerAtEveryCount) {
  if (!test_device().is_cpu()) GTEST_SKIP() << "sizes that only data tell run op by op on a GPU";
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    auto f = [&](const Tensor& x, const Tensor& mask) {
      Tensor chosen = index(x, {mask});
      return each.function(chosen, chosen.select(1, 1).contiguous());
    };
    auto fast = compile(f);
    try {
      for (int64_t count : each.counts)
        expect_same_bits(fast(rows(), mask_of(count)), f(rows(), mask_of(count)), fmt::format("count {}", count));
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
    EXPECT_EQ(fast.stats().compiles, 1);
  }
}

}  // namespace
}  // namespace sinter::test
