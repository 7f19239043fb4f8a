// Loops over points, bodies by recursion over nodes, reductions from the list of their values.

#include "support/naive_schedule.h"

#include <sinter/graph/error.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

namespace sinter::test {

using namespace fusion;

namespace {

struct Number {
  double real = 0;      // of floats
  int64_t integer = 0;  // of bool and integers
};

template <class F>
auto with_type(DType dtype, F&& f) {
  return visit(dtype, std::forward<F>(f));
}

Number read(const std::byte* at, DType dtype) {
  return with_type(dtype, [&](auto zero) -> Number {
    using T = decltype(zero);
    T x;
    std::memcpy(&x, at, sizeof x);
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      return {double(float(x)), 0};
    else if constexpr (std::is_floating_point_v<T>)
      return {double(x), 0};
    else
      return {0, int64_t(x)};
  });
}

void write(std::byte* at, DType dtype, Number value) {
  with_type(dtype, [&](auto zero) {
    using T = decltype(zero);
    T x;
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      x = T(float(value.real));
    else if constexpr (std::is_floating_point_v<T>)
      x = T(value.real);
    else
      x = T(value.integer);
    std::memcpy(at, &x, sizeof x);
  });
}

// Rounds or wraps to the type.
Number to_type(Number value, DType from, DType to) {
  if (is_floating(to)) {
    double x = is_floating(from) ? value.real : double(value.integer);
    if (!is_floating(from) && to == DType::f32) x = float(value.integer);
    std::byte bytes[8];
    write(bytes, to, {x, 0});
    return read(bytes, to);
  }
  if (to == DType::boolean) return {0, is_floating(from) ? value.real != 0 : value.integer != 0};
  int64_t x = value.integer;
  if (is_floating(from)) {
    bool is_i64 = to == DType::i64;
    double limit = is_i64 ? 0x1p63 : 0x1p31;
    bool fits = value.real >= -limit && value.real < limit;
    x = fits ? int64_t(value.real) : is_i64 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int32_t>::min();
  }
  std::byte bytes[8];
  write(bytes, to, {0, x});
  return read(bytes, to);
}

double real_operation(ScalarOp op, double a, double b) {
  switch (op) {
    case ScalarOp::add: return a + b;
    case ScalarOp::sub: return a - b;
    case ScalarOp::mul: return a * b;
    case ScalarOp::div: return a / b;
    case ScalarOp::minimum: return std::isnan(a) ? a : a < b ? a : b;
    case ScalarOp::maximum: return std::isnan(a) ? a : a > b ? a : b;
    case ScalarOp::neg: return -a;
    case ScalarOp::abs: return std::fabs(a);
    case ScalarOp::sqrt: return std::sqrt(a);
    case ScalarOp::exp: return std::exp(a);
    default: internal_error(Here::current(), "real_operation", std::string(info(op).name));
  }
}

int64_t integer_operation(ScalarOp op, int64_t x, int64_t y) {
  uint64_t a = x, b = y;
  switch (op) {
    case ScalarOp::add: return a + b;
    case ScalarOp::sub: return a - b;
    case ScalarOp::mul: return a * b;
    case ScalarOp::minimum: return std::min(x, y);
    case ScalarOp::maximum: return std::max(x, y);
    case ScalarOp::neg: return -a;
    case ScalarOp::abs: return x < 0 ? -a : a;
    case ScalarOp::bit_and: return x & y;
    case ScalarOp::bit_or: return x | y;
    default: internal_error(Here::current(), "integer_operation", std::string(info(op).name));
  }
}

template <class T>
bool comparison(ScalarOp op, T a, T b) {
  switch (op) {
    case ScalarOp::eq: return a == b;
    case ScalarOp::ne: return a != b;
    case ScalarOp::lt: return a < b;
    case ScalarOp::le: return a <= b;
    case ScalarOp::gt: return a > b;
    default: return a >= b;
  }
}

Number binary(ScalarOp op, DType dtype, Number a, Number b) {
  if (info(op).gives_bool)
    return {0, is_floating(dtype) ? comparison(op, a.real, b.real) : comparison(op, a.integer, b.integer)};
  if (dtype == DType::boolean && op == ScalarOp::add) return {0, a.integer | b.integer};
  // Sums, products, quotients and roots in f64, rounded once more, are those of f32.
  if (is_floating(dtype)) return to_type({real_operation(op, a.real, b.real), 0}, DType::f64, dtype);
  return to_type({0, integer_operation(op, a.integer, b.integer)}, DType::i64, dtype);
}

ScalarOp combining(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::prod: return ScalarOp::mul;
    case ReductionKind::minimum: return ScalarOp::minimum;
    case ReductionKind::maximum: return ScalarOp::maximum;
    case ReductionKind::any: return ScalarOp::bit_or;
    case ReductionKind::all: return ScalarOp::bit_and;
    default: return ScalarOp::add;
  }
}

Number identity_of(ReductionKind kind, DType dtype) {
  auto limit = [&](bool high) -> Number {
    double infinity = std::numeric_limits<double>::infinity();
    if (is_floating(dtype)) return {high ? infinity : -infinity, 0};
    return with_type(dtype, [&](auto zero) -> Number {
      using T = decltype(zero);
      if constexpr (std::is_integral_v<T>)
        return {0, int64_t(high ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min())};
      return {};
    });
  };
  switch (kind) {
    case ReductionKind::prod:
    case ReductionKind::all: return {1, 1};
    case ReductionKind::minimum: return limit(true);
    case ReductionKind::maximum: return limit(false);
    default: return {0, 0};
  }
}

// Word for word what ReductionOrder says.
Number reduce(const std::vector<Number>& values, ReductionKind kind, DType dtype, ReductionOrder order) {
  auto combine = [&](Number a, Number b) { return binary(combining(kind), dtype, a, b); };
  Number identity = identity_of(kind, dtype);
  size_t block = size_t(order.lanes) * order.steps;
  struct Part {
    Number value;
    size_t blocks;
  };
  std::vector<Part> parts;
  for (size_t begin = 0; begin < values.size(); begin += block) {
    std::vector<Number> lanes(order.lanes, identity);
    for (size_t k = begin; k < std::min(begin + block, values.size()); ++k)
      lanes[k % order.lanes] = combine(lanes[k % order.lanes], values[k]);
    for (int half = order.lanes / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) lanes[j] = combine(lanes[j], lanes[j + half]);
    Part part{lanes[0], 1};
    while (!parts.empty() && parts.back().blocks == part.blocks) {
      part = {combine(parts.back().value, part.value), 2 * part.blocks};
      parts.pop_back();
    }
    parts.push_back(part);
  }
  if (parts.empty()) return identity;
  while (parts.size() > 1) {
    Number small = parts.back().value;
    parts.pop_back();
    parts.back().value = combine(parts.back().value, small);
  }
  return parts[0].value;
}

class NaiveKernel {
 public:
  NaiveKernel(const Schedule& schedule, const Kernel& kernel, BufferBytes& buffers)
      : schedule_(schedule), kernel_(kernel), buffers_(buffers) {}

