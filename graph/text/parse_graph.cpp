// Reads graphs, one line a node.

#include <sinter/graph/text/parse_graph.h>

#include <sinter/graph/text/argument_text.h>
#include <sinter/graph/text/bind_arguments.h>
#include <sinter/graph/text/declared_meta.h>
#include <sinter/graph/text/source_line.h>
#include <sinter/graph/text/symbols.h>
#include <sinter/graph/text/text_cursor.h>

#include <charconv>

namespace sinter::graph {

namespace {

constexpr int max_list_depth = 32;  // lists nest by recursion; no op has more than two levels

class Parser {
 public:
  Parser(std::string_view text, Here here) : at_(text, here) {}

  Graph graph() {
    if (!at_.next_line()) at_.fail("expected `graph():`");
    first_line();
    while (at_.next_line()) {
      if (at_.take("return")) return results();
      node_line();
    }
    at_.fail("expected `return (...)` after the last node");
  }

 private:
  // Runs f, which throws errors that know nothing of the text, and adds the place.
  template <class F>
  auto located(size_t place, F&& f) {
    try {
      return f();
    } catch (const Error& error) {
      at_.report(place, error.kind(), error.message(), error.need());
    }
  }

  void first_line() {
    at_.expect("graph(");
    while (!at_.take(")")) {
      if (!symbols_.empty()) at_.expect(",");
      size_t place = at_.place();
      std::string_view name = at_.word();
      int symbol = parse_symbol(name);
      if (symbol < 0) at_.fail_at(place, "expected a symbol");
      at_.expect("=");
      symbols_[symbol] = {integer(), name[0] == 'u'};
    }
    at_.expect(":");
    at_.expect_end();
  }

  int64_t integer() {
    at_.take("");  // spaces
    int64_t value = 0;
    size_t place = at_.place();
    bool is_negative = at_.take("-");
    std::string text = (is_negative ? "-" : "") + std::string(at_.word());
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) at_.fail_at(place, "expected an integer");
    return value;
  }

  Graph results() {
    size_t place = at_.place();
    graph_.results = tuple();
    for (const Argument& result : graph_.results)
      if (!result.is_output() && !result.is_none()) at_.fail_at(place, "expected results that are nodes or None");
    at_.expect_end();
    if (at_.next_line()) at_.fail("expected nothing after the return");
    return std::move(graph_);
  }

  // %name : types [num_users=N] = kind[target=...]...  # file:line
  void node_line() {
    auto node = std::make_unique<Node>();
    at_.expect("%");
    size_t name_place = at_.place();
    std::string name(at_.word());
    if (name.empty()) at_.fail("expected the node's name");
    if (nodes_.contains(name)) at_.fail_at(name_place, fmt::format("the name %{} is taken", name));
    at_.expect(":");
    if (at_.take("Scalar("))
      number(*node);
    else
      node->metas = types();
    if (at_.take("[num_users=")) {
      integer();
      at_.expect("]");
    }
    at_.expect("=");
    if (at_.take("placeholder"))
      input(*node, NodeKind::placeholder);
    else if (at_.take("get_attr"))
      input(*node, NodeKind::get_attr);
    else if (at_.take("call_function"))
      call(*node);
    else
      at_.fail("expected `placeholder`, `get_attr` or `call_function`");
    location(*node);
    at_.expect_end();
    nodes_[name] = graph_.append(std::move(node), name);
  }

  // Scalar(0.5): a number, with its value in the example.
  void number(Node& node) {
    size_t place = at_.place();
    auto no_size = [&](std::string_view) -> SymInt { at_.fail_at(place, "expected a number"); };
    std::optional<Value> value = parse_value(at_.until(")"), no_size);
    if (!value || !value->is_scalar()) at_.fail_at(place, "expected a number");
    at_.expect(")");
    node.number = traced_number(next_number_++, value->scalar());
    node.metas.push_back({value->scalar().dtype(), cpu, {}});
  }

  std::vector<TensorMeta> types() {
    std::vector<TensorMeta> metas;
    if (!at_.take("(")) return {type()};
    while (!at_.take(")")) {
      if (!metas.empty()) at_.expect(",");
      if (metas.size() == 1 && at_.take(")")) break;
      metas.push_back(type());
    }
    return metas;
  }

  // f32[8, 32] strides=[1, 8] offset=4 cuda:1
  TensorMeta type() {
    TensorMeta meta;
    at_.take("");
    size_t place = at_.place();
    std::string_view dtype_text = at_.word();
    std::optional<DType> dtype = parse_dtype(dtype_text);
    if (!dtype) at_.fail_at(place, "expected a type");
    meta.dtype = *dtype;
    meta.layout = contiguous_layout(dims());
    if (at_.take("strides=")) {
      size_t strides_place = at_.place();
      meta.layout.strides = dims();
      if (meta.layout.strides.size() != meta.layout.sizes.size())
        at_.fail_at(strides_place, fmt::format("expected {} strides", meta.layout.sizes.size()));
    }
    if (at_.take("offset=")) meta.layout.offset = offset();
    if (at_.take("cuda:")) {
      size_t index_place = at_.place();
      std::optional<Device> device = parse_device(fmt::format("cuda:{}", at_.word()));
      if (!device) at_.fail_at(index_place, "expected the device's number");
      meta.device = *device;
    }
    if (std::string fault = fault_of(meta); !fault.empty()) at_.fail_at(place, fault);
    return meta;
  }

  SymInt offset() {
    size_t place = at_.place();
    std::string text(at_.until(" ,)"));
    while (at_.rest().starts_with(" + ") && at_.take("+")) text += fmt::format(" + {}", at_.until(" ,)"));
    return size(place, text);
  }

