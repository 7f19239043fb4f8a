// Spatial dims of arguments, and channels-last layouts.

#include <sinter/graph/ops/memory_format.h>
#include <sinter/graph/ops/spatial.h>

#include <limits>

namespace sinter {

Dims spatial_numbers(const OpArgs& args, std::string_view parameter, int64_t rank) {
  Dims numbers = args.dims(parameter);
  if (numbers.size() == 1) numbers.assign(static_cast<size_t>(rank), int64_t(numbers[0]));
  if (static_cast<int64_t>(numbers.size()) != rank)
    args.fail(ErrorKind::argument, fmt::format("{} has {} numbers", parameter, numbers.size()),
              fmt::format("need one, or one for each of {} spatial dims", rank));
  return numbers;
}

Dims spatial_numbers(const OpArgs& args, std::string_view parameter, int64_t rank, int64_t least) {
  Dims numbers = spatial_numbers(args, parameter, rank);
  constexpr int64_t most = std::numeric_limits<int32_t>::max();  // sums and products of two of them are numbers still
  for (int64_t number : numbers)
    if (number < least || number > most)
      args.fail(ErrorKind::argument, fmt::format("{} has {}", parameter, number),
                number < least ? fmt::format("need at least {}", least) : fmt::format("need at most {}", most));
  return numbers;
}

void check_planes(const OpArgs& args, int slot, int64_t rank) {
  TensorMeta meta = args.meta(slot);
  const SymDims& sizes = meta.layout.sizes;
  int64_t actual = meta.layout.rank();
  if (actual != rank + 1 && actual != rank + 2)
    args.fail(ErrorKind::shape, fmt::format("an input of {} dims", actual),
              fmt::format("need {} dims, or {} with a batch", rank + 1, rank + 2));
  for (int64_t i = actual == rank + 2; i < actual; ++i)
    if (sizes[i] == 0)
      args.fail(ErrorKind::shape, fmt::format("the input has sizes {}", to_string(sizes)),
                "only the batch may be empty");
}

void check_same_dtype(const OpArgs& args, int slot, int other) {
  DType a = args.meta(slot).dtype, b = args.meta(other).dtype;
  if (a != b)
    args.fail(ErrorKind::dtype, fmt::format("dtypes differ ({} vs {})", name(a), name(b)),
              fmt::format("need {} of the dtype of {}", args.op().schema().parameters[other].name,
                          args.op().schema().parameters[slot].name));
}

SymDims with_spatial(const SymDims& sizes, const SymDims& spatial) {
  SymDims result(sizes.begin(), sizes.end() - spatial.size());
  for (SymInt size : spatial) result.push_back(size);
  return result;
}

SymDims spatial_dims(const SymDims& sizes, int64_t rank) { return SymDims(sizes.end() - rank, sizes.end()); }

Dims spatial_sizes(const SymDims& sizes, int64_t rank) {
  Dims result;
  for (size_t i = sizes.size() - rank; i < sizes.size(); ++i) result.push_back(sizes[i].constant());
  return result;
}

Layout channels_last_layout(const SymDims& sizes) { return {sizes, channels_last_strides(sizes), 0}; }

Layout layout_beside(const Layout& input, const SymDims& sizes) {
  bool stays = is_channels_last(input) && static_cast<int64_t>(sizes.size()) == input.rank();
  return stays ? channels_last_layout(sizes) : contiguous_layout(sizes);
}

Layout layout_beside_row(const Layout& input, const SymDims& sizes) {
  if (input.rank() != 3) return contiguous_layout(sizes);
  const SymDims &n = input.sizes, &s = input.strides;
  Layout image = {{n[0], n[1], 1, n[2]}, {s[0], s[1], n[2] * s[2], s[2]}, 0};
  Layout beside = layout_beside(image, {sizes[0], sizes[1], 1, sizes[2]});
  return {sizes, {beside.strides[0], beside.strides[1], beside.strides[3]}, 0};
}

}  // namespace sinter
