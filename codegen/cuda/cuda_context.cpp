// Bounds of index arithmetic.

#include <sinter/codegen/cuda/cuda_context.h>

#include <sinter/fusion/access.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace sinter::codegen {

using fusion::IndexExpr;
using fusion::IndexTerm;
using fusion::Nest;

namespace {

constexpr int64_t threads_beyond = 1 << 16;  // that may start behind the last element

// Infinite for a symbolic one.
double magnitude(SymInt size) {
  return size.is_constant() ? std::abs(static_cast<double>(size.constant())) : std::numeric_limits<double>::infinity();
}

// No part of the expression's evaluation exceeds this.
double bound_of(const IndexExpr& expr, const Nest& nest) {
  double bound = magnitude(expr.constant());
  for (const IndexTerm& term : expr.terms()) {
    double atom = term.quotient ? bound_of(term.quotient->operand, nest) + 2.0 * magnitude(term.quotient->divisor)
                                : magnitude(nest.axes[term.axis].extent);
    if (atom != 0) bound += magnitude(term.coef) * atom;
  }
  return bound;
}

double largest_position(const CudaContext& context) {
  double largest = 0;
  for (const Nest& nest : context.nests()) {
    for (const fusion::Axis& axis : nest.axes) largest = std::max(largest, magnitude(axis.extent));
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

int64_t extent(const Nest& nest, int axis) { return nest.axes[axis].extent.hint(); }

int64_t iterations(const Nest& nest, int first, int last) {
  int64_t count = 1;
  for (int axis = first; axis < last; ++axis) count *= extent(nest, axis);
  return count;
}

SymInt symbolic_iterations(const Nest& nest, int first, int last) {
  SymInt count = 1;
  for (int axis = first; axis < last; ++axis) count *= nest.axes[axis].extent;
  return count;
}

bool is_long(const Nest& nest, int axis) { return !nest.axes[axis].extent.same(1); }

bool has_numbers(const Nest& nest, int first, int last) {
  for (int axis = first; axis < last; ++axis)
    if (!nest.axes[axis].extent.is_constant()) return false;
  return true;
}

bool is_fresh(const fusion::Buffer& buffer) { return buffer.kind != fusion::BufferKind::input; }

}  // namespace sinter::codegen
