// The arithmetic of windows, and padding.

#include <sinter/graph/ops/windows.h>

#include <sinter/graph/ops/ops.h>

#include <algorithm>

namespace sinter {

namespace {

bool has_parameter(const OpArgs& args, std::string_view name) { return args.op().schema().find(name) >= 0; }

int64_t reach(const Windows& w, size_t dim) { return w.dilation[dim] * (w.kernel[dim] - 1) + 1; }

SymInt window_count(const OpArgs& args, const Windows& w, size_t dim, bool ceil_mode) {
  int64_t stride = w.stride[dim];
  SymInt padded = w.size[dim] + 2 * w.padding[dim], room = padded - reach(w, dim);
  if (ceil_mode) room += stride - 1;
  if (room < 0)
    args.fail(ErrorKind::shape,
              fmt::format("a window of {} over {} elements, padding included", reach(w, dim), to_string(padded)),
              "need a window within the padded input");
  SymInt count = floor_div(room, stride) + 1;
  // With ceil_mode the last window still starts inside the input or the padding before it.
  if (ceil_mode && (count - 1) * stride >= w.size[dim] + w.padding[dim]) count -= 1;
  if (count < 1) args.fail(ErrorKind::shape, "the result would be empty");
  return count;
}

void check_padding(const OpArgs& args, const Windows& w, size_t dim) {
  if (2 * w.padding[dim] > reach(w, dim))
    args.fail(ErrorKind::argument, fmt::format("padding {} for a window of {}", w.padding[dim], reach(w, dim)),
              "need a padding of at most half the window");
}

// Where the last window ends along a dim, counted from the input's start.
SymInt last_end(const Windows& w, size_t dim) {
  return (w.output[dim] - 1) * w.stride[dim] + (reach(w, dim) - w.padding[dim]);
}

// x with elements of `value` before and after it along a dim.
Tensor padded(const Tensor& x, int64_t dim, int64_t before, SymInt after, Scalar value, Here here) {
  std::vector<Tensor> parts;
  auto border = [&](SymInt count) {
    if (count <= 0) return;
    SymDims sizes = x.sizes();
    sizes[dim] = count;
    parts.push_back(full(sizes, value, x.dtype(), here));
  };
  border(before);
  parts.push_back(x);
  border(after);
  return parts.size() == 1 ? x : cat(parts, dim, here);
}

}  // namespace

Windows pool_windows(const OpArgs& args, int64_t rank, int slot) {
  check_planes(args, slot, rank);
  Windows w;
  w.kernel = spatial_numbers(args, "kernel_size", rank, 1);
  w.stride = args.dims("stride").empty() ? w.kernel : spatial_numbers(args, "stride", rank, 1);
  w.padding = spatial_numbers(args, "padding", rank, 0);
  w.dilation = has_parameter(args, "dilation") ? spatial_numbers(args, "dilation", rank, 1)
                                               : Dims(static_cast<size_t>(rank), int64_t(1));
  w.size = spatial_dims(args.meta(slot).layout.sizes, rank);
  bool ceil_mode = has_parameter(args, "ceil_mode") && args.flag("ceil_mode");
  for (size_t dim = 0; dim < w.size.size(); ++dim) {
    check_padding(args, w, dim);
    w.output.push_back(window_count(args, w, dim, ceil_mode));
  }
  return w;
}

Tensor windows_of(const Tensor& x, const Windows& w, Scalar outside, Here here) {
  int64_t rank = static_cast<int64_t>(w.size.size()), first = x.dim() - rank;
  Tensor room = x;
  for (int64_t i = 0; i < rank; ++i) {
    room = padded(room, first + i, w.padding[i], last_end(w, i) - w.size[i], outside, here);
  }
  SymDims sizes(room.sizes().begin(), room.sizes().begin() + first);
  SymDims strides(room.strides().begin(), room.strides().begin() + first);
  for (int64_t i = 0; i < rank; ++i) {
    sizes.push_back(w.output[i]);
    strides.push_back(room.strides()[first + i] * SymInt(w.stride[i]));
  }
  for (int64_t i = 0; i < rank; ++i) {
    sizes.push_back(w.kernel[i]);
    strides.push_back(room.strides()[first + i] * SymInt(w.dilation[i]));
  }
  return as_strided(room, sizes, strides, {}, here);
}

namespace {

// Windows along one dim: their k-th elements are a slice, and few slices are combined one after the other, so that
// loops run along the results and not along the short windows.
Tensor reduced_slices(const Tensor& x, const Windows& w, size_t i, WindowReduction kind, Scalar outside, Here here) {
  int64_t dim = x.dim() - static_cast<int64_t>(w.size.size() - i);
  Tensor room = padded(x, dim, w.padding[i], last_end(w, i) - w.size[i], outside, here);
  Tensor result;
  for (int64_t k = 0; k < w.kernel[i]; ++k) {
    SymInt start = k * w.dilation[i], end = start + (w.output[i] - 1) * w.stride[i] + 1;
    Tensor slice = room.slice(dim, start, end, w.stride[i], here);
    if (!result.defined())
      result = slice;
    else
      result = kind == WindowReduction::sum ? add(result, slice, 1, here) : maximum(result, slice, here);
  }
  return result;
}

}  // namespace

Tensor reduced_windows(const Tensor& x, const Windows& w, WindowReduction kind, Scalar outside, Here here) {
  constexpr int64_t few = 8;
  bool is_short = std::all_of(w.kernel.begin(), w.kernel.end(), [](int64_t size) { return size <= few; });
  if (is_short) {
    Tensor result = x;
    for (size_t i = 0; i < w.size.size(); ++i) result = reduced_slices(result, w, i, kind, outside, here);
    return result;
  }
  Tensor all = windows_of(x, w, outside, here);
  Dims dims;
  for (int64_t i = x.dim(); i < all.dim(); ++i) dims.push_back(i);
  return kind == WindowReduction::sum ? sum(all, dims, false, {}, here) : amax(all, dims, false, here);
}

Tensor laid_out(const Tensor& x, const Layout& layout, Here here) {
  if (is_contiguous(layout)) return contiguous(x, here);
  Dims to_last = {0}, back = {0, x.dim() - 1};
  for (int64_t i = 2; i < x.dim(); ++i) to_last.push_back(i);
  to_last.push_back(1);
  for (int64_t i = 1; i < x.dim() - 1; ++i) back.push_back(i);
  return contiguous(x.permute(to_last, here), here).permute(back, here);
}

}  // namespace sinter
