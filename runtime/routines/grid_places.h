// Which elements along one dim an image is read at for a place, with their weights and the weights' slopes.

#pragma once

#include <sinter/runtime/routines/stepped.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace sinter::runtime {

enum class GridMode { linear, nearest, cubic };
enum class GridPadding { zeros, border, reflection };

struct GridRules {
  GridMode mode = GridMode::linear;
  GridPadding padding = GridPadding::zeros;
  bool align_corners = false;
  bool is_volume = false;  // of three spatial dims
};

// At most four elements; a place of -1 is outside and counts as 0.
template <class W>
struct Neighbours {
  int count = 1;
  std::array<int64_t, 4> places = {0, 0, 0, 0};
  std::array<W, 4> weights = {W(1), W(0), W(0), W(0)};
  std::array<W, 4> slopes = {};  // of the weights, by the grid's number
};

// A number and its slope.
template <class N>
struct Moved {
  N at;
  N slope;
};

// Between the reflecting edges low / 2 and high / 2.
template <class N>
Moved<N> reflected(Moved<N> x, int64_t low, int64_t high) {
  if (low == high) return {N(0), N(0)};
  N edge = N(low) / N(2), span = N(high - low) / N(2);
  N from_edge = x.at - edge, slope = from_edge < N(0) ? -x.slope : x.slope;
  if (from_edge < N(0)) from_edge = -from_edge;
  N rest = fmod(from_edge, span);
  bool turns = fmod(floor(from_edge / span), N(2)) != N(0);
  return turns ? Moved<N>{span - rest + edge, -slope} : Moved<N>{rest + edge, slope};
}

template <class N>
Moved<N> clipped(Moved<N> x, int64_t size) {
  N last = N(size - 1);
  if (x.at <= N(0)) return {N(0), N(0)};
  if (x.at < last) return x;
  return {last, N(0)};
}

template <class N>
Moved<N> padded_place(const GridRules& rules, Moved<N> x, int64_t size) {
  if (rules.padding == GridPadding::zeros) return x;
  if (rules.padding == GridPadding::reflection)
    x = rules.align_corners ? reflected(x, 0, 2 * (size - 1)) : reflected(x, -1, 2 * size - 1);
  return clipped(x, size);
}

// The element that a whole number names, or -1.
template <class N>
int64_t element_at(N place, int64_t size) {
  auto at = wide(place);
  if (!(at >= 0 && at < static_cast<decltype(at)>(size))) return -1;
  return static_cast<int64_t>(at);
}

// Cubic convolution with the parameter -0.75, for the elements at distance 1 + t, t, 1 - t and 2 - t.
template <class N>
std::array<N, 4> cubic_weights(N t) {
  N a = N(-0.75), one = N(1);
  auto near = [&](N x) { return ((a + N(2)) * x - (a + N(3))) * x * x + one; };
  auto far = [&](N x) { return ((a * x - N(5) * a) * x + N(8) * a) * x - N(4) * a; };
  return {far(t + one), near(t), near(one - t), far(N(2) - t)};
}
template <class N>
std::array<N, 4> cubic_slopes(N t) {
  N a = N(-0.75), one = N(1);
  auto near = [&](N x) { return (N(3) * (a + N(2)) * x - N(2) * (a + N(3))) * x; };
  auto far = [&](N x) { return (N(3) * a * x - N(10) * a) * x + N(8) * a; };
  return {far(t + one), near(t), -near(one - t), -far(N(2) - t)};
}

// Where the grid's number g, which runs from -1 to 1, is among the elements. The order of the steps, which rounds
// differently in f16 and bf16, is that of ATen's images and volumes.
template <class N>
Moved<N> place_of(const GridRules& rules, N g, int64_t size) {
  N length = N(rules.align_corners ? size - 1 : size), from_edge = g + N(1);
  N slope = length / N(2);
  if (rules.align_corners) return {rules.is_volume ? from_edge / N(2) * length : from_edge * slope, slope};
  return {rules.is_volume ? (from_edge * length - N(1)) / N(2) : from_edge * slope - N(0.5), slope};
}

template <class N>
auto cubic_neighbours(const GridRules& rules, Moved<N> x, int64_t size) {
  N left = floor(x.at), t = x.at - left;
  std::array<N, 4> weights = cubic_weights(t), slopes = cubic_slopes(t);
  Neighbours<decltype(wide(t))> n;
  n.count = 4;
  for (int i = 0; i < 4; ++i) {
    n.places[i] = element_at(padded_place(rules, Moved<N>{left + N(i - 1), N(0)}, size).at, size);
    n.weights[i] = wide(weights[i]);
    n.slopes[i] = wide(slopes[i]) * wide(x.slope);
  }
  return n;
}

// The elements for the grid's number g.
template <class N>
auto neighbours(const GridRules& rules, N g, int64_t size) {
  using W = decltype(wide(g));
  Moved<N> x = place_of(rules, g, size);
  if (rules.mode == GridMode::cubic) return cubic_neighbours(rules, x, size);
  x = padded_place(rules, x, size);
  Neighbours<W> n;
  if (rules.mode == GridMode::nearest) {
    n.places[0] = element_at(nearbyint(x.at), size);
    return n;
  }
  N left = floor(x.at), beyond = x.at - left;
  n.count = 2;
  for (int i = 0; i < 2; ++i) n.places[i] = element_at(left + N(i), size);
  n.weights = {wide(N(1) - beyond), wide(beyond), W(0), W(0)};
  n.slopes = {-wide(x.slope), wide(x.slope), W(0), W(0)};
  return n;
}

}  // namespace sinter::runtime