  void run() {
    const std::vector<Axis>& axes = kernel_.nests[0].axes;
    point_.assign(64, 0);
    loop(axes, 0, kernel_.outer_axes, [&] {
      for (const Nest& nest : kernel_.nests) run_nest(nest);
    });
  }

 private:
  void loop(const std::vector<Axis>& axes, size_t from, size_t to, const std::function<void()>& inside) {
    if (from >= to) return inside();
    for (int64_t i = 0; i < axes[from].extent.constant(); ++i) {
      point_[from] = i;
      loop(axes, from + 1, to, inside);
    }
  }

  void run_nest(const Nest& nest) {
    size_t reduction = nest.axes.size();
    while (reduction > 0 && nest.axes[reduction - 1].kind != AxisKind::parallel) --reduction;
    loop(nest.axes, kernel_.outer_axes, reduction, [&] {
      std::vector<std::vector<Number>> sequences(nest.stores.size());
      start_scans(nest);
      loop(nest.axes, reduction, nest.axes.size(), [&] {
        values_.assign(nest.body.dag.nodes.size(), {});
        known_.assign(nest.body.dag.nodes.size(), false);
        take_scans(nest);
        for (size_t i = 0; i < nest.stores.size(); ++i) {
          Number value = evaluate_node(nest, nest.stores[i].value);
          if (nest.stores[i].reduction == ReductionKind::none)
            store(nest, nest.stores[i], value);
          else
            sequences[i].push_back(value);
        }
      });
      for (size_t i = 0; i < nest.stores.size(); ++i) {
        const Store& s = nest.stores[i];
        DType dtype = nest.body.dag.nodes[s.value].dtype;
        if (s.reduction != ReductionKind::none) store(nest, s, reduce(sequences[i], s.reduction, dtype, s.order));
      }
    });
  }

