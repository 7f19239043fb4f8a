// Scopes of a nest's values, and the text of each.

#include <sinter/codegen/cpp/emit_body.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>
#include <sinter/fusion/access.h>

#include <algorithm>
#include <utility>

namespace sinter::codegen {

using fusion::IndexExpr;
using fusion::Load;
using fusion::Nest;
using fusion::scan_op;
using fusion::Store;

namespace {

constexpr uint64_t bit(int axis) { return uint64_t{1} << axis; }

uint64_t axes_of(const IndexExpr& expr) {
  uint64_t axes = 0;
  for (const fusion::IndexTerm& term : expr.terms())
    axes |= term.quotient ? axes_of(term.quotient->operand) : bit(term.axis);
  return axes;
}

}  // namespace

BodyPrinter::BodyPrinter(KernelContext& context, const Nest& nest) : context_(context), nest_(nest) {
  SINTER_CHECK(nest.axes.size() < 64, "{} has {} axes", nest.name, nest.axes.size());
  for (size_t axis = 0; axis < nest.axes.size(); ++axis) {
    axes_.extents.push_back(nest.axes[axis].extent);
    axes_.text.emplace_back("0");
    if (nest.axes[axis].extent.same(1)) known_axes_ |= bit(static_cast<int>(axis));
  }
  axes_.sizes = &context.sizes;
  find_dependences();
  find_narrow_indices();
  name_values();
}

void BodyPrinter::find_dependences() {
  const std::vector<ScalarNode>& nodes = nest_.body.dag.nodes;
  known_.resize(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    Known& known = known_[i];
    if (nodes[i].op == ScalarOp::load) {
      const Load& load = nest_.body.loads[nodes[i].payload];
      for (const IndexExpr& expr : load.index) known.axes |= axes_of(expr);
      KernelBuffer& used = context_.used(load.buffer);
      known.reads_written = used.is_written;
      if (used.place != Place::memory && context_.shared_axis >= 0) known.axes |= bit(context_.shared_axis);
    }
    if (nodes[i].op == ScalarOp::index) known.axes |= axes_of(nest_.body.index_values[nodes[i].payload]);
    if (nodes[i].op == scan_op) {
      known.axes |= bit(fusion::scan_axis(nest_));
      if (nest_.vector_axis >= 0) known.axes |= bit(nest_.vector_axis);
    }
    for (int operand : nodes[i].operands) {
      if (operand < 0) continue;
      known.axes |= known_[operand].axes;
      known.reads_written |= known_[operand].reads_written;
    }
  }
  for (const Store& store : nest_.stores) known_[store.value].is_needed = true;
  for (size_t i = nodes.size(); i-- > 0;) {
    if (!known_[i].is_needed) continue;
    for (int operand : nodes[i].operands)
      if (operand >= 0) known_[operand].is_needed = true;
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].op == scan_op && known_[i].is_needed) scans_.push_back(static_cast<int>(i));
}

void BodyPrinter::find_narrow_indices() {
  const std::vector<ScalarNode>& nodes = nest_.body.dag.nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op != ScalarOp::index) continue;
    fusion::IndexRange range = range_of(nest_.body.index_values[nodes[i].payload], axes_.extents);
    known_[i].is_narrow = is_surely_at_least(range.low, INT32_MIN) && is_surely_at_least(INT32_MAX, range.high);
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    for (int operand : nodes[i].operands)
      if (operand >= 0 && (nodes[i].op != ScalarOp::convert || nodes[i].dtype != DType::i32))
        known_[operand].is_narrow = false;
  for (const Store& store : nest_.stores) known_[store.value].is_narrow = false;
}

void BodyPrinter::name_values() {
  const std::vector<ScalarNode>& nodes = nest_.body.dag.nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!known_[i].is_needed || is_inline(static_cast<int>(i))) continue;
    std::string base(info(nodes[i].op).name);
    if (nodes[i].op == ScalarOp::load)
      base = base_name(context_.buffer(nest_.body.loads[nodes[i].payload].buffer).name);
    if (nodes[i].op == ScalarOp::convert) base = name(nodes[i].dtype);
    if (nodes[i].op == scan_op) base = "running";
    known_[i].name = context_.fresh_name(base);
  }
}

