// Schedules written by hand, for tests of code generation: buffers, nests and stores in a few words.

#pragma once

#include <sinter/fusion/schedule.h>

#include <string>

namespace sinter::test {

using fusion::AxisKind;
using fusion::BufferKind;
using fusion::Index;
using fusion::IndexExpr;
using fusion::Kernel;
using fusion::Nest;
using fusion::Schedule;

inline IndexExpr axis(int k) { return IndexExpr::axis(k); }

// Row-major.
inline int add_buffer(Schedule& schedule, const std::string& name, DType dtype, const SymDims& sizes, BufferKind kind) {
  fusion::Buffer buffer;
  buffer.name = name;
  buffer.dtype = dtype;
  buffer.layout = contiguous_layout(sizes);
  buffer.kind = kind;
  schedule.buffers.push_back(std::move(buffer));
  return static_cast<int>(schedule.buffers.size()) - 1;
}

inline int add_strided(Schedule& schedule, const std::string& name, DType dtype, const Layout& layout,
                       BufferKind kind) {
  int id = add_buffer(schedule, name, dtype, layout.sizes, kind);
  schedule.buffers[static_cast<size_t>(id)].layout = layout;
  return id;
}

// A nest under construction. Parallel axes first, then reduction axes.
struct NestMaker {
  NestMaker(Schedule& schedule, std::string name, const SymDims& parallel, const SymDims& reduction = {})
      : schedule(schedule), builder(nest.body.dag) {
    nest.name = std::move(name);
    for (SymInt extent : parallel) nest.axes.push_back({extent, AxisKind::parallel});
    for (SymInt extent : reduction) nest.axes.push_back({extent, AxisKind::reduction});
  }
  NestMaker(const NestMaker&) = delete;

  ScalarExpr load(int buffer, Index index, int mask = -1) {
    nest.body.loads.push_back({buffer, std::move(index)});
    DType dtype = schedule.buffers[static_cast<size_t>(buffer)].dtype;
    return builder.add({ScalarOp::load, dtype, {mask, -1, -1}, nest.body.loads.size() - 1});
  }
  ScalarExpr index(IndexExpr expr) {
    nest.body.index_values.push_back(std::move(expr));
    return builder.index(static_cast<int>(nest.body.index_values.size()) - 1);
  }
  void store(int buffer, Index index, ScalarExpr value) { nest.stores.push_back({buffer, std::move(index), value.id}); }
  void reduce(int buffer, Index index, ScalarExpr value, ReductionKind kind, bool wide) {
    store(buffer, std::move(index), value);
    nest.stores.back().reduction = kind;
    nest.stores.back().order.lanes = wide ? fusion::wide_lanes(value.dtype()) : 1;
  }

  Schedule& schedule;
  Nest nest;
  ScalarBuilder builder;
};

inline Kernel& add_kernel(Schedule& schedule, int outer_axes, int parallel_axes) {
  Kernel& kernel = schedule.kernels.emplace_back();
  kernel.outer_axes = outer_axes;
  kernel.parallel_axes = parallel_axes;
  return kernel;
}

inline void add_nest(Kernel& kernel, NestMaker& maker, int vector_axis) {
  maker.nest.vector_axis = vector_axis;
  kernel.nests.push_back(std::move(maker.nest));
}

}  // namespace sinter::test
