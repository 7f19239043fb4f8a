// Reads at places that data name: indices within bounds, masks, searches, embeddings.

#include "properties/plans/plans.h"

#include <algorithm>

namespace sinter::test {

namespace {

int64_t positive(int64_t dim, int64_t rank) { return dim < 0 ? dim + rank : dim; }

// One index tensor a dim, or none, or one mask in front.
void plan_index(Draw& draw) {
  Known self = draw.any(Types::any, 1, 4);
  draw.set_first(self);
  Sizes shape = draw.small_sizes(0, 2, 4);
  Operand::List indices;
  if (draw.random.chance(0.1)) {
    int64_t count = draw.random.between(1, self.rank());
    Sizes sizes = self.sizes();
    sizes.resize(count);
    Known mask = draw.tensor(boolean, sizes, [&] { return draw.random.chance(0.5); });
    indices.push_back(mask.operand);
    shape.clear();
  } else {
    bool wraps = draw.random.chance(0.3);
    int64_t count = draw.random.between(1, self.rank()), named = draw.random.below(count);
    for (int64_t dim = 0; dim < count; ++dim) {
      if (dim != named && draw.random.chance(0.4)) {
        indices.push_back(operand(Value()));
        continue;
      }
      Sizes sizes = shape;
      if (!sizes.empty() && draw.random.chance(0.2)) sizes[0] = 1;
      int64_t size = self.size(dim);
      indices.push_back(draw.indices(sizes, wraps ? -size : 0, size).operand);
    }
  }
  draw.set_operand("indices", {indices});
  if (!draw.has("values")) return;
  Known probe = draw.random.chance(0.4) ? draw.pool.fresh(self.dtype(), {})
                                        : draw.call("aten::index.Tensor", {self.operand, {indices}})[0];
  draw.set("values", draw.tensor(self.dtype(), probe.sizes()));
}

// Indices of a gather: at most the tensor's size in other dims.
void plan_gather(Draw& draw) {
  Known self = draw.any(Types::any, 1, 4);
  int64_t dim = draw.dim(self.rank()), size = self.size(dim);
  Sizes sizes = self.sizes();
  for (int64_t& other : sizes) other = std::min<int64_t>(other, draw.random.between(1, 6));
  sizes[positive(dim, self.rank())] = draw.random.between(0, 6);
  Known index = draw.indices(sizes, 0, size);
  draw.set("self", self);
  draw.set("dim", Value(dim));
  draw.set("index", index);
  draw.set("grad", draw.tensor(self.dtype(), index.sizes()));
  draw.set("sparse_grad", Value(false));
}

void plan_index_select(Draw& draw) {
  Known self = draw.any(Types::any, 1, 4);
  int64_t dim = draw.dim(self.rank());
  draw.set_first(self);
  draw.set("dim", Value(dim));
  draw.set("index", draw.indices({draw.random.between(0, 6)}, 0, self.size(dim)));
}

void plan_take(Draw& draw) {
  Known self = draw.any();
  draw.set_first(self);
  Known index = draw.indices(draw.small_sizes(0, 2), -self.count(), self.count());
  draw.set("index", index);
  draw.set("source", draw.tensor(self.dtype(), index.sizes()));
}

void plan_take_along(Draw& draw) {
  Known self = draw.any(Types::any, 1, 4);
  draw.set_first(self);
  if (draw.random.chance(0.3)) {
    draw.set("indices", draw.indices(draw.small_sizes(1, 2), 0, self.count()));
    return draw.set("dim", Value());
  }
  int64_t dim = draw.dim(self.rank());
  Sizes sizes = self.sizes();
  sizes[positive(dim, self.rank())] = draw.random.between(1, 5);
  draw.set("indices", draw.indices(sizes, 0, self.size(dim)));
  draw.set("dim", Value(dim));
}

void plan_masked(Draw& draw) {
  Known self = draw.any();
  draw.set("self", self);
  draw.set("input", self);
  Known mask = draw.tensor(boolean, self.sizes(), [&] { return draw.random.chance(0.5); });
  draw.set("mask", mask);
  std::vector<double> chosen = elements_of(mask);
  int64_t count = std::count(chosen.begin(), chosen.end(), 1.0);
  if (draw.has("value") && draw.parameter("value").type == ArgType::tensor)
    draw.set("value", draw.pool.fresh(self.dtype(), {}));
  else
    draw.set("value", draw.number());
  draw.set("source", draw.tensor(self.dtype(), {count + draw.random.between(0, 2)}));
  draw.set("grad", draw.tensor(self.dtype(), {count}));
  draw.set("grad_output", draw.tensor(self.dtype(), self.sizes()));
  draw.set("sizes", Sizes{count});
}

void plan_embedding(Draw& draw) {
  int64_t rows = draw.random.between(1, 8), columns = draw.random.between(1, 20);
  Known indices = draw.indices(draw.small_sizes(0, 2, 6), 0, rows);
  DType dtype = draw.dtype(draw.has("grad_output") || draw.has("grad") ? Types::floating : Types::any);
  if (draw.has("self")) dtype = draw.dtype(Types::floating);
  Sizes sizes = indices.sizes();
  sizes.push_back(columns);
  draw.set("weight", draw.tensor(dtype, {rows, columns}));
  draw.set("self", draw.pool.fresh(dtype, {rows, columns}, std::vector<double>(rows * columns, 0.75)));
  draw.set("indices", indices);
  draw.set("grad_output", draw.tensor(dtype, sizes));
  draw.set("grad", draw.tensor(dtype, sizes));
  draw.set("num_weights", Value(rows));
  draw.set("padding_idx", Value(draw.random.between(-1, rows - 1)));
  draw.set("sparse", Value(false));
  draw.set("max_norm", Value(draw.random.pick({0.5, 1.0, 3.0})));
  draw.set("norm_type", Value(draw.random.pick({1.0, 2.0, 3.0})));
}

// Bags of embeddings, and the gradients of what the bags gave.
void plan_bag(Draw& draw) {
  int64_t rows = draw.random.between(1, 8), columns = draw.random.between(1, 12), count = draw.random.between(1, 12);
  int64_t bags = draw.random.between(1, 4), mode = draw.random.between(0, 2);
  DType dtype = draw.dtype(Types::matrix);
  Known weight = draw.tensor(dtype, {rows, columns}), indices = draw.indices({count}, 0, rows);
  std::vector<double> places = {0};
  while (static_cast<int64_t>(places.size()) < bags)
    places.push_back(static_cast<double>(draw.random.between(0, count)));
  std::sort(places.begin(), places.end());
  Known offsets = draw.tensor(i64, {bags}, places);
  bool is_weighted = mode == 0 && draw.flag();
  if (draw.op.schema().name.find("per_sample") != std::string::npos) mode = 0;
  Operand none = operand(Value());
  std::optional<Known> weights;
  if (is_weighted) weights = draw.tensor(dtype, {count});
  draw.set("weight", weight);
  draw.set("indices", indices);
  draw.set("offsets", offsets);
  draw.set("mode", Value(mode));
  draw.set("sparse", Value(false));
  draw.set("scale_grad_by_freq", Value(false));
  draw.set("include_last_offset", Value(false));
  draw.set_operand("per_sample_weights", weights ? weights->operand : none);
  draw.set("padding_idx", Value(draw.flag() ? -1 : draw.random.below(rows)));
  draw.set("num_weights", Value(rows));
  if (!draw.has("grad")) return;
  auto results = draw.call("aten::_embedding_bag", {weight.operand, indices.operand, offsets.operand, operand(false),
                                                    operand(mode), operand(false), weights ? weights->operand : none});
  draw.set("grad", draw.tensor(dtype, results[0].sizes()));
  draw.set("offset2bag", results[1]);
  draw.set("bag_size", results[2]);
  draw.set("maximum_indices", results[3]);
}

Known sorted_numbers(Draw& draw, DType dtype, const Sizes& sizes) {
  int64_t count = sizes.back(), next = 0;
  double value = -5;
  return draw.tensor(dtype, sizes, [&] {
    if (count > 0 && next++ % count == 0) value = -5;
    return value += static_cast<double>(draw.random.between(0, 2));
  });
}

void plan_search(Draw& draw) {
  DType dtype = draw.flag() ? f32 : draw.random.pick({i8, i16, i32, i64, f64, f16});
  Sizes sizes = draw.has("sorted_sequence") && draw.flag() && draw.parameter("self").type == ArgType::tensor
                    ? draw.small_sizes(1, 3, 8)
                    : Sizes{draw.random.between(0, 9)};
  Known sequence = sorted_numbers(draw, dtype, sizes);
  draw.set("sorted_sequence", sequence);
  draw.set("boundaries", sequence);
  if (draw.parameter("self").type == ArgType::tensor) {
    Sizes places = sizes;
    if (sizes.size() == 1)
      places = draw.small_sizes(0, 2);
    else
      places.back() = draw.random.between(0, 5);
    draw.set("self", draw.pool.fresh(dtype, places));
  }
  draw.set("sorter", Value());
  bool is_right = draw.flag();
  draw.set("right", Value(is_right));
  draw.set("side", draw.flag() ? Value() : Value(is_right ? "right" : "left"));
}

void plan_histogram(Draw& draw) {
  DType dtype = draw.dtype(Types::matrix);
  Known self = draw.tensor(dtype, draw.small_sizes(0, 2, 9), [&] { return draw.random.unit() * 4 - 2; });
  draw.set_first(self);
  if (draw.has("bins") && draw.parameter("bins").type == ArgType::tensor)
    draw.set("bins", sorted_numbers(draw, dtype, {draw.random.between(2, 6)}));
  else
    draw.set("bins", Value(draw.random.between(1, 12)));
  draw.set("min", Value(draw.flag() ? 0 : -1));
  draw.set("max", Value(draw.flag() ? 0 : 2));
  draw.set("weight", Value());
}

void plan_counts(Draw& draw) {
  draw.set_first(draw.indices({draw.random.between(0, 20)}, 0, 9));
  draw.set("weights", Value());
  draw.set("num_classes", Value(draw.random.between(9, 12)));
}

void plan_one_hot(Draw& draw) {
  draw.set_first(draw.indices(draw.small_sizes(0, 3), 0, 5));
  draw.set("num_classes", Value(draw.random.between(5, 9)));
}

void plan_repeat_interleave(Draw& draw) {
  bool has_self = draw.has("self");
  Known self = draw.any(Types::any, 1, 3);
  int64_t dim = draw.dim(self.rank()), size = self.size(dim);
  draw.set("self", self);
  draw.set("dim", Value(dim));
  if (draw.parameter("repeats").type != ArgType::tensor) return draw.set("repeats", Value(draw.random.between(0, 3)));
  Known repeats = draw.tensor(i64, {has_self ? size : draw.random.between(0, 5)},
                              [&] { return static_cast<double>(draw.random.between(0, 3)); });
  int64_t total = 0;
  for (double count : elements_of(repeats)) total += static_cast<int64_t>(count);
  draw.set("repeats", repeats);
  draw.set("output_size", Value(total));
}

void plan_nonzero_static(Draw& draw) {
  draw.set_first(draw.any(Types::any, 1, 3));
  draw.set("size", Value(draw.random.between(0, 12)));
}

constexpr PlanEntry plans[] = {
    {"index _unsafe_index index_put _unsafe_index_put", plan_index},
    {"gather gather_backward", plan_gather},
    {"index_select", plan_index_select},
    {"take put", plan_take},
    {"take_along_dim", plan_take_along},
    {"masked_fill masked_select masked_select_backward masked_scatter masked_scatter_backward", plan_masked},
    {"embedding embedding_dense_backward embedding_backward embedding_renorm", plan_embedding},
    {"embedding_bag _embedding_bag _embedding_bag_forward_only _embedding_bag_backward _embedding_bag_dense_backward "
     "_embedding_bag_per_sample_weights_backward",
     plan_bag},
    {"searchsorted bucketize", plan_search},
    {"histc histogram", plan_histogram},
    {"bincount", plan_counts},
    {"one_hot", plan_one_hot},
    {"repeat_interleave", plan_repeat_interleave},
    {"nonzero_static", plan_nonzero_static},
};

}  // namespace

std::span<const PlanEntry> index_plans() { return plans; }

}  // namespace sinter::test
