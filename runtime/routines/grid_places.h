// Which elements along one dim an image is read at for a place, with their weights and the weights' slopes.

#pragma once

#include <algorithm>
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
template <class W>
struct Moved {
  W at;
  W slope;
};

// Between the reflecting edges low / 2 and high / 2.
template <class W>
Moved<W> reflected(Moved<W> x, int64_t low, int64_t high) {
  if (low == high) return {W(0), W(0)};
  W edge = static_cast<W>(low) / 2, span = static_cast<W>(high - low) / 2;
  W from_edge = x.at - edge, sign = from_edge < 0 ? W(-1) : W(1);
  from_edge = std::abs(from_edge);
  W rest = std::fmod(from_edge, span);
  bool turns = std::fmod(std::floor(from_edge / span), W(2)) != 0;
  return turns ? Moved<W>{span - rest + edge, -sign * x.slope} : Moved<W>{rest + edge, sign * x.slope};
}

template <class W>
Moved<W> clipped(Moved<W> x, int64_t size) {
  W last = static_cast<W>(size - 1);
  if (x.at <= 0) return {W(0), W(0)};
  if (x.at < last) return x;
  return {last, W(0)};
}

template <class W>
Moved<W> padded_place(const GridRules& rules, Moved<W> x, int64_t size) {
  if (rules.padding == GridPadding::zeros) return x;
  if (rules.padding == GridPadding::reflection)
    x = rules.align_corners ? reflected(x, 0, 2 * (size - 1)) : reflected(x, -1, 2 * size - 1);
  return clipped(x, size);
}

// Of a place that no whole number can say, -1.
template <class W>
int64_t element_at(W place, int64_t size) {
  if (!(place >= 0 && place < static_cast<W>(size))) return -1;
  return static_cast<int64_t>(place);
}

// Cubic convolution with the parameter -0.75, for the elements at distance 1 + t, t, 1 - t and 2 - t.
template <class W>
std::array<W, 4> cubic_weights(W t) {
  constexpr W a = W(-0.75);
  auto near = [](W x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  auto far = [](W x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  return {far(t + 1), near(t), near(1 - t), far(2 - t)};
}
template <class W>
std::array<W, 4> cubic_slopes(W t) {
  constexpr W a = W(-0.75);
  auto near = [](W x) { return (3 * (a + 2) * x - 2 * (a + 3)) * x; };
  auto far = [](W x) { return (3 * a * x - 10 * a) * x + 8 * a; };
  return {far(t + 1), near(t), -near(1 - t), -far(2 - t)};
}

// The elements for the grid's number g, which runs from -1 to 1 over the dim.
template <class W>
Neighbours<W> neighbours(const GridRules& rules, W g, int64_t size) {
  W length = static_cast<W>(rules.align_corners ? size - 1 : size);
  Moved<W> x = {rules.align_corners ? (g + 1) / 2 * length : ((g + 1) * length - 1) / 2, length / 2};
  Neighbours<W> n;
  if (rules.mode == GridMode::cubic) {
    W left = std::floor(x.at), t = x.at - left;
    n.count = 4;
    n.weights = cubic_weights(t);
    n.slopes = cubic_slopes(t);
    for (int i = 0; i < 4; ++i) {
      n.places[i] = element_at(padded_place(rules, Moved<W>{left + static_cast<W>(i - 1), W(0)}, size).at, size);
      n.slopes[i] *= x.slope;
    }
    return n;
  }
  x = padded_place(rules, x, size);
  if (rules.mode == GridMode::nearest) {
    n.places[0] = element_at(std::nearbyint(x.at), size);
    return n;
  }
  W left = std::floor(x.at);
  n.count = 2;
  for (int i = 0; i < 2; ++i) n.places[i] = element_at(left + static_cast<W>(i), size);
  n.weights = {left + 1 - x.at, x.at - left, W(0), W(0)};
  n.slopes = {-x.slope, x.slope, W(0), W(0)};
  return n;
}

}  // namespace sinter::runtime
