// Joins, flips, rolls, repeats and pads.

#include "properties/plans/plans.h"

namespace sinter::test {

namespace {

void set_tensors(Draw& draw, const std::vector<Known>& tensors) {
  draw.set("tensors", tensors);
  draw.set("matrices", tensors);
}

// Equal sizes but along one dim, sometimes of other dtypes.
void plan_cat(Draw& draw) {
  Known first = draw.any(Types::any, 1, 4);
  int64_t dim = draw.dim(first.rank());
  std::vector<Known> tensors = {first};
  for (int64_t count = draw.random.between(0, 3); count > 0; --count) {
    Sizes sizes = first.sizes();
    sizes[dim < 0 ? dim + first.rank() : dim] = draw.random.between(0, 5);
    tensors.push_back(draw.tensor(draw.random.chance(0.8) ? first.dtype() : draw.dtype(Types::any), sizes));
  }
  set_tensors(draw, tensors);
  draw.set("dim", Value(dim));
}

// Equal sizes.
void plan_alike(Draw& draw) {
  Known first = draw.any(Types::any, 0, 3);
  std::vector<Known> tensors = {first};
  for (int64_t count = draw.random.between(0, 3); count > 0; --count)
    tensors.push_back(draw.tensor(draw.random.chance(0.8) ? first.dtype() : draw.dtype(Types::any), first.sizes()));
  set_tensors(draw, tensors);
  draw.set("dim", Value(draw.dim(first.rank() + 1)));
  if (draw.op.schema().name != "_chunk_cat") return;
  draw.set("dim", Value(0));
  draw.set("num_chunks", Value(draw.random.between(1, 3)));
}

void plan_vectors(Draw& draw) {
  Known first = draw.any(Types::any, 1, 1);
  std::vector<Known> tensors = {first};
  for (int64_t count = draw.random.between(0, 2); count > 0; --count)
    tensors.push_back(draw.tensor(first.dtype(), {draw.random.between(1, 5)}));
  set_tensors(draw, tensors);
  draw.set("indexing", Value(draw.flag() ? "ij" : "xy"));
}

void plan_blocks(Draw& draw) {
  std::vector<Known> tensors;
  for (int64_t count = draw.random.between(1, 3); count > 0; --count) tensors.push_back(draw.any(Types::any, 0, 2));
  set_tensors(draw, tensors);
}

void plan_broadcast(Draw& draw) {
  Known first = draw.any();
  std::vector<Known> tensors = {first};
  for (int64_t count = draw.random.between(0, 2); count > 0; --count) tensors.push_back(draw.broadcasting(first, true));
  set_tensors(draw, tensors);
}

void plan_combinations(Draw& draw) {
  draw.set_first(draw.tensor(draw.dtype(Types::any), {draw.random.between(0, 7)}));
  draw.set("r", Value(draw.random.between(0, 3)));
}

void plan_flip(Draw& draw) {
  Known self = draw.any();
  draw.set_first(self);
  draw.set("dims", draw.distinct_dims(self.rank(), draw.random.between(0, self.rank())));
}

void plan_rot90(Draw& draw) {
  Known self = draw.any(Types::any, 2);
  draw.set_first(self);
  draw.set("k", Value(draw.random.between(-2, 5)));
  draw.set("dims", draw.distinct_dims(self.rank(), 2));
}

void plan_of_matrix(Draw& draw) { draw.set_first(draw.any(Types::any, 2)); }

void plan_roll(Draw& draw) {
  Known self = draw.any();
  draw.set_first(self);
  bool is_flat = self.rank() == 0 || draw.random.chance(0.2);
  Sizes dims = is_flat ? Sizes() : draw.distinct_dims(self.rank(), draw.random.between(1, self.rank()));
  Sizes shifts(is_flat ? 1 : dims.size());
  for (int64_t& shift : shifts) shift = draw.random.between(-9, 9);
  draw.set("dims", dims);
  draw.set("shifts", shifts);
}

void plan_repeat(Draw& draw) {
  Known self = draw.any();
  draw.set_first(self);
  Sizes repeats(self.rank() + draw.random.between(0, 1));
  for (int64_t& repeat : repeats) repeat = draw.random.chance(0.03) ? 0 : draw.random.between(1, 3);
  draw.set("repeats", repeats);
  draw.set("dims", repeats);
}

void plan_constant_pad(Draw& draw) {
  Known self = draw.any();
  draw.set_first(self);
  Sizes pad(2 * draw.random.between(0, self.rank()));
  for (int64_t& amount : pad) amount = draw.random.between(draw.random.chance(0.1) ? -1 : 0, 3);
  draw.set("pad", pad);
}

// Reflections and repetitions of the last dims, one or two dims before them.
void plan_edge_pad(Draw& draw) {
  const std::string& name = draw.op.schema().name;
  int64_t dims = draw.random.between(1, 3);
  for (int64_t count : {1, 2, 3})
    if (name.find(fmt::format("pad{}d", count)) != std::string::npos) dims = count;
  Sizes sizes = draw.small_sizes(dims + 1, dims + 2, 6), pad(2 * dims), padded = sizes;
  for (int64_t i = 0; i < dims; ++i) {
    int64_t dim = static_cast<int64_t>(sizes.size()) - 1 - i;
    for (int64_t side : {0, 1}) pad[2 * i + side] = draw.random.between(0, std::max<int64_t>(sizes[dim] - 1, 0));
    padded[dim] += pad[2 * i] + pad[2 * i + 1];
  }
  DType dtype = draw.dtype(draw.random.chance(0.8) ? Types::floating : Types::any);
  draw.set("self", draw.tensor(dtype, sizes));
  draw.set("grad_output", draw.tensor(dtype, padded));
  draw.set("padding", pad);
  draw.set("pad", pad);
  if (!draw.has("mode")) return;
  if (draw.parameter("mode").type == ArgType::string)
    draw.set("mode", Value(draw.random.pick({"reflect", "replicate", "circular"})));
  else
    draw.set("mode", Value(draw.random.between(1, 3)));
  draw.set("value", Value());
}

void plan_pad(Draw& draw) {
  if (draw.flag()) return plan_edge_pad(draw);
  plan_constant_pad(draw);
  if (draw.parameter("mode").type == ArgType::string)
    draw.set("mode", Value("constant"));
  else
    draw.set("mode", Value(0));
}

constexpr PlanEntry plans[] = {
    {"cat concat concatenate", plan_cat},
    {"stack hstack vstack row_stack dstack column_stack _chunk_cat", plan_alike},
    {"meshgrid cartesian_prod", plan_vectors},
    {"block_diag", plan_blocks},
    {"broadcast_tensors", plan_broadcast},
    {"combinations", plan_combinations},
    {"flip", plan_flip},
    {"rot90", plan_rot90},
    {"fliplr flipud", plan_of_matrix},
    {"roll", plan_roll},
    {"repeat tile", plan_repeat},
    {"constant_pad_nd", plan_constant_pad},
    {"pad _pad_enum", plan_pad},
    {"_pad_circular reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d "
     "replication_pad3d reflection_pad1d_backward reflection_pad2d_backward reflection_pad3d_backward "
     "replication_pad1d_backward replication_pad2d_backward replication_pad3d_backward",
     plan_edge_pad},
};

}  // namespace

std::span<const PlanEntry> join_plans() { return plans; }

}  // namespace sinter::test
