// Where values belong: searches in sorted sequences, counts by range (histograms) and membership.

#include <sinter/graph/ops/search.h>

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

// --- searchsorted and bucketize ---------------------------------------------------------------------------------

Metas positions_meta(const OpArgs& args, const TensorMeta& values) {
  return {fresh_meta(args, args.flag("out_int32") ? i32 : i64, values.layout.sizes)};
}

void check_side(const OpArgs& args) {
  if (args["side"].is_none()) return;
  const std::string& side = args["side"].string();
  if (side != "left" && side != "right")
    args.fail(ErrorKind::argument, fmt::format("there is no side \"{}\"", side), "need left or right");
  if (side == "left" && args.flag("right"))
    args.fail(ErrorKind::argument, "side is left and right is true", "give only one of them");
}

void check_sorter(const OpArgs& args) {
  if (args["sorter"].is_none()) return;
  const Tensor& sorter = args["sorter"].tensor();
  check_long(args, "sorter");
  if (!(sorter.sizes() == args.meta(0).layout.sizes))
    args.fail(ErrorKind::shape, fmt::format("the sorter has sizes {}, the sequence {}", to_string(sorter.sizes()),
                                            to_string(args.meta(0).layout.sizes)));
}

// One sequence for all values, or one for each row of them.
Metas searchsorted_meta(const OpArgs& args) {
  const SymDims sequence = args.meta(0).layout.sizes, values = args.meta(1).layout.sizes;
  check_side(args);
  check_sorter(args);
  if (sequence.empty())
    args.fail(ErrorKind::shape, "the sorted sequence is a zero-dim tensor", "need at least one dim");
  bool fits = sequence.size() == 1 || sequence.size() == values.size();
  for (size_t i = 0; sequence.size() > 1 && fits && i + 1 < sequence.size(); ++i) fits = sequence[i] == values[i];
  if (!fits)
    args.fail(ErrorKind::shape,
              fmt::format("sequences of sizes {} for values of sizes {}", to_string(sequence), to_string(values)),
              "need one sequence, or equal sizes but the last");
  return positions_meta(args, args.meta(1));
}

Metas bucketize_meta(const OpArgs& args) {
  if (args.meta(1).layout.rank() != 1)
    args.fail(ErrorKind::shape, fmt::format("boundaries have rank {}", args.meta(1).layout.rank()), "need a vector");
  return positions_meta(args, args.meta(0));
}

DType common_with_number(const Tensor& tensor, Scalar number) {
  TypedOperand operands[] = {{tensor.dtype(), tensor.dim() == 0 ? Rank::zero_dim : Rank::dense},
                             {number.dtype(), Rank::number}};
  return result_type(operands);
}

Values run_searchsorted_scalar(const OpArgs& args) {
  Tensor sequence = args.tensor(0);
  DType dtype = common_with_number(sequence, args.scalar("self"));
  Tensor value = scalar_tensor(args.scalar("self"), dtype, args.here());
  return apply(op_defs::searchsorted_tensor,
               {sequence.to(dtype, args.here()), value, args["out_int32"], args["right"], args["side"], args["sorter"]},
               args.here());
}

Values run_bucketize_scalar(const OpArgs& args) {
  Tensor boundaries = args.tensor(1);
  DType dtype = common_with_number(boundaries, args.scalar("self"));
  Tensor value = scalar_tensor(args.scalar("self"), dtype, args.here());
  return apply(op_defs::bucketize_tensor, {value, boundaries.to(dtype, args.here()), args["out_int32"], args["right"]},
               args.here());
}

// --- isin -------------------------------------------------------------------------------------------------------

Metas isin_meta(const OpArgs& args) { return {fresh_meta(args, boolean, args.meta(0).layout.sizes)}; }

ScalarExpr isin_number(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr number = s.constant(args.scalar("test_element"), x[0].dtype());
  return args.flag("invert") ? x[0] != number : x[0] == number;
}

Values run_isin_scalar(const OpArgs& args) {
  Tensor among = args.tensor(1);
  DType dtype = common_with_number(among, args.scalar("element"));
  return apply(op_defs::isin_tensor_tensor,
               {scalar_tensor(args.scalar("element"), dtype, args.here()), among.to(dtype, args.here()),
                args["assume_unique"], args["invert"]},
               args.here());
}

// --- Histograms -------------------------------------------------------------------------------------------------

void check_bin_count(const OpArgs& args, int64_t bins) {
  if (bins <= 0) args.fail(ErrorKind::argument, fmt::format("{} bins", bins), "need at least one");
}

