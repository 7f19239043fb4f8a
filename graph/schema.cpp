// Parsing, printing and binding of operator signatures.

#include <sinter/graph/schema.h>

#include <cctype>
#include <charconv>
#include <limits>

namespace sinter {

std::string Schema::qualified_name() const { return space + "::" + name + "." + overload; }

int Schema::find(std::string_view parameter) const {
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == parameter) return static_cast<int>(i);
  return -1;
}

namespace {

struct TypeName {
  std::string_view text;
  ArgType type;
};
// The first row of a type is how it is printed.
constexpr TypeName type_names[] = {
    {"Tensor", ArgType::tensor},
    {"Scalar", ArgType::scalar},
    {"SymInt", ArgType::sym_int},
    {"int", ArgType::integer},
    {"float", ArgType::floating},
    {"bool", ArgType::boolean},
    {"str", ArgType::string},
    {"ScalarType", ArgType::dtype},
    {"Layout", ArgType::layout},
    {"Device", ArgType::device},
    {"MemoryFormat", ArgType::memory_format},
    {"Generator", ArgType::generator},
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Schema schema() {
    Schema schema;
    schema.space = word();
    expect("::");
    schema.name = word();
    schema.overload = take(".") ? word() : "default";
    expect("(");
    bool keyword_only = false;
    while (!take(")")) {
      if (take("*")) {
        keyword_only = true;
      } else {
        schema.parameters.push_back(parameter(/*needs_name=*/true));
        schema.parameters.back().keyword_only = keyword_only;
      }
      if (!take(",") && !peek(")")) fail("`,` or `)`");
    }
    expect("->");
    if (take("(")) {
      while (!take(")")) {
        schema.returns.push_back(parameter(/*needs_name=*/false));
        if (!take(",") && !peek(")")) fail("`,` or `)`");
      }
    } else {
      schema.returns.push_back(parameter(/*needs_name=*/false));
    }
    skip_space();
    if (at_ != text_.size()) fail("the end");
    return schema;
  }

 private:
  [[noreturn]] void fail(std::string_view wanted) const {
    throw Error(ErrorKind::argument, Here::current(),
                fmt::format("signature `{}`: expected {} at column {}", text_, wanted, at_ + 1), {},
                "write it as ATen does: aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  }
  void skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool peek(std::string_view token) {
    skip_space();
    return text_.substr(at_).starts_with(token);
  }
  bool take(std::string_view token) {
    if (!peek(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("`{}`", token));
  }
  std::string word() {
    skip_space();
    size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    if (start == at_) fail("a name");
    return std::string(text_.substr(start, at_ - start));
  }
  ArgType type(const std::string& text) {
    for (const TypeName& row : type_names)
      if (row.text == text) return row.type;
    fail("a type");
  }
  Parameter parameter(bool needs_name) {
    Parameter p;
    p.type = type(word());
    if (take("(")) {
      p.alias = word();
      p.is_written = take("!");
      expect(")");
    }
    bool question = take("?");
    if (take("[")) {
      p.is_list = true;
      p.element_optional = question;
      question = false;
      if (!peek("]")) p.list_size = std::stoll(word());
      expect("]");
      question = take("?");
    }
    p.is_optional = question;
    if (needs_name) {
      p.name = word();
      if (take("=")) p.default_value = default_value(p);
    } else if (!peek(",") && !peek(")") && (skip_space(), at_ < text_.size())) {
      p.name = word();
    }
    return p;
  }
  Value default_value(const Parameter& p) {
    if (take("None")) return Value();
    if (take("True")) return Value(true);
    if (take("False")) return Value(false);
    if (take("contiguous_format")) return Value(MemoryFormat::contiguous);
    if (take("preserve_format")) return Value(MemoryFormat::preserve);
    if (take("[")) {
      Value::List list;
      while (!take("]")) {
        list.push_back(number(p));
        take(",");
      }
      return list;
    }
    if (take("\"") || take("'")) {
      std::string text = peek("\"") || peek("'") ? "" : word();
      ++at_;
      return text;
    }
    Value value = number(p);
    if (p.is_list) return Value::List(p.list_size > 0 ? p.list_size : 1, value);
    return value;
  }
  Value number(const Parameter& p) {
    skip_space();
    size_t start = at_;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')' && text_[at_] != ']') ++at_;
    std::string text(text_.substr(start, at_ - start));
    if (text == "inf") return Value(std::numeric_limits<double>::infinity());
    if (text == "-inf") return Value(-std::numeric_limits<double>::infinity());
    bool is_float = text.find_first_of(".e") != std::string::npos || p.type == ArgType::floating;
    try {
      return is_float ? Value(std::stod(text)) : Value(static_cast<int64_t>(std::stoll(text)));
    } catch (const std::exception&) {
      fail("a value");
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::string_view type_name(ArgType type) {
  for (const TypeName& row : type_names)
    if (row.type == type) return row.text;
  return "?";
}

std::string text_of(const Value& value) {
  if (value.is_none()) return "None";
  if (value.is_string()) return "'" + value.string() + "'";
  if (value.is_memory_format())
    return value.memory_format() == MemoryFormat::preserve ? "preserve_format" : "contiguous_format";
  if (value.is_list()) {
    std::string text = "[";
    for (const Value& element : value.list()) text += (text.size() > 1 ? ", " : "") + text_of(element);
    return text + "]";
  }
  if (value.scalar().is_boolean()) return value.scalar().to_bool() ? "True" : "False";
  return to_string(value.scalar());
}

// A list of so many equal numbers is written as one of them: `int[2] stride=1`.
std::string default_text(const Parameter& p) {
  const Value& value = *p.default_value;
  if (p.list_size <= 0 || !value.is_list() || static_cast<int64_t>(value.list().size()) != p.list_size)
    return text_of(value);
  std::string first = text_of(value.list()[0]);
  for (const Value& element : value.list())
    if (text_of(element) != first) return text_of(value);
  return first;
}

std::string text_of(const Parameter& p) {
  std::string text(type_name(p.type));
  if (!p.alias.empty()) text += "(" + p.alias + (p.is_written ? "!)" : ")");
  if (p.element_optional) text += "?";
  if (p.is_list) text += p.list_size > 0 ? fmt::format("[{}]", p.list_size) : "[]";
  if (p.is_optional) text += "?";
  if (!p.name.empty()) text += " " + p.name;
  if (p.default_value) text += "=" + default_text(p);
  return text;
}

}  // namespace

Schema parse_schema(std::string_view text) { return Parser(text).schema(); }

std::string to_string(const Schema& schema) {
  std::string text = schema.space + "::" + schema.name;
  if (schema.overload != "default") text += "." + schema.overload;
  text += "(";
  bool keyword_only = false;
  for (size_t i = 0; i < schema.parameters.size(); ++i) {
    const Parameter& p = schema.parameters[i];
    if (i > 0) text += ", ";
    if (p.keyword_only && !keyword_only) text += "*, ";
    keyword_only = p.keyword_only;
    text += text_of(p);
  }
  text += ") -> ";
  if (schema.returns.size() == 1 && schema.returns[0].name.empty()) return text + text_of(schema.returns[0]);
  text += "(";
  for (size_t i = 0; i < schema.returns.size(); ++i) text += (i > 0 ? ", " : "") + text_of(schema.returns[i]);
  return text + ")";
}

// --- Binding ----------------------------------------------------------------------------------------------------

namespace {

struct Binder {
  const Schema& schema;
  Here here;

  [[noreturn]] void fail(std::string message) const {
    bool is_users = schema.space != "aten" && schema.space != "sinter";
    std::string name = is_users ? schema.space + "::" + schema.name : schema.name;
    throw Error(ErrorKind::argument, here, fmt::format("{}: {}", name, message), {}, to_string(schema));
  }

  std::string describe(const Value& value) const {
    if (value.is_none()) return "None";
    if (value.is_tensor()) return to_string(value.tensor().meta());
    if (value.is_scalar()) return to_string(value.scalar());
    if (value.is_list()) return "a list";
    if (value.is_string()) return "'" + value.string() + "'";
    if (value.is_dtype()) return fmt::format("the dtype {}", name(value.dtype()));
    if (value.is_device()) return "the device " + to_string(value.device());
    return "a memory format";
  }

  // A number stands for a tensor where exactly one is needed, and only read.
  static bool takes_number(const Parameter& p) { return !p.is_list && !p.is_optional && !p.is_written; }

  // The value as one element of the parameter's type; nothing if it does not fit.
  std::optional<Value> as_element(const Parameter& p, const Value& value) const {
    switch (p.type) {
      case ArgType::tensor:
        if (value.is_tensor() || (value.is_scalar() && takes_number(p))) return value;
        break;
      case ArgType::scalar:
        if (value.is_scalar()) return value;
        break;
      case ArgType::integer:
      case ArgType::sym_int:
        if (value.is_sym_int()) return value;
        if (value.is_scalar() && !value.scalar().is_floating()) return Value(Scalar(value.scalar().to_int()));
        break;
      case ArgType::floating:
        if (value.is_scalar() && value.scalar().is_traced() && value.scalar().is_floating()) return value;
        if (value.is_scalar()) return Value(Scalar(value.scalar().to_double()));
        break;
      case ArgType::boolean:
        if (value.is_scalar() && !value.scalar().is_floating()) return Value(value.scalar().to_bool());
        break;
      case ArgType::string:
        if (value.is_string()) return value;
        break;
      case ArgType::dtype:
        if (value.is_dtype()) return value;
        break;
      case ArgType::device:
        if (value.is_device()) return value;
        break;
      case ArgType::memory_format:
        if (value.is_memory_format()) return value;
        break;
      case ArgType::layout:
      case ArgType::generator: break;
    }
    return std::nullopt;
  }

  Value convert(const Parameter& p, const Value& value) const {
    if (value.is_none()) {
      if (p.is_optional) return value;
      fail(fmt::format("`{}` may not be None", p.name));
    }
    if (!p.is_list) {
      if (std::optional<Value> element = as_element(p, value)) return std::move(*element);
      fail(fmt::format("`{}` needs {}, got {}", p.name, text_of(Parameter{.type = p.type}), describe(value)));
    }
    if (!value.is_list()) {  // int[2] takes one number for both
      std::optional<Value> element = p.list_size > 0 ? as_element(p, value) : std::nullopt;
      if (!element) fail(fmt::format("`{}` needs a list, got {}", p.name, describe(value)));
      return Value::List(p.list_size, *element);
    }
    Value::List list;
    list.reserve(value.list().size());
    for (const Value& element : value.list()) {
      std::optional<Value> converted = element.is_none() && p.element_optional ? element : as_element(p, element);
      if (!converted)
        fail(fmt::format("`{}`[{}] needs {}, got {}", p.name, list.size(), type_name(p.type), describe(element)));
      list.push_back(std::move(*converted));
    }
    return list;
  }
};

}  // namespace

Values bind_arguments(const Schema& schema, std::span<const Value> positional, const NamedValues& keywords, Here here) {
  Binder binder{schema, here};
  size_t count = schema.parameters.size();
  if (positional.size() > count) binder.fail(fmt::format("takes {} arguments, got {}", count, positional.size()));
  Values bound;
  bound.reserve(count);
  size_t used_keywords = 0;
  for (size_t i = 0; i < count; ++i) {
    const Parameter& p = schema.parameters[i];
    const Value* given = i < positional.size() ? &positional[i] : nullptr;
    for (const auto& [name, value] : keywords) {
      if (name != p.name) continue;
      if (given) binder.fail(fmt::format("`{}` is given twice", p.name));
      given = &value;
      ++used_keywords;
    }
    if (given)
      bound.push_back(binder.convert(p, *given));
    else if (p.default_value)
      bound.push_back(*p.default_value);
    else if (p.is_optional)
      bound.push_back(Value());
    else
      binder.fail(fmt::format("`{}` is missing", p.name));
  }
  if (used_keywords != keywords.size())
    for (const auto& [name, value] : keywords)
      if (schema.find(name) < 0) binder.fail(fmt::format("has no argument `{}`", name));
  if (used_keywords != keywords.size()) binder.fail("an argument is given twice");
  return bound;
}

}  // namespace sinter