// Constants and local variables have no line of their own.
bool BodyPrinter::is_inline(int node) const {
  const ScalarNode& n = nest_.body.dag.nodes[node];
  if (n.op == ScalarOp::constant || known_[node].is_narrow) return true;
  if (n.op == ScalarOp::convert) return nest_.body.dag.nodes[n.operands[0]].dtype == n.dtype;
  return n.op == ScalarOp::load && n.operands[0] < 0 &&
         context_.used(nest_.body.loads[n.payload].buffer).place == Place::variable;
}

void BodyPrinter::push_scope() {
  scopes_.emplace_back();
  scopes_.back().place_before = place_;
}

void BodyPrinter::pop_scope() {
  Scope& scope = scopes_.back();
  for (int axis : scope.axes) known_axes_ &= ~bit(axis);
  for (int node : scope.printed) known_[node].is_printed = false;
  for (size_t i = scope.renamed.size(); i-- > 0;)
    known_[scope.renamed[i].first].name = std::move(scope.renamed[i].second);
  if (scope.has_vector) place_ = scope.place_before;
  if (scope.has_iteration) in_iteration_ = false;
  scopes_.pop_back();
}

void BodyPrinter::set_axis(int axis, std::string text) {
  axes_.text[axis] = std::move(text);
  if (known_axes_ & bit(axis)) return;
  known_axes_ |= bit(axis);
  scopes_.back().axes.push_back(axis);
}

void BodyPrinter::set_vector(VectorPlace place, std::string text) {
  set_axis(place.axis, std::move(text));
  place_ = std::move(place);
  scopes_.back().has_vector = true;
}

void BodyPrinter::enter_iteration() {
  in_iteration_ = true;
  scopes_.back().has_iteration = true;
}

bool BodyPrinter::is_computable(int node) const {
  const Known& known = known_[node];
  const ScalarNode& n = nest_.body.dag.nodes[node];
  if (n.op == scan_op && known.variable.empty()) return false;
  if ((known.axes & ~known_axes_) != 0 || (known.reads_written && !in_iteration_)) return false;
  return scans_.empty() || std::all_of(std::begin(n.operands), std::end(n.operands),
                                       [&](int operand) { return operand < 0 || known_[operand].is_printed; });
}

void BodyPrinter::print_values() { print_computable(std::vector<bool>(known_.size(), true)); }

void BodyPrinter::print_values_of(std::span<const int> roots) {
  std::vector<bool> is_asked(known_.size(), false);
  for (int root : roots) is_asked[root] = true;
  for (size_t i = known_.size(); i-- > 0;) {
    if (!is_asked[i] || known_[i].is_printed) continue;
    for (int operand : nest_.body.dag.nodes[i].operands)
      if (operand >= 0) is_asked[operand] = true;
  }
  print_computable(is_asked);
}

void BodyPrinter::print_computable(const std::vector<bool>& is_asked) {
  for (int i = 0; i < static_cast<int>(known_.size()); ++i) {
    Known& known = known_[i];
    if (!is_asked[i] || !known.is_needed || known.is_printed || !is_computable(i)) continue;
    known.is_printed = true;
    scopes_.back().printed.push_back(i);
    if (!is_inline(i)) print_value(i);
  }
}

void BodyPrinter::provide(int node, std::string name) {
  scopes_.back().renamed.emplace_back(node, std::exchange(known_[node].name, std::move(name)));
  known_[node].is_printed = true;
  scopes_.back().printed.push_back(node);
}

std::string BodyPrinter::variable_text(const KernelBuffer& used) const {
  return place_.strip > 1 && context_.shared_axis >= 0 ? used.name + "[s]" : used.name;
}

