// Writes a graph as text. Broken graphs print too: the verifier shows them.

#include <sinter/graph/text/print_graph.h>

#include <sinter/graph/custom/definition.h>
#include <sinter/graph/text/argument_text.h>
#include <sinter/graph/text/symbols.h>

#include <cctype>
#include <cmath>
#include <cstring>

namespace sinter::graph {

std::string target_text(const OpDef& op) {
  std::string text = op.name();
  if (size_t colons = text.find("::"); colons != std::string::npos) text.replace(colons, 2, ".");
  return text;
}

namespace {

// Nodes (and the return) that use each node.
std::unordered_map<const Node*, int> count_users(const Graph& graph) {
  std::unordered_map<const Node*, int> users;
  std::unordered_map<const Node*, const void*> last_user;
  auto use = [&](NodeOutput output, const void* user) {
    if (const void*& last = last_user[output.node]; last != user) {
      last = user;
      ++users[output.node];
    }
  };
  for (const auto& node : graph.nodes)
    if (node) visit_outputs(*node, [&](NodeOutput output) { use(output, node.get()); });
  for (const Argument& result : graph.results) visit_outputs(result, [&](NodeOutput output) { use(output, &graph); });
  return users;
}

std::string tuple_text(const std::vector<std::string>& elements) {
  return fmt::format("({}{})", fmt::join(elements, ", "), elements.size() == 1 ? "," : "");
}

// Of a number, what a program depends on is its kind.
std::string kind_text(const Node& node) { return fmt::format("Scalar {}", name(node.number->dtype())); }

std::string types_text(const Node& node) {
  if (node.number) return fmt::format("Scalar({})", sinter::to_string(*node.number));
  std::vector<std::string> types;
  for (const TensorMeta& meta : node.metas) types.push_back(sinter::to_string(meta));
  return types.size() == 1 ? types[0] : tuple_text(types);
}

// Names as they come from C++ (`x`, `model.weights[0]`) stay bare; others, from map keys, are quoted.
std::string argument_name(const std::string& target) {
  int depth = 0;
  bool is_plain = !target.empty();
  for (char c : target) {
    depth += (c == '[') - (c == ']');
    is_plain &= depth >= 0 && (std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_.[]", c));
  }
  return is_plain && depth == 0 ? target : quote(target);
}

void append_nan_bits(std::string& text, const Argument& argument) {
  if (argument.is_list())
    for (const Argument& element : argument.list()) append_nan_bits(text, element);
  if (!argument.is_value() || !argument.value().is_scalar()) return;
  Scalar scalar = argument.value().scalar();
  if (scalar.is_floating() && std::isnan(scalar.to_double())) text += fmt::format(" nan {:x}", scalar.bits());
}

// What the line of a node leaves out of its identity.
std::string identity_of(const Node& node) {
  if (node.kind != NodeKind::call_function) return "";
  std::string text = fmt::format("  # {}:{}", node.where.file_name(), node.where.line());
  for (const Argument& argument : node.args) append_nan_bits(text, argument);
  if (const CustomDefinition* custom = node.op ? custom_of(*node.op) : nullptr) text += " " + custom->identity();
  return text;
}

enum class Purpose : uint8_t { reading, identity };

class Printer {
 public:
  explicit Printer(const Graph& graph, Purpose purpose = Purpose::reading)
      : graph_(graph), purpose_(purpose), users_(count_users(graph)) {}

  std::string text() {
    std::vector<std::string> symbols;
    for (auto [symbol, value] : symbol_values(graph_))
      symbols.push_back(purpose_ == Purpose::identity
                            ? symbol_text(symbol, value)
                            : fmt::format("{} = {}", symbol_text(symbol, value), value.value));
    std::string text = fmt::format("graph({}):\n", fmt::join(symbols, ", "));
    for (const auto& node : graph_.nodes) text += node ? line_of(*node) : "    (a null node)\n";
    std::vector<std::string> results;
    for (const Argument& result : graph_.results) results.push_back(to_string(result));
    return text + fmt::format("    return {}\n", tuple_text(results));
  }

  std::string line_of(const Node& node) {
    bool is_kind = node.number && purpose_ == Purpose::identity;
    std::string line = fmt::format("    %{} : {}", node.name, is_kind ? kind_text(node) : types_text(node));
    if (node.kind == NodeKind::call_function)
      line += fmt::format(" [num_users={}] = call_function{}", users_[&node], call_text(node));
    else
      line += fmt::format(" = {}[target={}{}]", node.kind == NodeKind::placeholder ? "placeholder" : "get_attr",
                          argument_name(node.target), sharing_text(node));
    if (purpose_ == Purpose::identity)
      line += identity_of(node);
    else if (node.where.line() != 0)
      line += fmt::format("  # {}", short_location(node.where));
    return line + "\n";
  }

 private:
  std::string sharing_text(const Node& node) {
    if (node.storages.empty()) return "";
    auto [first, is_new] = first_in_storage_.try_emplace(node.storages[0], &node);
    return is_new ? "" : ", shares=%" + first->second->name;
  }

  static std::string call_text(const Node& node) {
    if (!node.op) return "[target=?]";
    const std::vector<Parameter>& parameters = node.op->schema().parameters;
    std::vector<std::string> positional, keywords;
    size_t used = 0;  // positional arguments up to the last one that is no default
    for (size_t i = 0; i < node.args.size(); ++i) {
      bool keyword_only = i < parameters.size() && parameters[i].keyword_only;
      bool is_needed = i >= parameters.size() || !has_default(parameters[i], node.args[i]);
      std::string text = to_string(node.args[i]);
      if (!keyword_only) {
        positional.push_back(text);
        if (is_needed) used = positional.size();
      } else if (is_needed) {
        keywords.push_back(fmt::format("{}: {}", parameters[i].name, text));
      }
    }
    positional.resize(used);
    return fmt::format("[target={}](args = {}, kwargs = {{{}}})", target_text(*node.op), tuple_text(positional),
                       fmt::join(keywords, ", "));
  }

  static bool has_default(const Parameter& parameter, const Argument& argument) {
    if (parameter.default_value) return is_same_value(argument, *parameter.default_value);
    return parameter.is_optional && argument.is_none();
  }

  const Graph& graph_;
  Purpose purpose_;
  std::unordered_map<const Node*, int> users_;
  std::unordered_map<int64_t, const Node*> first_in_storage_;
};

}  // namespace

std::string to_string(const Graph& graph) { return Printer(graph).text(); }
std::string size_examples(const Graph& graph) {
  std::string text;
  for (auto [symbol, value] : symbol_values(graph))
    text += fmt::format("{} = {}\n", symbol_text(symbol, value), value.value);
  return text;
}

std::string identity_text(const Graph& graph) { return Printer(graph, Purpose::identity).text(); }

std::string node_text(const Graph& graph, const Node& node) {
  std::string line = Printer(graph).line_of(node);
  return line.substr(4, line.size() - 5);  // without indent and end of line
}

}  // namespace sinter::graph
