// opcheck: what it finds, and what it says.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {
namespace {

Tensor sample() { return tensor_of({-1, 0.5, 2, 3, 4, 5}, {2, 3}); }

std::vector<std::string> failures(const OpCheckReport& report) {
  std::vector<std::string> texts;
  for (const OpCheckFinding& finding : report.findings)
    if (finding.outcome == OpCheckOutcome::failed) texts.push_back(finding.check + ": " + finding.detail);
  return texts;
}

class OpCheck : public testing::Test {
 protected:
  void SetUp() override { SINTER_NEEDS_CPU("implementations for the CPU"); }
};

TEST_F(OpCheck, PassesAnOpThatIsWhatItSays) {
  CustomOp op = custom_op("mylib::good", "(Tensor x, float s) -> Tensor",
                          [](const Tensor& x, double s) { return x.contiguous() * s; });
  op.register_fake([](const Tensor& x, double) { return empty(x.sizes(), x.dtype()); });
  OpCheckReport report = opcheck(op, {{sample(), 2.0}});
  EXPECT_TRUE(report.ok()) << to_string(report);
  EXPECT_EQ(to_string(report),
            "opcheck mylib::good.default\n"
            "  schema   sample 0                      ok\n"
            "  fake     sample 0                      ok\n"
            "  compiled sample 0                      ok\n"
            "  dynamic  sample 0                      ok\n"
            "  schema   sample 0 with other strides   ok\n"
            "  fake     sample 0 with other strides   ok\n"
            "  compiled sample 0 with other strides   ok\n"
            "  dynamic  sample 0 with other strides   ok\n"
            "  schema   sample 0 with other sizes     ok\n"
            "  fake     sample 0 with other sizes     ok\n"
            "  compiled sample 0 with other sizes     ok\n"
            "  dynamic  sample 0 with other sizes     ok\n"
            "  schema   sample 0 with other sizes     ok\n"
            "  fake     sample 0 with other sizes     ok\n"
            "  compiled sample 0 with other sizes     ok\n"
            "  dynamic  sample 0 with other sizes     ok\n");
}

TEST_F(OpCheck, PassesTheOtherKinds) {
  CustomOp formula = elementwise_op("mylib::square(Tensor x) -> Tensor", "x * x");
  EXPECT_TRUE(opcheck(formula, {{sample()}}).ok());
  CustomOp writes = custom_op("mylib::add_one", "(Tensor(a!) x) -> Tensor", [](const Tensor& x) {
    x.add_(1);
    return x.sum();
  });
  writes.register_fake([](const Tensor&) { return empty({}); });
  EXPECT_TRUE(opcheck(writes, {{sample()}}).ok()) << to_string(opcheck(writes, {{sample()}}));
  EXPECT_TRUE(opcheck(ops("aten::gelu"), {{sample()}}).ok());
}

TEST_F(OpCheck, FindsAWriteThatIsNotDeclared) {
  CustomOp op = custom_op("mylib::sly", "(Tensor x) -> Tensor", [](const Tensor& x) {
    x.add_(1);
    return x + 0;
  });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  OpCheckReport report = opcheck(op, {{sample()}});
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(failures(report)[0], "schema: it writes `x`, which its schema does not mark as written");
}

TEST_F(OpCheck, FindsResultsThatShareMemory) {
  CustomOp same = custom_op("mylib::same", "(Tensor x) -> (Tensor, Tensor)", [](const Tensor& x) {
    Tensor y = x + 1;
    return std::tuple(y, y);
  });
  EXPECT_EQ(failures(opcheck(same, {{sample()}}, {.needs_fake = false}))[0],
            "schema: mylib::same: its implementation gives two results in one memory");
  CustomOp view = custom_op("mylib::view", "(Tensor x) -> Tensor", [](const Tensor& x) { return x.t(); });
  EXPECT_EQ(failures(opcheck(view, {{sample()}}, {.needs_fake = false}))[0],
            "schema: mylib::view: its implementation gives a tensor that lies in the memory of its argument `x`");
}

TEST_F(OpCheck, FindsAFakeThatIsWrongOnOtherStridesOnly) {
  CustomOp op = custom_op("mylib::dense", "(Tensor x) -> Tensor", [](const Tensor& x) { return x.contiguous() + 0; });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  OpCheckReport report = opcheck(op, {{sample()}}, {.seed = 1});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(failures(report)[0], "fake: result 0 is f32[2, 3], the fake one f32[2, 3] strides=[1, 2]");
}

TEST_F(OpCheck, FindsAFakeThatIsWrongOnOtherSizesOnly) {
  CustomOp op = custom_op("mylib::grown", "(Tensor x) -> Tensor", [](const Tensor& x) { return cat({x, x}); });
  op.register_fake([](const Tensor&) { return empty({4, 3}); });
  OpCheckReport report = opcheck(op, {{sample()}});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(failures(report)[0].substr(0, 20), "fake: result 0 is f3");
}

TEST_F(OpCheck, SamplesThatDifferInWhatIsNoTensor) {
  CustomOp op = custom_op("mylib::cast", "(Tensor x, ScalarType d, int[] n, str s) -> Tensor",
                          [](const Tensor& x, DType d, const std::vector<int64_t>& n, const std::string& s) {
                            return (x.contiguous() * n[0] + static_cast<int64_t>(s.size())).to(d);
                          });
  op.register_fake(
      [](const Tensor& x, DType d, const std::vector<int64_t>&, const std::string&) { return empty(x.sizes(), d); });
  auto list = [](int64_t n) { return Value(Value::List{Value(n)}); };
  OpCheckReport report = opcheck(op, {{sample(), f64, list(1), "a"},
                                      {sample(), i32, list(1), "a"},
                                      {sample(), i32, list(3), "a"},
                                      {sample(), i32, list(3), "abc"}});
  EXPECT_TRUE(report.ok()) << to_string(report);
}

TEST_F(OpCheck, SamplesAndOpsThatAreBroken) {
  CustomOp op = custom_op("mylib::f", "(Tensor x) -> Tensor", [](const Tensor& x) { return x + 1; });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  EXPECT_EQ(failures(opcheck(op, {{sample(), sample(), sample()}})),
            std::vector<std::string>{"schema: 3 arguments, its schema has 1"});
  CustomOp throws = custom_op("mylib::throws", "(Tensor x) -> Tensor", [](const Tensor&) -> Tensor { throw 5; });
  throws.register_fake([](const Tensor& x) { return empty_like(x); });
  EXPECT_EQ(failures(opcheck(throws, {{sample()}}))[0], "schema: it throws what is no std::exception");
}

TEST_F(OpCheck, FindsAnOpThatIgnoresStrides) {
  CustomOp op = custom_op("mylib::copy", "(Tensor x) -> Tensor", [](const Tensor& x) {
    Tensor y = empty(x.sizes());
    for (int64_t i = 0; i < x.numel().constant(); ++i) y.data_ptr<float>()[i] = x.data_ptr<float>()[i];
    return y;
  });
  op.register_fake([](const Tensor& x) { return empty(x.sizes()); });
  EXPECT_EQ(failures(opcheck(op, {{sample()}})),
            std::vector<std::string>{"strides: result 0 has other values than with the sample's own strides"});
}

TEST_F(OpCheck, FindsWritesBetweenElements) {
  CustomOp op = custom_op("mylib::sevens", "(Tensor(a!) x) -> ()", [](const Tensor& x) {
    for (int64_t i = 0; i < x.numel().constant(); ++i) x.data_ptr<float>()[i] = 7;
  });
  op.register_fake([](const Tensor&) {});
  EXPECT_EQ(failures(opcheck(op, {{sample()}}))[0], "schema: it writes between the elements of `x`");
}

TEST_F(OpCheck, AsksForAFakeFunction) {
  CustomOp op = custom_op("mylib::no_fake", "(Tensor x) -> Tensor", [](const Tensor& x) { return x + 1; });
  EXPECT_EQ(failures(opcheck(op, {{sample()}}))[0], "fake: there is no fake function");
  EXPECT_TRUE(opcheck(op, {{sample()}}, {.needs_fake = false}).ok());
}

TEST_F(OpCheck, SizesThatTheOpRefusesAreNoFault) {
  CustomOp op = custom_op("mylib::six", "(Tensor x) -> Tensor", [](const Tensor& x) {
    if (x.size(1) != SymInt(3)) throw std::invalid_argument("three columns");
    return x + 1;
  });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  OpCheckReport report = opcheck(op, {{sample()}});
  EXPECT_TRUE(report.ok()) << to_string(report);
  EXPECT_NE(to_string(report).find("skipped: it refuses: three columns"), std::string::npos);
}

#ifndef NDEBUG
TEST_F(OpCheck, RunsAtRegistrationInDebugBuilds) {
  auto sly = [](const Tensor& x) {
    x.add_(1);
    return x + 0;
  };
  EXPECT_THROW(custom_op("mylib::sly", "(Tensor x) -> Tensor", sly, {.samples = {{sample()}}}), Error);
  EXPECT_EQ(find_op("mylib::sly"), nullptr);
}
#endif

}  // namespace
}  // namespace sinter::test