std::string BodyPrinter::value(int node) const {
  const ScalarNode& n = nest_.body.dag.nodes[node];
  if (!is_inline(node)) return known_[node].name;
  if (n.op == ScalarOp::convert) return value(n.operands[0]);
  if (n.op == ScalarOp::constant) {
    context_.need("splat", n.dtype);
    return splat(constant_value(n), n.dtype);
  }
  return variable_text(context_.used(nest_.body.loads[n.payload].buffer));
}

std::string BodyPrinter::comment(int node) const {
  const std::vector<int>& origins = nest_.body.origins;
  int origin = static_cast<size_t>(node) < origins.size() ? origins[node] : nest_.origins.size() == 1 ? 0 : -1;
  return origin < 0 ? std::string() : origin_comment(*nest_.origins[origin]);
}

bool BodyPrinter::varies(int node) const { return place_.axis >= 0 && (known_[node].axes & bit(place_.axis)) != 0; }

void BodyPrinter::print_value(int node) {
  const ScalarNode& n = nest_.body.dag.nodes[node];
  const std::string& name = known_[node].name;
  if (n.op == ScalarOp::index) return print_index(n, name, comment(node));
  if (n.op == scan_op) return print_scan_step(node);
  if (n.op == ScalarOp::convert && known_[n.operands[0]].is_narrow) return print_narrow_index(n, name, comment(node));
  std::string text = n.op == ScalarOp::load ? load(n, name) : operation(node);
  context_.code.statement(fmt::format("{} {} = {}", vector_type(n.dtype), name, text), comment(node));
  context_.need(std::string(vector_type(n.dtype)));
}

void BodyPrinter::print_scan_step(int node) {
  const ScalarNode& n = nest_.body.dag.nodes[node];
  Combine combine = combine_of(static_cast<ReductionKind>(n.payload), n.dtype);
  std::string slot = known_[node].variable + (place_.strip > 1 && place_.axis == nest_.vector_axis ? "[s]" : "");
  context_.code.statement(fmt::format("const {0} {1} = {2} = {3}({2}, {4})", vector_type(n.dtype), known_[node].name,
                                      slot, combine.function, value(n.operands[0])),
                          comment(node));
  context_.need(combine.function, n.dtype);
  context_.need(std::string(vector_type(n.dtype)));
}

std::string BodyPrinter::operation(int node) {
  const ScalarNode& n = nest_.body.dag.nodes[node];
  int typed = n.op == ScalarOp::select ? 1 : 0;
  DType operand = nest_.body.dag.nodes[n.operands[typed]].dtype;
  std::vector<std::string> operands;
  for (int i = 0; i < info(n.op).operands; ++i) operands.push_back(value(n.operands[i]));
  if (spelling_) {
    std::string text = spelling_(node, operands);
    if (!text.empty()) return text;
  }
  if (n.op == ScalarOp::convert) return converted(operands[0], operand, n.dtype);
  context_.need(operation_piece(n.op, operand));
  return fmt::format("{}({})", info(n.op).name, fmt::join(operands, ", "));
}

std::string BodyPrinter::converted(std::string value, DType from, DType to) {
  if (from == to) return value;
  context_.need(conversion_piece(from, to));
  return fmt::format("to_{}({})", name(to), value);
}

void BodyPrinter::print_index(const ScalarNode& node, const std::string& name, std::string_view comment) {
  std::string text = index_vector(nest_.body.index_values[node.payload], name);
  context_.code.statement(fmt::format("i64v {} = {}", name, text), comment);
}

void BodyPrinter::print_narrow_index(const ScalarNode& node, const std::string& name, std::string_view comment) {
  const IndexExpr& expr = nest_.body.index_values[nest_.body.dag.nodes[node.operands[0]].payload];
  std::optional<SymInt> slope = lane_slope(expr, place_.axis, context_.lanes, place_.aligned);
  std::string text;
  if (is_number(slope, 0) || is_number(slope, 1)) {
    std::string_view piece = is_number(slope, 0) ? "splat_i32" : "iota_i32";
    context_.need(std::string(piece));
    text = fmt::format("{}({})", piece, index_text(expr, axes_, context_.use));
  } else {
    text = converted(index_vector(expr, name), DType::i64, DType::i32);
  }
  context_.code.statement(fmt::format("i32v {} = {}", name, text), comment);
  context_.need("i32v");
}

