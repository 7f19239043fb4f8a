// Builds programs whose every operator gets its turn, among calls that chain and fuse.

#include "properties/op_program.h"

#include "properties/plans/plans.h"

namespace sinter::test {

namespace {

constexpr uint64_t turns_of_a_program = 4;
constexpr int most_tries = 8;

bool draw_call(Pool& pool, const OpDef& op) {
  Draw draw(pool, op);
  try {
    if (Plan plan = find_plan(op)) plan(draw);
    std::optional<std::vector<Known>> results = pool.call(draw.complete());
    if (!results) return false;
    if (op.structured == Structured::empty)  // its contents are anything
      for (const Known& known : *results) pool.call({"aten::fill_.Scalar", {known.operand, operand(int64_t{2})}, {}});
    return true;
  } catch (const NothingFits&) {
    return false;
  }
}

// Calls that merge with their neighbours.
const std::vector<const OpDef*>& chained_ops() {
  static const std::vector<const OpDef*> ops = [] {
    std::vector<const OpDef*> found;
    for (const OpDef* op : drawn_ops())
      if (op->pointwise.formula || op->view || op->reduction.kind != ReductionKind::none || op->inplace_of)
        found.push_back(op);
    return found;
  }();
  return ops;
}

void choose_returns(RandomProgram& program, const std::vector<Known>& values, RandomSource& random) {
  program.returns.push_back(values.back().operand);
  for (const Known& known : values)
    if (!std::holds_alternative<InputIndex>(known.operand.held) && random.chance(0.35))
      program.returns.push_back(known.operand);
}

}  // namespace

const std::vector<const OpDef*>& drawn_ops() {
  static const std::vector<const OpDef*> ops = [] {
    std::vector<const OpDef*> found;
    for (const OpDef* op : all_ops())
      if (op->schema().space == "aten") found.push_back(op);
    return found;
  }();
  return ops;
}

uint64_t seeds_for_every_op() { return (drawn_ops().size() + turns_of_a_program - 1) / turns_of_a_program; }

RandomProgram random_op_program(uint64_t seed, DrawCounts& counts) {
  graph::InheritDevice inherit(cpu);
  Pool pool(seed, counts);
  RandomSource& random = pool.random();
  const std::vector<const OpDef*>& ops = drawn_ops();
  for (uint64_t turn = 0; turn < turns_of_a_program; ++turn) {
    for (int64_t steps = random.between(0, 2); steps > 0; --steps)
      draw_call(pool, *random.pick(random.chance(0.3) ? ops : chained_ops()));
    const OpDef& op = *ops[(seed + turn * seeds_for_every_op()) % ops.size()];
    for (int tries = 0; tries < most_tries && !draw_call(pool, op); ++tries) {
    }
  }
  std::vector<Known> values = pool.values();
  RandomProgram program = pool.take();
  choose_returns(program, values, random);
  return program;
}

}  // namespace sinter::test
