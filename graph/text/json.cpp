// Writing and reading of JSON, through nlohmann's document tree.

#include <sinter/graph/text/json.h>

#include <sinter/graph/text/argument_text.h>
#include <sinter/graph/text/bind_arguments.h>
#include <sinter/graph/text/declared_meta.h>
#include <sinter/graph/text/source_line.h>
#include <sinter/graph/text/symbols.h>
#include <sinter/graph/verify_graph.h>
#include <sinter/graph/version.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace sinter::graph {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format_name = "sinter.graph";
constexpr int max_list_depth = 32;  // lists nest by recursion; no op has more than two levels
constexpr std::pair<NodeKind, std::string_view> node_kinds[] = {
    {NodeKind::placeholder, "placeholder"},
    {NodeKind::get_attr, "get_attr"},
    {NodeKind::call_function, "call_function"},
};

// --- Writing ----------------------------------------------------------------------------------------------------

Json size_json(SymInt size) { return size.is_constant() ? Json(size.hint()) : Json(sinter::to_string(size)); }

Json sizes_json(const SymDims& dims) {
  Json list = Json::array();
  for (SymInt dim : dims) list.push_back(size_json(dim));
  return list;
}

Json float_json(double value) {
  if (std::isfinite(value)) return value;
  if (!std::isnan(value)) return {{"float", value > 0 ? "inf" : "-inf"}};
  Json json = {{"float", "nan"}};
  uint64_t bits = std::bit_cast<uint64_t>(value);
  if (bits != std::bit_cast<uint64_t>(std::nan(""))) json["bits"] = fmt::format("{:016x}", bits);
  return json;
}

Json value_json(const Value& value) {
  if (value.is_none()) return nullptr;
  if (value.is_string()) return value.string();
  if (value.is_sym_int()) return {{"size", sinter::to_string(value.sym_int())}};
  if (value.is_dtype()) return {{"dtype", name(value.dtype())}};
  if (value.is_device()) return {{"device", sinter::to_string(value.device())}};
  if (value.is_memory_format()) return {{"memory_format", name(value.memory_format())}};
  SINTER_CHECK(value.is_scalar(), "an argument that is a tensor or a list is no plain value");
  const Scalar& scalar = value.scalar();
  if (scalar.is_boolean()) return scalar.to_bool();
  return scalar.is_floating() ? float_json(scalar.to_double()) : Json(scalar.to_int());
}

Json argument_json(const Argument& argument) {
  if (argument.is_output()) {
    Json json = {{"node", argument.output().node->name}};
    if (argument.output().output != 0) json["output"] = argument.output().output;
    return json;
  }
  if (!argument.is_list()) return value_json(argument.value());
  Json list = Json::array();
  for (const Argument& element : argument.list()) list.push_back(argument_json(element));
  return list;
}

Json result_json(const TensorMeta& meta, int64_t storage) {
  return {{"dtype", name(meta.dtype)},
          {"device", sinter::to_string(meta.device)},
          {"sizes", sizes_json(meta.layout.sizes)},
          {"strides", sizes_json(meta.layout.strides)},
          {"offset", size_json(meta.layout.offset)},
          {"storage", storage}};
}

Json node_json(const Node& node) {
  Json json = {{"name", node.name}};
  for (auto [kind, text] : node_kinds)
    if (kind == node.kind) json["kind"] = text;
  if (node.op) {
    json["op"] = node.op->name();
    json["args"] = Json::object();
    const auto& parameters = node.op->schema().parameters;
    for (size_t i = 0; i < node.args.size(); ++i) json["args"][parameters[i].name] = argument_json(node.args[i]);
  } else {
    json["target"] = node.target;
  }
  if (node.number) json["number"] = value_json(node.number->traced_number().example);
  json["results"] = Json::array();
  for (size_t i = 0; i < node.metas.size(); ++i)
    json["results"].push_back(result_json(node.metas[i], i < node.storages.size() ? node.storages[i] : -1));
  if (node.where.line() != 0)
    json["where"] = {{"file", node.where.file_name()},
                     {"line", node.where.line()},
                     {"column", node.where.column()},
                     {"function", node.where.function_name()}};
  return json;
}

