// Writes at places that data name.

#include "properties/plans/plans.h"

#include <algorithm>

namespace sinter::test {

namespace {

int64_t positive(int64_t dim, int64_t rank) { return dim < 0 ? dim + rank : dim; }

const char* reduction_name(Draw& draw) {
  const Schema& schema = draw.op.schema();
  if (schema.overload == "reduce" || schema.overload == "value_reduce") return draw.random.pick({"add", "multiply"});
  if (schema.name.starts_with("index_reduce")) return draw.random.pick({"prod", "mean", "amax", "amin"});
  return draw.random.pick({"sum", "prod", "mean", "amax", "amin"});
}

void plan_scatter(Draw& draw) {
  Known self = draw.any(Types::any, 1, 4);
  int64_t dim = draw.dim(self.rank());
  Sizes sizes = self.sizes();
  for (int64_t& size : sizes) size = std::min<int64_t>(size, draw.random.between(1, 6));
  sizes[positive(dim, self.rank())] = draw.random.between(0, 6);
  Known index = draw.indices(sizes, 0, self.size(dim));
  Sizes source = index.sizes();
  if (!source.empty() && draw.random.chance(0.3)) source[0] += 1;
  draw.set("self", self);
  draw.set("dim", Value(dim));
  draw.set("index", index);
  draw.set("src", draw.tensor(self.dtype(), source));
  draw.set("value", draw.number());
  draw.set("reduce", Value(reduction_name(draw)));
}

void plan_index_write(Draw& draw) {
  Known self = draw.any(Types::any, 1, 4);
  int64_t dim = draw.dim(self.rank()), count = draw.random.between(0, 6);
  Sizes sizes = self.sizes();
  sizes[positive(dim, self.rank())] = count;
  draw.set("self", self);
  draw.set("dim", Value(dim));
  draw.set("index", draw.indices({count}, 0, self.size(dim)));
  draw.set("source", draw.tensor(self.dtype(), sizes));
  draw.set("reduce", Value(reduction_name(draw)));
  if (!draw.has("value")) return;
  if (draw.parameter("value").type == ArgType::tensor)
    draw.set("value", draw.pool.fresh(self.dtype(), {}));
  else
    draw.set("value", draw.number());
}

// Lengths, or offsets, of segments along dim 0.
void plan_segment(Draw& draw) {
  int64_t segments = draw.random.between(1, 4);
  std::vector<double> lengths, offsets = {0};
  for (int64_t i = 0; i < segments; ++i) {
    lengths.push_back(static_cast<double>(draw.random.between(0, 4)));
    offsets.push_back(offsets.back() + lengths.back());
  }
  Sizes sizes = draw.small_sizes(0, 2, 4);
  sizes.insert(sizes.begin(), static_cast<int64_t>(offsets.back()));
  Known data = draw.tensor(draw.dtype(Types::floating), sizes);
  const char* reduce = draw.random.pick({"sum", "mean", "max", "min", "prod"});
  bool by_length = draw.flag();
  Known places = by_length ? draw.tensor(i64, {segments}, lengths) : draw.tensor(i64, {segments + 1}, offsets);
  Operand none = operand(Value());
  draw.set("data", data);
  draw.set("reduce", Value(reduce));
  draw.set_operand("lengths", by_length ? places.operand : none);
  draw.set_operand("offsets", by_length ? none : places.operand);
  draw.set("indices", Value());
  draw.set("axis", Value(0));
  draw.set("unsafe", Value(false));
  draw.set("initial", Value());
  if (!draw.has("output")) return;
  Known output = draw.call("aten::segment_reduce", {data.operand, operand(Value(reduce))},
                           {{by_length ? "lengths" : "offsets", places.operand}})[0];
  draw.set("output", output);
  draw.set("grad", draw.tensor(data.dtype(), output.sizes()));
}

constexpr PlanEntry plans[] = {
    {"scatter scatter_add scatter_reduce", plan_scatter},
    {"index_add index_copy index_reduce index_fill", plan_index_write},
    {"segment_reduce _segment_reduce_backward", plan_segment},
};

}  // namespace

std::span<const PlanEntry> scatter_plans() { return plans; }

}  // namespace sinter::test
