// Reads a recorded case from its line of JSON.

#include "conformance/recorded_case.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <set>
#include <stdexcept>

namespace sinter::conformance {

namespace {

using Json = nlohmann::json;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  throw std::runtime_error("a storage holds something that is not a hexadecimal digit");
}

Bytes parse_hex(const std::string& text) {
  Bytes bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1]));
  return bytes;
}

DType dtype_of_json(const Json& json) {
  std::optional<DType> dtype = parse_dtype(json.get_ref<const std::string&>());
  if (!dtype) throw std::runtime_error("unknown dtype " + json.get<std::string>());
  return *dtype;
}

Dims dims_of_json(const Json& json) {
  Dims dims;
  for (const Json& dim : json) dims.push_back(dim.get<int64_t>());
  return dims;
}

RecordedTensor parse_tensor(const Json& json) {
  return {dtype_of_json(json.at("dtype")), dims_of_json(json.at("sizes")), dims_of_json(json.at("strides")),
          json.at("offset").get<int64_t>(), json.at("storage").get<int>()};
}

Scalar parse_float(const std::string& text) {
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw std::runtime_error("unknown float " + text);
}

MemoryFormat parse_memory_format(const std::string& text) {
  if (text == "contiguous_format") return MemoryFormat::contiguous;
  if (text == "preserve_format") return MemoryFormat::preserve;
  if (text == "channels_last") return MemoryFormat::channels_last;
  throw Error(ErrorKind::unsupported, Here::current(), "there is no memory format " + text);
}

// {"dtype": "f32"} and its like.
Value parse_tagged(const Json& json) {
  auto entry = json.begin();
  const std::string& text = entry.value().get_ref<const std::string&>();
  if (entry.key() == "float") return parse_float(text);
  if (entry.key() == "dtype") return dtype_of_json(entry.value());
  if (entry.key() == "memory_format") return parse_memory_format(text);
  if (entry.key() == "device") {
    if (std::optional<Device> device = parse_device(text)) return *device;
  }
  throw std::runtime_error("unknown argument " + json.dump());
}

Value parse_constant(const Json& json) {
  switch (json.type()) {
    case Json::value_t::null: return {};
    case Json::value_t::boolean: return Value(json.get<bool>());
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned: return Value(json.get<int64_t>());
    case Json::value_t::number_float: return Value(json.get<double>());
    case Json::value_t::string: return Value(json.get<std::string>());
    case Json::value_t::object: return parse_tagged(json);
    default: throw std::runtime_error("unknown argument " + json.dump());
  }
}

// Tensors written in place become inputs of the case.
Operand parse_operand(const Json& json, RecordedCase& result) {
  if (json.is_array()) {
    Operand::List list;
    for (const Json& element : json) list.push_back(parse_operand(element, result));
    return {std::move(list)};
  }
  if (json.is_object()) {
    if (json.contains("input")) return {InputIndex{json["input"].get<int>()}};
    if (json.contains("node")) return {CallResult{json["node"].get<int>(), json.value("item", -1)}};
    if (json.contains("tensor")) {
      result.inputs.push_back(parse_tensor(json["tensor"]));
      return {InputIndex{static_cast<int>(result.inputs.size()) - 1}};
    }
  }
  return {parse_constant(json)};
}

Call parse_call(const Json& json, RecordedCase& result) {
  Call call{json.at("op").get<std::string>(), {}, {}};
  for (const Json& argument : json.at("args")) call.positional.push_back(parse_operand(argument, result));
  for (const auto& [name, argument] : json.at("kwargs").items())
    call.keywords.emplace_back(name, parse_operand(argument, result));
  return call;
}

void parse_results(const Json& json, std::vector<RecordedResult>& results) {
  if (json.is_array())
    for (const Json& element : json) parse_results(element, results);
  else if (json.is_null())
    results.emplace_back();
  else if (json.is_object() && json.contains("tensor"))
    results.emplace_back(parse_tensor(json["tensor"]));
  else
    results.emplace_back(parse_constant(json).scalar());
}

// The others of special/ are pointwise.
bool reduces_or_scans(std::string_view op) {
  static const std::set<std::string, std::less<>> names = {
      "all",    "amax",    "amin",   "any",         "argmax",    "argmin", "cummax",
      "cummin", "cumprod", "cumsum", "log_softmax", "logsumexp", "mean",   "median",
      "prod",   "softmax", "nansum", "sort",        "std",       "sum",    "var"};
  std::string_view base = op.substr(op.find("::") + 2);
  std::string_view overload = base.substr(base.find('.') + 1);
  base = base.substr(0, base.find('.'));
  bool picks_along_a_dim = (base == "max" || base == "min") && overload != "other";
  return picks_along_a_dim || names.contains(base);
}

}  // namespace

TensorMeta RecordedTensor::meta() const {
  return {dtype, cpu, {SymDims(sizes.begin(), sizes.end()), SymDims(strides.begin(), strides.end()), offset}};
}

bool RecordedCase::returns_number() const { return results.size() == 1 && std::holds_alternative<Scalar>(results[0]); }

RecordedCase parse_case(std::string_view line, bool is_special) {
  Json json = Json::parse(line);
  RecordedCase result;
  result.is_program = json.contains("program");
  if (result.is_program) {
    result.name = json["program"].get<std::string>();
    for (const Json& input : json.at("inputs")) parse_operand(input, result);
    for (const Json& node : json.at("nodes")) result.calls.push_back(parse_call(node, result));
    for (const Json& returned : json.at("returns")) result.returns.push_back(parse_operand(returned, result));
  } else {
    result.name = json.at("op").get<std::string>();
    result.calls.push_back(parse_call(json, result));
    result.returns.push_back({CallResult{0, -1}});
  }
  result.keeps_zero_signs = is_special && !result.is_program && !reduces_or_scans(result.name);
  for (const Json& storage : json.at("storages"))
    result.storages.push_back(parse_hex(storage.get_ref<const std::string&>()));
  if (json.contains("results")) parse_results(json["results"], result.results);
  result.raises = json.value("raises", "");
  if (json.contains("storages_after"))
    for (const auto& [number, storage] : json["storages_after"].items())
      result.storages_after[std::stoi(number)] = parse_hex(storage.get_ref<const std::string&>());
  if (json.contains("tolerance"))
    result.tolerance = {json["tolerance"].at("rtol").get<double>(), json["tolerance"].at("atol").get<double>()};
  return result;
}

std::string_view case_name(std::string_view line) {
  for (std::string_view key : {R"("op":)", R"("program":)"}) {
    size_t at = line.find(key);
    if (at == std::string_view::npos || at > 2) continue;
    size_t begin = line.find('"', at + key.size()) + 1;
    return line.substr(begin, line.find('"', begin) - begin);
  }
  return {};
}

}  // namespace sinter::conformance