std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// One line a node, so that a person can read it and a line-wise comparison shows what differs.
std::string document_text(const Json& document) {
  std::vector<std::string> fields;
  for (const auto& [key, value] : document.items()) {
    if (!value.is_array() || value.empty()) {
      fields.push_back(fmt::format("{}: {}", one_line(key), one_line(value)));
      continue;
    }
    std::vector<std::string> elements;
    for (const Json& element : value) elements.push_back("  " + one_line(element));
    fields.push_back(fmt::format("{}: [\n{}\n ]", one_line(key), fmt::join(elements, ",\n")));
  }
  return fmt::format("{{\n {}\n}}\n", fmt::join(fields, ",\n "));
}

}  // namespace

std::string to_json(const Graph& graph, std::span<const FusedKernel> kernels) {
  auto is_number = [](const auto& node) { return node->number.has_value(); };
  int version_needed = std::ranges::any_of(graph.nodes, is_number) ? 2 : 1;
  Json json = {{"format", format_name}, {"version", version_needed}, {"library", version()}};
  json["symbols"] = Json::object();
  for (auto [symbol, value] : symbol_values(graph)) json["symbols"][symbol_text(symbol, value)] = value.value;
  json["nodes"] = Json::array();
  for (const auto& node : graph.nodes) json["nodes"].push_back(node_json(*node));
  json["results"] = Json::array();
  for (const Argument& result : graph.results) json["results"].push_back(argument_json(result));
  for (const FusedKernel& kernel : kernels) json["kernels"].push_back({{"name", kernel.name}, {"nodes", kernel.nodes}});
  return document_text(json);
}

// --- Reading ----------------------------------------------------------------------------------------------------

namespace {

// The document on one line, for messages: lists deep inside are left out, since writing them takes a call a level.
std::string outline(const Json& json, int depth) {
  constexpr int max_depth = 4;
  constexpr size_t max_elements = 20;
  if (!json.is_structured()) return one_line(json);
  bool is_list = json.is_array();
  std::string text;
  if (depth == max_depth || json.size() > max_elements) {
    text = "...";
  } else {
    for (const auto& [key, value] : json.items())
      text +=
          fmt::format("{}{}{}", text.empty() ? "" : ",", is_list ? "" : one_line(key) + ":", outline(value, depth + 1));
  }
  return fmt::format("{}{}{}", is_list ? "[" : "{", text, is_list ? "]" : "}");
}

// A field of the document with the path to it. Every question checks the type and fails with the path.
class Field {
 public:
  Field(const Json& json, std::string path, Here here) : json_(&json), path_(std::move(path)), here_(here) {}

  bool is_null() const { return json_->is_null(); }
  bool is_list() const { return json_->is_array(); }
  bool is_object() const { return json_->is_object(); }
  bool is_string() const { return json_->is_string(); }
  const Json& json() const { return *json_; }

  bool has(const char* key) const { return json_->is_object() && json_->contains(key); }
  Field at(const char* key) const {
    if (!json_->is_object()) fail("expected an object");
    if (!json_->contains(key)) fail(fmt::format("the field `{}` is missing", key));
    return Field((*json_)[key], path_.empty() ? key : fmt::format("{}.{}", path_, key), here_);
  }
  std::vector<Field> elements() const {
    if (!json_->is_array()) fail("expected a list");
    std::vector<Field> fields;
    for (size_t i = 0; i < json_->size(); ++i) fields.emplace_back((*json_)[i], fmt::format("{}[{}]", path_, i), here_);
    return fields;
  }
  std::vector<std::pair<std::string, Field>> members() const {
    if (!json_->is_object()) fail("expected an object");
    std::vector<std::pair<std::string, Field>> fields;
    for (const auto& [key, value] : json_->items())
      fields.emplace_back(key, Field(value, fmt::format("{}.{}", path_, key), here_));
    return fields;
  }