Metas histc_meta(const OpArgs& args) {
  DType dtype = args.meta(0).dtype;
  if (!is_floating(dtype)) fail_for_type(args, dtype);
  check_bin_count(args, args.integer("bins"));
  if (args.number("min") > args.number("max"))
    args.fail(ErrorKind::argument,
              fmt::format("min {} is greater than max {}", args.number("min"), args.number("max")));
  return {fresh_meta(args, dtype, {args.integer("bins")})};
}

void check_histogram(const OpArgs& args) {
  DType dtype = args.meta(0).dtype;
  if (dtype != f32 && dtype != f64) fail_for_type(args, dtype);
  if (args["weight"].is_none()) return;
  check_same_type(args, "weight");
  const Tensor& weight = args["weight"].tensor();
  if (!(weight.sizes() == args.meta(0).layout.sizes))
    args.fail(ErrorKind::shape, fmt::format("weight has sizes {}, self {}", to_string(weight.sizes()),
                                            to_string(args.meta(0).layout.sizes)));
}

Metas histogram_meta(const OpArgs& args) {
  check_histogram(args);
  int64_t bins = args.integer("bins");
  check_bin_count(args, bins);
  if (!args["range"].is_none() && args["range"].list().size() != 2)
    args.fail(ErrorKind::argument, fmt::format("range has {} numbers", args["range"].list().size()), "need two");
  DType dtype = args.meta(0).dtype;
  return {fresh_meta(args, dtype, {bins}), fresh_meta(args, dtype, {bins + 1})};
}

Metas histogram_of_edges_meta(const OpArgs& args) {
  check_histogram(args);
  check_same_type(args, "bins");
  const SymDims edges = args.meta(1).layout.sizes;
  if (edges.size() != 1 || edges[0] < 1)
    args.fail(ErrorKind::shape, fmt::format("bin edges of sizes {}", to_string(edges)), "need a vector");
  DType dtype = args.meta(0).dtype;
  return {fresh_meta(args, dtype, {edges[0] - 1}), fresh_meta(args, dtype, edges)};
}

// At least `minlength` counts. An empty tensor's are integers even where there are weights.
Metas bincount_meta(const OpArgs& args) {
  const Layout& self = args.meta(0).layout;
  if (!is_integer(args.meta(0).dtype)) fail_for_type(args, args.meta(0).dtype);
  SymInt least = args.size("minlength");
  if (least < 0) args.fail(ErrorKind::argument, fmt::format("minlength {} is negative", to_string(least)));
  bool has_weights = !args["weights"].is_none();
  bool is_empty = has_weights ? numel(self.sizes) == 0 : is_known_to_be(numel(self.sizes), 0);
  has_weights &= !is_empty;
  DType dtype = !has_weights ? i64 : args["weights"].tensor().dtype() == f32 ? f32 : f64;
  SymInt count = is_empty ? least : size_from_data(args, {least.is_constant() ? least.hint() : 0, SizeRange::no_high});
  return {fresh_meta(args, dtype, {count})};
}

}  // namespace

namespace op_defs {

constinit const OpDef searchsorted_tensor = routine(
    "aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, "
    "str? side=None, Tensor? sorter=None) -> Tensor",
    searchsorted_meta);
constinit const OpDef searchsorted_scalar = decomposed(
    "aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, "
    "str? side=None, Tensor? sorter=None) -> Tensor",
    run_searchsorted_scalar);
constinit const OpDef bucketize_tensor = routine(
    "aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    bucketize_meta);
constinit const OpDef bucketize_scalar = decomposed(
    "aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    run_bucketize_scalar);

constinit const OpDef isin_tensor_tensor = routine(
    "aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) "
    "-> "
    "Tensor",
    isin_meta);
constinit const OpDef isin_tensor_scalar = pointwise(
    "aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> "
    "Tensor",
    types_compare, isin_number);
constinit const OpDef isin_scalar_tensor = decomposed(
    "aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> "
    "Tensor",
    run_isin_scalar);

constinit const OpDef histc_default =
    routine("aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor", histc_meta);
constinit const OpDef histogram_bin_ct = routine(
    "aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, "
    "bool density=False) -> (Tensor hist, Tensor bin_edges)",
    histogram_meta);
constinit const OpDef histogram_bins_tensor = routine(
    "aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> "
    "(Tensor hist, Tensor bin_edges)",
    histogram_of_edges_meta);
constinit const OpDef bincount_default =
    sized_by_data("aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor", bincount_meta);

}  // namespace op_defs

}  // namespace sinter
