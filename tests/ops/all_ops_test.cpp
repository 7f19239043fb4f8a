// The table of ops: every definition is found by its name and says how it computes in exactly one way.

#include <sinter/graph/ops/all_ops.h>

#include <fstream>
#include <string>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(AllOps, EveryOpIsFoundByNameAndItsSchemaReadsBack) {
  for (const OpDef* op : builtin_ops()) {
    EXPECT_EQ(find_op(op->name()), op) << op->name();
    std::string text = to_string(op->schema());
    EXPECT_EQ(to_string(parse_schema(text)), text);
  }
}

TEST(AllOps, EveryOpComputesInOneWay) {
  for (const OpDef* op : builtin_ops()) {
    int ways = (op->pointwise.formula != nullptr) + (op->view != nullptr) +
               (op->reduction.kind != ReductionKind::none) + (op->structured != Structured::none) +
               (op->library != Library::none) + (op->decompose != nullptr) + (op->composite != nullptr) +
               (op->inplace_of != nullptr);
    EXPECT_EQ(ways, 1) << op->name();
  }
}

TEST(AllOps, InPlaceFormsHaveTheParametersOfTheirFunction) {
  for (const OpDef* op : builtin_ops()) {
    if (!op->inplace_of) continue;
    const Schema &own = op->schema(), &functional = op->inplace_of->schema();
    ASSERT_EQ(own.parameters.size(), functional.parameters.size()) << op->name();
    EXPECT_TRUE(own.parameters[0].is_written) << op->name();
    for (size_t i = 0; i < own.parameters.size(); ++i)
      EXPECT_EQ(own.parameters[i].name, functional.parameters[i].name) << op->name();
  }
}

TEST(AllOps, TheFoundationIsThere) {
  std::ifstream list(SINTER_SOURCE_DIR "/tests/conformance/foundation.txt");
  int count = 0;
  for (std::string op; std::getline(list, op); ++count) EXPECT_TRUE(find_op(op)) << op;
  EXPECT_EQ(count, 182);
}

TEST(AllOps, AnUnknownNameIsAnErrorThatNamesIt) {
  EXPECT_EQ(message_of([](const Tensors&) { return ops("aten::rleu")(1)[0].tensor(); }),
            "there is no operator aten::rleu.default");
}

TEST(AllOps, ANameWithoutItsSpaceIsTakenForAtens) {
  try {
    ops("add");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.need(), "an overload of aten::add: Scalar, Tensor");
  }
}

}  // namespace
}  // namespace sinter::test
