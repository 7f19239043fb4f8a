// CUDA kernels of symbolic sizes: one source, run at many sizes, gives what each size gives eager.

#include <sinter/codegen/generate_program.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/graph/size_program.h>

#include <cmath>
#include <cstring>

#include "support/expect_cuda.h"
#include "support/run_cuda_source.h"
#include "support/same_bits.h"
#include "support/traced.h"

namespace sinter::test {

namespace {

using Tensors = std::vector<Tensor>;
using MetasOfSize = std::function<std::vector<TensorMeta>(SymInt n)>;

TensorMeta of(SymDims sizes, DType dtype = f32) { return {dtype, cpu, contiguous_layout(sizes)}; }

// The value of an expression over the one symbol.
int64_t at_size(SymInt value, int64_t n) {
  if (value.is_constant()) return value.constant();
  graph::SizeProgram program(1);
  int slot = program.slot_of(value);
  std::vector<int64_t> slots(program.slots());
  slots[0] = n;
  program.run(slots);
  return slots[static_cast<size_t>(slot)];
}

Tensor numbers(const TensorMeta& meta, int seed) {
  std::vector<int64_t> sizes;
  for (SymInt size : meta.layout.sizes) sizes.push_back(size.constant());
  std::vector<double> elements(static_cast<size_t>(numel(meta.layout.sizes).constant()));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = static_cast<double>((i * 2654435761u + static_cast<size_t>(seed) * 40503u) % 2001) / 250 - 4;
  return tensor_of(elements, sizes, meta.dtype);
}

void expect_close(const Tensor& got, const Tensor& want, double tolerance, const std::string& what) {
  std::vector<double> x = elements_of(got), y = elements_of(want);
  ASSERT_EQ(x.size(), y.size()) << what;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]))) continue;
    ASSERT_LE(std::abs(x[i] - y[i]), tolerance * std::max({std::abs(x[i]), std::abs(y[i]), 1.0})) << what << ", " << i;
  }
}

void expect_at_sizes(const TracedFunction& function, const MetasOfSize& metas, double tolerance = 0,
                     const std::vector<int64_t>& sizes = {37, 1, 2, 3, 8, 31, 64, 257, 1000}) {
  graph::ShapeFacts facts;
  SymInt n = facts.add_symbol({.argument = 0, .dim = 0, .hint = 37, .source = "n", .is_declared = true});
  graph::ActivateShapeFacts decides(&facts);
  Traced traced_function = traced(function, metas(n), codegen::fusion_limits(codegen::CudaTarget{}));
  const fusion::Schedule& schedule = traced_function.schedule;
  codegen::Program program = cuda_program(schedule);
  expect_nvrtc(program);
  for (int64_t size : sizes) {
    Tensors inputs;
    for (const TensorMeta& meta : metas(size)) inputs.push_back(numbers(meta, static_cast<int>(inputs.size()) + 1));
    BufferBytes bytes;
    for (const fusion::Buffer& buffer : schedule.buffers) {
      int64_t elements = at_size(extent_end(buffer.layout), size);
      bytes.emplace_back(static_cast<size_t>(elements * byte_size(buffer.dtype)));
      if (buffer.kind == fusion::BufferKind::input)
        std::memcpy(bytes.back().data(), inputs[static_cast<size_t>(buffer.source)].data_ptr(), bytes.back().size());
    }
    run_cuda_program(program, bytes, [&](SymInt value) { return at_size(value, size); });
    Tensors wanted = function(inputs);
    for (size_t i = 0; i < wanted.size(); ++i) {
      const fusion::ScheduleResult& result = schedule.results[i];
      Layout layout;
      for (SymInt dim : result.layout.sizes) layout.sizes.push_back(at_size(dim, size));
      for (SymInt stride : result.layout.strides) layout.strides.push_back(at_size(stride, size));
      layout.offset = at_size(result.layout.offset, size);
      auto* memory = new StorageImpl;
      memory->data = bytes[static_cast<size_t>(result.buffer)].data();
      expect_close(Tensor({wanted[i].dtype(), cpu, layout}, Storage(memory)), wanted[i], tolerance,
                   fmt::format("size {}, result {}", size, i));
    }
  }
}

TEST(SymbolicCuda, PointwiseOfOneDim) {
  expect_at_sizes([](const Tensors& x) { return Tensors{relu(x[0] + x[1]) * 2.0}; },
                  [](SymInt n) { return std::vector{of({n}), of({n})}; });
}

TEST(SymbolicCuda, RowsOfFixedLength) {
  expect_at_sizes([](const Tensors& x) { return Tensors{exp(x[0] * 0.5 + x[1]), x[0] - 1.0}; },
                  [](SymInt n) { return std::vector{of({n, 36}), of({36})}; });
}

TEST(SymbolicCuda, RowsOfAnyLength) {
  expect_at_sizes([](const Tensors& x) { return Tensors{x[0] * x[1] - x[2]}; },
                  [](SymInt n) { return std::vector{of({6, n}), of({n}), of({6, 1})}; });
}

TEST(SymbolicCuda, TransposedOperands) {
  expect_at_sizes([](const Tensors& x) { return Tensors{x[0].t() + x[1]}; },
                  [](SymInt n) { return std::vector{of({n, 70}), of({70, n})}; }, 0, {37, 2, 3, 32, 64, 100});
}

TEST(SymbolicCuda, Bf16AndJoinedRows) {
  expect_at_sizes([](const Tensors& x) { return Tensors{cat({x[0] * 2.0, x[1]}, 1)}; },
                  [](SymInt n) { return std::vector{of({n, 24}, bf16), of({n, 8}, bf16)}; });
}

TEST(SymbolicCuda, ReductionsOfRows) {
  expect_at_sizes([](const Tensors& x) { return Tensors{softmax(x[0], 1), x[0].sum({1})}; },
                  [](SymInt n) { return std::vector{of({n, 40})}; }, 1e-5);
  expect_at_sizes([](const Tensors& x) { return Tensors{softmax(x[0], 1)}; },
                  [](SymInt n) { return std::vector{of({5, n})}; }, 1e-5);
}

TEST(SymbolicCuda, ReductionsOfColumns) {
  expect_at_sizes([](const Tensors& x) { return Tensors{x[0].mean({0}), amax(x[0], {0})}; },
                  [](SymInt n) { return std::vector{of({n, 48})}; }, 1e-5);
  expect_at_sizes([](const Tensors& x) { return Tensors{var(x[0], Dims{0})}; },
                  [](SymInt n) { return std::vector{of({9, n})}; }, 1e-5);
}

TEST(SymbolicCuda, ReductionsOfAllElements) {
  expect_at_sizes([](const Tensors& x) { return Tensors{(x[0] * x[0]).sum(), argmax(x[0])}; },
                  [](SymInt n) { return std::vector{of({n, 3})}; }, 1e-5, {37, 2, 3, 1000, 20000});
}

}  // namespace
}  // namespace sinter::test