  void start_scans(const Nest& nest) {
    running_.clear();
    for (const ScalarNode& node : nest.body.dag.nodes)
      running_.push_back(node.op == scan_op ? identity_of(ReductionKind(node.payload), node.dtype) : Number{});
  }

  void take_scans(const Nest& nest) {
    for (size_t i = 0; i < nest.body.dag.nodes.size(); ++i)
      if (nest.body.dag.nodes[i].op == scan_op) evaluate_node(nest, static_cast<int>(i));
  }

  std::byte* address(int buffer, const Index& index) {
    const Layout& layout = schedule_.buffers[buffer].layout;
    int64_t at = evaluate(linear_index(index, layout.strides, layout.offset), point_);
    return buffers_[buffer].data() + at * byte_size(schedule_.buffers[buffer].dtype);
  }

  void store(const Nest& nest, const Store& s, Number value) {
    DType dtype = schedule_.buffers[s.buffer].dtype;
    write(address(s.buffer, s.index), dtype, to_type(value, nest.body.dag.nodes[s.value].dtype, dtype));
  }

  Number evaluate_node(const Nest& nest, int node) {
    if (!known_[node]) {
      values_[node] = compute(nest, node);
      known_[node] = true;
    }
    return values_[node];
  }

  Number compute(const Nest& nest, int id) {
    const ScalarNode& node = nest.body.dag.nodes[id];
    auto operand = [&](int i) { return evaluate_node(nest, node.operands[i]); };
    auto type = [&](int i) { return nest.body.dag.nodes[node.operands[i]].dtype; };
    switch (node.op) {
      case ScalarOp::constant: {
        Scalar value = constant_value(node);
        return value.is_floating() ? Number{value.to_double(), 0} : Number{0, value.to_int()};
      }
      case ScalarOp::load: {
        if (node.operands[0] >= 0 && !operand(0).integer) return {};
        const Load& load = nest.body.loads[node.payload];
        return read(address(load.buffer, load.index), node.dtype);
      }
      case ScalarOp::index: return {0, evaluate(nest.body.index_values[node.payload], point_)};
      case ScalarOp::convert: return to_type(operand(0), type(0), node.dtype);
      case scan_op:
        return running_[id] = binary(combining(ReductionKind(node.payload)), node.dtype, running_[id], operand(0));
      case ScalarOp::select: return operand(0).integer ? operand(1) : operand(2);
      default: break;
    }
    return binary(node.op, type(0), operand(0), info(node.op).operands > 1 ? operand(1) : Number{});
  }

  const Schedule& schedule_;
  const Kernel& kernel_;
  BufferBytes& buffers_;
  std::vector<int64_t> point_;
  std::vector<Number> values_;
  std::vector<char> known_;
  std::vector<Number> running_;  // of scans
};

}  // namespace

BufferBytes make_buffers(const Schedule& schedule, unsigned seed) {
  BufferBytes all;
  for (size_t id = 0; id < schedule.buffers.size(); ++id) {
    const Buffer& buffer = schedule.buffers[id];
    std::mt19937 random(seed * 1000 + unsigned(id));
    int64_t elements = extent_end(buffer.layout).constant(), size = byte_size(buffer.dtype);
    std::vector<std::byte> bytes(size_t(elements * size));
    for (int64_t i = 0; i < elements; ++i) {
      int64_t n = int64_t(random() % 4000) - 2000;
      write(bytes.data() + i * size, buffer.dtype, {double(n) / 1024, buffer.dtype == DType::boolean ? n & 1 : n});
    }
    all.push_back(std::move(bytes));
  }
  return all;
}

void run_naively(const Schedule& schedule, BufferBytes& buffers) {
  for (const Kernel& kernel : schedule.kernels) NaiveKernel(schedule, kernel, buffers).run();
}

}  // namespace sinter::test
