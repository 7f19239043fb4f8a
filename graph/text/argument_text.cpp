// Writing and reading of single arguments.

#include <sinter/graph/text/argument_text.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sinter {

namespace {

constexpr std::pair<MemoryFormat, std::string_view> memory_formats[] = {
    {MemoryFormat::contiguous, "contiguous_format"},
    {MemoryFormat::preserve, "preserve_format"},
    {MemoryFormat::channels_last, "channels_last"},
};

}  // namespace

std::string_view name(MemoryFormat format) {
  for (auto [known, text] : memory_formats)
    if (known == format) return text;
  return "unknown_format";
}

std::optional<MemoryFormat> parse_memory_format(std::string_view text) {
  for (auto [format, known] : memory_formats)
    if (known == text) return format;
  return std::nullopt;
}

namespace graph {

std::string to_string(NodeOutput output) {
  if (!output.node) return "%?";
  std::string text = "%" + output.node->name;
  if (output.output != 0) text += fmt::format("#{}", output.output);
  return text;
}

namespace {

std::string text_of(const Value& value) {
  if (value.is_none()) return "None";
  if (value.is_scalar()) return sinter::to_string(value.scalar());
  if (value.is_string()) return quote(value.string());
  if (value.is_dtype()) return std::string(name(value.dtype()));
  if (value.is_device()) return sinter::to_string(value.device());
  if (value.is_memory_format()) return std::string(name(value.memory_format()));
  return "?";  // a tensor or a list: no Argument holds them as a value
}

}  // namespace

std::string to_string(const Argument& argument) {
  if (argument.is_output()) return to_string(argument.output());
  if (!argument.is_list()) return text_of(argument.value());
  std::string text = "[";
  for (const Argument& element : argument.list()) text += (text.size() == 1 ? "" : ", ") + to_string(element);
  return text + "]";
}

std::string quote(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\')
      quoted += fmt::format("\\{}", c);
    else if (c == '\n')
      quoted += "\\n";
    else if (c == '\t')
      quoted += "\\t";
    else if (static_cast<unsigned char>(c) < 32 || c == 127)
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return quoted + "'";
}

std::optional<std::string> unquote(std::string_view text) {
  if (text.size() < 2 || text.front() != '\'' || text.back() != '\'') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') return std::nullopt;
    if (text[i] != '\\') {
      plain += text[i];
      continue;
    }
    char kind = ++i < text.size() ? text[i] : '\0';
    if (kind == 'n')
      plain += '\n';
    else if (kind == 't')
      plain += '\t';
    else if (kind == '\'' || kind == '\\')
      plain += kind;
    else {
      unsigned code = 0;
      std::string_view digits = kind == 'x' ? text.substr(i + 1, 2) : std::string_view();
      auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
      if (digits.size() != 2 || error != std::errc{} || end != digits.data() + 2) return std::nullopt;
      plain += static_cast<char>(code);
      i += 2;
    }
  }
  return plain;
}

namespace {

template <class T>
std::optional<T> whole_number(std::string_view text) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Scalar> parse_scalar(std::string_view text) {
  if (text == "true") return Scalar(true);
  if (text == "false") return Scalar(false);
  if (text == "nan") return Scalar(std::nan(""));
  if (std::optional<int64_t> integer = whole_number<int64_t>(text)) return Scalar(*integer);
  if (std::optional<double> floating = whole_number<double>(text))
    if (!std::isnan(*floating)) return Scalar(*floating);
  return std::nullopt;
}

}  // namespace

std::optional<Value> parse_value(std::string_view text, const std::function<SymInt(std::string_view)>& parse_size) {
  if (text == "None") return Value();
  if (std::optional<Scalar> scalar = parse_scalar(text)) return Value(*scalar);
  if (std::optional<DType> dtype = parse_dtype(text)) return Value(*dtype);
  if (std::optional<Device> device = parse_device(text)) return Value(*device);
  if (std::optional<MemoryFormat> format = parse_memory_format(text)) return Value(*format);
  // What is left can only be an expression over symbols, and all of those have a digit.
  if (text.find_first_of("0123456789") == std::string_view::npos) return std::nullopt;
  return Value(parse_size(text));
}

bool is_same_value(const Argument& argument, const Value& value) {
  if (argument.is_output() || value.is_tensor()) return false;
  if (argument.is_list() != value.is_list()) return false;
  if (argument.is_list())
    return std::equal(argument.list().begin(), argument.list().end(), value.list().begin(), value.list().end(),
                      is_same_value);
  const Value& held = argument.value();
  if (held.is_sym_int() || value.is_sym_int())  // texts decide nothing on sizes
    return held.is_sym_int() && value.is_sym_int() && held.sym_int().same(value.sym_int());
  if (held.is_scalar() && value.is_scalar()) return held.scalar() == value.scalar();
  return held.variant().index() == value.variant().index() && text_of(held) == text_of(value);
}

}  // namespace graph

}  // namespace sinter
