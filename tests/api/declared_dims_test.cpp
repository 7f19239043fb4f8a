// Declared dims that are of no tensor, of no dim, or declared twice are errors that name what there is.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {
namespace {

struct Layer {
  Tensor weight;
  double rate = 1;
};
struct Net {
  std::vector<Layer> layers;
  std::map<std::string, Tensor> extra;
  std::optional<Tensor> mask;
};

}  // namespace
}  // namespace sinter::test

SINTER_FLATTEN(sinter::test::Layer, weight, rate);
SINTER_FLATTEN(sinter::test::Net, layers, extra, mask);

namespace sinter::test {
namespace {

Tensor apply_net(const Tensor& x, const Net& net) {
  Tensor y = x;
  for (const Layer& layer : net.layers) y = y * layer.weight.sum() * layer.rate;
  for (const auto& [name, tensor] : net.extra) y = y + tensor.sum();
  return net.mask ? y * *net.mask : y;
}

Net net_of(int64_t size) {
  Net net;
  net.layers.push_back({tensor_of(std::vector<double>(size, 2), {size}), 3});
  net.extra["bias"] = tensor_of(std::vector<double>(size, 1), {size});
  return net;
}

Tensor vector_of(int64_t size) { return tensor_of(std::vector<double>(size, 1), {size}); }

// What a call says with these declarations; nothing if it is all right.
std::string outcome_of(std::vector<Dim> dims) {
  auto fast = compile(apply_net, {.argument_names = {"x", "net"}, .dims = std::move(dims)});
  try {
    fast(vector_of(4), net_of(4));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::argument);
    return error.message() + (error.need().empty() ? "" : "; need " + error.need());
  }
}
std::string outcome_of(std::string argument, int64_t dim = 0) {
  return outcome_of(std::vector<Dim>{{.argument = std::move(argument), .dim = dim}});
}

TEST(DeclaredDims, PartsOfArgumentsAreNamedByTheirPaths) {
  auto fast = compile(apply_net, {.argument_names = {"x", "net"},
                                  .dims = {{.argument = "net.layers[0].weight", .dim = 0},
                                           {.argument = "net.extra[\"bias\"]", .dim = -1},
                                           {.argument = "x", .dim = 0, .max = 9}}});
  for (int64_t size : {4, 6, 1, 9})
    expect_same_bits(fast(vector_of(size), net_of(size)), apply_net(vector_of(size), net_of(size)));
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(DeclaredDims, WhatAContainerMayHoldAtOtherCallsIsNoMistake) {
  EXPECT_EQ(outcome_of("net.layers[7].weight"), "");
  EXPECT_EQ(outcome_of("net.extra[\"scale\"]"), "");
  EXPECT_EQ(outcome_of("net.extra[\"a.b[0]\"]"), "");
  EXPECT_EQ(outcome_of("net.mask"), "");
}

TEST(DeclaredDims, NamesOfNothing) {
  EXPECT_EQ(outcome_of("y"),
            "compile: the size of dim 0 of y is declared, and there is no such argument; need one of x, net");
  EXPECT_EQ(outcome_of("net.layer"),
            "compile: the size of dim 0 of net.layer is declared, and there is no such argument; need one of "
            "net.layers, net.extra, net.mask");
  EXPECT_EQ(outcome_of("net.layers[0].bias"),
            "compile: the size of dim 0 of net.layers[0].bias is declared, and there is no such argument; need one of "
            "net.layers[0].weight, net.layers[0].rate");
  EXPECT_EQ(outcome_of("net.extra[bias]"),
            "compile: the size of dim 0 of net.extra[bias] is declared, and there is no such argument; need one of "
            "net.extra[\"bias\"]");
  EXPECT_EQ(outcome_of("x[0]"), "compile: the size of dim 0 of x[0] is declared, and there is no such argument");
  EXPECT_EQ(outcome_of(""),
            "compile: the size of dim 0 of \"\" is declared, and there is no such argument; need one of x, net");
}

TEST(DeclaredDims, NamesOfWhatIsNoTensor) {
  EXPECT_EQ(outcome_of("net.layers[0].rate"),
            "compile: the size of dim 0 of net.layers[0].rate is declared, and it is a number");
  EXPECT_EQ(outcome_of("net.layers[0]"),
            "compile: the size of dim 0 of net.layers[0] is declared, and it is no tensor; need one of "
            "net.layers[0].weight, net.layers[0].rate");
}

TEST(DeclaredDims, DimsThatTheTensorDoesNotHave) {
  EXPECT_EQ(outcome_of("x", 1), "compile: the size of dim 1 of x is declared, and it is of rank 1; need -1 <= dim < 1");
  EXPECT_EQ(outcome_of("x", -2),
            "compile: the size of dim -2 of x is declared, and it is of rank 1; need -1 <= dim < 1");
}

TEST(DeclaredDims, ADimIsDeclaredOnce) {
  EXPECT_EQ(outcome_of({{.argument = "x", .dim = 0, .max = 8}, {.argument = "x", .dim = -1, .min = 4}}),
            "compile: the size of dim 0 of x is declared twice");
}

}  // namespace
}  // namespace sinter::test
