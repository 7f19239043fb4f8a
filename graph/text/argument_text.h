// The text of arguments in graphs: `%add`, `%norm#1`, `2.0`, `[1, 2]`, `'none'`, `f32`, `cuda:0`, `None`, `s0 + 1`.

#pragma once

#include <functional>
#include <optional>

#include <sinter/graph/graph.h>

namespace sinter {

// contiguous_format, preserve_format, channels_last: ATen's names.
std::string_view name(MemoryFormat format);
std::optional<MemoryFormat> parse_memory_format(std::string_view text);

namespace graph {

std::string to_string(NodeOutput output);
std::string to_string(const Argument& argument);

// 'text' with \' \\ \n \t and \xNN, all on one line.
std::string quote(std::string_view text);
// Undoes quote, quotes included; nothing if it is not so written.
std::optional<std::string> unquote(std::string_view text);

// Reads what to_string writes for a value that is no node output, list or string; nothing if there is no such value.
std::optional<Value> parse_value(std::string_view text, const std::function<SymInt(std::string_view)>& parse_size);

// The same value, bit for bit.
bool is_same_value(const Argument& argument, const Value& value);

}  // namespace graph

}  // namespace sinter
