// Operators of one's own: a black box, a formula that the compiler inlines, a loop kernel that it compiles with the
// rest; and the three messages that tell which part of one is missing.

#include <sinter/sinter.h>

#include <cmath>
#include <iostream>

using namespace sinter;

// Any C++ function. It reads its argument in the order of memory, so it asks for a plain one.
Tensor gelu_on_cpu(const Tensor& argument) {
  Tensor x = argument.contiguous(), y = empty_like(x);
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  for (int64_t i = 0; i < x.numel().constant(); ++i) to[i] = 0.5f * from[i] * (1 + std::erf(from[i] * 0.70710678f));
  return y;
}

// C++ text, compiled in the process. A block here is 1024 elements, and a call does some of the blocks.
const Kernel gelu_loop = kernel("gelu_loop", {.cpu = R"(
  void gelu_loop(const float* x, float* y, int64_t n, int64_t begin, int64_t end) {
    for (int64_t i = begin * 1024; i < end * 1024 && i < n; ++i)
      y[i] = 0.5f * x[i] * (1 + erf(x[i] * 0.70710678f));
  })"});

Tensor launch_gelu(const Tensor& argument) {
  Tensor x = argument.contiguous(), y = empty_like(x);
  wrap_kernel(gelu_loop, {.x = ceil_div(x.numel(), 1024)}, x, y, x.numel());
  return y;
}

template <class F>
void attempt(const char* what, F&& f) {
  std::cout << "-- " << what << "\n";
  try {
    std::cout << f() << "\n\n";
  } catch (const Error& error) {
    std::cout << name(error.kind()) << " error: " << error.what() << "\n\n";
  }
}

void show_kernels(const Explanation& explanation) {
  for (const ExplainedKernel& kernel : explanation.kernels)
    std::cout << (kernel.is_library_call ? "call   " : "kernel ") << kernel.name << "\n";
  std::cout << "\n";
}

int main() {
  Tensor x = tensor({-1.0, 0.5, 2.0});
  auto f = [](const Tensor& x) { return ops("mylib::gelu")(x)[0].tensor() * 2; };

  CustomOp gelu = custom_op("mylib::gelu", "(Tensor x) -> Tensor");
  gelu.register_reference(gelu_on_cpu);
  attempt("no fake function: it can't be traced", [&] { return compile(f)(x); });

  gelu.register_fake([](const Tensor& x) { return empty(x.sizes()); });
  attempt("a fake function, but nothing that compiled code may call", [&] { return compile(f)(x); });
  attempt("the same on the eager backend: capture is right", [&] { return compile(f, {.backend = "eager"})(x); });

  gelu.register_kernel(DeviceType::cpu, gelu_on_cpu);
  attempt("all of it", [&] { return compile(f)(x); });
  show_kernels(compile(f).explain(x));

  CustomOp exact = elementwise_op("mylib::gelu_exact(Tensor x) -> Tensor",
                                  [](ScalarExpr x) { return 0.5 * x * (1.0 + erf(x * 0.70710678)); });
  auto inlined = compile([&](const Tensor& x) { return exact(x) * 2; });
  attempt("a formula: one kernel", [&] { return inlined(x); });
  show_kernels(inlined.explain(x));

  CustomOp text = elementwise_op("mylib::leaky(Tensor x, float slope) -> Tensor",
                                 "float leaky(float x, float slope) { if (x > 0) return x; return slope * x; }");
  attempt("a formula as C++ text", [&] { return compile([&](const Tensor& x) { return text(x, 0.25) * 2; })(x); });

  CustomOp loop = kernel_op("mylib::gelu_loop(Tensor x) -> Tensor", launch_gelu);
  loop.register_fake([](const Tensor& x) { return empty(x.sizes()); });
  auto seen = compile([&](const Tensor& x) { return loop(x + 0.0) * 2; });
  attempt("a loop kernel, between two of ours", [&] { return seen(x); });
  show_kernels(seen.explain(x));
  std::cout << seen.explain(x).prepared_graph << "\n";

  attempt("what opcheck finds", [&] { return to_string(opcheck(gelu, {{x}})); });
}
