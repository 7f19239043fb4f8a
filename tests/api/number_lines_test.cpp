// The lines of arithmetic and comparisons of numbers, whichever side a plain number is on: in the graph and in guards.

#include <sinter/sinter.h>

#include <functional>

#include "support/compiled.h"

namespace sinter::test {

namespace {

// The lines of the texts that contain `word`, as their comments give them.
std::vector<std::string> lines_with(const std::vector<std::string>& texts, const std::string& word) {
  std::vector<std::string> lines;
  for (const std::string& text : texts)
    if (text.find(word) != std::string::npos) lines.push_back(text.substr(text.rfind("# ") + 2));
  return lines;
}

std::string here(int line) { return fmt::format("number_lines_test.cpp:{}", line); }

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    lines.push_back(text.substr(at, text.find('\n', at) - at));
    if (text.find('\n', at) == std::string::npos) break;
  }
  return lines;
}

TEST(NumberLines, ArithmeticIsOfTheLineWhereItStands) {
  using Use = std::function<Scalar(Scalar, Scalar)>;
  std::vector<std::pair<int, Use>> uses = {
      {__LINE__, [](Scalar a, Scalar) { return a + 2; }},     {__LINE__, [](Scalar a, Scalar) { return 2 + a; }},
      {__LINE__, [](Scalar a, Scalar) { return a - 2.5; }},   {__LINE__, [](Scalar a, Scalar) { return 2.5 - a; }},
      {__LINE__, [](Scalar a, Scalar) { return a * 3; }},     {__LINE__, [](Scalar a, Scalar) { return 3.0f * a; }},
      {__LINE__, [](Scalar a, Scalar) { return a / 4; }},     {__LINE__, [](Scalar a, Scalar) { return 4 / a; }},
      {__LINE__, [](Scalar a, Scalar) { return -a; }},        {__LINE__, [](Scalar a, Scalar b) { return a - b; }},
      {__LINE__, [](Scalar a, Scalar) { return pow(a, 2); }}, {__LINE__, [](Scalar a, Scalar) { return sqrt(a); }},
      {__LINE__, [](Scalar a, Scalar) { return pow(2, a); }},
  };
  for (const auto& [line, use] : uses) {
    auto fast = compile([&](const Tensor& x, Scalar a, Scalar b) { return x * use(a, b) + b; });
    Explanation explanation = fast.explain(ones({2}), 1.5, 0.25);
    EXPECT_EQ(lines_with(split(explanation.graph), "sinter.number"), std::vector<std::string>{here(line)});
    EXPECT_EQ(elements_of(fast(ones({2}), 1.5, 0.25))[1], elements_of(ones({2}) * use(1.5, 0.25) + 0.25)[1]);
  }
}

TEST(NumberLines, ComparisonsAreOfTheLineWhereTheyStand) {
  using Use = std::function<bool(Scalar)>;
  std::vector<std::pair<int, Use>> uses = {
      {__LINE__, [](Scalar a) { return a < 2; }},  {__LINE__, [](Scalar a) { return 2 < a; }},
      {__LINE__, [](Scalar a) { return a <= 2; }}, {__LINE__, [](Scalar a) { return 2 <= a; }},
      {__LINE__, [](Scalar a) { return a > 2; }},  {__LINE__, [](Scalar a) { return 2 > a; }},
      {__LINE__, [](Scalar a) { return a >= 2; }}, {__LINE__, [](Scalar a) { return 2.0f >= a; }},
      {__LINE__, [](Scalar a) { return a == 2; }}, {__LINE__, [](Scalar a) { return 2 == a; }},
      {__LINE__, [](Scalar a) { return a != 2; }}, {__LINE__, [](Scalar a) { return 2 != a; }},
  };
  for (const auto& [line, use] : uses) {
    auto fast = compile([&](const Tensor& x, Scalar rate) { return use(rate) ? x : x + 1; });
    EXPECT_EQ(lines_with(fast.explain(ones({2}), 1.5).guards, "arg1 == 1.5"), std::vector<std::string>{here(line)});
  }
}

// Of tensors and sizes the same.
TEST(NumberLines, OperatorsOfTensorsAndSizes) {
  using Use = std::function<Tensor(const Tensor&)>;
  std::vector<std::pair<int, Use>> uses = {
      {__LINE__, [](const Tensor& x) { return 1 - x; }},
      {__LINE__, [](const Tensor& x) { return 2 / x; }},
      {__LINE__, [](const Tensor& x) { return -x; }},
      {__LINE__, [](const Tensor& x) { return 2 > x; }},
      {__LINE__, [](const Tensor& x) { return 1 + x; }},
      {__LINE__, [](const Tensor& x) { return x - 1; }},
      {__LINE__, [](const Tensor& x) { return x.size(0) - x; }},
      {__LINE__, [](const Tensor& x) { return x * x.size(0); }},
      {__LINE__, [](const Tensor& x) { return x * (1 - x.size(0)); }},
  };
  for (const auto& [line, use] : uses) {
    auto fast = compile([&](const Tensor& x) { return use(x); }, {.dynamic = Dynamic::always});
    for (const std::string& where : lines_with(split(fast.explain(ones({2})).graph), "call_function"))
      EXPECT_EQ(where, here(line));
  }
}

}  // namespace
}  // namespace sinter::test