// The text of a vector of the expression's value in each lane.
std::string BodyPrinter::index_vector(const IndexExpr& expr, const std::string& name) {
  context_.need("i64v");
  std::optional<SymInt> slope = lane_slope(expr, place_.axis, context_.lanes, place_.aligned);
  if (!slope) return lane_indices(expr, name);
  std::string first = index_text(expr, axes_, context_.use);
  if (is_number(slope, 0)) {
    context_.need("splat_i64");
    return fmt::format("splat_i64({})", first);
  }
  context_.need("iota_i64");
  if (is_number(slope, 1)) return fmt::format("iota_i64({})", first);
  for (const char* piece : {"splat_i64", "add_i64", "mul_i64"}) context_.need(piece);
  return fmt::format("add(splat_i64({}), mul(iota_i64(0), splat_i64({})))", first, context_.size_text(*slope));
}

// The expression's value in lane number `lane`.
std::string BodyPrinter::lane_text(const IndexExpr& expr) {
  AxisScope scope = axes_;
  scope.text[place_.axis] = fmt::format("({} + lane)", axes_.text[place_.axis]);
  return index_text(expr, scope, context_.use);
}

// Prints a vector of the expression's value in each lane, and gives its name.
std::string BodyPrinter::lane_indices(const IndexExpr& expr, const std::string& name) {
  std::string lanes = name + "_at";
  context_.need("i64v");
  context_.code.print("i64v {};", lanes);
  context_.code.print("for (long lane = 0; lane < N; ++lane) {}[lane] = {};", lanes, lane_text(expr));
  return lanes;
}

std::string BodyPrinter::load(const ScalarNode& node, const std::string& name) {
  const Load& load = nest_.body.loads[node.payload];
  if (node.operands[1] >= 0) return load_at(node, name);
  const KernelBuffer& used = context_.used(load.buffer);
  if (auto found = redirected_.find(static_cast<int>(node.payload)); found != redirected_.end())
    return fmt::format("load({})", found->second);
  std::string text;
  IndexExpr linear;
  std::optional<SymInt> slope = SymInt(0);
  bool is_shared_local = used.place == Place::array && context_.shared_axis >= 0;
  if (used.place == Place::memory || (used.place == Place::array && !is_shared_local)) {
    const Layout& layout = context_.buffer(load.buffer).layout;
    linear = linear_index(load.index, layout.strides, layout.offset);
    slope = lane_slope(linear, place_.axis, context_.lanes, place_.aligned);
  }
  int mask = node.operands[0];
  bool mask_varies = mask >= 0 && varies(mask);
  if (mask_varies && used.place != Place::variable && !is_shared_local)
    return load_masked(used, linear, slope, value(mask), name);
  if (used.place == Place::variable) {
    text = variable_text(used);
  } else if (is_shared_local) {
    context_.need("load", node.dtype);
    text = fmt::format("load({})", array_address(used, load.index));
  } else {
    text = load_memory(used, linear, slope, name);
  }
  if (mask < 0) return text;
  std::string zero = fmt::format("{}{{}}", vector_type(node.dtype));
  if (mask_varies) {
    context_.need("select", node.dtype);
    return fmt::format("select({}, {}, {})", value(mask), text, zero);
  }
  context_.need("lane0_bool");
  return fmt::format("lane0({}) ? {} : {}", value(mask), text, zero);
}

