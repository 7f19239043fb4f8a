// Prints one of a few functions at any stage between C++ and machine code.
//
//   explain --emit=trace|graph|loops|fused|source|asm|all|json|dot NAME

#include <sinter/sinter.h>

#include <functional>
#include <iostream>
#include <map>

using namespace sinter;

namespace {

struct Example {
  const char* what;
  std::function<Explanation()> explain;
};

template <class F, class... Args>
Example example(const char* what, const char* name, F function, Args... arguments) {
  return {what, [=] { return compile(function, {.name = name}).explain(arguments...); }};
}

std::map<std::string, Example> examples() {
  Tensor x = randn({64, 1000}), y = randn({64, 1000});
  return {
      {"relu",
       example(
           "relu(x + y) * 2.0", "relu", [](const Tensor& a, const Tensor& b) { return relu(a + b) * 2.0; }, x, y)},
      {"gelu", example(
                   "exact gelu", "gelu", [](const Tensor& a) { return gelu(a); }, x)},
      {"softmax", example(
                      "softmax over rows", "softmax", [](const Tensor& a) { return softmax(a, -1); }, x)},
      {"layer_norm", example(
                         "layer norm of x + y", "layer_norm",
                         [](const Tensor& a, const Tensor& b) { return layer_norm(a + b, {1000}); }, x, y)},
      {"columns", example(
                      "sums of columns", "columns", [](const Tensor& a) { return sum(exp(a), {0}); }, x)},
      {"linear", example(
                     "gelu of a linear layer", "linear",
                     [](const Tensor& a, const Tensor& w, const Tensor& b) { return gelu(linear(a, w, b)); }, x,
                     randn({128, 1000}), randn({128}))},
  };
}

std::string sources(const Explanation& explanation) {
  std::string text;
  for (const ExplainedKernel& kernel : explanation.kernels)
    text += kernel.is_library_call ? "// library call: " + kernel.name + "\n" : kernel.source;
  return text;
}

std::string assembly(const Explanation& explanation) {
  std::string text;
  for (const ExplainedKernel& kernel : explanation.kernels)
    if (!kernel.is_library_call) text += assembly_of(kernel);
  return text;
}

const std::map<std::string, std::function<std::string(const Explanation&)>> emitters = {
    {"trace", [](const Explanation& e) { return e.graph; }},
    {"graph", [](const Explanation& e) { return e.prepared_graph; }},
    {"loops", [](const Explanation& e) { return e.loops; }},
    {"fused", [](const Explanation& e) { return e.fused; }},
    {"source", sources},
    {"asm", assembly},
    {"all", [](const Explanation& e) { return to_string(e); }},
    {"json", [](const Explanation& e) { return to_json(e); }},
    {"dot", [](const Explanation& e) { return to_dot(e); }},
};

int usage() {
  std::cerr << "usage: explain [--emit=STAGE] NAME\nstages:";
  for (const auto& [name, emit] : emitters) std::cerr << " " << name;
  std::cerr << "\nnames:\n";
  for (const auto& [name, known] : examples()) std::cerr << "  " << name << ": " << known.what << "\n";
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  std::string stage = "all", name;
  for (int i = 1; i < count; ++i) {
    std::string argument = arguments[i];
    if (argument.starts_with("--emit="))
      stage = argument.substr(7);
    else
      name = argument;
  }
  auto known = examples();
  auto emit = emitters.find(stage);
  if (!known.contains(name) || emit == emitters.end()) return usage();
  std::cout << emit->second(known.at(name).explain());
}
