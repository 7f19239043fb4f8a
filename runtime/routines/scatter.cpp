// Writing at indices along one dim, in row-major order of the index; f16 and bf16 are combined in f32 and rounded once.

#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/routines/combine.h>
#include <sinter/runtime/routines/indexed_walk.h>
#include <sinter/runtime/routines/routine.h>
#include <sinter/runtime/routines/rows.h>

namespace sinter::runtime::routines {

namespace {

// target[..., positions[k], ...] is combined with source[..., k, ...]; all of one type.
void scatter_along(const Tensor& target, int64_t dim, const Tensor& positions, const Tensor& source, Combine how) {
  const int64_t* at = positions.data_ptr<int64_t>();
  int64_t count = size_along(positions, dim);
  visit_combined(target.dtype(), how, [&](auto zero, auto combine) {
    using T = decltype(zero);
    T* to = static_cast<T*>(target.data_ptr());
    const T* from = static_cast<const T*>(source.data_ptr());
    for_each_row<3>({&positions, &target, &source}, dim, [&](const std::array<int64_t, 3>& offsets) {
      Row<const int64_t> where{at + offsets[0], stride_along(positions, dim)};
      Row<T> into{to + offsets[1], stride_along(target, dim)};
      Row<const T> values{from + offsets[2], stride_along(source, dim)};
      for (int64_t k = 0; k < count; ++k) combine(into[where[k]], values[k]);
    });
  });
}

// A number as a source of the index's sizes.
Tensor number_like(const Tensor& positions, Scalar value, DType dtype) {
  return scalar_tensor(value, dtype).expand(positions.sizes());
}

// Where results are made: in the result itself, or in f32 beside it.
class Target {
 public:
  Target(const Tensor& self, const Tensor& result, Combine how) : result_(result) {
    bool is_wide = is_half(self.dtype()) && how != Combine::assign;
    made_ = is_wide ? self.to(DType::f32) : result;
    if (!is_wide) result.copy_(self);
  }
  const Tensor& tensor() const { return made_; }
  Tensor converted(const Tensor& source) const { return source.to(made_.dtype()); }
  void finish() const {
    if (!made_.is_same(result_)) result_.copy_(made_);
  }

 private:
  Tensor result_, made_;
};

void scatter(const Tensor& self, const Tensor& result, int64_t dim, const Tensor& positions, const Tensor& source,
             Combine how) {
  Target target(self, result, how);
  if (count_of(positions) > 0) scatter_along(target.tensor(), dim, positions, target.converted(source), how);
  target.finish();
}

Tensor scatter_positions(const OpArgs& args, int64_t dim) {
  if (count_of(args[2].tensor()) == 0) return new_tensor(DType::i64, sizes_of(args[2].tensor()));
  return checked_indices(args, args[2].tensor(), dim, size_along(args[0].tensor(), dim), Negative::is_refused);
}

Combine asked_combination(const OpArgs& args) {
  return args["reduce"].string() == "add" ? Combine::add : Combine::multiply;
}

void scatter_source(const OpArgs& args, const Tensor& result, Combine how) {
  const Tensor& self = args[0].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  scatter(self, result, dim, scatter_positions(args, dim), args[3].tensor(), how);
}

void scatter_number(const OpArgs& args, const Tensor& result, Combine how) {
  const Tensor& self = args[0].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  Tensor positions = scatter_positions(args, dim);
  scatter(self, result, dim, positions, number_like(positions, args.scalar("value"), self.dtype()), how);
}

// --- Reductions -------------------------------------------------------------------------------------------------

struct Reduction {
  Combine how = Combine::add;
  bool is_mean = false;
};

Reduction asked_reduction(const OpArgs& args) {
  const std::string& name = args["reduce"].string();
  if (name == "prod") return {Combine::multiply};
  if (name == "amax") return {Combine::maximum};
  if (name == "amin") return {Combine::minimum};
  return {Combine::add, name == "mean"};
}

// target / how many elements each sum has; integers are rounded down.
void divide_by_counts(const Tensor& target, const Tensor& counts) {
  visit_computed(target.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* values = target.data_ptr<T>();
    const int64_t* by = counts.data_ptr<int64_t>();
    for_each_row<2>({&target, &counts}, /*dim=*/-1, [&](const std::array<int64_t, 2>& offsets) {
      T& value = values[offsets[0]];
      int64_t count = std::max<int64_t>(by[offsets[1]], 1);
      if constexpr (std::is_floating_point_v<T>)
        value /= static_cast<T>(count);
      else
        value = static_cast<T>(floor_quotient(static_cast<int64_t>(value), count));
    });
  });
}

void scatter_reduction(const OpArgs& args, const Tensor& result, int64_t dim, const Tensor& positions,
                       const Tensor& source) {
  const Tensor& self = args[0].tensor();
  Reduction reduction = asked_reduction(args);
  bool include_self = args.flag("include_self");
  Target target(self, result, reduction.how);
  if (count_of(positions) > 0) {
    DType dtype = target.tensor().dtype();
    if (!include_self)
      scatter_along(target.tensor(), dim, positions, number_like(positions, identity(reduction.how, dtype), dtype),
                    Combine::assign);
    scatter_along(target.tensor(), dim, positions, target.converted(source), reduction.how);
  }
  if (reduction.is_mean) {
    Tensor counts = full(self.sizes(), include_self ? 1 : 0, DType::i64);
    if (count_of(positions) > 0)
      scatter_along(counts, dim, positions, number_like(positions, 1, DType::i64), Combine::add);
    divide_by_counts(target.tensor(), counts);
  }
  target.finish();
}

// --- A vector of indices ----------------------------------------------------------------------------------------

// The positions of index vector `index`, repeated over all dims of `like` but `dim`.
Tensor vector_positions(const OpArgs& args, int64_t dim, const Tensor& like, Negative negative) {
  const Tensor& self = args[0].tensor();
  Tensor positions = checked_indices(args, args[2].tensor(), dim, size_along(self, dim), negative);
  Layout layout{at_least_1d(like.sizes()), {}, positions.layout().offset};
  for (int64_t i = 0; i < layout.rank(); ++i) layout.strides.push_back(i == dim ? 1 : 0);
  layout.sizes[dim] = positions.numel();
  return seen_as(positions, layout);
}

}  // namespace

