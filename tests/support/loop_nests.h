// Hand-made schedules for tests of what runs loop nests.

#pragma once

#include <sinter/fusion/schedule.h>

#include <functional>

namespace sinter::support {

// A schedule of one kernel and one nest, under construction.
struct OneNest {
  OneNest() : scalars(body().dag) {}
  OneNest(const OneNest&) = delete;

  fusion::Nest& nest() { return schedule.kernels[0].nests[0]; }
  fusion::Body& body() { return nest().body; }

  // An axis, as an index expression.
  fusion::IndexExpr axis(int64_t extent, fusion::AxisKind kind = fusion::AxisKind::parallel) {
    nest().axes.push_back({extent, kind});
    return fusion::IndexExpr::axis(static_cast<int>(nest().axes.size()) - 1);
  }
  int input(DType dtype, Layout layout) { return buffer(dtype, std::move(layout), fusion::BufferKind::input); }
  int output(DType dtype, Layout layout) { return buffer(dtype, std::move(layout), fusion::BufferKind::output); }
  ScalarExpr load(int buffer, fusion::Index index, std::optional<ScalarExpr> mask = {}) {
    body().loads.push_back({buffer, std::move(index)});
    return scalars.add(
        {ScalarOp::load, schedule.buffers[buffer].dtype, {mask ? mask->id : -1, -1, -1}, body().loads.size() - 1});
  }
  ScalarExpr index(fusion::IndexExpr expr) {
    body().index_values.push_back(std::move(expr));
    return scalars.index(static_cast<int>(body().index_values.size()) - 1);
  }
  void store(int buffer, fusion::Index index, ScalarExpr value) {
    nest().stores.push_back({buffer, std::move(index), value.id});
  }
  void reduce(int buffer, fusion::Index index, ScalarExpr value, ReductionKind kind, fusion::ReductionOrder order) {
    nest().stores.push_back({buffer, std::move(index), value.id, kind, order});
  }

  fusion::Schedule schedule = empty();
  ScalarBuilder scalars;

 private:
  static fusion::Schedule empty() {
    fusion::Schedule schedule;
    schedule.kernels.emplace_back();
    schedule.kernels[0].nests.emplace_back();
    return schedule;
  }
  int buffer(DType dtype, Layout layout, fusion::BufferKind kind) {
    fusion::Buffer b;
    b.dtype = dtype;
    b.layout = std::move(layout);
    b.kind = kind;
    b.source = kind == fusion::BufferKind::input ? static_cast<int>(schedule.buffers.size()) : -1;
    schedule.buffers.push_back(std::move(b));
    return static_cast<int>(schedule.buffers.size()) - 1;
  }
};

// The order of a reduction, written down plainly: see fusion::ReductionOrder.
template <class T, class Combine>
T reduce_in_order(const std::vector<T>& sequence, int lanes, int steps, T identity, Combine combine) {
  std::vector<std::pair<int64_t, T>> counter;  // (blocks, result), the largest first
  for (size_t begin = 0; begin < sequence.size(); begin += static_cast<size_t>(lanes) * steps) {
    std::vector<T> lane(lanes, identity);
    for (size_t k = begin; k < std::min(sequence.size(), begin + static_cast<size_t>(lanes) * steps); ++k)
      lane[(k - begin) % lanes] = combine(lane[(k - begin) % lanes], sequence[k]);
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) lane[j] = combine(lane[j], lane[j + half]);
    counter.push_back({1, lane[0]});
    while (counter.size() >= 2 && counter[counter.size() - 2].first == counter.back().first) {
      auto later = counter.back();
      counter.pop_back();
      counter.back() = {2 * later.first, combine(counter.back().second, later.second)};
    }
  }
  if (counter.empty()) return identity;
  T result = counter.back().second;
  for (size_t i = counter.size() - 1; i-- > 0;) result = combine(counter[i].second, result);
  return result;
}

}  // namespace sinter::support
