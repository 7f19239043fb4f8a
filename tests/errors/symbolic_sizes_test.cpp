// A mistake in a function that is traced with symbolic sizes is told with the sizes of the call, word for word as the
// uncompiled function tells it.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {
namespace {

Tensor matrix() { return tensor_of(std::vector<double>(35, 1), {5, 7}); }

std::string error_of(const std::function<void()>& call) {
  try {
    call();
    return "no error";
  } catch (const Error& error) {
    return error.what();
  }
}

using Function = Tensor (*)(const Tensor&, SymInt n, SymInt m);

constexpr Function mistakes[] = {
    [](const Tensor& x, SymInt, SymInt) { return x + ones({6}); },
    [](const Tensor& x, SymInt, SymInt) { return matmul(x, x); },
    [](const Tensor& x, SymInt n, SymInt m) { return x.view({n + 1, m}); },
    [](const Tensor& x, SymInt, SymInt) { return cat({x, ones({3, 3})}, 0); },
    [](const Tensor& x, SymInt n, SymInt) { return x.select(0, n); },
    [](const Tensor& x, SymInt n, SymInt) { return narrow(x, 0, 2, n); },
    [](const Tensor& x, SymInt n, SymInt m) { return x.expand({n + 1, m}); },
    [](const Tensor& x, SymInt n, SymInt) { return layer_norm(x, {n}); },
    [](const Tensor& x, SymInt n, SymInt) { return split_with_sizes(x, {n, n}, 1)[0]; },
    [](const Tensor& x, SymInt, SymInt m) { return std::get<0>(topk(x, m + 1)); },
    [](const Tensor&, SymInt n, SymInt m) { return arange(n, m, -1); },
    [](const Tensor&, SymInt n, SymInt) { return zeros({n - 10}); },
    [](const Tensor& x, SymInt n, SymInt) { return repeat(x, {n - 6, 1}); },
    [](const Tensor& x, SymInt, SymInt) { return index_select(x, 0, x); },
    [](const Tensor& x, SymInt n, SymInt) { return index_add(x, 0, arange(n + 1), x); },
    [](const Tensor& x, SymInt, SymInt) { return group_norm(x, 3); },
    [](const Tensor& x, SymInt, SymInt) { return einsum("ij,jk->ik", {x, x}); },
    [](const Tensor& x, SymInt n, SymInt) { return argmax(x.slice(0, n), 0); },
    [](const Tensor& x, SymInt, SymInt) { return stack({x, x.t()}); },
    [](const Tensor& x, SymInt, SymInt) { return x.t().add_(x); },
};

TEST(SymbolicSizes, MistakesAreToldWithTheSizesOfTheCall) {
  for (Function mistake : mistakes) {
    auto f = [=](const Tensor& x) { return mistake(x, x.size(0), x.size(1)); };
    auto always = compile(f, {.dynamic = Dynamic::always});
    std::string expected = error_of([&] { f(matrix()); });
    EXPECT_NE(expected, "no error");
    EXPECT_EQ(error_of([&] { always(matrix()); }), expected);
    auto declared = compile(f, {.dims = {{.argument = "arg0", .dim = 0}, {.argument = "arg0", .dim = 1}}});
    EXPECT_EQ(error_of([&] { declared(matrix()); }), expected);
  }
}

TEST(SymbolicSizes, AnErrorOfTheUsersOwnIsRaisedOnce) {
  int traces = 0;
  auto fast = compile(
      [&](const Tensor&) -> Tensor {
        ++traces;
        throw std::runtime_error("mine");
      },
      {.dynamic = Dynamic::always});
  EXPECT_THROW(fast(matrix()), std::runtime_error);
  EXPECT_EQ(traces, 1);
}

}  // namespace
}  // namespace sinter::test
