// Text form of the loop IR, as in dumps and tests:
//
//   nest add [i0 < 8, i1 < 16]
//     x0 = load x[16*i0 + i1]
//     store add[16*i0 + i1] = add(exp(x0), x0)

#include <sinter/fusion/schedule.h>

#include <sinter/fusion/access.h>
#include <sinter/fusion/scan_kind.h>

namespace sinter::fusion {

namespace {

std::string_view name(ReductionKind kind) {
  if (kind == log_add_exp_scan) return "log_add_exp";
  switch (kind) {
    case ReductionKind::none: return "none";
    case ReductionKind::sum: return "sum";
    case ReductionKind::prod: return "prod";
    case ReductionKind::minimum: return "minimum";
    case ReductionKind::maximum: return "maximum";
    case ReductionKind::any: return "any";
    case ReductionKind::all: return "all";
  }
  return "?";
}

std::string_view suffix(AxisKind kind) {
  switch (kind) {
    case AxisKind::parallel: return "";
    case AxisKind::reduction: return " reduce";
    case AxisKind::scan: return " scan";
  }
  return "?";
}

// Values used more than once, and loads, get a name; others are written where they are used. Broken nests print too:
// the verifier shows them.
class NestPrinter {
 public:
  NestPrinter(const Nest& nest, const Schedule& schedule) : nest_(nest), schedule_(schedule) {}

  std::string text() {
    std::string axes;
    for (size_t i = 0; i < nest_.axes.size(); ++i)
      axes += fmt::format("{}i{} < {}{}{}", i == 0 ? "" : ", ", i, sinter::to_string(nest_.axes[i].extent),
                          suffix(nest_.axes[i].kind), nest_.vector_axis == static_cast<int>(i) ? " vector" : "");
    std::string text = fmt::format("nest {} [{}]\n", nest_.name, axes);
    count_uses();
    const auto& nodes = nest_.body.dag.nodes;
    for (size_t i = 0; i < nodes.size(); ++i) {
      expressions_.push_back(expression(nodes[i]));
      bool is_named = uses_[i] > 0 && nodes[i].op != ScalarOp::constant &&
                      (nodes[i].op == ScalarOp::load || uses_[i] > 1 || expressions_[i].size() > 100);
      if (!is_named) continue;
      std::string variable = fmt::format("x{}", variables_++);
      text += fmt::format("  {} = {}\n", variable, expressions_[i]);
      expressions_[i] = variable;
    }
    for (const Store& store : nest_.stores)
      text += fmt::format("  {} {} = {}{}\n", store.reduction == ReductionKind::none ? "store" : "reduce",
                          address(store.buffer, store.index),
                          store.reduction == ReductionKind::none
                              ? ""
                              : fmt::format("{} (lanes {}) of ", name(store.reduction), store.order.lanes),
                          value(store.value));
    return text;
  }

 private:
  void count_uses() {
    uses_.assign(nest_.body.dag.nodes.size(), 0);
    auto use = [&](int value) {
      if (value >= 0 && value < static_cast<int>(uses_.size())) ++uses_[value];
    };
    for (const ScalarNode& node : nest_.body.dag.nodes)
      for (int operand : node.operands) use(operand);
    for (const Store& store : nest_.stores) use(store.value);
  }

  std::string value(int node) const {
    return node >= 0 && node < static_cast<int>(expressions_.size()) ? expressions_[node] : "?";
  }

  std::string address(int buffer, const Index& index) const {
    if (buffer < 0 || buffer >= static_cast<int>(schedule_.buffers.size())) return "?";
    const Buffer& known = schedule_.buffers[buffer];
    if (index.size() != known.layout.sizes.size()) return fmt::format("{}[?]", known.name);
    return fmt::format("{}[{}]", known.name, to_string(linear_of(schedule_, buffer, index)));
  }