  const std::string& text() const {
    if (!json_->is_string()) fail("expected a text");
    return json_->get_ref<const std::string&>();
  }
  int64_t integer() const {
    bool fits = json_->is_number_integer() &&
                (!json_->is_number_unsigned() || json_->get<uint64_t>() <= std::numeric_limits<int64_t>::max());
    if (!fits) fail("expected an integer of 64 bits");
    return json_->get<int64_t>();
  }

  [[noreturn]] void fail(std::string_view what, ErrorKind kind = ErrorKind::argument, std::string need = {}) const {
    std::string got = outline(*json_, 0);
    if (got.size() > 60) got = got.substr(0, 57) + "...";
    throw Error(kind, here_, fmt::format("graph_from_json: {}: {}", path_.empty() ? "the document" : path_, what),
                {{"got", got}}, std::move(need));
  }
  // Runs f, which throws errors that know nothing of the document, and adds the place.
  template <class F>
  auto located(F&& f) const {
    try {
      return f();
    } catch (const Error& error) {
      fail(error.message(), error.kind() == ErrorKind::internal ? ErrorKind::argument : error.kind(), error.need());
    }
  }

 private:
  const Json* json_;
  std::string path_;
  Here here_;
};

// `line 4, column 17`
std::string place_of(std::string_view text, size_t byte) {
  std::string_view before = text.substr(0, byte);
  size_t line = static_cast<size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return fmt::format("line {}, column {}", line, byte - line_start + 1);
}

// The library copies documents by recursion.
void check_depth(std::string_view text, Here here) {
  constexpr int max_depth = 256;
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (depth > max_depth)
      throw Error(ErrorKind::argument, here,
                  fmt::format("graph_from_json: {}: the lists are too deep", place_of(text, i)), {},
                  fmt::format("at most {} inside each other", max_depth));
  }
}

Json parse_json(std::string_view text, Here here) {
  check_depth(text, here);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    size_t byte = error.byte == 0 ? 0 : std::min(error.byte - 1, text.size());
    std::string_view before = text.substr(0, byte);
    std::string_view what = byte >= text.size() ? "the text ends in the middle" : "this is no JSON";
    throw Error(ErrorKind::argument, here, fmt::format("graph_from_json: {}: {}", place_of(text, byte), what),
                {{"before", std::string(before.substr(before.size() - std::min<size_t>(before.size(), 40)))}},
                "a whole file as to_json writes it");
  } catch (const Json::exception& error) {  // a number past all doubles; the message quotes it
    std::string_view what = error.what();
    size_t open = what.find('\''), close = what.rfind('\'');
    std::string_view number = open < close ? what.substr(open + 1, close - open - 1) : std::string_view();
    size_t at = std::min(text.find(number), text.size());
    throw Error(ErrorKind::argument, here,
                fmt::format("graph_from_json: {}: the number {} is too large", place_of(text, at), number));
  }
}

void check_header(const Field& document) {
  if (!document.is_object() || !document.has("format") || document.at("format").json() != format_name)
    document.fail(fmt::format("expected the JSON of a graph, with \"format\": \"{}\"", format_name));
  Field number = document.at("version");
  if (number.integer() > json_version)
    number.fail(fmt::format("version {} is newer than what sinter {} reads (up to {})", number.integer(), version(),
                            json_version),
                ErrorKind::unsupported,
                document.has("library") && document.at("library").is_string()
                    ? fmt::format("sinter {}, which wrote it, or newer", document.at("library").text())
                    : "a newer sinter");
  if (number.integer() < 1) number.fail("expected a version from 1 on");
}

class Reader {
 public:
  explicit Reader(Field document) : document_(std::move(document)) {}

