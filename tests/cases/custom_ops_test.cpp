// Custom ops that write an argument, promise another layout, and have an out form.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include "cases/known_answers.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

void fill_rows(const Tensor& out, const std::vector<Tensor>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) out.view({-1, 3}).select(0, static_cast<int64_t>(i)).copy_(rows[i]);
}

class CustomOpCases : public testing::Test {
 protected:
  void SetUp() override { SINTER_NEEDS_CPU("implementations for the CPU"); }
};

TEST_F(CustomOpCases, B155_ALaterOpSeesTheWrite) {
  CustomOp op = custom_op("cases::fill_rows", "(Tensor(a!) out, Tensor[] rows) -> ()", fill_rows);
  op.register_fake([](const Tensor&, const std::vector<Tensor>&) {});
  in_both_modes([] { return Tensors{}; },
                [&](Tensors) -> Tensors {
                  Tensor t = ones({2, 6});
                  Tensor two = ones({3}) * 2;
                  op(t, std::vector<Tensor>{zeros({3}), two, two, two});
                  return {sum(t * t), t};
                },
                [](const Tensors& results, const Tensors&) {
                  expect_values(results[0], {36});
                  expect_values(results[1], {0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2});
                });
  // Of an argument, which the caller sees changed.
  in_both_modes([] { return Tensors{make(f32, {2, 6}, std::vector<double>(12, 1))}; },
                [&](Tensors x) -> Tensors {
                  op(x[0], std::vector<Tensor>{zeros({3}), x[0].view({4, 3}).select(0, 1) + 4});
                  return {sum(x[0] * x[0])};
                },
                [](const Tensors& results, const Tensors& inputs) {
                  expect_values(results[0], {81});
                  expect_values(inputs[0], {0, 0, 0, 5, 5, 5, 1, 1, 1, 1, 1, 1});
                });
}

TEST_F(CustomOpCases, B156_AnotherLayoutThanTheFakeSaidIsAnError) {
  CustomOp op = custom_op("cases::transposed", "(Tensor x) -> Tensor", [](const Tensor& x) {
    return x.t().contiguous().t();  // the same sizes, stored by columns
  });
  op.register_fake([](const Tensor& x) { return empty(x.sizes()); });
  auto function = [&](const Tensor& x) { return sum(op(x) + 1, {0}); };
  Tensor x = count_up(f32, {3, 4});
  expect_values(function(x), {15, 18, 21, 24});  // eager reads the layout that there is
  for (auto [backend, kind] : {std::pair("native", ErrorKind::shape), std::pair("debug_eager", ErrorKind::backend)}) {
    try {
      compile(function, {.backend = backend})(x);
      FAIL() << backend;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      std::string text = error.what();
      for (const char* part : {"cases::transposed", "strides=[1, 3]"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  }
  try {
    compile(function)(x);
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "cases::transposed: the result is f32[3, 4] strides=[1, 3], but its fake function said f32[3, 4] "
              "strides=[4, 1]");
  }
  op.register_fake([](const Tensor& x) { return empty({x.size(1), x.size(0)}).t(); });
  expect_values(compile(function)(x), {15, 18, 21, 24});
}

TEST_F(CustomOpCases, B157_TheOutFormOfABatchedProduct) {
  CustomOp out_form = custom_op("cases::product.out", "(Tensor a, Tensor b, *, Tensor(a!) out) -> Tensor(a!)",
                                [](const Tensor& a, const Tensor& b, const Tensor& out) {
                                  out.copy_(ops("aten::bmm")(a, b)[0].tensor());
                                  return out;
                                });
  out_form.register_fake([](const Tensor&, const Tensor&, const Tensor& out) { return out; });
  CustomOp plain = custom_op("cases::product", "(Tensor a, Tensor b) -> Tensor",
                             [](const Tensor& a, const Tensor& b) { return ops("aten::bmm")(a, b)[0].tensor(); });
  plain.register_fake([](const Tensor& a, const Tensor& b) { return empty({a.size(0), a.size(1), b.size(2)}); });
  auto function = [](const Tensor& a, const Tensor& b) {
    Tensor out = empty({a.size(0), a.size(1), b.size(2)});
    ops("cases::product.out").call({a, b}, {{"out", out}});
    return std::tuple(out * 1, ops("cases::product")(a, b)[0].tensor());
  };
  auto fast = compile(function);
  for (int64_t batch : {2, 5, 2}) {
    Tensor a = count_up(f32, {batch, 2, 3}), b = count_up(f32, {batch, 3, 4}, -5);
    Tensor want = ops("aten::bmm")(a, b)[0].tensor();
    auto [written, made] = fast(a, b);
    expect_values(written, values_of(want));
    expect_values(made, values_of(want));
    EXPECT_EQ(sizes_of(written), (std::vector<int64_t>{batch, 2, 4}));
  }
}

}  // namespace
}  // namespace sinter::test
