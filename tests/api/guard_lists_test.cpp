// The exact guards of ordinary functions with all sizes symbolic: what they rely on, and nothing else.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {

namespace {

using Lines = std::vector<std::string>;

Tensor f32_of(std::vector<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i % 7) - 3);
  return tensor_of(values, sizes);
}

// What any function guards of a row-major argument that it uses.
void add_structure(Lines& lines, const std::string& name, const Tensor& tensor) {
  lines.push_back(name + " is defined");
  lines.push_back(fmt::format("{}.dtype() == {}", name, sinter::name(tensor.dtype())));
  lines.push_back(fmt::format("{}.device() == {}", name, to_string(tensor.device())));
  lines.push_back(fmt::format("{}.dim() == {}", name, tensor.dim()));
  auto is_one = [&](int64_t dim) { return tensor.sizes()[dim] == 1; };
  for (int64_t dim = 0; dim < tensor.dim(); ++dim)
    lines.push_back(fmt::format("{}.size({}) {} 1", name, dim, is_one(dim) ? "==" : ">="));
  for (int64_t dim = 0; dim < tensor.dim(); ++dim) {
    std::string stride;
    for (int64_t inner = dim + 1; inner < tensor.dim(); ++inner)
      if (!is_one(inner)) stride += fmt::format("{}{}.size({})", stride.empty() ? "" : "*", name, inner);
    if (!is_one(dim)) lines.push_back(fmt::format("{}.stride({}) == {}", name, dim, stride.empty() ? "1" : stride));
  }
}

// The guards beyond those; a, b, ... are the arguments.
template <class F, class... Tensors>
Lines guards_of(F function, const Tensors&... tensors) {
  Lines structure, guards;
  Options options{.dynamic = Dynamic::always};
  for (size_t i = 0; i < sizeof...(tensors); ++i) options.argument_names.push_back(std::string(1, "abcdef"[i]));
  size_t next = 0;
  (add_structure(structure, options.argument_names[next++], tensors), ...);
  for (const std::string& guard : compile(function, options).explain(tensors...).guards)
    guards.push_back(guard.substr(0, guard.find("  #")));
  Lines beyond;
  for (const std::string& guard : guards)
    if (std::ranges::find(structure, guard) == structure.end()) beyond.push_back(guard);
  EXPECT_EQ(guards.size() - beyond.size(), structure.size());
  return beyond;
}

TEST(GuardLists, PointwiseSizesMustBeEqual) {
  auto add = [](const Tensor& x, const Tensor& y) { return relu(x + y); };
  EXPECT_EQ(guards_of(add, f32_of({4, 5}), f32_of({4, 5})),
            (Lines{"b.size(0) == a.size(0)", "b.size(1) == a.size(1)"}));
  EXPECT_EQ(guards_of(add, f32_of({4, 5}), f32_of({5})), Lines{"b.size(0) == a.size(1)"});
  EXPECT_EQ(guards_of(add, f32_of({4, 5}), f32_of({4, 1})), Lines{"b.size(0) == a.size(0)"});
  EXPECT_EQ(guards_of(add, f32_of({4, 1}), f32_of({1, 5})), Lines{});
}

TEST(GuardLists, SizesThatAreEqualByChanceAreFree) {
  EXPECT_EQ(guards_of([](const Tensor& x) { return exp(x) * 2 + 1; }, f32_of({4, 4})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.t() + 1; }, f32_of({4, 4})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return softmax(x, 1); }, f32_of({4, 4})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x, const Tensor& y) { return matmul(x, y); }, f32_of({4, 4}), f32_of({4, 4})),
            Lines{"a.size(1) == b.size(0)"});
  EXPECT_EQ(guards_of([](const Tensor& x, const Tensor& y) { return std::pair(sum(x, {1}), y * 2); }, f32_of({4, 3}),
                      f32_of({4, 3})),
            Lines{});
}

TEST(GuardLists, Products) {
  auto product = [](const Tensor& x, const Tensor& y) { return matmul(x, y) * 2; };
  EXPECT_EQ(guards_of(product, f32_of({4, 5}), f32_of({5, 6})), Lines{"a.size(1) == b.size(0)"});
  EXPECT_EQ(guards_of(product, f32_of({2, 4, 5}), f32_of({5, 6})), Lines{"a.size(2) == b.size(0)"});
  EXPECT_EQ(guards_of(product, f32_of({2, 4, 5}), f32_of({2, 5, 6})),
            (Lines{"a.size(2) == b.size(1)", "b.size(0) == a.size(0)"}));
  auto layer = [](const Tensor& x, const Tensor& w, const Tensor& bias) { return gelu(linear(x, w, bias)); };
  EXPECT_EQ(guards_of(layer, f32_of({2, 4, 5}), f32_of({6, 5}), f32_of({6})),
            (Lines{"a.size(2) == b.size(1)", "c.size(0) == b.size(0)"}));
}

