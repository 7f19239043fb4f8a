// Pixels and channels in another order: views that are copied once, and sums of columns, which are a routine.

#include <sinter/graph/ops/unfold.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/unfold.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/windows.h>

#include <limits>

namespace sinter {

namespace {

// The dims in front of the last three, then these after them.
Dims order(int64_t front, std::initializer_list<int64_t> rest) {
  Dims dims;
  for (int64_t i = 0; i < front; ++i) dims.push_back(i);
  for (int64_t dim : rest) dims.push_back(front + dim);
  return dims;
}

// --- Pixels and channels ----------------------------------------------------------------------------------------

int64_t checked_factor(const OpArgs& args, std::string_view parameter) {
  int64_t rank = args.meta(0).layout.rank(), factor = args.integer(parameter);
  if (rank < 3)
    args.fail(ErrorKind::shape, fmt::format("an input of {} dims", rank), "need channels, height and width");
  if (factor < 1) args.fail(ErrorKind::argument, fmt::format("{} is {}", parameter, factor), "need at least 1");
  constexpr int64_t most = std::numeric_limits<int32_t>::max();  // its square is a number of channels
  if (factor > most)
    args.fail(ErrorKind::argument, fmt::format("{} is {}", parameter, factor), fmt::format("need at most {}", most));
  return factor;
}

void check_divides(const OpArgs& args, SymInt size, int64_t divisor, std::string_view what) {
  if (!(mod(size, divisor) == 0))
    args.fail(ErrorKind::shape, fmt::format("{} {} are no multiple of {}", to_string(size), what, divisor));
}

// A fresh result, with the channels where the input has them.
Values finished(const OpArgs& args, const Tensor& view, SymDims sizes) {
  Tensor result = clone_contiguous(view, args.here()).view(sizes, args.here());
  return {laid_out(result, layout_beside(args.meta(0).layout, sizes), args.here())};
}

Values run_pixel_shuffle(const OpArgs& args) {
  int64_t factor = checked_factor(args, "upscale_factor");
  Tensor self = args.tensor(0);
  SymInt channels = self.size(-3), height = self.size(-2), width = self.size(-1), r = factor;
  check_divides(args, channels, factor * factor, "channels");
  SymDims lead = leading(self.sizes(), self.dim() - 3);
  SymInt fewer = floor_div(channels, factor * factor);
  Tensor split = self.reshape(joined(lead, {fewer, r, r, height, width}), args.here());
  Tensor turned = split.permute(order(static_cast<int64_t>(lead.size()), {0, 3, 1, 4, 2}), args.here());
  return finished(args, turned, joined(lead, {fewer, height * r, width * r}));
}

Values run_pixel_unshuffle(const OpArgs& args) {
  int64_t factor = checked_factor(args, "downscale_factor");
  Tensor self = args.tensor(0);
  SymInt channels = self.size(-3), height = self.size(-2), width = self.size(-1), r = factor;
  check_divides(args, height, factor, "rows");
  check_divides(args, width, factor, "columns");
  SymDims lead = leading(self.sizes(), self.dim() - 3);
  SymInt rows = floor_div(height, factor), columns = floor_div(width, factor);
  Tensor split = self.reshape(joined(lead, {channels, rows, r, columns, r}), args.here());
  Tensor turned = split.permute(order(static_cast<int64_t>(lead.size()), {0, 2, 4, 1, 3}), args.here());
  return finished(args, turned, joined(lead, {channels * r * r, rows, columns}));
}

Values run_channel_shuffle(const OpArgs& args) {
  Tensor self = args.tensor(0);
  int64_t groups = args.integer("groups");
  if (self.dim() < 3)
    args.fail(ErrorKind::shape, fmt::format("an input of {} dims", self.dim()),
              "need a batch, channels and at least one more dim");
  if (groups < 1) args.fail(ErrorKind::argument, fmt::format("{} groups", groups), "need at least one");
  check_divides(args, self.sizes()[1], groups, "channels");
  SymInt rest = 1;
  for (int64_t i = 2; i < self.dim(); ++i) rest *= self.sizes()[i];
  Tensor split = self.reshape({self.sizes()[0], groups, floor_div(self.sizes()[1], groups), rest}, args.here());
  return finished(args, split.transpose(1, 2, args.here()), self.sizes());
}

// --- Windows as columns -----------------------------------------------------------------------------------------

Windows column_windows(const OpArgs& args, const SymDims& size) {
  Windows w;
  w.kernel = spatial_numbers(args, "kernel_size", 2, 1);
  w.stride = spatial_numbers(args, "stride", 2, 1);
  w.padding = spatial_numbers(args, "padding", 2, 0);
  w.dilation = spatial_numbers(args, "dilation", 2, 1);
  w.size = size;
  for (int i = 0; i < 2; ++i) {
    SymInt padded = size[i] + 2 * w.padding[i], room = padded - (w.dilation[i] * (w.kernel[i] - 1) + 1);
    if (room < 0)
      args.fail(ErrorKind::shape, fmt::format("a window of {} over {} elements, padding included",
                                              w.dilation[i] * (w.kernel[i] - 1) + 1, to_string(padded)));
    w.output.push_back(floor_div(room, w.stride[i]) + 1);
  }
  return w;
}

Values run_im2col(const OpArgs& args) {
  Tensor self = args.tensor(0);
  check_planes(args, 0, 2);
  Windows w = column_windows(args, spatial_dims(self.sizes(), 2));
  bool has_batch = self.dim() == 4;
  Tensor all = windows_of(has_batch ? self : self.unsqueeze(0, args.here()), w, 0, args.here());
  Tensor turned = all.permute({0, 1, 4, 5, 2, 3}, args.here());
  SymInt rows = all.sizes()[1] * SymInt(w.kernel[0] * w.kernel[1]);
  Tensor columns =
      clone_contiguous(turned, args.here()).view({all.sizes()[0], rows, w.output[0] * w.output[1]}, args.here());
  return {has_batch ? columns : columns.squeeze(0, args.here())};
}

Metas col2im_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  check_planes(args, 0, 1);
  Dims size = spatial_numbers(args, "output_size", 2, 1);
  Windows w = column_windows(args, SymDims(size.begin(), size.end()));
  SymInt rows = self.layout.sizes[self.layout.rank() - 2], columns = self.layout.sizes[self.layout.rank() - 1];
  int64_t kernel = w.kernel[0] * w.kernel[1];
  check_divides(args, rows, kernel, "rows");
  if (!(columns == w.output[0] * w.output[1]))
    args.fail(ErrorKind::shape,
              fmt::format("{} columns for {} windows", to_string(columns), to_string(w.output[0] * w.output[1])));
  if (!is_floating(self.dtype)) fail_for_type(args, self.dtype);
  SymDims sizes = {floor_div(rows, kernel), size[0], size[1]};
  if (self.layout.rank() == 3) sizes.insert(sizes.begin(), self.layout.sizes[0]);
  self.layout = contiguous_layout(sizes);
  return {self};
}

}  // namespace