// A load with an offset: the same offset in all lanes moves the place that the vector is loaded from; else the lanes
// are gathered.
std::string BodyPrinter::load_at(const ScalarNode& node, const std::string& name) {
  const Load& load = nest_.body.loads[node.payload];
  const Layout& layout = context_.buffer(load.buffer).layout;
  IndexExpr linear = linear_index(load.index, layout.strides, layout.offset);
  int mask = node.operands[0], offset = node.operands[1];
  bool mask_varies = mask >= 0 && varies(mask);
  std::optional<SymInt> slope = lane_slope(linear, place_.axis, context_.lanes, place_.aligned);
  KernelBuffer moved = context_.used(load.buffer);
  std::string text;
  if (context_.clamps_offsets) {
    for (const char* piece : {"lane0_i64", "clamp_index"}) context_.need(piece);
    context_.need("load_splat", node.dtype);
    text = fmt::format("load_splat({} + clamp_index(lane0({}) + {}, {}))", moved.name, value(offset),
                       index_text(linear, axes_, context_.use),
                       context_.size_text(max(1, element_count(context_.buffer(load.buffer)))));
  } else if (!varies(offset)) {
    context_.need("lane0_i64");
    moved.name = fmt::format("({} + lane0({}))", moved.name, value(offset));
    if (mask_varies) return load_masked(moved, linear, slope, value(mask), name);
    text = load_memory(moved, linear, slope, name);
  } else {
    context_.need("add_i64");
    std::string at = fmt::format("add({}, {})", index_vector(linear, name), value(offset));
    context_.need("load", node.dtype);
    if (mask_varies) {
      context_.need("masked_gather");
      return fmt::format("masked_gather({}, {}, {}, {})", moved.name, at, value(mask), place_.count);
    }
    context_.need("gather", node.dtype);
    text = fmt::format("gather({}, {}, {})", moved.name, at, place_.count);
  }
  if (mask < 0) return text;
  context_.need("lane0_bool");
  return fmt::format("lane0({}) ? {} : {}{{}}", value(mask), text, vector_type(node.dtype));
}

std::string BodyPrinter::load_memory(const KernelBuffer& used, const IndexExpr& linear, std::optional<SymInt> slope,
                                     const std::string& name) {
  DType dtype = context_.buffer(used.id).dtype;
  if (!slope && steps_at_most_one(linear, place_.axis)) {
    context_.need("load_runs");
    context_.need("load", dtype);
    return fmt::format("load_runs({}, [&](long lane) {{ return {}; }}, {})", used.name, lane_text(linear),
                       place_.count);
  }
  if (!slope) {
    context_.need("gather", dtype);
    return fmt::format("gather({}, {}, {})", used.name, lane_indices(linear, name), place_.count);
  }
  std::string address = address_text(used.name, linear, axes_, context_.use);
  if (is_number(slope, 0)) {
    context_.need("load_splat", dtype);
    return fmt::format("load_splat({})", address);
  }
  if (!is_number(slope, 1)) {
    context_.need("load_strided", dtype);
    return fmt::format("load_strided({}, {}, {})", address, context_.size_text(*slope), place_.count);
  }
  // Local arrays have room for a whole vector at their end.
  if (place_.kind == LaneCount::all || used.place == Place::array) {
    context_.need("load", dtype);
    return fmt::format("load({})", address);
  }
  context_.need("load_n", dtype);
  if (place_.kind == LaneCount::some) return fmt::format("load_n({}, {})", address, place_.count);
  context_.need("load", dtype);
  context_.need("load_up_to");
  return fmt::format("load_up_to({}, {})", address, place_.count);
}

std::string BodyPrinter::load_masked(const KernelBuffer& used, const IndexExpr& linear, std::optional<SymInt> slope,
                                     const std::string& mask, const std::string& name) {
  context_.need("load", context_.buffer(used.id).dtype);
  if (!slope) {
    context_.need("masked_gather");
    return fmt::format("masked_gather({}, {}, {}, {})", used.name, lane_indices(linear, name), mask, place_.count);
  }
  std::string at = index_text(linear, axes_, context_.use);
  std::string_view function = is_number(slope, 0)   ? "masked_splat"
                              : is_number(slope, 1) ? "masked_load"
                                                    : "masked_strided";
  context_.need(std::string(function));
  if (is_number(slope, 0) || is_number(slope, 1))
    return fmt::format("{}({}, {}, {}, {})", function, used.name, at, mask, place_.count);
  return fmt::format("{}({}, {}, {}, {}, {})", function, used.name, at, context_.size_text(*slope), mask, place_.count);
}