  Graph graph() {
    if (document_.has("symbols"))
      for (const auto& [name, value] : document_.at("symbols").members()) {
        if (parse_symbol(name) < 0) value.fail(fmt::format("{} is no symbol", name));
        symbols_[parse_symbol(name)] = {value.integer(), name[0] == 'u'};
      }
    for (const Field& field : document_.at("nodes").elements()) node(field);
    for (const Field& field : document_.at("results").elements()) {
      Argument result = argument(field, 0);
      if (!result.is_output() && !result.is_none()) field.fail("expected a node or null");
      graph_.results.push_back(std::move(result));
    }
    graph_.number_nodes();
    document_.at("nodes").located([&] { verify(graph_); });
    return std::move(graph_);
  }

 private:
  void node(const Field& field) {
    auto node = std::make_unique<Node>();
    std::string name = field.at("name").text();
    bool is_word =
        !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!is_word) field.at("name").fail("expected a name of letters, digits and underscores");
    if (nodes_.contains(name)) field.at("name").fail("expected a name that no other node has");
    node->kind = kind(field.at("kind"));
    for (const Field& result : field.at("results").elements()) {
      node->metas.push_back(meta(result));
      node->storages.push_back(result.at("storage").integer());
    }
    if (field.has("number")) number(field.at("number"), *node);
    if (node->kind == NodeKind::call_function)
      call(field, *node);
    else
      input(field, *node);
    if (field.has("where")) node->where = where(field.at("where"));
    if (node->op) {
      std::string fault = field.located([&] { return fault_of_results(*node); });
      if (!fault.empty()) field.at("results").fail(fault);
    }
    nodes_[name] = graph_.append(std::move(node), name);
  }

  void number(const Field& field, Node& node) {
    Argument example = argument(field, 0);
    if (!example.is_value() || !example.value().is_scalar()) field.fail("expected a number");
    node.number = traced_number(next_number_++, example.value().scalar());
  }

  static NodeKind kind(const Field& field) {
    for (auto [kind, text] : node_kinds)
      if (text == field.text()) return kind;
    field.fail("expected placeholder, get_attr or call_function");
  }

  void input(const Field& field, Node& node) {
    node.target = field.at("target").text();
    if (node.metas.size() != 1) field.at("results").fail("expected one result");
    if (node.kind == NodeKind::get_attr) graph_.attributes.emplace_back();
  }

  void call(const Field& field, Node& node) {
    Field op = field.at("op");
    node.op = op.located([&] { return &ops(op.text()).def(); });
    NamedArguments named;
    for (const auto& [name, value] : field.at("args").members()) named.emplace_back(name, argument(value, 0));
    field.at("args").located([&] { node.args = bind_arguments(*node.op, {}, named, Here::current()); });
    const auto& returns = node.op->schema().returns;
    bool gives_a_list = returns.size() == 1 && returns[0].is_list;
    if (node.metas.size() != returns.size() && !gives_a_list)
      field.at("results").fail(fmt::format("expected {} results of {}", returns.size(), node.op->name()));
  }

  TensorMeta meta(const Field& field) {
    TensorMeta meta;
    meta.dtype = dtype(field.at("dtype"));
    meta.device = device(field.at("device"));
    meta.layout.sizes = sizes(field.at("sizes"));
    meta.layout.strides = sizes(field.at("strides"));
    meta.layout.offset = size(field.at("offset"));
    if (meta.layout.strides.size() != meta.layout.sizes.size()) field.at("strides").fail("expected a stride a size");
    if (std::string fault = fault_of(meta); !fault.empty()) field.fail(fault);
    return meta;
  }
  static DType dtype(const Field& field) {
    if (std::optional<DType> dtype = parse_dtype(field.text())) return *dtype;
    field.fail("there is no such dtype");
  }
  static Device device(const Field& field) {
    if (std::optional<Device> device = parse_device(field.text())) return *device;
    field.fail("there is no such device");
  }
  SymDims sizes(const Field& field) {
    SymDims dims;
    for (const Field& element : field.elements()) dims.push_back(size(element));
    return dims;
  }
  SymInt size(const Field& field) {
    if (!field.is_string()) return field.integer();
    return field.located([&] { return parse_size(field.text(), symbols_); });
  }

  Argument argument(const Field& field, int depth) {
    if (depth > max_list_depth) field.fail("the lists are too deep");
    const Json& json = field.json();
    if (field.is_null()) return {};
    if (json.is_boolean()) return Argument(Value(json.get<bool>()));
    if (json.is_number_float()) return Argument(Value(json.get<double>()));
    if (json.is_number()) return Argument(Value(field.integer()));
    if (field.is_string()) return Argument(Value(field.text()));
    if (field.is_object()) return tagged(field);
    Argument::List list;
    for (const Field& element : field.elements()) list.push_back(argument(element, depth + 1));
    return list;
  }

  Argument tagged(const Field& field) {
    if (field.has("node")) return output(field);
    if (field.has("float")) return Argument(Value(float_of(field)));
    if (field.has("size")) return Argument(Value(size(field.at("size"))));
    if (field.has("dtype")) return Argument(Value(dtype(field.at("dtype"))));
    if (field.has("device")) return Argument(Value(device(field.at("device"))));
    if (field.has("memory_format")) {
      Field text = field.at("memory_format");
      if (std::optional<MemoryFormat> format = parse_memory_format(text.text())) return Argument(Value(*format));
      text.fail("there is no such memory format");
    }
    field.fail("expected an argument");
  }

  NodeOutput output(const Field& field) {
    auto found = nodes_.find(field.at("node").text());
    if (found == nodes_.end()) field.fail("expected a node that stands earlier");
    int64_t index = field.has("output") ? field.at("output").integer() : 0;
    if (index < 0 || index >= static_cast<int64_t>(found->second->metas.size()))
      field.fail(fmt::format("{} has {} results", found->first, found->second->metas.size()));
    return {found->second, static_cast<int>(index)};
  }

  static double float_of(const Field& field) {
    const std::string& text = field.at("float").text();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (text == "inf") return infinity;
    if (text == "-inf") return -infinity;
    if (text != "nan") field.fail("expected inf, -inf or nan");
    if (!field.has("bits")) return std::nan("");
    const std::string& digits = field.at("bits").text();
    bool is_hex = digits.size() == 16 && digits.find_first_not_of("0123456789abcdef") == std::string::npos;
    double value = is_hex ? std::bit_cast<double>(static_cast<uint64_t>(std::stoull(digits, nullptr, 16))) : 0;
    if (!std::isnan(value)) field.at("bits").fail("expected the 16 hexadecimal digits of a NaN");
    return value;
  }

  static Here where(const Field& field) {
    auto number = [&](const char* key) {
      int64_t value = field.at(key).integer();
      if (value < 0 || value > std::numeric_limits<uint32_t>::max()) field.at(key).fail("expected a number of a line");
      return static_cast<uint32_t>(value);
    };
    return source_line(field.at("file").text(), number("line"), number("column"), field.at("function").text());
  }

  Field document_;
  Graph graph_;
  SymbolValues symbols_;
  int next_number_ = 0;
  std::unordered_map<std::string, Node*> nodes_;
};

}  // namespace

Graph graph_from_json(std::string_view text, Here here) {
  Json json = parse_json(text, here);
  Field document(json, "", here);
  check_header(document);
  return Reader(document).graph();
}

std::vector<FusedKernel> kernels_from_json(std::string_view text, Here here) {
  Json json = parse_json(text, here);
  Field document(json, "", here);
  check_header(document);
  std::vector<FusedKernel> kernels;
  if (!document.has("kernels")) return kernels;
  for (const Field& field : document.at("kernels").elements()) {
    kernels.push_back({field.at("name").text(), {}});
    for (const Field& node : field.at("nodes").elements()) kernels.back().nodes.push_back(node.text());
  }
  return kernels;
}

}  // namespace sinter::graph
