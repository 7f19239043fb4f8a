// Tensors as planes: what is in front of the last one to three dims, and those.

#pragma once

#include <sinter/graph/tensor.h>
#include <sinter/runtime/parallel.h>

#include <array>
#include <type_traits>

namespace sinter::runtime {

// f16 and bf16 compute in f32.
template <class T>
inline constexpr bool is_half_type = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <class T>
using Wide = std::conditional_t<is_half_type<T>, float, T>;

// Places in a plane; dims that a plane lacks are in front and of size 1.
using Place = std::array<int64_t, 3>;

struct Planes {
  int64_t batch = 1, channels = 1;
  int64_t batch_stride = 0, channel_stride = 0;
  Place size = {1, 1, 1}, stride = {0, 0, 0};

  int64_t count() const { return batch * channels; }
  int64_t elements() const { return size[0] * size[1] * size[2]; }
  // Where plane p starts, and where an element is from there.
  int64_t start(int64_t p) const { return p / channels * batch_stride + p % channels * channel_stride; }
  int64_t at(int64_t i, int64_t j, int64_t k) const { return i * stride[0] + j * stride[1] + k * stride[2]; }
  // Of an element's row-major position.
  int64_t at(int64_t position) const {
    return at(position / (size[2] * size[1]), position / size[2] % size[1], position % size[2]);
  }
};

// [batch, channels, `rank` dims], or without batch.
inline Planes planes_of(const Tensor& tensor, int64_t rank) {
  const Layout& layout = tensor.layout();
  Planes planes;
  int64_t first = layout.rank() - rank;
  planes.channels = layout.sizes[first - 1].constant();
  planes.channel_stride = layout.strides[first - 1].constant();
  if (first == 2) {
    planes.batch = layout.sizes[0].constant();
    planes.batch_stride = layout.strides[0].constant();
  }
  for (int64_t i = 0; i < rank; ++i) {
    planes.size[3 - rank + i] = layout.sizes[first + i].constant();
    planes.stride[3 - rank + i] = layout.strides[first + i].constant();
  }
  return planes;
}

// Calls body(plane) for each, in several threads if their elements are many; `work` is the cost of a plane.
template <class Body>
void for_each_plane(int64_t count, int64_t work, Body&& body) {
  constexpr int64_t parallel_work = 1 << 15;
  int64_t grain = work >= parallel_work ? 1 : parallel_work / (work > 0 ? work : 1);
  parallel_for(0, count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) body(plane);
  });
}

}  // namespace sinter::runtime
