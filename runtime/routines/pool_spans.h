// Which elements of a dim each window of a pool has.

#pragma once

#include <sinter/graph/ops/windows.h>

#include <algorithm>
#include <array>
#include <vector>

namespace sinter::runtime {

struct Span {
  int64_t start = 0;
  int64_t count = 1;
  int64_t step = 1;
  int64_t divisor = 1;  // how many elements an average counts
};

// The spans of the windows along each of three dims; a dim that the tensor lacks has one of one element.
using Spans = std::array<std::vector<Span>, 3>;

inline Spans no_spans() { return {std::vector<Span>(1), std::vector<Span>(1), std::vector<Span>(1)}; }

// Sliding windows, without the places outside of the input.
inline Spans sliding_spans(const Windows& w, bool counts_padding) {
  Spans spans = no_spans();
  size_t rank = w.size.size();
  for (size_t i = 0; i < rank; ++i) {
    std::vector<Span>& dim = spans[3 - rank + i];
    dim.clear();
    int64_t output = w.output[i].constant(), size = w.size[i].constant();
    for (int64_t o = 0; o < output; ++o) {
      int64_t first = o * w.stride[i] - w.padding[i], step = w.dilation[i];
      int64_t end = first + (w.kernel[i] - 1) * step + 1;
      int64_t start = first < 0 ? first + (-first + step - 1) / step * step : first;
      int64_t inside = std::min(end, size);
      int64_t count = inside > start ? (inside - start + step - 1) / step : 0;
      int64_t padded = std::min(end, size + w.padding[i]) - first;
      dim.push_back({start, count, step, counts_padding ? padded : count});
    }
  }
  return spans;
}

// Windows that share the input out.
inline Spans adaptive_spans(const Dims& size, const Dims& output) {
  Spans spans = no_spans();
  size_t rank = size.size();
  for (size_t i = 0; i < rank; ++i) {
    std::vector<Span>& dim = spans[3 - rank + i];
    dim.clear();
    for (int64_t o = 0; o < output[i]; ++o) {
      int64_t start = o * size[i] / output[i], end = ((o + 1) * size[i] + output[i] - 1) / output[i];
      dim.push_back({start, end - start, 1, end - start});
    }
  }
  return spans;
}

// body(positions of the output, their three spans) for each output, in row-major order.
template <class Body>
void for_each_window(const Spans& spans, Body&& body) {
  for (size_t i = 0; i < spans[0].size(); ++i)
    for (size_t j = 0; j < spans[1].size(); ++j)
      for (size_t k = 0; k < spans[2].size(); ++k)
        body(static_cast<int64_t>(i), static_cast<int64_t>(j), static_cast<int64_t>(k), spans[0][i], spans[1][j],
             spans[2][k]);
}

// body(i, j, k) for each element of a window.
template <class Body>
void for_each_element(const Span& a, const Span& b, const Span& c, Body&& body) {
  for (int64_t i = 0; i < a.count; ++i)
    for (int64_t j = 0; j < b.count; ++j)
      for (int64_t k = 0; k < c.count; ++k) body(a.start + i * a.step, b.start + j * b.step, c.start + k * c.step);
}

}  // namespace sinter::runtime
