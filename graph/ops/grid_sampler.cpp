// Images read at given places, and the gradients.

#include <sinter/graph/ops/grid_sampler.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/grid_sampler.h>
#include <sinter/graph/ops/spatial.h>

namespace sinter {

namespace {

void check_modes(const OpArgs& args) {
  int64_t mode = args.integer("interpolation_mode"), padding = args.integer("padding_mode");
  if (mode < 0 || mode > 2)
    args.fail(ErrorKind::argument, fmt::format("interpolation_mode {}", mode),
              "need 0 (bilinear), 1 (nearest) or 2 (bicubic)");
  if (padding < 0 || padding > 2)
    args.fail(ErrorKind::argument, fmt::format("padding_mode {}", padding),
              "need 0 (zeros), 1 (border) or 2 (reflection)");
}

// Checks input and grid, which are in these slots, and returns the sizes of the result.
SymDims sampled_sizes(const OpArgs& args, int input_slot, int grid_slot, int64_t rank) {
  TensorMeta input = args.meta(input_slot), grid = args.meta(grid_slot);
  const SymDims &sizes = input.layout.sizes, &places = grid.layout.sizes;
  if (input.layout.rank() != rank + 2 || grid.layout.rank() != rank + 2)
    args.fail(ErrorKind::shape,
              fmt::format("an input of {} dims and a grid of {}", input.layout.rank(), grid.layout.rank()),
              fmt::format("need {} dims each", rank + 2));
  if (!(sizes[0] == places[0]) || !(places[rank + 1] == rank))
    args.fail(ErrorKind::shape,
              fmt::format("a grid of sizes {} for an input of {}", to_string(places), to_string(sizes)),
              fmt::format("need the same batch, and {} numbers for each place", rank));
  for (int64_t i = 2; i < rank + 2; ++i)
    if (sizes[i] == 0) args.fail(ErrorKind::shape, fmt::format("an image of sizes {}", to_string(sizes)));
  check_same_dtype(args, input_slot, grid_slot);
  if (!is_floating(input.dtype)) fail_for_type(args, input.dtype);
  check_modes(args);
  SymDims result = {sizes[0], sizes[1]};
  for (int64_t i = 1; i <= rank; ++i) result.push_back(places[i]);
  return result;
}

template <int64_t rank>
Metas sampler_meta(const OpArgs& args) {
  TensorMeta result = args.meta(0);
  result.layout = contiguous_layout(sampled_sizes(args, 0, 1, rank));
  return {result};
}

Metas gradients_meta(const OpArgs& args) {
  TensorMeta input = args.meta(1), grid = args.meta(2);
  SymDims sizes = sampled_sizes(args, 1, 2, input.layout.rank() - 2);
  if (!(args.meta(0).layout.sizes == sizes))
    args.fail(ErrorKind::shape, fmt::format("a gradient of sizes {} for a result of {}",
                                            to_string(args.meta(0).layout.sizes), to_string(sizes)));
  check_same_dtype(args, 1, 0);
  input.layout = contiguous_layout(input.layout.sizes);
  grid.layout = contiguous_layout(grid.layout.sizes);
  return {input, grid};
}

Values run_sampler(const OpArgs& args) {
  const OpDef& op =
      args.meta(0).layout.rank() == 5 ? op_defs::grid_sampler_3d_default : op_defs::grid_sampler_2d_default;
  return apply(op, args.values(), {}, args.here());
}

// The gradient of the input is absent if it is not asked for.
template <int64_t rank>
Values run_backward(const OpArgs& args) {
  sampled_sizes(args, 1, 2, rank);
  Values results = apply(op_defs::grid_sampler_gradients_default, args.values().first(6), {}, args.here());
  if (!args["output_mask"].list()[0].scalar().to_bool()) results[0] = Value();
  return results;
}

}  // namespace

namespace op_defs {

constinit const OpDef grid_sampler_default = decomposed(
    "aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> "
    "Tensor",
    run_sampler);
constinit const OpDef grid_sampler_2d_default = total_routine(
    "aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) "
    "-> Tensor",
    sampler_meta<2>);
constinit const OpDef grid_sampler_3d_default = total_routine(
    "aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) "
    "-> Tensor",
    sampler_meta<3>);
constinit const OpDef grid_sampler_2d_backward_default = composite(
    "aten::grid_sampler_2d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int "
    "padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)",
    run_backward<2>);
constinit const OpDef grid_sampler_3d_backward_default = composite(
    "aten::grid_sampler_3d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int "
    "padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)",
    run_backward<3>);
constinit const OpDef grid_sampler_gradients_default = total_routine(
    "sinter::grid_sampler_gradients(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int "
    "padding_mode, bool align_corners) -> (Tensor, Tensor)",
    gradients_meta);

}  // namespace op_defs

Tensor grid_sampler(const Tensor& x, const Tensor& grid, Interpolation interpolation, Outside outside,
                    bool align_corners, Here here) {
  return apply_one(op_defs::grid_sampler_default,
                   {x, grid, static_cast<int64_t>(interpolation), static_cast<int64_t>(outside), align_corners}, here);
}

}  // namespace sinter
