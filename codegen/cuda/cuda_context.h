// What the printers of one CUDA kernel share: its buffers, the width of index arithmetic, and how large its work is.

#pragma once

#include <sinter/codegen/cpp/kernel_context.h>
#include <sinter/codegen/generate_program.h>

namespace sinter::codegen {

struct CudaContext {
  CudaContext(const fusion::Schedule& schedule, const fusion::Kernel& kernel, const CudaTarget& target);

  const fusion::Schedule& schedule() const { return kernel.schedule; }
  const std::vector<fusion::Nest>& nests() const { return kernel.kernel.nests; }
  int outer_axes() const { return kernel.kernel.outer_axes; }
  // `int`, or `long` where a position may not fit.
  std::string_view index_type() const { return is_wide ? "long" : "int"; }
  fusion::IndexExpr linear(const fusion::Load& load) const;
  fusion::IndexExpr linear(const fusion::Store& store) const;

  CppTarget lanes;  // of the shared printers: one
  const CudaTarget& target;
  KernelContext kernel;
  bool is_wide = false;
};

// Of a symbolic extent, what it was when it was traced: plans are made for that, and hold for every other.
int64_t extent(const fusion::Nest& nest, int axis);
// The product of the extents of axes [first, last).
int64_t iterations(const fusion::Nest& nest, int first, int last);
SymInt symbolic_iterations(const fusion::Nest& nest, int first, int last);
// Not of one element, whatever its symbols are.
bool is_long(const fusion::Nest& nest, int axis);
// None of axes [first, last) has a symbolic extent.
bool has_numbers(const fusion::Nest& nest, int first, int last);

// A buffer in memory that no caller hands in: its pointer is as aligned as one wishes.
bool is_fresh(const fusion::Buffer& buffer);

}  // namespace sinter::codegen
