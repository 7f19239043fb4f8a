// Pools whose windows share the input out among a given number of results: evenly where the sizes divide (then they are
// plain windows, which fuse), else by routines.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/pool.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/pool.h>
#include <sinter/graph/ops/windows.h>

namespace sinter {

namespace {

int64_t rank_in_name(const OpArgs& args) {
  const std::string& name = args.op().schema().name;
  return name[name.find_first_of("123")] - '0';
}

// An output_size of one number for each dim, of which none is negative.
Dims checked_output(const OpArgs& args, int64_t rank) {
  Dims output = args.dims("output_size");
  if (static_cast<int64_t>(output.size()) != rank)
    args.fail(ErrorKind::argument, fmt::format("output_size has {} numbers", output.size()),
              fmt::format("need {}", rank));
  for (int64_t size : output)
    if (size < 0) args.fail(ErrorKind::argument, fmt::format("output_size has {}", size), "need sizes of at least 0");
  return output;
}

TensorMeta adaptive_meta(const OpArgs& args, int64_t rank) {
  TensorMeta self = args.meta(0);
  check_planes(args, 0, rank);
  Dims output = checked_output(args, rank);
  if (!is_floating(self.dtype)) fail_for_type(args, self.dtype);
  SymDims sizes = with_spatial(self.layout.sizes, output);
  bool is_volume = rank == 3 && sizes.size() == 4;  // whose four dims are no batch of images
  self.layout = is_volume   ? contiguous_layout(sizes)
                : rank == 1 ? layout_beside_row(self.layout, sizes)
                            : layout_beside(self.layout, sizes);
  return self;
}

Metas adaptive_avg_meta(const OpArgs& args) { return {adaptive_meta(args, rank_in_name(args))}; }
Metas uneven_meta(const OpArgs& args) {
  return {adaptive_meta(args, static_cast<int64_t>(args.dims("output_size").size()))};
}
Metas adaptive_max_meta(const OpArgs& args) {
  TensorMeta values = adaptive_meta(args, rank_in_name(args)), indices = values;
  indices.dtype = i64;
  return {values, indices};
}

// Windows of one size, side by side; nothing if the sizes do not divide.
std::optional<Windows> even_windows(const Tensor& self, const Dims& output) {
  size_t rank = output.size();
  Windows w;
  Dims size = spatial_sizes(self.sizes(), static_cast<int64_t>(rank));
  w.size = SymDims(size.begin(), size.end());
  w.output = SymDims(output.begin(), output.end());
  for (size_t i = 0; i < rank; ++i) {
    if (output[i] == 0 || size[i] % output[i] != 0) return std::nullopt;
    w.kernel.push_back(size[i] / output[i]);
  }
  w.stride = w.kernel;
  w.padding = Dims(rank, int64_t(0));
  w.dilation = Dims(rank, int64_t(1));
  return w;
}

Values run_adaptive_avg(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Dims output = args.dims("output_size");
  std::optional<Windows> windows = even_windows(self, output);
  if (!windows) return {apply_one(op_defs::uneven_adaptive_avg_pool_default, {self, output}, args.here())};
  Tensor wide = self.to(compute_type(self.dtype()), args.here());
  Tensor total = reduced_windows(wide, *windows, WindowReduction::sum, 0.0, args.here());
  int64_t count = 1;
  for (int64_t size : windows->kernel) count *= size;
  Tensor result = (total / Scalar(static_cast<double>(count))).to(self.dtype(), args.here());
  return {laid_out(result, adaptive_avg_meta(args)[0].layout, args.here())};
}

// One more dim of size 1, for an op of rank 2.
Values run_adaptive_max_1d(const OpArgs& args) {
  Dims output = {1, checked_output(args, 1)[0]};
  Values results =
      apply(op_defs::adaptive_max_pool2d_default, {args.tensor(0).unsqueeze(-2, args.here()), output}, args.here());
  for (Value& result : results) result = result.tensor().squeeze(-2, args.here());
  return results;
}

}  // namespace

namespace op_defs {

constinit const OpDef adaptive_avg_pool1d_default = decomposed(
    "aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", run_adaptive_avg, adaptive_avg_meta);
constinit const OpDef adaptive_avg_pool2d_default = decomposed(
    "aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", run_adaptive_avg, adaptive_avg_meta);
constinit const OpDef adaptive_avg_pool3d_default = decomposed(
    "aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", run_adaptive_avg, adaptive_avg_meta);
constinit const OpDef inner_adaptive_avg_pool2d_default = decomposed(
    "aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", run_adaptive_avg, adaptive_avg_meta);
constinit const OpDef inner_adaptive_avg_pool3d_default = decomposed(
    "aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", run_adaptive_avg, adaptive_avg_meta);
constinit const OpDef uneven_adaptive_avg_pool_default =
    total_routine("sinter::uneven_adaptive_avg_pool(Tensor self, SymInt[] output_size) -> Tensor", uneven_meta);

constinit const OpDef adaptive_max_pool1d_default =
    decomposed("aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)", run_adaptive_max_1d,
               adaptive_max_meta);
constinit const OpDef adaptive_max_pool2d_default =
    total_routine("aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)", adaptive_max_meta);
constinit const OpDef adaptive_max_pool3d_default =
    total_routine("aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)", adaptive_max_meta);

}  // namespace op_defs

#define SINTER_POOL_FUNCTIONS(n)                                                                    \
  Tensor adaptive_avg_pool##n##d(const Tensor& x, Dims output_size, Here here) {                    \
    return apply_one(op_defs::adaptive_avg_pool##n##d_default, {x, output_size}, here);             \
  }                                                                                                 \
  std::pair<Tensor, Tensor> adaptive_max_pool##n##d(const Tensor& x, Dims output_size, Here here) { \
    Values results = apply(op_defs::adaptive_max_pool##n##d_default, {x, output_size}, here);       \
    return {results[0].tensor(), results[1].tensor()};                                              \
  }
SINTER_POOL_FUNCTIONS(1)
SINTER_POOL_FUNCTIONS(2)
SINTER_POOL_FUNCTIONS(3)
#undef SINTER_POOL_FUNCTIONS

}  // namespace sinter