TEST(GuardLists, ReductionsAndNorms) {
  EXPECT_EQ(guards_of([](const Tensor& x) { return softmax(x * 2, -1); }, f32_of({4, 5})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return std::pair(mean(x, {-1}, true), amax(x, {-1})); }, f32_of({4, 5})),
            Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return sum(x * x); }, f32_of({4, 5})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return argmax(x, -1); }, f32_of({4, 5})), Lines{"2147483647 >= a.size(1)"});
  EXPECT_EQ(guards_of([](const Tensor& x) { return cumsum(x, -1) * 2; }, f32_of({4, 5})), Lines{});
  // Of one column the sum runs along memory, in another order.
  EXPECT_EQ(guards_of([](const Tensor& x) { return sum(x, {0}); }, f32_of({4, 5})), Lines{"a.size(1) != 1"});
  EXPECT_EQ(guards_of([](const Tensor& x) { return log_softmax(x, 1); }, f32_of({4, 5, 6})), Lines{"a.size(2) != 1"});
  auto norm = [](const Tensor& x, const Tensor& w, const Tensor& b) { return layer_norm(x, {x.size(-1)}, w, b); };
  EXPECT_EQ(guards_of(norm, f32_of({2, 4, 5}), f32_of({5}), f32_of({5})),
            (Lines{"b.size(0) == a.size(2)", "c.size(0) == a.size(2)"}));
}

TEST(GuardLists, Joins) {
  auto rows = [](const Tensor& x, const Tensor& y) { return cat({x, y}, 0) * 2; };
  EXPECT_EQ(guards_of(rows, f32_of({4, 5}), f32_of({3, 5})), Lines{"b.size(1) == a.size(1)"});
  EXPECT_EQ(guards_of(rows, f32_of({4}), f32_of({3})), Lines{});
  EXPECT_EQ(
      guards_of([](const Tensor& x, const Tensor& y) { return cat({x.slice(0, 1), y}, 0); }, f32_of({4}), f32_of({3})),
      Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x, const Tensor& y) { return stack({x, y}, 1); }, f32_of({4}), f32_of({4})),
            Lines{"b.size(0) == a.size(0)"});
}

TEST(GuardLists, Slices) {
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.slice(0, 0, 3) + 1; }, f32_of({5, 2})), Lines{"a.size(0) >= 3"});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.slice(0, 0, 9) + 1; }, f32_of({5, 2})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.slice(0, 1) + 1; }, f32_of({5, 2})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.slice(0, -9) + 1; }, f32_of({5, 2})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.slice(0, 0, -1) + 1; }, f32_of({5, 2})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.slice(1, 0, std::nullopt, 2) + 1; }, f32_of({5, 4})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.select(0, 0) + x.select(0, -1); }, f32_of({5, 2})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.select(0, 2) + 1; }, f32_of({5, 2})), Lines{"2 < a.size(0)"});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.slice(0, 1) - x.slice(0, 0, -1); }, f32_of({5, 2})), Lines{});
}

TEST(GuardLists, Views) {
  EXPECT_EQ(guards_of([](const Tensor& x) { return flatten(x) * 2; }, f32_of({4, 5, 6})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.view({x.size(0), -1}) + 1; }, f32_of({4, 5, 6})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.view({-1, 4}) + 1; }, f32_of({8, 3})),
            Lines{"mod(a.size(0)*a.size(1), 4) == 0"});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.permute({1, 0, 2}) * 2; }, f32_of({4, 5, 6})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.unsqueeze(1).expand({-1, 3, -1}) + 1; }, f32_of({4, 5})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.squeeze(1) + 1; }, f32_of({4, 5})), Lines{"a.size(1) != 1"});
}