namespace op_defs {

constinit const OpDef im2col_default = decomposed(
    "aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor",
    run_im2col);
constinit const OpDef col2im_default = total_routine(
    "aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] "
    "stride) -> Tensor",
    col2im_meta);
constinit const OpDef pixel_shuffle_default =
    decomposed("aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", run_pixel_shuffle);
constinit const OpDef pixel_unshuffle_default =
    decomposed("aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", run_pixel_unshuffle);
constinit const OpDef channel_shuffle_default =
    decomposed("aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor", run_channel_shuffle);
constinit const OpDef native_channel_shuffle_default =
    decomposed("aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor", run_channel_shuffle);

}  // namespace op_defs

Tensor pixel_shuffle(const Tensor& x, int64_t upscale_factor, Here here) {
  return apply_one(op_defs::pixel_shuffle_default, {x, upscale_factor}, here);
}
Tensor pixel_unshuffle(const Tensor& x, int64_t downscale_factor, Here here) {
  return apply_one(op_defs::pixel_unshuffle_default, {x, downscale_factor}, here);
}
Tensor channel_shuffle(const Tensor& x, int64_t groups, Here here) {
  return apply_one(op_defs::channel_shuffle_default, {x, groups}, here);
}
Tensor im2col(const Tensor& x, Dims kernel_size, Dims dilation, Dims padding, Dims stride, Here here) {
  return apply_one(op_defs::im2col_default, {x, kernel_size, dilation, padding, stride}, here);
}
Tensor col2im(const Tensor& x, Dims output_size, Dims kernel_size, Dims dilation, Dims padding, Dims stride,
              Here here) {
  return apply_one(op_defs::col2im_default, {x, output_size, kernel_size, dilation, padding, stride}, here);
}

}  // namespace sinter
