// A library whose functions are compiled, and that the test loads and unloads.

#include <sinter/sinter.h>

#include <algorithm>
#include <string>

using namespace sinter;

namespace {

Tensor picked(const Tensor& x, const Tensor& index) {
  Tensor scores = softmax(x, -1) + sum(x);
  if (x.size(0) < 100) scores = scores * 2;
  return index_select(scores, 0, index) + relu(x.slice(0, 0, 1));
}

bool names_this_file(const std::string& text) { return text.find("unloaded_functions.cpp:") != text.npos; }

}  // namespace

// Whether errors, explanations and the log name this file's lines.
extern "C" bool call_functions() {
  static auto kept = compile(picked, {.dynamic = Dynamic::always});
  auto fast = compile(picked, {.dynamic = Dynamic::always});
  Tensor rows = tensor({0, 1}), wrong = tensor({0, 99});
  kept(ones({4, 4}), rows);
  fast(ones({5, 6}), rows);
  Explanation explanation = fast.explain(ones({5, 6}), rows);
  bool is_named = names_this_file(explanation.graph) && std::ranges::any_of(explanation.guards, names_this_file);
  try {
    fast(ones({5, 6}), wrong).to(cpu);  // a device's error is thrown where the host waits
    return false;
  } catch (const Error& error) {
    return is_named && names_this_file(error.what());
  }
}
