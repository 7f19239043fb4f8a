// Signatures: text that reads back, defaults, binding and its errors.

#include <sinter/graph/schema.h>

#include <gtest/gtest.h>

namespace sinter {
namespace {

TEST(Schema, TextReadsBack) {
  for (const char* text : {
           "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
           "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
           "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
           "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) "
           "-> "
           "(Tensor, Tensor, Tensor)",
           "aten::gelu(Tensor self, *, str approximate='none') -> Tensor",
       })
    EXPECT_EQ(to_string(parse_schema(text)), text);
}

TEST(Schema, NamesTheFaultyColumn) {
  try {
    parse_schema("aten::add(Tensr self) -> Tensor");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("expected a type at column"), std::string::npos) << error.what();
  }
}

TEST(Schema, BindsByPositionNameAndDefault) {
  Schema schema = parse_schema("aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor");
  Value values[] = {Value(1.5)};
  Values bound = bind_arguments(schema, values, {{"max", Value(2)}}, Here::current());
  EXPECT_EQ(bound.size(), 3u);
  EXPECT_TRUE(bound[1].is_none());
  EXPECT_EQ(bound[2].scalar().to_int(), 2);
}

TEST(Schema, ANumberFillsAListOfKnownLength) {
  Schema schema = parse_schema("aten::f(Tensor self, int[2] size) -> Tensor");
  Value values[] = {Value(1.0), Value(3)};
  Values bound = bind_arguments(schema, values, {}, Here::current());
  EXPECT_EQ(bound[1].list().size(), 2u);
}

void expect_bind_error(const NamedValues& keywords, std::initializer_list<Value> positional, const char* message) {
  Schema schema = parse_schema("aten::f(Tensor self, int n, *, float eps=1e-05) -> Tensor");
  try {
    bind_arguments(schema, std::span<const Value>(positional.begin(), positional.size()), keywords, Here::current());
    FAIL() << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), message);
    EXPECT_EQ(error.need(), "aten::f(Tensor self, int n, *, float eps=1e-05) -> Tensor");
  }
}

TEST(Schema, SaysWhatDoesNotBind) {
  expect_bind_error({}, {Value(1.0)}, "f: `n` is missing");
  expect_bind_error({{"m", Value(1)}}, {Value(1.0), Value(2)}, "f: has no argument `m`");
  expect_bind_error({{"n", Value(1)}}, {Value(1.0), Value(2)}, "f: `n` is given twice");
  expect_bind_error({}, {Value(1.0), Value(2.5)}, "f: `n` needs int, got 2.5");
  expect_bind_error({}, {Value(1.0), Value(1), Value(1), Value(1)}, "f: takes 3 arguments, got 4");
}

TEST(Schema, ANumberStandsForATensorThatIsNeededAndOnlyRead) {
  auto message = [](const char* text, const Value& value) -> std::string {
    try {
      bind_arguments(parse_schema(text), std::span<const Value>(&value, 1), {}, Here::current());
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(message("aten::f(Tensor x) -> Tensor", 2.5), "");
  EXPECT_EQ(message("aten::f(Tensor? x) -> Tensor", 2.5), "f: `x` needs Tensor, got 2.5");
  EXPECT_EQ(message("aten::f(Tensor(a!) x) -> Tensor(a!)", 2.5), "f: `x` needs Tensor, got 2.5");
  EXPECT_EQ(message("aten::f(Tensor[] x) -> Tensor", Value::List{2.5}), "f: `x`[0] needs Tensor, got 2.5");
}

}  // namespace
}  // namespace sinter
