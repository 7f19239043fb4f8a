// Bounds of index arithmetic.

#include <sinter/codegen/cuda/cuda_context.h>

#include <sinter/fusion/access.h>

#include <algorithm>
#include <cstdlib>

namespace sinter::codegen {

using fusion::IndexExpr;
using fusion::IndexTerm;
using fusion::Nest;

namespace {

constexpr int64_t threads_beyond = 1 << 16;  // that may start behind the last element

// No part of the expression's evaluation exceeds this.
double bound_of(const IndexExpr& expr, const Nest& nest) {
  double bound = std::abs(static_cast<double>(expr.constant().constant()));
  for (const IndexTerm& term : expr.terms()) {
    double atom = term.quotient ? bound_of(term.quotient->operand, nest) +
                                      2.0 * static_cast<double>(term.quotient->divisor.constant())
                                : static_cast<double>(extent(nest, term.axis));
    bound += std::abs(static_cast<double>(term.coef.constant())) * atom;
  }
  return bound;
}

double largest_position(const CudaContext& context) {
  double largest = 0;
  for (const Nest& nest : context.nests()) {
    largest = std::max(largest, static_cast<double>(fusion::iterations(nest)));
    for (const fusion::Load& load : nest.body.loads) largest = std::max(largest, bound_of(context.linear(load), nest));
    for (const fusion::Store& store : nest.stores) largest = std::max(largest, bound_of(context.linear(store), nest));
    for (const IndexExpr& expr : nest.body.index_values) largest = std::max(largest, bound_of(expr, nest));
  }
  return largest + threads_beyond;
}

}  // namespace

CudaContext::CudaContext(const fusion::Schedule& schedule, const fusion::Kernel& kernel, const CudaTarget& target)
    : target(target), kernel(schedule, kernel, lanes) {
  this->kernel.lanes = 1;
  this->kernel.shared_axis = -1;
  this->kernel.clamps_offsets = true;  // an access outside of memory would end the process's use of the device
  is_wide = largest_position(*this) > static_cast<double>(target.index_limit);
}

IndexExpr CudaContext::linear(const fusion::Load& load) const {
  return fusion::linear_of(schedule(), load.buffer, load.index);
}

IndexExpr CudaContext::linear(const fusion::Store& store) const {
  return fusion::linear_of(schedule(), store.buffer, store.index);
}

int64_t extent(const Nest& nest, int axis) { return nest.axes[axis].extent.constant(); }

int64_t iterations(const Nest& nest, int first, int last) {
  int64_t count = 1;
  for (int axis = first; axis < last; ++axis) count *= extent(nest, axis);
  return count;
}

bool is_fresh(const fusion::Buffer& buffer) { return buffer.kind != fusion::BufferKind::input; }

}  // namespace sinter::codegen
