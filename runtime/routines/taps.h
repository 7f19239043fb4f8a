// How one dim of an image is resampled: which elements each result is made of, and their weights.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::runtime {

enum class Filter {
  nearest,        // the element left of the place
  nearest_exact,  // the element at the place
  linear,
  cubic,
};

struct Sampling {
  Filter filter = Filter::linear;
  bool align_corners = false;
  bool antialias = false;       // wide windows where the result is smaller, so that no element is skipped
  std::optional<double> scale;  // as asked for; else the sizes' quotient
};

// `width` elements for each result; those that are missing at the borders weigh 0 or are the border's again.
struct Taps {
  int64_t width = 1;
  std::vector<int64_t> places;
  std::vector<double> weights;

  int64_t results() const { return static_cast<int64_t>(places.size()) / width; }
};

// Places are computed in f32, or in f64.
Taps make_taps(const Sampling& sampling, int64_t size, int64_t output, bool in_f64);

// Weights as whole numbers over a power of 2, for images of bytes.
struct WholeTaps {
  Taps taps;
  std::vector<int16_t> weights;
  int precision = 0;
};
WholeTaps make_whole_taps(const Sampling& sampling, int64_t size, int64_t output);

}  // namespace sinter::runtime