  std::string expression(const ScalarNode& node) const {
    switch (node.op) {
      case ScalarOp::constant: return sinter::to_string(constant_value(node));
      case ScalarOp::index:
        if (node.payload >= nest_.body.index_values.size()) return "index(?)";
        return fmt::format("index({})", to_string(nest_.body.index_values[node.payload]));
      case ScalarOp::convert: return fmt::format("{}({})", sinter::name(node.dtype), value(node.operands[0]));
      case scan_op:
        return fmt::format("running_{}({})", name(static_cast<ReductionKind>(node.payload)), value(node.operands[0]));
      case ScalarOp::load: {
        if (node.payload >= nest_.body.loads.size()) return "load ?";
        const Load& load = nest_.body.loads[node.payload];
        std::string text = fmt::format("load {}", address(load.buffer, load.index));
        if (node.operands[1] >= 0) text += fmt::format(" + {}", value(node.operands[1]));
        return node.operands[0] < 0 ? text : fmt::format("{} where {}", text, value(node.operands[0]));
      }
      default: break;
    }
    std::string operands;
    for (int operand : node.operands)
      if (operand >= 0) operands += (operands.empty() ? "" : ", ") + value(operand);
    return fmt::format("{}({})", info(node.op).name, operands);
  }

  const Nest& nest_;
  const Schedule& schedule_;
  std::vector<int> uses_;
  std::vector<std::string> expressions_;
  int variables_ = 0;
};

std::string kind_text(const Buffer& buffer) {
  switch (buffer.kind) {
    case BufferKind::input: return fmt::format("input {}", buffer.source);
    case BufferKind::output: return "output";
    case BufferKind::temporary: return fmt::format("temporary at {}", sinter::to_string(buffer.arena_offset));
    case BufferKind::local: return "local";
  }
  return "?";
}

// Of each buffer.
std::vector<bool> used_buffers(const Schedule& schedule) {
  std::vector<bool> used(schedule.buffers.size(), false);
  auto use = [&](int buffer) {
    if (buffer >= 0) used[buffer] = true;
  };
  for (const Kernel& kernel : schedule.kernels) visit_buffers(kernel, use);
  for (const ScheduleResult& result : schedule.results) use(result.buffer);
  return used;
}

std::string call_text(const ExternCall& call, const Schedule& schedule) {
  std::string inputs, outputs;
  for (int input : call.inputs) inputs += (inputs.empty() ? "" : ", ") + schedule.buffers[input].name;
  for (int output : call.outputs) outputs += (outputs.empty() ? "" : ", ") + schedule.buffers[output].name;
  return fmt::format("call {}({}) -> {}\n", call.node->op->name(), inputs, outputs);
}

std::string indented(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    size_t end = text.find('\n');
    result += fmt::format("  {}\n", text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace

std::string to_string(const Nest& nest, const Schedule& schedule) { return NestPrinter(nest, schedule).text(); }

std::string to_string(const Schedule& schedule) {
  std::string text;
  std::vector<bool> used = used_buffers(schedule);
  for (size_t b = 0; b < schedule.buffers.size(); ++b) {
    const Buffer& buffer = schedule.buffers[b];
    if (used[b])
      text += fmt::format("buffer {} : {} {}\n", buffer.name, to_string(TensorMeta{buffer.dtype, cpu, buffer.layout}),
                          kind_text(buffer));
  }
  for (const Kernel& kernel : schedule.kernels) {
    if (kernel.call) {
      text += call_text(*kernel.call, schedule);
      continue;
    }
    text += fmt::format("kernel {} outer {} parallel {}{}{}\n", kernel.name, kernel.outer_axes, kernel.parallel_axes,
                        kernel.splits_reduction ? " split" : "",
                        kernel.strip > 1 ? fmt::format(" strip {}", kernel.strip) : "");
    for (const Nest& nest : kernel.nests) text += indented(to_string(nest, schedule));
  }
  for (const ScheduleResult& result : schedule.results)
    text += result.buffer < 0
                ? "return none\n"
                : fmt::format("return {} {}\n", schedule.buffers[result.buffer].name,
                              to_string(TensorMeta{schedule.buffers[result.buffer].dtype, cpu, result.layout}));
  return text;
}

}  // namespace sinter::fusion