// Of the vector that an element of a local array is where the vector axis is shared.
std::string BodyPrinter::array_address(const KernelBuffer& used, const fusion::Index& index) {
  const Layout& layout = context_.buffer(used.id).layout;
  std::string element = index_text(linear_index(index, layout.strides, layout.offset), axes_, context_.use);
  std::string address = fmt::format("{} + ({}) * {}", used.name, element, place_.strip * context_.lanes);
  if (place_.strip > 1) address += " + s * N";
  return address;
}

bool BodyPrinter::streams(const KernelBuffer& used, const IndexExpr& linear) const {
  if (!used.streams || place_.kind != LaneCount::all || !linear.is_affine()) return false;
  if (place_.lined_up) return starts_aligned(linear - *place_.lined_up, place_.axis, context_.lanes);
  if (!place_.aligned) return false;
  std::vector<SymInt> steps = {linear.constant()};  // of which the address is made up
  for (const fusion::IndexTerm& term : linear.terms())
    if (term.axis != place_.axis) steps.push_back(term.coef);
  return context_.are_lines(steps);
}

// A local array that the vector axis fills alone: behind it there is only room.
bool BodyPrinter::may_write_behind(const KernelBuffer& used, const IndexExpr& linear) const {
  return used.place == Place::array && linear.is_axis(place_.axis) &&
         nest_.axes[place_.axis].extent.same(element_count(context_.buffer(used.id)));
}

void BodyPrinter::print_store(const Store& store, std::string value, DType from) {
  KernelBuffer& used = context_.used(store.buffer);
  const fusion::Buffer& buffer = context_.buffer(store.buffer);
  std::string comment = this->comment(store.value);
  DType dtype = buffer.dtype;
  value = converted(std::move(value), from, dtype);
  SourceWriter& code = context_.code;
  if (used.place == Place::variable) return code.statement(fmt::format("{} = {}", variable_text(used), value), comment);
  if (used.place == Place::array && context_.shared_axis >= 0) {
    context_.need("store", dtype);
    return code.statement(fmt::format("store({}, {})", array_address(used, store.index), value), comment);
  }
  IndexExpr linear = linear_index(store.index, buffer.layout.strides, buffer.layout.offset);
  std::optional<SymInt> slope = lane_slope(linear, place_.axis, context_.lanes, place_.aligned);
  if (!slope) {
    std::string at = lane_indices(linear, context_.fresh_name("store"));
    context_.need("scatter");
    context_.need("store", dtype);
    return code.statement(fmt::format("scatter({}, {}, {}, {})", used.name, value, at, place_.count), comment);
  }
  std::string address = address_text(used.name, linear, axes_, context_.use);
  if (is_number(slope, 0)) {
    context_.need("store_n", dtype);
    return code.statement(fmt::format("store_n({}, {}, 1)", address, value), comment);
  }
  if (!is_number(slope, 1)) {
    context_.need("store_strided", dtype);
    return code.statement(
        fmt::format("store_strided({}, {}, {}, {})", address, value, context_.size_text(*slope), place_.count),
        comment);
  }
  std::string_view function = "store";
  if (streams(used, linear)) {
    function = "stream";
    context_.need("stream_fence");
  } else if (place_.kind != LaneCount::all && !may_write_behind(used, linear)) {
    context_.need("store_n", dtype);
    function = place_.kind == LaneCount::some ? "store_n" : "store_up_to";
  }
  if (function != "store_n" && function != "stream") context_.need("store", dtype);
  if (function == "stream") context_.need("stream", dtype);
  if (function == "store_up_to") context_.need("store_up_to");
  bool counts = function == "store_n" || function == "store_up_to";
  code.statement(fmt::format("{}({}, {}{})", function, address, value, counts ? ", " + place_.count : ""), comment);
}

}  // namespace sinter::codegen
