// Products of vectors, matrices and stacks of them, with inner sizes that agree.

#include "properties/plans/plans.h"

namespace sinter::test {

namespace {

int64_t size(Draw& draw) {
  return draw.random.chance(0.03)  ? 0
         : draw.random.chance(0.1) ? draw.random.between(10, 40)
                                   : draw.random.between(1, 7);
}

DType product_type(Draw& draw) { return draw.random.chance(0.6) ? f32 : draw.dtype(Types::decimal); }

Known matrix(Draw& draw, DType dtype, int64_t rows, int64_t columns) { return draw.tensor(dtype, {rows, columns}); }

// What the product is added to: of its sizes, or broadcast to them where that is allowed.
void set_summand(Draw& draw, DType dtype, Sizes sizes) {
  if (!draw.schema.parameters[0].is_written) {
    if (draw.random.chance(0.3)) sizes.erase(sizes.begin());
    for (int64_t& size : sizes)
      if (draw.random.chance(0.2)) size = 1;
    return draw.set("self", draw.tensor(dtype, sizes));
  }
  for (int tries = 0; tries < 5; ++tries) {
    Known self = draw.tensor(dtype, sizes);
    if (overlaps_itself(self.tensor.layout())) continue;
    return draw.set("self", self);
  }
  throw NothingFits();
}

void plan_matrices(Draw& draw) {
  DType dtype = product_type(draw);
  int64_t rows = size(draw), inner = size(draw), columns = size(draw);
  if (draw.has("mat1")) {
    draw.set("mat1", matrix(draw, dtype, rows, inner));
    set_summand(draw, dtype, {rows, columns});
  } else {
    draw.set("self", matrix(draw, dtype, rows, inner));
  }
  draw.set("mat2", matrix(draw, dtype, inner, columns));
  draw.set("out_dtype", Value(is_half(dtype) && draw.flag() ? f32 : dtype));
}

void plan_stacks(Draw& draw) {
  DType dtype = product_type(draw);
  int64_t batch = draw.random.between(1, 4), rows = size(draw), inner = size(draw), columns = size(draw);
  const char* left = draw.has("batch1") ? "batch1" : "self";
  draw.set(left, draw.tensor(dtype, {batch, rows, inner}));
  draw.set(draw.has("batch2") ? "batch2" : "mat2", draw.tensor(dtype, {batch, inner, columns}));
  draw.set("out_dtype", Value(is_half(dtype) && draw.flag() ? f32 : dtype));
  if (!draw.has("batch1")) return;
  set_summand(draw, dtype,
              draw.op.schema().name.starts_with("addbmm") ? Sizes{rows, columns} : Sizes{batch, rows, columns});
}

void plan_matmul(Draw& draw) {
  DType dtype = product_type(draw);
  Sizes batch = draw.small_sizes(0, 2, 3), left = batch, right = batch;
  int64_t inner = size(draw);
  if (draw.random.chance(0.2)) left.clear();
  left.insert(left.end(), {size(draw), inner});
  right.insert(right.end(), {inner, size(draw)});
  if (draw.random.chance(0.2)) left = {inner};
  if (draw.random.chance(0.2)) right = {inner};
  draw.set("self", draw.tensor(dtype, left));
  draw.set("other", draw.tensor(dtype, right));
}

void plan_linear(Draw& draw) {
  DType dtype = draw.dtype(Types::floating);
  Sizes input = draw.small_sizes(0, 3, 4);
  int64_t features = size(draw), outputs = size(draw);
  input.push_back(features);
  draw.set("input", draw.tensor(dtype, input));
  draw.set("weight", draw.tensor(dtype, {outputs, features}));
  draw.set("bias", Value());
  if (draw.flag()) draw.set("bias", draw.tensor(dtype, {outputs}));
}

void plan_matrix_and_vector(Draw& draw) {
  DType dtype = product_type(draw);
  int64_t rows = size(draw), columns = size(draw);
  if (draw.has("mat")) {
    set_summand(draw, dtype, {rows});
    draw.set("mat", matrix(draw, dtype, rows, columns));
  } else {
    draw.set("self", matrix(draw, dtype, rows, columns));
  }
  draw.set("vec", draw.tensor(dtype, {columns}));
}

void plan_vectors(Draw& draw) {
  DType dtype = product_type(draw);
  const std::string& name = draw.op.schema().name;
  int64_t length = size(draw), other = name == "dot" || name == "vdot" ? length : size(draw);
  for (const char* parameter : {"tensor", "other", "vec2"})
    if (draw.has(parameter)) draw.set(parameter, draw.tensor(dtype, {other}));
  if (draw.has("vec1")) {
    draw.set("vec1", draw.tensor(dtype, {length}));
    set_summand(draw, dtype, {length, other});
  } else {
    draw.set("self", draw.tensor(dtype, {length}));
  }
}

void plan_last_dims(Draw& draw) {
  DType dtype = product_type(draw);
  int64_t length = size(draw);
  Sizes left = draw.small_sizes(0, 2, 3), right = draw.op.schema().name == "inner" ? draw.small_sizes(0, 2, 3) : left;
  left.push_back(length);
  right.push_back(length);
  draw.set_first(draw.tensor(dtype, left));
  for (const char* parameter : {"other", "y"})
    if (draw.has(parameter)) draw.set(parameter, draw.tensor(dtype, right));
  draw.set("dim", Value(-1));
}

void plan_kron(Draw& draw) {
  Known self = draw.any(Types::decimal, 0, 3);
  draw.set_first(self);
  draw.set("other", draw.tensor(self.dtype(), draw.small_sizes(0, 3, 3)));
}

void plan_chain(Draw& draw) {
  DType dtype = draw.dtype(Types::matrix);
  std::vector<Known> factors;
  int64_t rows = draw.random.between(1, 6);
  for (int64_t count = draw.random.between(2, 4); count > 0; --count) {
    int64_t columns = draw.random.between(1, 6);
    factors.push_back(matrix(draw, dtype, rows, columns));
    rows = columns;
  }
  draw.set("tensors", factors);
  draw.set("matrices", factors);
}

void plan_power(Draw& draw) {
  Sizes sizes = draw.small_sizes(0, 1, 3);
  int64_t n = draw.random.between(1, 4), power = draw.random.between(0, 4);
  sizes.insert(sizes.end(), {n, n});
  draw.set_first(draw.tensor(draw.dtype(Types::matrix), sizes));
  draw.set("n", Value(power));
}

void plan_einsum(Draw& draw) {
  struct Form {
    const char* equation;
    std::vector<const char*> operands;
  };
  static const std::vector<Form> forms = {{"ij,jk->ik", {"ij", "jk"}},
                                          {"bij,bjk->bik", {"bij", "bjk"}},
                                          {"ii->i", {"ii"}},
                                          {"ii", {"ii"}},
                                          {"ij->ji", {"ij"}},
                                          {"i,j->ij", {"i", "j"}},
                                          {"bik,bjk->bij", {"bik", "bjk"}},
                                          {"ij,ij->", {"ij", "ij"}},
                                          {"bhid,bhjd->bhij", {"bhid", "bhjd"}},
                                          {"ij,jk,kl->il", {"ij", "jk", "kl"}},
                                          {"ij->", {"ij"}},
                                          {"ijk,k->ij", {"ijk", "k"}}};
  const Form& form = forms[draw.random.below(static_cast<int64_t>(forms.size()))];
  std::map<char, int64_t> sizes_of;
  DType dtype = draw.dtype(Types::floating);
  std::vector<Known> tensors;
  for (std::string_view letters : form.operands) {
    Sizes sizes;
    for (char letter : letters) sizes.push_back(sizes_of.try_emplace(letter, draw.random.between(1, 5)).first->second);
    tensors.push_back(draw.tensor(dtype, sizes));
  }
  draw.set("equation", Value(form.equation));
  draw.set("tensors", tensors);
  draw.set("path", Value());
}

void plan_tensordot(Draw& draw) {
  DType dtype = draw.dtype(Types::floating);
  Sizes left = draw.small_sizes(1, 3, 4), right = draw.small_sizes(1, 3, 4);
  int64_t count = draw.random.between(0, static_cast<int64_t>(std::min(left.size(), right.size())));
  Sizes a = draw.distinct_dims(static_cast<int64_t>(left.size()), count);
  Sizes b = draw.distinct_dims(static_cast<int64_t>(right.size()), count);
  auto at = [](Sizes& sizes, int64_t dim) -> int64_t& {
    return sizes[dim < 0 ? dim + static_cast<int64_t>(sizes.size()) : dim];
  };
  for (int64_t i = 0; i < count; ++i) at(right, b[i]) = at(left, a[i]);
  draw.set("self", draw.tensor(dtype, left));
  draw.set("other", draw.tensor(dtype, right));
  draw.set("dims_self", a);
  draw.set("dims_other", b);
}

void plan_bilinear(Draw& draw) {
  DType dtype = draw.dtype(Types::floating);
  int64_t a = draw.random.between(1, 4), b = draw.random.between(1, 4), outputs = draw.random.between(1, 4);
  Sizes left = draw.small_sizes(1, 2, 4), right = left;
  left.push_back(a);
  right.push_back(b);
  draw.set("input1", draw.tensor(dtype, left));
  draw.set("input2", draw.tensor(dtype, right));
  draw.set("weight", draw.tensor(dtype, {outputs, a, b}));
  draw.set("bias", Value());
  if (draw.flag()) draw.set("bias", draw.tensor(dtype, {outputs}));
}

void plan_trilinear(Draw& draw) {
  DType dtype = draw.dtype(Types::floating);
  int64_t n = draw.random.between(1, 4), a = draw.random.between(1, 4), o = draw.random.between(1, 4),
          b = draw.random.between(1, 4);
  draw.set("i1", draw.tensor(dtype, {n, a}));
  draw.set("i2", draw.tensor(dtype, {o, a, b}));
  draw.set("i3", draw.tensor(dtype, {n, b}));
  draw.set("expand1", Sizes{1, 3});
  draw.set("expand2", Sizes{0});
  draw.set("expand3", Sizes{1, 2});
  draw.set("sumdim", Sizes{2, 3});
  draw.set("unroll_dim", Value(1));
}

constexpr PlanEntry plans[] = {
    {"mm addmm _addmm_activation", plan_matrices},
    {"bmm baddbmm addbmm", plan_stacks},
    {"matmul linalg_matmul", plan_matmul},
    {"linear", plan_linear},
    {"mv addmv", plan_matrix_and_vector},
    {"dot vdot outer ger addr", plan_vectors},
    {"inner linalg_vecdot", plan_last_dims},
    {"kron", plan_kron},
    {"linalg_multi_dot chain_matmul", plan_chain},
    {"linalg_matrix_power matrix_power", plan_power},
    {"einsum", plan_einsum},
    {"tensordot", plan_tensordot},
    {"bilinear", plan_bilinear},
    {"_trilinear", plan_trilinear},
};

}  // namespace

std::span<const PlanEntry> product_plans() { return plans; }

}  // namespace sinter::test