SINTER_ROUTINE(scatter_src) { scatter_source(args, results[0], Combine::assign); }
SINTER_ROUTINE(scatter_value) { scatter_number(args, results[0], Combine::assign); }
SINTER_ROUTINE(scatter_reduce) { scatter_source(args, results[0], asked_combination(args)); }
SINTER_ROUTINE(scatter_value_reduce) { scatter_number(args, results[0], asked_combination(args)); }
SINTER_ROUTINE(scatter_add_default) { scatter_source(args, results[0], Combine::add); }

SINTER_ROUTINE(scatter_reduce_two) {
  int64_t dim = wrap_dim(args, args.integer("dim"), args[0].tensor().dim());
  scatter_reduction(args, results[0], dim, scatter_positions(args, dim), args[3].tensor());
}

SINTER_ROUTINE(index_add_default) {
  const Tensor &self = args[0].tensor(), &source = args[3].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  Tensor positions = vector_positions(args, dim, source, Negative::is_refused);
  DType wide = compute_type(self.dtype());
  Tensor scaled = mul(source.to(wide), args.scalar("alpha")).to(wide);
  scatter(self, results[0], dim, positions, scaled, Combine::add);
}

SINTER_ROUTINE(index_copy_default) {
  const Tensor &self = args[0].tensor(), &source = args[3].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  scatter(self, results[0], dim, vector_positions(args, dim, source, Negative::is_refused), source, Combine::assign);
}

SINTER_ROUTINE(index_reduce_default) {
  const Tensor &self = args[0].tensor(), &source = args[3].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  scatter_reduction(args, results[0], dim, vector_positions(args, dim, source, Negative::is_refused), source);
}

SINTER_ROUTINE(index_fill_int_tensor) {
  const Tensor& self = args[0].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  Tensor positions = vector_positions(args, dim, self, Negative::counts_from_the_end);
  Tensor value = args.tensor(3).to(self.dtype()).expand(positions.sizes());
  scatter(self, results[0], dim, positions, value, Combine::assign);
}

SINTER_ROUTINE(index_fill_int_scalar) {
  const Tensor& self = args[0].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  Tensor positions = vector_positions(args, dim, self, Negative::counts_from_the_end);
  scatter(self, results[0], dim, positions, number_like(positions, args.scalar("value"), self.dtype()),
          Combine::assign);
}

// --- Whole tensors ----------------------------------------------------------------------------------------------

SINTER_ROUTINE(put_default) {
  const Tensor &self = args[0].tensor(), &source = args[2].tensor();
  Tensor positions = checked_indices(args, args[1].tensor(), -1, count_of(self), Negative::counts_from_the_end);
  bool adds = args.flag("accumulate");
  DType dtype = adds ? compute_type(self.dtype()) : self.dtype();
  Tensor elements = clone_contiguous(self.to(dtype));
  if (count_of(positions) > 0)
    scatter_along(flat(elements), 0, flat(positions), flat(dense(source, dtype)),
                  adds ? Combine::add : Combine::assign);
  results[0].copy_(elements);
}

SINTER_ROUTINE(unsafe_index_put_default) {
  const Tensor& self = args[0].tensor();
  Combine how = args.flag("accumulate") ? Combine::add : Combine::assign;
  std::vector<Tensor> index_of_dim = index_of_each_dim(args, args.tensors("indices"));
  Target target(self, results[0], how);
  Tensor values = target.converted(args.tensor(2));
  IndexedWalk walk = walk_indexed(args, target.tensor(), index_of_dim, values);
  visit_combined(values.dtype(), how, [&](auto zero, auto combine) {
    using T = decltype(zero);
    T* into = static_cast<T*>(target.tensor().data_ptr());
    const T* from = static_cast<const T*>(values.data_ptr());
    walk.for_each_run(0, walk.position_count(), [&](const ElementRun& run) {
      for (int64_t i = 0; i < run.count; ++i)
        combine(into[run.first_offset + i * run.first_stride], from[run.second_offset + i * run.second_stride]);
    });
  });
  target.finish();
}

}  // namespace sinter::runtime::routines
