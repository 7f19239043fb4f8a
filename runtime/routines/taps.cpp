// Places and weights of resampling.

#include <sinter/runtime/routines/taps.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinter::runtime {

namespace {

template <class F>
F step_of(const Sampling& s, int64_t size, int64_t output) {
  if (s.align_corners && s.filter != Filter::nearest && s.filter != Filter::nearest_exact)
    return output > 1 ? static_cast<F>(size - 1) / static_cast<F>(output - 1) : F(0);
  if (s.scale && *s.scale > 0) return static_cast<F>(1.0 / *s.scale);
  return static_cast<F>(size) / static_cast<F>(output);
}

// Cubic convolution (Keys 1981) with the parameter a.
template <class F>
F cubic(F x, F a) {
  x = std::abs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

template <class F>
Taps nearest_taps(const Sampling& s, int64_t size, int64_t output) {
  F step = step_of<F>(s, size, output), shift = s.filter == Filter::nearest_exact ? F(0.5) : F(0);
  Taps taps;
  for (int64_t i = 0; i < output; ++i) {
    int64_t place = static_cast<int64_t>(std::floor((static_cast<F>(i) + shift) * step));
    taps.places.push_back(std::min(place, size - 1));
    taps.weights.push_back(1);
  }
  return taps;
}

// Where result i stands among the elements; `inside` keeps it from before the first.
template <class F>
F place_of(const Sampling& s, F step, int64_t i, bool inside) {
  if (s.align_corners) return step * static_cast<F>(i);
  F place = step * (static_cast<F>(i) + F(0.5)) - F(0.5);
  return inside && place < 0 ? F(0) : place;
}

template <class F>
Taps interpolating_taps(const Sampling& s, int64_t size, int64_t output) {
  bool is_cubic = s.filter == Filter::cubic;
  F step = step_of<F>(s, size, output);
  Taps taps;
  taps.width = is_cubic ? 4 : 2;
  for (int64_t i = 0; i < output; ++i) {
    F place = place_of(s, step, i, !is_cubic);
    if (!is_cubic && size == output) place = static_cast<F>(i);  // a copy, whatever scale is given
    int64_t left = std::min(static_cast<int64_t>(std::floor(place)), size - 1);
    F beyond = std::min(std::max(place - static_cast<F>(left), F(0)), F(1));
    for (int64_t k = 0; k < taps.width; ++k) {
      int64_t at = left + k - (is_cubic ? 1 : 0);
      taps.places.push_back(std::clamp<int64_t>(at, 0, size - 1));
      if (is_cubic)
        taps.weights.push_back(cubic<F>(static_cast<F>(k - 1) - beyond, F(-0.75)));
      else
        taps.weights.push_back(k == 0 ? F(1) - beyond : beyond);
    }
  }
  return taps;
}

// The filter is as wide as the step between results, at least as wide as between elements; weights add up to 1.
template <class F>
Taps antialiased_taps(const Sampling& s, int64_t size, int64_t output) {
  bool is_cubic = s.filter == Filter::cubic;
  F step = step_of<F>(s, size, output);
  F widening = std::max(step, F(1)), support = (is_cubic ? F(2) : F(1)) * widening;
  Taps taps;
  taps.width = static_cast<int64_t>(std::ceil(support)) * 2 + 1;
  for (int64_t i = 0; i < output; ++i) {
    F centre = step * (static_cast<F>(i) + F(0.5)), total = 0;
    int64_t first = std::max<int64_t>(static_cast<int64_t>(centre - support + F(0.5)), 0);
    int64_t end = std::min<int64_t>(static_cast<int64_t>(centre + support + F(0.5)), size);
    int64_t count = std::clamp<int64_t>(end - first, 0, taps.width);
    std::vector<F> weights(taps.width, F(0));
    for (int64_t k = 0; k < count; ++k) {
      F x = (static_cast<F>(k + first) - centre + F(0.5)) / widening;
      weights[k] = is_cubic ? cubic<F>(x, F(-0.5)) : std::max(F(1) - std::abs(x), F(0));
      total += weights[k];
    }
    for (int64_t k = 0; k < taps.width; ++k) {
      taps.places.push_back(std::clamp<int64_t>(first + std::min(k, count - 1), 0, size - 1));
      taps.weights.push_back(total != 0 ? weights[k] / total : weights[k]);
    }
  }
  return taps;
}

template <class F>
Taps make_taps_in(const Sampling& s, int64_t size, int64_t output) {
  if (s.filter == Filter::nearest || s.filter == Filter::nearest_exact) return nearest_taps<F>(s, size, output);
  return s.antialias ? antialiased_taps<F>(s, size, output) : interpolating_taps<F>(s, size, output);
}

// The weights of one place of a result in one sum, where its first tap there is.
void join_equal_places(Taps& taps) {
  for (int64_t result = 0; result < taps.results(); ++result) {
    int64_t* places = taps.places.data() + result * taps.width;
    double* weights = taps.weights.data() + result * taps.width;
    for (int64_t k = 1; k < taps.width; ++k) {
      int64_t same = std::find(places, places + k, places[k]) - places;
      if (same == k) continue;
      weights[same] += weights[k];
      weights[k] = 0;
    }
  }
}

}  // namespace

Taps make_taps(const Sampling& sampling, int64_t size, int64_t output, bool in_f64) {
  return in_f64 ? make_taps_in<double>(sampling, size, output) : make_taps_in<float>(sampling, size, output);
}

WholeTaps make_whole_taps(const Sampling& sampling, int64_t size, int64_t output) {
  WholeTaps whole;
  whole.taps = make_taps_in<double>(sampling, size, output);
  join_equal_places(whole.taps);
  double greatest = 0;
  for (double weight : whole.taps.weights) greatest = std::max(greatest, weight);
  // As many bits as leave the greatest weight within 15.
  while (whole.precision < 22 &&
         static_cast<int64_t>(0.5 + greatest * static_cast<double>(int64_t{2} << whole.precision)) < (1 << 15))
    ++whole.precision;
  double unit = static_cast<double>(int64_t{1} << whole.precision);
  for (double weight : whole.taps.weights)
    whole.weights.push_back(static_cast<int16_t>(weight * unit + (weight < 0 ? -0.5 : 0.5)));
  return whole;
}

}  // namespace sinter::runtime
