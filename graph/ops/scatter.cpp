// Writing at positions that a tensor holds, along one dim. Elements go in row-major order of the index, so where two
// meet the last one stays; sums are made in that order too.

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/scatter.h>

namespace sinter {

namespace {

bool fits_in(const SymDims& inner, const SymDims& outer, int64_t free_dim) {
  bool fits = inner.size() == outer.size();
  for (size_t i = 0; fits && i < inner.size(); ++i) fits = int64_t(i) == free_dim || inner[i] <= outer[i];
  return fits;
}

void check_sizes(const OpArgs& args, const SymDims& index, const Value& source, int64_t dim) {
  SymDims self = at_least_1d(args.meta(0).layout.sizes), asked = at_least_1d(index);
  if (!fits_in(asked, self, dim))
    args.fail(ErrorKind::shape, fmt::format("an index of sizes {} does not fit sizes {} beside dim {}",
                                            to_string(index), to_string(self), dim));
  if (source.is_tensor() && !fits_in(asked, at_least_1d(source.tensor().sizes()), -1))
    args.fail(ErrorKind::shape, fmt::format("an index of sizes {} does not fit src of sizes {}", to_string(index),
                                            to_string(source.tensor().sizes())));
}

void check_scatter(const OpArgs& args) {
  constexpr int source = 3;
  int64_t dim = wrap_dim(args, args.integer("dim"), args.meta(0).layout.rank());
  bool has_source = args.op().schema().find("src") >= 0;
  if (has_source)
    check_same_type(args, "src");
  else
    check_fills(args, args.scalar("value"), args.meta(0).dtype);
  SymDims index = args.meta(2).layout.sizes;
  if (is_known_to_be(numel(index), 0)) return;
  check_index_type(args, "index");
  check_sizes(args, index, has_source ? args[source] : Value(), dim);
}

Metas scatter_meta(const OpArgs& args) {
  check_scatter(args);
  return contiguous_like_self(args);
}

void check_reduction(const OpArgs& args, std::initializer_list<std::string_view> known) {
  const std::string& asked = args["reduce"].string();
  std::string names;
  for (std::string_view name : known) {
    if (name == asked) return;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  args.fail(ErrorKind::argument, fmt::format("there is no reduction \"{}\"", asked), "need one of " + names);
}

Metas scatter_combined_meta(const OpArgs& args) {
  check_reduction(args, {"add", "multiply"});
  return scatter_meta(args);
}

Metas scatter_reduce_meta(const OpArgs& args) {
  check_reduction(args, {"sum", "prod", "mean", "amax", "amin"});
  if (args["reduce"].string() == "mean" && args.meta(0).dtype == boolean) fail_for_type(args, boolean);
  return scatter_meta(args);
}

// --- A vector of indices ----------------------------------------------------------------------------------------

void check_vector(const OpArgs& args) {
  int64_t rank = args.meta(2).layout.rank();
  if (rank > 1) args.fail(ErrorKind::argument, fmt::format("the index has rank {}", rank), "need at most one dim");
}

// `source` has self's sizes but along dim, where it has one element for each index.
enum class ZeroDim { is_a_vector, is_another_rank };
void check_source_sizes(const OpArgs& args, ZeroDim zero_dim) {
  const SymDims self = args.meta(0).layout.sizes, source = args.meta(3).layout.sizes;
  int64_t dim = wrap_dim(args, args.integer("dim"), int64_t(self.size()));
  SymInt count = numel(args.meta(2).layout.sizes);
  SymDims wanted = with_size(at_least_1d(self), dim, count), given = at_least_1d(source);
  bool both_flat = zero_dim == ZeroDim::is_a_vector && wanted.size() == 1 && given.size() == 1;
  if (!(given == wanted) || (!both_flat && self.size() != source.size()))
    args.fail(ErrorKind::shape, fmt::format("source has sizes {}, self {}, and there are {} indices into dim {}",
                                            to_string(source), to_string(self), to_string(count), dim));
}

Metas index_add_meta(const OpArgs& args) {
  DType dtype = args.meta(0).dtype;
  check_index_type(args, "index");
  check_same_type(args, "source");
  check_vector(args);
  check_source_sizes(args, ZeroDim::is_another_rank);
  if (!is_floating(dtype) && args.scalar("alpha").is_floating())
    args.fail(ErrorKind::argument, fmt::format("alpha is a float for {} tensors", name(dtype)), "need an integer");
  if (!is_floating(dtype)) check_fills(args, args.scalar("alpha"), dtype);
  return contiguous_like_self(args);
}

Metas index_copy_meta(const OpArgs& args) {
  check_long(args, "index");
  check_same_type(args, "source");
  check_vector(args);
  check_source_sizes(args, ZeroDim::is_a_vector);
  return contiguous_like_self(args);
}

Metas index_reduce_meta(const OpArgs& args) {
  check_reduction(args, {"prod", "mean", "amax", "amin"});
  if (args.meta(0).dtype == boolean) fail_for_type(args, boolean);
  check_index_type(args, "index");
  check_same_type(args, "source");
  check_vector(args);
  check_source_sizes(args, ZeroDim::is_another_rank);
  return contiguous_like_self(args);
}

void check_fill(const OpArgs& args) {
  wrap_dim(args, args.integer("dim"), args.meta(0).layout.rank());
  check_long(args, "index");
  check_vector(args);
}

Metas index_fill_meta(const OpArgs& args) {
  check_fill(args);
  check_fills(args, args.scalar("value"), args.meta(0).dtype);
  return preserved_like_self(args);
}

Metas index_fill_tensor_meta(const OpArgs& args) {
  check_fill(args);
  if (args.meta(3).layout.rank() != 0)
    args.fail(ErrorKind::argument, fmt::format("value has rank {}", args.meta(3).layout.rank()),
              "need a zero-dim value");
  return preserved_like_self(args);
}

}  // namespace

namespace op_defs {

constinit const OpDef scatter_src =
    routine("aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatter_meta);
constinit const OpDef scatter_inplace_src =
    inplace("aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)", scatter_src);
constinit const OpDef scatter_value =
    routine("aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", scatter_meta);
constinit const OpDef scatter_inplace_value =
    inplace("aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)", scatter_value);
constinit const OpDef scatter_reduce =
    routine("aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
            scatter_combined_meta);
constinit const OpDef scatter_inplace_reduce =
    inplace("aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor(a!)",
            scatter_reduce);
constinit const OpDef scatter_value_reduce =
    routine("aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor",
            scatter_combined_meta);
constinit const OpDef scatter_inplace_value_reduce = inplace(
    "aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor(a!)",
    scatter_value_reduce);
constinit const OpDef scatter_add_default =
    routine("aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatter_meta);
constinit const OpDef scatter_add_inplace_default = inplace(
    "aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)", scatter_add_default);
constinit const OpDef scatter_reduce_two = routine(
    "aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) "
    "-> Tensor",
    scatter_reduce_meta);
constinit const OpDef scatter_reduce_inplace_two = inplace(
    "aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *, "
    "bool include_self=True) -> Tensor(a!)",
    scatter_reduce_two);

constinit const OpDef index_add_default = routine(
    "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor", index_add_meta);
constinit const OpDef index_add_inplace_default =
    inplace("aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor(a!)",
            index_add_default);
constinit const OpDef index_copy_default =
    routine("aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", index_copy_meta);
constinit const OpDef index_copy_inplace_default = inplace(
    "aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)", index_copy_default);
constinit const OpDef index_reduce_default = routine(
    "aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> "
    "Tensor",
    index_reduce_meta);
constinit const OpDef index_reduce_inplace_default = inplace(
    "aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *, "
    "bool include_self=True) -> Tensor(a!)",
    index_reduce_default);
constinit const OpDef index_fill_int_scalar =
    routine("aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", index_fill_meta);
constinit const OpDef index_fill_inplace_int_scalar =
    inplace("aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)",
            index_fill_int_scalar);
constinit const OpDef index_fill_int_tensor = routine(
    "aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor", index_fill_tensor_meta);
constinit const OpDef index_fill_inplace_int_tensor =
    inplace("aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!)",
            index_fill_int_tensor);

}  // namespace op_defs

}  // namespace sinter