  SymDims dims() {
    SymDims sizes;
    at_.expect("[");
    while (!at_.take("]")) {
      if (!sizes.empty()) at_.expect(",");
      at_.take("");
      size_t place = at_.place();
      sizes.push_back(size(place, at_.until(",]")));
    }
    return sizes;
  }

  SymInt size(size_t place, std::string_view text) {
    return located(place, [&] { return parse_size(text, symbols_); });
  }

  void input(Node& node, NodeKind kind) {
    node.kind = kind;
    if (node.metas.size() != 1) at_.fail("expected one type");
    at_.expect("[target=");
    size_t place = at_.place();
    std::string_view target = at_.until(",]");
    if (target.starts_with('\'')) {
      std::optional<std::string> plain = unquote(target);
      if (!plain) at_.fail_at(place, "expected a quoted text");
      node.target = *plain;
    } else {
      node.target = target;
    }
    int64_t storage = -1;
    if (at_.take(",")) {
      at_.expect("shares=");
      Node* owner = output().node;
      storage = owner->storages[0];
    }
    at_.expect("]");
    node.storages.push_back(storage >= 0 ? storage : next_storage_++);
    if (kind == NodeKind::get_attr) graph_.attributes.emplace_back();
  }

  void call(Node& node) {
    at_.expect("[target=");
    size_t place = at_.place();
    node.op = op_of(place, at_.until("]"));
    at_.expect("]");
    at_.expect("(");
    at_.expect("args");
    at_.expect("=");
    std::vector<Argument> positional = tuple();
    at_.expect(",");
    at_.expect("kwargs");
    at_.expect("=");
    NamedArguments named = keywords();
    at_.expect(")");
    located(place, [&] { node.args = bind_arguments(*node.op, positional, named, Here::current()); });
    size_t results = node.op->schema().returns.size();
    bool gives_a_list = results == 1 && node.op->schema().returns[0].is_list;
    if (node.metas.size() != results && !gives_a_list)
      at_.fail_at(place, fmt::format("expected {} types for the results of {}", results, node.op->name()));
    if (node.number.has_value() != node.op->gives_number())
      at_.fail_at(place, fmt::format("expected {} for the result of {}", node.number ? "a tensor's type" : "a Scalar",
                                     node.op->name()));
    std::string fault = located(place, [&] { return fault_of_results(node); });
    if (!fault.empty()) at_.fail_at(place, fault);
    node.storages = storages_of(node, next_storage_);
  }

  // aten.add.Tensor
  const OpDef* op_of(size_t place, std::string_view target) {
    std::string name(target);
    if (size_t dot = name.find('.'); dot != std::string::npos) name.replace(dot, 1, "::");
    return located(place, [&] { return &ops(name).def(); });
  }

  std::vector<Argument> tuple() {
    std::vector<Argument> elements;
    at_.expect("(");
    while (!at_.take(")")) {
      if (!elements.empty()) at_.expect(",");
      if (elements.size() == 1 && at_.take(")")) break;
      elements.push_back(argument(0));
    }
    return elements;
  }

  NamedArguments keywords() {
    NamedArguments named;
    at_.expect("{");
    while (!at_.take("}")) {
      if (!named.empty()) at_.expect(",");
      std::string name(at_.word());
      at_.expect(":");
      named.emplace_back(name, argument(0));
    }
    return named;
  }

  Argument argument(int depth) {
    at_.take("");
    size_t place = at_.place();
    if (at_.rest().starts_with("%")) return output();
    if (at_.take("[")) return list(depth + 1);
    std::string_view text = at_.until(",)]}");
    if (text.starts_with('\'')) {
      std::optional<std::string> plain = unquote(text);
      if (!plain) at_.fail_at(place, "expected a quoted text");
      return Argument(Value(*plain));
    }
    auto size_of = [&](std::string_view size_text) { return size(place, size_text); };
    std::optional<Value> value = parse_value(text, size_of);
    if (!value) at_.fail_at(place, "expected an argument");
    return Argument(*value);
  }

  Argument list(int depth) {
    if (depth > max_list_depth) at_.fail("expected lists that are less deep");
    Argument::List elements;
    while (!at_.take("]")) {
      if (!elements.empty()) at_.expect(",");
      elements.push_back(argument(depth));
    }
    return elements;
  }

  NodeOutput output() {
    at_.expect("%");
    size_t place = at_.place() - 1;
    std::string name(at_.word());
    auto found = nodes_.find(name);
    if (found == nodes_.end()) at_.fail_at(place, "expected a node of an earlier line");
    int64_t index = at_.rest().starts_with("#") && at_.take("#") ? integer() : 0;
    if (index < 0 || index >= static_cast<int64_t>(found->second->metas.size()))
      at_.fail_at(place, fmt::format("%{} has {} results", name, found->second->metas.size()));
    return {found->second, static_cast<int>(index)};
  }

  void location(Node& node) {
    if (!at_.take("#")) return;
    at_.take("");
    size_t place = at_.place();
    std::string_view text = at_.until("");
    size_t colon = text.rfind(':');
    uint32_t line = 0;
    if (colon != std::string_view::npos) std::from_chars(text.data() + colon + 1, text.data() + text.size(), line);
    if (line == 0) at_.fail_at(place, "expected a source line as in `file.cpp:4`");
    node.where = source_line(text.substr(0, colon), line);
  }

  TextCursor at_;
  Graph graph_;
  SymbolValues symbols_;
  std::unordered_map<std::string, Node*> nodes_;
  int64_t next_storage_ = 0;
  int next_number_ = 0;
};

}  // namespace

Graph parse_graph(std::string_view text, Here here) { return Parser(text, here).graph(); }

}  // namespace sinter::graph