// A view at some sizes, a copy at others: one entry, as long as nobody sees which.
TEST(GuardLists, CopiesThatStandForViews) {
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.transpose(0, 1).reshape({-1}) * 2; }, f32_of({4, 5})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.transpose(0, 1).contiguous() * 2; }, f32_of({4, 5})), Lines{});
  auto heads = [](const Tensor& x) {
    SymInt b = x.size(0), s = x.size(1);
    return (x * 2).view({b, s, 2, -1}).transpose(1, 2).reshape({b * 2, -1}) + 1;
  };
  // Of heads of one feature, and one batch, the reshape is a view with other strides.
  EXPECT_EQ(guards_of(heads, f32_of({3, 5, 8})), (Lines{"mod(a.size(2), 2) == 0", "1 < floor_div(a.size(2), 2)"}));
  // Returned: it is the argument's memory or it is not.
  EXPECT_EQ(guards_of([](const Tensor& x) { return x.transpose(0, 1).contiguous(); }, f32_of({4, 5})),
            (Lines{"a.size(0) != 1", "a.size(1) != 1"}));
  // Written: the argument changes with it or it does not.
  auto written = [](const Tensor& x) {
    Tensor y = x.transpose(0, 1).reshape({-1});
    y.add_(1);
    return x * 2;
  };
  EXPECT_EQ(guards_of(written, f32_of({4, 5})), (Lines{"a.size(1) != 1", "1 < a.size(0)"}));
}

TEST(GuardLists, Attention) {
  auto f = [](const Tensor& q, const Tensor& k, const Tensor& v) { return scaled_dot_product_attention(q, k, v); };
  Lines equal = {"a.size(3) == b.size(3)", "b.size(2) == c.size(2)", "b.size(0) == a.size(0)",
                 "b.size(1) == a.size(1)", "c.size(0) == a.size(0)", "c.size(1) == a.size(1)"};
  if (!placement().is_cpu()) equal.push_back("a.size(3) == 8");  // the call there takes its scale as a number
  EXPECT_EQ(guards_of(f, f32_of({2, 3, 5, 8}), f32_of({2, 3, 6, 8}), f32_of({2, 3, 6, 8})), equal);
  auto by_hand = [](const Tensor& q, const Tensor& k, const Tensor& v) {
    Tensor weights = softmax(matmul(q, k.transpose(-2, -1)) * 0.5, -1);
    SymInt b = q.size(0), rows = q.size(2);
    return matmul(weights, v).transpose(1, 2).reshape({b, rows, -1}) * 2;
  };
  // Of values of one feature the last reshape is a view with the rows innermost, and so is what comes of it.
  Lines by_hand_guards = {"a.size(3) == b.size(3)", "b.size(0) == a.size(0)", "b.size(1) == a.size(1)",
                          "b.size(2) == c.size(2)", "c.size(0) == a.size(0)", "c.size(1) == a.size(1)",
                          "1 < c.size(3)"};
  EXPECT_EQ(guards_of(by_hand, f32_of({2, 3, 5, 8}), f32_of({2, 3, 6, 8}), f32_of({2, 3, 6, 8})), by_hand_guards);
}

TEST(GuardLists, ChoicesAndIndices) {
  auto choose = [](const Tensor& x, const Tensor& y) { return where(x > 0, x, y); };
  EXPECT_EQ(guards_of(choose, f32_of({4, 5}), f32_of({4, 5})),
            (Lines{"b.size(0) == a.size(0)", "b.size(1) == a.size(1)"}));
  auto pick = [](const Tensor& table, const Tensor& rows) { return embedding(table, rows.to(i64)) * 2; };
  EXPECT_EQ(guards_of(pick, f32_of({9, 5}), f32_of({3, 2})), Lines{});
  auto positions = [](const Tensor& x) { return x + arange(x.size(1), f32); };
  EXPECT_EQ(guards_of(positions, f32_of({4, 5})), Lines{});
  EXPECT_EQ(guards_of([](const Tensor& x) { return flip(x, {0}) + roll(x, {1}, {0}); }, f32_of({4, 5})), Lines{});
}

TEST(GuardLists, MemoryOrders) {
  EXPECT_EQ(guards_of([](const Tensor& x, const Tensor& y) { return x.t() + y; }, f32_of({4, 5}), f32_of({5, 4})),
            (Lines{"b.size(0) == a.size(1)", "b.size(1) == a.size(0)"}));
  EXPECT_EQ(guards_of([](const Tensor& x) { return exp(x.slice(1, 1)) + 1; }, f32_of({4, 5})), Lines{});
  auto images = [](const Tensor& x, const Tensor& w) { return relu(conv2d(x, w)); };
  EXPECT_EQ(guards_of(images, f32_of({2, 3, 8, 9}), f32_of({4, 3, 3, 3})),
            (Lines{"a.size(1) == b.size(1)", "a.size(2) >= b.size(2)", "a.size(3) >= b.size(3)"}));
}

TEST(GuardLists, WrittenArgumentsMustNotOverlap) {
  auto update = [](const Tensor& x, const Tensor& y) { x.add_(y); };
  EXPECT_EQ(guards_of(update, f32_of({4}), f32_of({4})),
            (Lines{"a overlaps no other tensor", "b.size(0) == a.size(0)"}));
}

}  // namespace
}  // namespace sinter::test
