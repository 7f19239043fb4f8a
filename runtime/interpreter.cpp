// Steps of a schedule, in order.

#include <sinter/runtime/interpreter.h>

#include <sinter/runtime/library_calls.h>

namespace sinter::runtime {

using fusion::BufferKind;

namespace {

// A local buffer has memory for each iteration of its kernel's outer axes.
void size_locals(PreparedSchedule& prepared, const fusion::Schedule& schedule, const fusion::Kernel& kernel) {
  for (const fusion::Nest& nest : kernel.nests) {
    int64_t iterations = 1;
    for (int axis = 0; axis < kernel.outer_axes; ++axis) iterations *= nest.axes[axis].extent.constant();
    for (const fusion::Store& store : nest.stores) {
      const fusion::Buffer& buffer = schedule.buffers[store.buffer];
      if (buffer.kind == BufferKind::local)
        prepared.buffer_bytes[store.buffer] = iterations * local_elements(buffer) * byte_size(buffer.dtype);
    }
  }
}

Tensor borrowed(DType dtype, const Layout& layout, void* origin) {
  auto* storage = new StorageImpl;
  storage->data = origin;
  return Tensor({dtype, cpu, layout}, Storage(storage));
}

void run_call(const PreparedSchedule& prepared, const fusion::ExternCall& call, std::span<void* const> buffers) {
  int next = 0;
  Values values = with_tensors(call.node->args, [&] {
    int i = next++;
    return borrowed(prepared.dtypes[call.inputs[i]], call.input_layouts[i], buffers[call.inputs[i]]);
  });
  std::vector<Tensor> outputs;
  for (int buffer : call.outputs)
    outputs.push_back(borrowed(prepared.dtypes[buffer], prepared.layouts[buffer], buffers[buffer]));
  call_library(OpArgs(*call.node->op, values, call.node->where), outputs);
}

}  // namespace

PreparedSchedule prepare(const fusion::Schedule& schedule, Isa isa) {
  PreparedSchedule prepared;
  for (const fusion::Buffer& buffer : schedule.buffers) {
    prepared.buffer_bytes.push_back(extent_end(buffer.layout).constant() * byte_size(buffer.dtype));
    prepared.dtypes.push_back(buffer.dtype);
    prepared.layouts.push_back(buffer.layout);
  }
  for (const fusion::Kernel& kernel : schedule.kernels) {
    if (kernel.call) prepared.steps.push_back(*kernel.call);
    size_locals(prepared, schedule, kernel);
    for (const fusion::Nest& nest : kernel.nests)
      for (PreparedNest& part : prepare_nest(schedule, nest, kernel.outer_axes, primitives(isa)))
        prepared.steps.push_back(std::move(part));
  }
  return prepared;
}

void run(const PreparedSchedule& prepared, std::span<void* const> buffers) {
  for (const PreparedSchedule::Step& step : prepared.steps) {
    if (auto* nest = std::get_if<PreparedNest>(&step))
      run_nest(*nest, buffers.data());
    else
      run_call(prepared, std::get<fusion::ExternCall>(step), buffers);
  }
}

}  // namespace sinter::runtime
